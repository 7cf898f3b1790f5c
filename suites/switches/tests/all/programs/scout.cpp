// Searches that are given little: a depth of one letter, one bound in place of a window, a table that is asked for its move in passing.
#include <algorithm>
#include <optional>

int search(Board& board, int d, int ply, int alpha, int beta) {
    if (d <= 0)
        return quiet(board, alpha, ply);
    if (ply > 0) {
        // Mate distance pruning, and what is drawn.
        if (board.isDraw())
            return 0;
        alpha = std::max(alpha, -MATE + ply);
        beta = std::min(beta, MATE - ply - 1);
        if (alpha >= beta)
            return alpha;
    }
    Move ttMove = Move();
    std::optional<tt_entry> te = tti.lookup(board.key());
    if (te.has_value()) {
        ttMove = te->move;
        if (te->depth >= d) {
            const int kept = te->value;
            if (te->flag == Lower)
                alpha = std::max(alpha, kept);
            else if (te->flag == Upper)
                beta = std::min(beta, kept);
            if (alpha >= beta)
                return kept;
        }
    } else if (beta - alpha > 1 && d >= 4) {
        d--;
    }
    const int eval = board.evaluate();
    if (d <= 8 && eval - 88 * d > beta)
        return beta;
    int count = 0;
    for (Move move : board.moves(ttMove)) {
        if (count > 2 * d && move.isQuiet())
            continue;
        if (d < 8 && swapoff(board, move) < -60 * d)
            continue;
        board.make(move);
        const int value = -search(board, d - 1, ply + 1, -beta, -alpha);
        board.unmake(move);
        count++;
        if (value >= beta)
            return value;
        alpha = std::max(alpha, value);
    }
    return alpha;
}

int scout(Board& board, int depth, int alpha) {
    if (depth == 0)
        return quiet(board, alpha, board.ply());
    Node node;
    node.slot = ttRead(board);
    if (node.slot.depth >= depth)
        if (node.slot.isLowerBound && node.slot.value > alpha)
            return node.slot.value;
    const int eval = board.evaluate();
    if (depth == 1 && eval - board.margin() > alpha)
        return alpha + 1;
    if (depth >= 3 && !node.slot.move) {
        scout(board, depth - 2, alpha);
        node.slot = ttRead(board);
    }
    int best = -30000;
    for (Move move : board.moves(node.slot.move)) {
        board.make(move);
        best = std::max(best, -scout(board, depth - 1, -(alpha + 1)));
        board.unmake(move);
        if (best > alpha)
            break;
    }
    return best;
}

int quiet(Board& board, int alpha, int ply) {
    const int eval = board.evaluate();
    int best = eval;
    if (best > alpha)
        return best;
    for (Move move : board.captures()) {
        if (eval + see_piece_value(board.captured(move)) + 200 < alpha)
            continue;
        board.make(move);
        best = std::max(best, -quiet(board, -(alpha + 1), ply + 1));
        board.unmake(move);
        if (best > alpha)
            break;
    }
    return best;
}
