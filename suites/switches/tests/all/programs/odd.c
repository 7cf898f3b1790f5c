/* A search in C with the shapes that are rarer: a table in a `switch`, no call that makes a null move, cuts that are functions. */
#include "node.h"

static int search_leaves(Node *node, int alpha, int beta) {
    int score, best = -INF;
    Move *move;

    /* stability cutoff */
    if (search_stability_nws(node, alpha, &score)) return score;
    for (move = node->first; move; move = move->next) {
        score = -search_leaves(move->child, -beta, -alpha);
        if (score > best) best = score;
        if (best >= beta) break;
    }
    return best;
}

int search(Node *node, int depth, int alpha, int beta, int wtm, int doNull) {
    int value, eval, best = -INF, moves = 0, extend, newDepth, mating, multiCut = node->multiCut;
    Move move, hashMove;

    if (node->splitPoint && node->slave) return 0;
    if (depth == node->empties) return search_leaves(node, alpha, beta);
    if (depth < 2) {
        if (depth <= 0) return search_leaves(node, alpha, beta);
    }

    // Fifty moves without progress
    if (node->plies >= 100) return 0;

    mating = MATE - node->ply;
    if (mating < beta) {
        beta = mating;
        if (alpha >= mating) return mating;
    }

    switch (table_probe(node, depth, alpha, beta, &value)) {
    case HASH_HIT:
        return value;
    case HASH_AVOID_NULL:
        doNull = 0;
        break;
    case HASH_MISS:
        break;
    }
    hashMove = node->hashMove;

    for (move = first_listed(node); move; move = next_listed(node)) {
        if (move->isPass) break;
        count_move(node, move);
    }
    if (node->legalMoves == 0) return node->checkers ? -MATE : 0;

    eval = evaluate(node);
    if (depth <= 2 && eval + 500 * depth <= alpha) return eval;

    // Multi-ProbCut
    if (search_mpc(node, depth, alpha, beta, &value)) return value;

    // Enhanced transposition cutoff
    if (search_etc_nws(node, depth, alpha, &value)) return value;

    if (doNull && depth > 2 && eval >= beta) {
        value = -search(node, depth - 4, -beta, 1 - beta, !wtm, 0);
        if (value >= beta) return value;
    }
    if (multiCut) return beta;

    while (next_move(node, &move)) {
        if (!move) continue;
        moves++;
        extend = 0;
        if (node->checkers) extend++;
        if (node->onlyReply) {
            newDepth = depth;
        } else {
            newDepth = depth - 1;
        }
        if (depth <= 4 && eval + 90 < beta && node->quiet) continue;
        if (moves > 8 && !node->checkers) newDepth--;
        value = -search(move->child, newDepth + extend, -beta, -alpha, !wtm, 1);
        if (node->stopped) return 0;
        if (value > best) best = value;
        if (best > alpha) alpha = best;
        if (alpha >= beta) break;
    }
    return best;
}
