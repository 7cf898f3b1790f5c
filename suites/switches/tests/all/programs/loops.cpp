// A search in C++ whose loops and depths are made elsewhere than usual: a closure for every move, depths chosen in a first loop, a
// reduction clamped before it is used, and methods that judge by the stage or the value of a move in the order.
#include "board.hpp"

int Searcher::quiet(int alpha, int beta, int ply) {
    Slot slot;
    int kept = UNKNOWN;
    if (table.probe(board.key(), slot))
        kept = slot.value;
    // A choice between the table and an evaluation is no answer of the table.
    int best = kept != UNKNOWN ? kept : evals.probe(board);
    if (best >= beta)
        return best;
    for (int at = 0; at < list.size(); at++) {
        if (list[at].value < 0)
            break;
        if (best + gain(list[at]) < alpha) { // Delta pruning
            if (board.pieces() > 8) {
                if (!board.checks(list[at]))
                    continue;
            }
        }
        board.make(list[at]);
        int score = -quiet(-beta, -alpha, ply + 1);
        board.unmake();
        if (score > best)
            best = score;
        if (best >= beta)
            return best;
    }
    return best;
}

// The moves of a node are searched by a closure.
int Searcher::inner(int alpha, int beta, int depth, int ply, bool cut) {
    if (ply)
        depth += board.in_check();
    if (depth <= 0)
        return quiet(alpha, beta, ply);
    if (repeats(board, hashList, hashListEnd))
        return 0;
    if (claimsDraw(board, hashList, hashListEnd))
        return 0;
    auto entry = table.probe(board.key());
    if (exclusive && entry.isBusy())
        return BUSY;
    int eval = board.evaluate();
    // Both terms are about what is on the stack at this ply, and this is no horizon.
    if (depth <= 1 && stack[ply].eval + 300 < beta)
        return quiet(beta - 1, beta, ply);
    if (depth > 2 && eval >= beta) {
        board.make(MOVE_NONE);
        int value = -inner(-beta, -alpha, depth - 3, ply + 1, !cut);
        board.unmake();
        if (value >= beta)
            return value;
    }
    if (depth > 5) {
        int value = probcut(beta + 90, depth, ply);
        if (value >= beta + 90)
            return value;
    }
    int best = -30000, tried = 0, nbMoves = 0;
    order.each([&](Move move, bool& skipQuiets) -> bool {
        nbMoves++;
        skipQuiets = nbMoves > 3 + depth * depth;
        if (depth < 7 && !board.see(move, -40 * depth))
            return true;
        board.make(move);
        int value;
        if (depth > 2 && nbMoves > 3) {
            int R = table_of[depth][nbMoves];
            int next = std::clamp(depth - 1 - R, 1, depth - 2);
            value = -inner(-alpha - 1, -alpha, next, ply + 1, true);
        } else {
            value = -inner(-beta, -alpha, depth - 1, ply + 1, false);
        }
        board.unmake();
        if (stopped())
            return false;
        if (value > best)
            best = value;
        if (best >= beta)
            return false;
        alpha = std::max(alpha, best);
        return true;
    });
    return best;
}

// A function that is a method: its exchanges are part of it.
int Searcher::probcut(int beta, int depth, int ply) {
    for (Move move = picker.next(); move; move = picker.next()) {
        if (!board.see(move, beta))
            continue;
        board.make(move);
        int value = -inner(-beta, -beta + 1, depth - 4, ply + 1, true);
        board.unmake();
        if (value >= beta)
            return value;
    }
    return -30000;
}

// The depths of all moves first, then the moves.
int Searcher::outer(int alpha, int beta, int depth, int ply) {
    if (depth < 1)
        return quiet(alpha, beta, ply);
    int best = -30000, legal = 0, value, count = 0;
    for (Move move = picker.next(); move; move = picker.next()) {
        legal++;
        bool givesCheck = board.checks(move);
        int ex = givesCheck;
        if (depth > 7 && move == ttMove) {
            excluded = move;
            value = outer(bound - 1, bound, depth / 2, ply);
            excluded = NONE;
            if (value < bound)
                ex = 1;
        }
        int R = 0;
        if (depth > 2 && legal > 1) {
            R = depth / 8 + legal / 8;
            if (move.late())
                R++;
        }
        list.add(move, depth - 1 - R + ex);
    }
    while (list.left()) {
        Planned planned = list.take();
        if (planned.stage == STAGE_BAD_NOISY && depth < 5)
            continue;
        if (!planned.quiet && planned.move.score < limits[depth])
            continue;
        int extend = planned.check && (depth < 2 || good(planned)) ? 1 : 0;
        if (planned.inCheck && list.moves.size() == 1)
            extend = 1;
        int lmr = 0;
        if (depth > 1 && planned.late) {
            count++;
            if (count > 8 && depth > 4) {
                lmr = 3;
            } else if (count > 4 && depth > 2) {
                lmr = 2;
            } else if (count > 1) {
                lmr = 1;
            }
        }
        board.make(planned.move);
        value = -outer(-beta, -alpha, depth - 1 + extend - lmr, ply + 1);
        board.unmake();
        if (value > best)
            best = value;
        if (best >= beta)
            return best;
    }
    return best;
}

// A reduction that may come to nothing.
int Searcher::zero(int beta, int depth, int ply) {
    if (depth < 1)
        return quiet(beta - 1, beta, ply);
    int best = -30000, searched = 0, value;
    for (Move move = picker.next(); move; move = picker.next()) {
        board.make(move);
        searched++;
        int ex = 0;
        // Check and recapture extensions
        if (board.in_check())
            ex = 1;
        bool whole = true;
        if (depth > 2 && searched > 1) {
            int R = 1 + depth / 8 + searched / 8;
            if (R > 0) {
                value = -zero(1 - beta, depth - 1 - R + ex, ply + 1);
                whole = value >= beta;
            }
        }
        if (whole)
            value = -zero(1 - beta, depth - 1 + ex, ply + 1);
        board.unmake();
        if (value > best)
            best = value;
        if (best >= beta)
            return best;
    }
    return best;
}
