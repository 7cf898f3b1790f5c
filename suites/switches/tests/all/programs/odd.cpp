// A search in C++ with the shapes that are rarer: extensions as one expression, a reduction by a condition that sets it, a jump.
#include "board.hpp"

int Searcher::quiesce(Board& board, int alpha, int beta) {
    int standPat = board.evaluate();
    int best = standPat;
    if (standPat >= beta)
        return standPat;
    for (auto move : board.captures()) {
        // Delta pruning
        if (standPat + gain(move) + 200 < alpha)
            continue;
        if (captureHistory(move) < -4000)
            continue;
        int score = -quiesce(board.after(move), -beta, -alpha);
        if (score > best)
            best = score;
        if (score >= beta)
            break;
    }
    return best;
}

int Searcher::search(Board& board, int alpha, int beta, int depth, bool inCheck, Move previous) {
    int score, best = -30000, searched = 0;
    if (depth == 0)
        return quiesce(board, alpha, beta);
    if (board.isStalemate())
        return Score::draw();
    // Checkmate
    if (board.noReplies())
        return matedAt(board);
    auto entry = table.probe(board.key());
    Move ttMove = entry.move;
    bool singular = entry.depth > depth - 3;
    bool ttReduction = !ttMove;
    int eval = board.evaluate();
    if (inCheck)
        goto moves;
    if (beta > 0 && depth > 1 && !previous.isNull() && eval >= beta) {
        board.doNull();
        score = -search(board, -beta, -beta + 1, depth - 3, false, Move::null());
        board.undoNull();
        if (score >= beta)
            return score;
    }
    if (ttReduction && depth > 5)
        depth--;
moves:
    for (Move move = picker.next(); move; move = picker.next()) {
        if (searched == 0 && board.lost())
            return matedAt(board);
        // Extensions
        int extension = inCheck || (singular && isSingular(board, move, depth)) || previous.to() == move.to();
        int ext2 = board.passed(move) ? 1 : 0;
        int reduction = 0;
        if (move == board.recapture())
            depth += 1;
        if (!inCheck && searched > 4)
            reduction = table_of(depth, searched);
        reduction = std::max(0, reduction - extension);
        score = -search(board.after(move), -beta, -alpha, depth - 1 - reduction + extension + ext2, board.check(), move);
        searched++;
        if (score > best)
            best = score;
        if (best >= beta)
            break;
    }
    return best;
}
