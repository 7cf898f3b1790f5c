/* A search in C as programs write it: one `if` a method, headings in comments, a move picker. */
#define INLINE static inline
#include <stdlib.h>
#include "board.h"

#ifdef LINUX
#define PAUSE 1
#endif

static int repeats(Board *pos);

static int quiesce(Board *pos, int alpha, int beta, int ply) {
    Entry *entry = probe_table(pos->key);
    int value, best, standPat, margin;
    Move move;
    Picker picker;

    if (pos->info->stopped) return 0;
    if (is_draw(pos)) return 0;
    if (ply >= MAX_PLY) return evaluate(pos);
    if (entry && entry->bound == EXACT_BOUND) return entry->score;

    best = standPat = evaluate(pos);
    if (standPat >= beta) return standPat;
    margin = alpha - standPat - 150;
    if (best_gain(pos) < margin && alpha > -MATE) return best;

    init_picker(&picker, pos);
    while ((move = next_move(&picker)) != NO_MOVE) {
        if (standPat + gain(move) + 120 <= alpha) continue;
        if (!see_at_least(pos, move, 0)) continue;
        if (picker.moveCount > 6) break;
        if (!make_move(pos, move)) continue;
        value = -quiesce(pos, -beta, -alpha, ply + 1);
        undo_move(pos);
        if (value > best) {
            best = value;
            if (value >= beta) break;
        }
    }
    return best;
}

static int singular_test(Board *pos, Move hashMove, int depth, int alpha, int beta) {
    int value = -1;
    Move move;
    Picker picker;
    while ((move = next_move(&picker))) {
        if (move == hashMove) continue;
        value = -search(pos, depth / 2, -beta, -beta + 1, 1);
        if (value > alpha) break;
    }
    return value <= alpha;
}

int search(Board *pos, int depth, int alpha, int beta, int ply) {
    int root = ply == 0, pvNode = beta - alpha > 1, inCheck = pos->checkers != 0;
    int value, best = -INFINITE, eval, moveCount = 0, reduction, extension, newDepth, improving, skipQuiets = 0;
    Move move, ttMove;
    Picker picker;
    Entry *entry;

    if (depth <= 0 && !inCheck) return quiesce(pos, alpha, beta, ply);
    if (pos->info->timeout) return 0;
    if (pos->nodes > pos->limit) return 0;
    if (!root) {
        if (repeats(pos) || pos->fifty > 99) return 0;
        if (ply >= MAX_PLY) return evaluate(pos);
        alpha = MAX(alpha, -MATE + ply);
        beta = MIN(beta, MATE - ply - 1);
        if (alpha >= beta) return alpha;
    }
    entry = probe_table(pos->key);
    ttMove = entry ? entry->move : NO_MOVE;
    if (!pvNode && entry && entry->depth >= depth && (entry->score >= beta ? entry->bound & LOWER : entry->bound & UPPER))
        return entry->score;
    if (tb_wdl(pos) != TB_NONE) return tb_value(pos);

    eval = evaluate(pos);
    improving = eval > pos->stack[ply].eval;

    // The position is so good that a margin may be given away
    if (!pvNode && !inCheck && depth < 7 && eval - 80 * depth >= beta) return eval;

    // Razoring
    if (!pvNode && depth <= 2 && eval + 300 < alpha) {
        value = quiesce(pos, alpha, beta, ply);
        if (value < alpha) return value;
    }

    // Null move: pass, and see whether that is still good enough
    if (!pvNode && !inCheck && eval >= beta && depth >= 3) {
        make_null_move(pos);
        value = -search(pos, depth - 4, -beta, -beta + 1, ply + 1);
        undo_null_move(pos);
        if (value >= beta) return value;
    }

    // Captures that stay above a raised bound
    if (depth >= 5 && abs(beta) < MATE_VALUE) {
        int raised = beta + 100;
        while ((move = next_capture(&picker))) {
            if (!make_move(pos, move)) continue;
            value = -search(pos, depth - 4, -raised, -raised + 1, ply + 1);
            undo_move(pos);
            if (value >= raised) return value;
        }
    }

    // Nothing is known to try first
    if (depth >= 4 && ttMove == NO_MOVE) depth--;

    init_picker(&picker, pos);
    while ((move = next_move(&picker, skipQuiets))) {
        int quiet = !is_capture(move), history = get_history(pos, move);
        if (root && is_listed(pos, move)) continue;
        if (move == pos->stack[ply].excluded) continue;
        moveCount++;

        if (quiet && best > -MATE_VALUE) {
            // Late moves
            if (depth <= 6 && moveCount > 4 + depth * depth) skipQuiets = 1;
            if (depth <= 5 && eval + 90 * depth <= alpha) continue;
            if (depth <= 3 && history < -2000) continue;
        }
        if (depth <= 8 && !see_at_least(pos, move, -60 * depth)) continue;

        extension = 0;
        if (depth >= 8 && move == ttMove && entry->depth >= depth - 3 && !root) {
            int bound = entry->score - depth;
            pos->stack[ply].excluded = move;
            value = search(pos, depth / 2, bound - 1, bound, ply);
            pos->stack[ply].excluded = NO_MOVE;
            if (value < bound) extension = 1;
            else if (bound >= beta) return bound;
        } else if (inCheck) {
            extension = 1;
        }
        if (!make_move(pos, move)) continue;
        newDepth = depth - 1 + extension;

        // Late move reductions
        if (depth >= 3 && moveCount > 3 && quiet) {
            reduction = lmrTable[depth][moveCount];
            reduction += !improving + pvNode;
            reduction -= history / 8000;
            if (inCheck) reduction--;
        } else {
            reduction = 0;
        }
        value = -search(pos, newDepth - reduction, -alpha - 1, -alpha, ply + 1);
        if (value > alpha && reduction > 0) value = -search(pos, newDepth, -alpha - 1, -alpha, ply + 1);
        undo_move(pos);
        if (pos->info->stopped) return 0;
        if (value > best) {
            best = value;
            if (value > alpha) {
                alpha = value;
                if (alpha >= beta) break;
            }
        }
    }
    if (moveCount == 0) return inCheck ? -MATE + ply : 0;
    return best;
}
