// Searches in C++ that write some of their pruning as others do not: one gate around four methods, moves that are values, a table without calls.
#include <algorithm>

struct Entry { int type, eval, depth; };
extern Entry table[];

int Search::search(Thread& thread, Stack* stack, int alpha, int beta, int depth, bool cutNode) {
    Board& board = thread.board;
    int checkExtension = 0;
    if (board.colorIsInCheck(board.side())) {
        checkExtension = 1;
    }
    if (depth + checkExtension <= 0)
        return quiesce(thread, stack, alpha, beta, 0);
    Entry entry = table[board.key() & 1023];
    int type = None;
    if (board.key() == thread.key) {
        type = entry.type;
    }
    if (type != None && entry.depth >= depth) {
        if (type == Exact) return entry.eval;
    }
    const bool pv = beta - alpha > 1, excluded = stack->excludedMove != Move::nullmove();
    const int eval = board.evaluate();
    if (!pv && !excluded) {
        if (depth <= 6 && eval - 90 * depth >= beta)
            return eval;
        if (depth <= 3 && eval + 200 * depth <= alpha) {
            const int value = quiesce(thread, stack, alpha, beta, 0);
            if (value <= alpha)
                return value;
        }
        if (board.pliesFromNull() > 0 && depth >= 3 && eval >= beta) {
            makeNullMove(thread, stack);
            const int value = -search(thread, stack + 1, -beta, -beta + 1, depth - 4, !cutNode);
            unmakeNullMove(thread, stack);
            if (value >= beta)
                return value;
        }
    }
    if ((pv || cutNode) && type == None && depth > 3) {
        depth--;
    }
    if (pv && !board.legal(stack->ttMove)) {
        depth -= 2;
    }
    int best = -30000, count = 0;
    Picker picker(board);
    while (Move move = picker.next()) {
        if (move == stack->excludedMove)
            continue;
        const int moveScore = move.isCapture() ? 0 : picker.quietScore(move);
        if (!move.isCapture() && best > -20000) {
            if (moveScore < -600 * depth * depth)
                continue;
        }
        int extension = 0;
        if (!excluded && depth > 6 && move == stack->ttMove && entry.depth >= depth - 3) {
            const int bound = entry.eval - 2 * depth;
            stack->excludedMove = move;
            const int value = search(thread, stack, bound - 1, bound, depth / 2, cutNode);
            stack->excludedMove = Move::nullmove();
            if (value < bound)
                extension = 1;
        }
        count++;
        board.make(move);
        const int value = -search(thread, stack + 1, -beta, -alpha, depth - 1 + extension + checkExtension, !cutNode);
        board.unmake(move);
        best = std::max(best, value);
        alpha = std::max(alpha, value);
        if (alpha >= beta)
            break;
    }
    return best;
}

int Search::quiesce(Thread& thread, Stack* stack, int alpha, int beta, int depth) {
    Board& board = thread.board;
    Entry entry = table[board.key() & 1023];
    int type = None, evl = 0;
    if (board.key() == thread.key) {
        type = entry.type;
        evl = entry.eval;
    }
    if (type != None) {
        if (type == Exact) {
            return evl;
        } else if (type == Lower) {
            if (evl >= beta)
                return evl;
        } else {
            if (evl < alpha)
                return evl;
        }
    }
    int best;
    if ((stack->staticEval = best = tte_eval(thread)) == None)
        best = board.evaluate();
    if (best >= beta)
        return best;
    alpha = std::max(alpha, best);
    List list[256];
    const int length = board.captures(list);
    for (int i = 0; i < length; i++) {
        sort(list, i, length);
        if (!board.inCheck()) {
            // Beyond the captures that win.
            if (list[i].eval < 1000200)
                break;
        }
        board.make(list[i].move);
        const int value = -quiesce(thread, stack + 1, -beta, -alpha, depth - 1);
        board.unmake(list[i].move);
        best = std::max(best, value);
        alpha = std::max(alpha, value);
        if (alpha >= beta)
            break;
    }
    return best;
}
