// Names that say nothing: an evaluation in `w`, a check in `ch`, the move of the table as a local variable; and a search of the node itself.
#include <algorithm>

int search(Board& board, bool ch, int d, int ply, int alpha, int beta, Move without) {
    if (d <= 0)
        return quiesce(board, alpha, beta);
    Move best = Move();
    Entry* he = table.entry(board.key());
    if (he->key == board.key() && !without) {
        if (he->depth >= d && he->value >= beta)
            return beta;
        best = he->move;
    }
    Move hmove = he->move;
    const int w = ch ? -30000 : board.evaluate();
    if (d <= 3 && w + 400 < beta) {
        const int low = quiesce(board, alpha, beta);
        if (low < beta)
            return low;
    }
    if (!ch && d <= 8 && w - 88 * d > beta)
        return beta;
    if (d >= 4 && !hmove)
        d--;
    const int next = ch ? d : d - 1;
    for (Move move : board.moves(hmove)) {
        if (move == without)
            continue;
        int more = 0;
        if (d >= 8 && he->type == LOWER && he->depth >= d - 3) {
            const int least = he->value - d;
            const int others = search(board, ch, d / 2, ply, least - 1, least, hmove);
            if (others < least)
                more++;
        }
        // History pruning: we skip quiet moves that were seldom good.
        if (d < 5 && board.counter(move) < 0)
            continue;
        board.make(move);
        const int score = -search(board, board.attacked(), next + more, ply + 1, -beta, -alpha, Move());
        board.unmake(move);
        if (score >= beta)
            return score;
        alpha = std::max(alpha, score);
    }
    return alpha;
}

int quiesce(Board& board, int alpha, int beta) {
    const int eval = board.evaluate();
    if (eval >= beta)
        return eval;
    alpha = std::max(alpha, eval);
    for (Move move : board.captures()) {
        const int most = board.worth(move) + 1450;
        if (most <= alpha - eval)
            return eval + most;
        board.make(move);
        const int score = -quiesce(board, -beta, -alpha);
        board.unmake(move);
        if (score >= beta)
            return score;
        alpha = std::max(alpha, score);
    }
    return alpha;
}
