// A search in C++ whose quiescence has a picker of its own, and whose conditions have two reasons each.
#include "board.hpp"

bool Picker::next_tactical(Move& move) {
    if (stage == FIRST) {
        board.generate_tactical(list);
        stage = WINNING;
    }
    if (stage == WINNING) {
        if (at != list.end() && at->score >= 0) {
            move = *at++;
            return true;
        }
    }
    return false;
}

bool Picker::next(Move& move) {
    if (at != list.end() && at->score >= 0) {
        move = *at++;
        return true;
    }
    return false;
}

int Searcher::quiet(int alpha, int beta) {
    int eval = board.evaluate();
    if (eval >= beta)
        return eval;
    Picker picker(board);
    Move move;
    while (picker.next_tactical(move)) {
        board.make(move);
        int score = -quiet(-beta, -alpha);
        board.unmake();
        if (score > alpha)
            alpha = score;
        if (alpha >= beta)
            return alpha;
    }
    return alpha;
}

int Searcher::inner(int alpha, int beta, int depth) {
    if (depth <= 0)
        return quiet(alpha, beta);
    int eval = board.evaluate();
    int count = 0;
    Picker picker(board);
    Move move;
    while (picker.next(move)) {
        ++count;
        // Futility pruning and history pruning
        if (hopeless || (depth <= 1 && order < 0))
            continue;
        if (!move.isCapture() && (count > 3 + depth * depth || eval + 90 * depth <= alpha))
            continue;
        // Two reasons of one method are one switch.
        if (board.see(move) < -50 * depth || depth < 3 && board.see(move) < 0)
            continue;
        board.make(move);
        int score = -inner(-beta, -alpha, depth - 1);
        board.unmake();
        if (score > alpha)
            alpha = score;
        if (alpha >= beta)
            return alpha;
    }
    return alpha;
}

// A quiescence search that sees by the stage of a picker that all searches share what it leaves out.
int Searcher::shallow(int alpha, int beta, int ply) {
    int eval = board.evaluate();
    if (eval >= beta)
        return eval;
    Picker picker(board);
    Move move;
    while (picker.next(move)) {
        if (picker.stage > Stage::WinningCaptures && !board.inCheck())
            break;
        board.make(move);
        int score = -shallow(-beta, -alpha, ply + 1);
        board.unmake();
        if (score > alpha)
            alpha = score;
        if (alpha >= beta)
            return alpha;
    }
    return alpha;
}

// What is said above a condition is said of the only one in it.
int Searcher::narrow(int alpha, int beta, int depth) {
    if (depth <= 0)
        return quiet(alpha, beta);
    for (auto [move, order] : moves) {
        // History pruning
        if (depth <= 4 && !board.inCheck()) {
            if (order < -5300 * depth) {
                skipQuiets = true;
                continue;
            }
        }
        board.make(move);
        int score = -narrow(-beta, -alpha, depth - 1);
        board.unmake();
        if (score > alpha)
            alpha = score;
        if (alpha >= beta)
            return alpha;
    }
    return alpha;
}
