/* Alpha-beta with the usual pruning. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sprout.h"

#define MATE 30000
#define MAX_PLY 64

static unsigned long long nodes;
static Move line[MAX_PLY][MAX_PLY];
static int length[MAX_PLY];
static int history[2][128][128];

unsigned long long searched(void) { return nodes; }

void forget(void) {
    nodes = 0;
    memset(history, 0, sizeof history);
}

static int score_of(const Board *board, Move move) {
    int piece = abs(board->square[move.from]);
    if (move.taken) return 1000000 + 10 * VALUE[move.taken] - piece;
    return history[board->white][move.from][move.to];
}

static void pick(const Board *board, Move *moves, int count, int at) {
    int best = at;
    for (int i = at + 1; i < count; i++)
        if (score_of(board, moves[i]) > score_of(board, moves[best])) best = i;
    Move move = moves[at];
    moves[at] = moves[best];
    moves[best] = move;
}

static int quiescence(Board *board, int alpha, int beta, int ply) {
    Move moves[256];
    nodes++;
    length[ply] = 0;
    int best = evaluate(board);
    if (ply >= MAX_PLY - 1) return best;
    if (best >= beta) return best;
    if (best > alpha) alpha = best;
    int eval = best, count = moves_of(board, moves, 1);
    for (int i = 0; i < count; i++) {
        pick(board, moves, count, i);
        // Delta pruning: even the captured piece does not raise alpha.
        if (eval + VALUE[moves[i].taken] + 150 <= alpha) continue;
        Board next = *board;
        if (!make(&next, moves[i])) continue;
        int value = -quiescence(&next, -beta, -alpha, ply + 1);
        if (value > best) {
            best = value;
            if (value > alpha) alpha = value;
            if (value >= beta) break;
        }
    }
    return best;
}

static int search(Board *board, int alpha, int beta, int depth, int ply, int can_null) {
    Move moves[256];
    int pv_node = beta - alpha > 1;
    if (depth <= 0) return quiescence(board, alpha, beta, ply);
    nodes++;
    length[ply] = 0;
    if (ply >= MAX_PLY - 1) return evaluate(board);
    int checked = in_check(board);
    int eval = evaluate(board);

    // Reverse futility pruning: the evaluation less a margin is above beta.
    if (!pv_node && !checked && depth <= 4 && eval - 90 * depth >= beta)
        return eval;

    // Null move pruning: the other side moves twice and still does not reach beta.
    if (!pv_node && !checked && can_null && depth >= 3 && eval >= beta) {
        Board next = *board;
        next.white = !next.white;
        int value = -search(&next, -beta, -beta + 1, depth - 1 - 2, ply + 1, 0);
        if (value >= beta) return beta;
    }

    // Check extension.
    if (checked) depth++;

    int best = -MATE, tried = 0, quiets = 0, count = moves_of(board, moves, 0);
    for (int i = 0; i < count; i++) {
        pick(board, moves, count, i);
        Move move = moves[i];
        int quiet = !move.taken && !move.promotes;
        Board next = *board;
        if (!make(&next, move)) continue;
        int gives_check = in_check(&next);

        // Late move pruning: enough quiet moves were tried.
        if (!pv_node && quiet && !checked && depth <= 3 && quiets >= 4 + 3 * depth * depth && best > -MATE + MAX_PLY)
            continue;

        // Futility pruning: a quiet move does not bring the evaluation back to alpha.
        if (quiet && !checked && !gives_check && depth <= 3 && tried > 0 && eval + 100 * depth <= alpha)
            continue;

        int reduction = 0;
        // Late move reductions.
        if (depth >= 3 && tried > 3 && quiet && !checked && !gives_check) {
            reduction = 1;
            if (tried > 12) reduction++;
            if (pv_node) reduction--;
        }
        int value;
        if (tried == 0) {
            value = -search(&next, -beta, -alpha, depth - 1, ply + 1, 1);
        } else {
            value = -search(&next, -alpha - 1, -alpha, depth - 1 - reduction, ply + 1, 1);
            if (value > alpha && reduction > 0) value = -search(&next, -alpha - 1, -alpha, depth - 1, ply + 1, 1);
            if (value > alpha && value < beta) value = -search(&next, -beta, -alpha, depth - 1, ply + 1, 1);
        }
        tried++;
        quiets += quiet;
        if (value > best) {
            best = value;
            if (value > alpha) {
                alpha = value;
                line[ply][0] = move;
                memcpy(&line[ply][1], line[ply + 1], sizeof(Move) * (size_t)length[ply + 1]);
                length[ply] = length[ply + 1] + 1;
            }
            if (value >= beta) {
                if (quiet) history[board->white][move.from][move.to] += depth * depth;
                break;
            }
        }
    }
    if (tried == 0) return checked ? -MATE + ply : 0;
    return best;
}

/* The best move to this depth; one by one of smaller depths before. */
Move think(Board *board, int depth) {
    char text[6];
    forget();
    for (int iteration = 1; iteration <= depth; iteration++) {
        int value = search(board, -MATE, MATE, iteration, 0, 0);
        printf("info depth %d score cp %d nodes %llu pv", iteration, value, nodes);
        for (int i = 0; i < length[0]; i++) {
            write_move(line[0][i], text);
            printf(" %s", text);
        }
        printf("\n");
        fflush(stdout);
    }
    return line[0][0];
}
