/* A search of a tree of numbers, so that a patched program can be run: it prints its value and its nodes. */
#include <stdio.h>

static long nodes;

static unsigned mix(unsigned key) {
    key ^= key >> 15;
    key *= 0x2c1b3c6dU;
    key ^= key >> 12;
    key *= 0x297a2d39U;
    return key ^ key >> 15;
}

static int evaluate(unsigned key) { return (int)(mix(key) % 201) - 100; }

static unsigned pass_null_move(unsigned key) { return key ^ 0x55555555U; }

static int search(unsigned key, int depth, int alpha, int beta) {
    int eval = evaluate(key), value, best = -1000, moveCount = 0, reduction, newDepth;
    nodes++;
    if (depth <= 0) return eval;

    if (depth <= 2 && eval - 60 * depth >= beta) return eval;

    if (depth >= 3 && eval >= beta + 10) {
        unsigned passed = pass_null_move(key);
        value = -search(passed, depth - 3, -beta, -beta + 1);
        if (value >= beta) return value;
    }
    for (unsigned move = 1; move <= 9; move++) {
        moveCount++;
        if (depth <= 2 && moveCount > 5 + depth) break;
        newDepth = depth - 1;
        reduction = 0;
        if (depth >= 3 && moveCount > 3) reduction = 1 + moveCount / 8;
        value = -search(mix(key + move), newDepth - reduction, -alpha - 1, -alpha);
        if (value > alpha) value = -search(mix(key + move), newDepth, -beta, -alpha);
        if (value > best) {
            best = value;
            if (value > alpha) alpha = value;
            if (alpha >= beta) break;
        }
    }
    return best;
}

int main(void) {
    for (unsigned key = 1; key <= 4; key++) {
        int value = search(key, 5, -1000, 1000);
        printf("%d %ld\n", value, nodes);
    }
    return 0;
}
