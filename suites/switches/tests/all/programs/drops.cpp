// Searches of other games in C++: of shogi, where a win is declared and mates are found without a search, and of one that fills its board.
#include "board.hpp"

Value Searcher::quiet(Value alpha, Value beta) {
    Entry* entry = table.probe(board.key());
    if (useMate && !entry->hit) {
        if (Mate::mate_1ply(board) != NO_MOVE)
            return mate_in(ply + 1);
    }
    Value eval = board.evaluate();
    if (eval >= beta)
        return eval;
    for (Move move : board.captures()) {
        if (moveCount > 2)
            continue;
        board.make(move);
        Value score = -quiet(-beta, -alpha);
        board.unmake();
        if (score > alpha)
            alpha = score;
        if (alpha >= beta)
            return alpha;
    }
    return alpha;
}

Value Searcher::inner(Value alpha, Value beta, int depth) {
    if (depth <= 0)
        return quiet(alpha, beta);
    Entry* entry = table.probe(board.key());
    Move tableMove = entry->hit ? entry->move : NO_MOVE;
    if (!tableMove || pvNode) {
        Move declared = board.declarationWin();
        if (declared != NO_MOVE)
            return mate_in(ply + 1);
    }
    if (!root && !entry->hit && !board.inCheck()) {
        Move move = Mate::weak_mate_3ply(board);
        if (move != NO_MOVE) {
            entry->save(board.key(), mate_in(ply + 3));
            return mate_in(ply + 3);
        }
    }
    for (Move move : board.legal()) {
        // Late move pruning
        if (depth <= 3 && moveCount > 8)
            onlyGoodCaptures = true;
        board.make(move);
        Value score = -inner(-beta, -alpha, depth - 1);
        board.unmake();
        if (score > alpha)
            alpha = score;
        if (alpha >= beta)
            return alpha;
    }
    return alpha;
}

int Filler::inner(int alpha, int beta, int depth) {
    if (stop)
        return alpha;
    else if (board->n_empties == 0)
        return count(board);
    if (depth <= 0)
        return board->evaluate();
    for (Move move : board->legal()) {
        board->make(move);
        int score = -inner(-beta, -alpha, depth - 1);
        board->unmake();
        if (score > alpha)
            alpha = score;
        if (alpha >= beta)
            return alpha;
    }
    return alpha;
}
