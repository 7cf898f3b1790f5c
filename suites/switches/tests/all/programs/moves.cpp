// A function that searches one move, which a loop calls for every move; and names that say something else than what they are: an evaluation
// that the table may improve, a probe of tablebases, a bound beyond beta, the question whether a move is null.
#include <algorithm>

int searchMove(Board& board, Stack* ss, int alpha, int beta, int depth, int staticEval, Move move, int count, bool checked) {
    int depthLeft = depth - 1;
    if (count > 1 && !checked) {
        if (depth < 8 && staticEval + 100 * depth <= alpha)
            return -30000;
        if (depth < 8 && see(board, move) < -10 * depth * depth)
            return -30000;
        // Late move reduction
        if (depth > 2 && count > 3 && !checked) {
            int reduction = 2;
            reduction += count > 10;
            depthLeft = std::max(1, depth - reduction);
        }
    }
    board.make(move);
    int value = -search(board, ss + 1, -alpha - 1, -alpha, depthLeft);
    if (value > alpha && depthLeft < depth - 1)
        value = -search(board, ss + 1, -beta, -alpha, depth - 1);
    board.unmake(move);
    return value;
}

int search(Board& board, Stack* ss, int alpha, int beta, int depth) {
    const bool check = board.attacked();
    depth += check;
    if (depth <= 0)
        return quiesce(board, ss, alpha, beta);
    if (Tablebases::canProbe(board)) {
        auto result = Tablebases::probe(board);
        switch (result) {
            case Win:
                return 20000;
            case Draw:
                return 0;
        }
    }
    Entry* entry = probeTable(board.key());
    const int kept = fromTT(entry->value, ss->ply);
    if (entry->depth >= depth) {
        if ((entry->evalType == AtLeast && kept >= beta) || (entry->evalType == AtMost && kept <= alpha))
            return kept;
    }
    int staticEval = board.evaluate();
    int ttAdjustedEval = staticEval;
    if (entry->key == board.key())
        ttAdjustedEval = entry->value;
    if (!check && moveIsNull(ss->excluded)) {
        if (depth < 5 && ttAdjustedEval - 80 * depth >= beta)
            return ttAdjustedEval;
        if (depth >= 2 && staticEval >= beta) {
            board.makeNull();
            const int value = -search(board, ss + 1, -beta, -beta + 1, depth - 4);
            board.unmakeNull();
            if (value >= beta)
                return value;
        }
    }
    const int more = beta + 200;
    if (entry->type == AtLeast && entry->depth >= depth - 4 && entry->value >= more)
        return more;
    int count = 0;
    int best = -30000;
    for (Move move : board.moves(entry->move)) {
        count++;
        const int value = searchMove(board, ss, alpha, beta, depth, staticEval, move, count, check);
        if (value > best)
            best = value;
        alpha = std::max(alpha, value);
        if (alpha >= beta)
            break;
    }
    return best;
}

int quiesce(Board& board, Stack* ss, int alpha, int beta) {
    const int staticEval = board.evaluate();
    if (staticEval >= beta)
        return staticEval;
    alpha = std::max(alpha, staticEval);
    Picker picker(board);
    int count = 0;
    while (picker.next(count)) {
        const Move move = picker.move();
        if (moveValue[ss->ply][count] < 0)
            break;
        if (!SEE::evaluate(board, move, alpha - staticEval - 100))
            continue;
        // Late moves, where much is missing.
        if (picker.index() > 5 && staticEval + 300 < alpha)
            continue;
        count++;
        board.make(move);
        const int value = -quiesce(board, ss + 1, -beta, -alpha);
        board.unmake(move);
        if (value >= beta)
            return value;
        alpha = std::max(alpha, value);
    }
    return alpha;
}
