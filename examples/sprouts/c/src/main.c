/* UCI, as much of it as a test needs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sprout.h"

static const char *START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
static const char *BENCH[3] = {
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 0 8",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
};

static void play(Board *board, const char *text) {
    Move moves[256];
    int count = moves_of(board, moves, 0);
    for (int i = 0; i < count; i++) {
        char own[6];
        write_move(moves[i], own);
        if (strcmp(own, text) == 0) {
            make(board, moves[i]);
            return;
        }
    }
}

static void go(Board *board, int depth) {
    char text[6];
    write_move(think(board, depth), text);
    printf("bestmove %s\n", text);
}

int main(int argc, char **argv) {
    char input[8192];
    Board board;
    setvbuf(stdout, NULL, _IOLBF, 0);
    read_board(&board, START);
    if (argc > 1 && strcmp(argv[1], "bench") == 0) {
        unsigned long long sum = 0;
        for (int i = 0; i < 3; i++) {
            read_board(&board, BENCH[i]);
            think(&board, 5);
            sum += searched();
        }
        printf("%llu nodes\n", sum);
        return 0;
    }
    while (fgets(input, sizeof input, stdin)) {
        char *word = strtok(input, " \r\n");
        if (!word) continue;
        if (strcmp(word, "uci") == 0) printf("id name Sprout 1\nid author a test\nuciok\n");
        else if (strcmp(word, "isready") == 0) printf("readyok\n");
        else if (strcmp(word, "ucinewgame") == 0) forget();
        else if (strcmp(word, "quit") == 0) return 0;
        else if (strcmp(word, "position") == 0) {
            char *kind = strtok(NULL, " \r\n");
            char *rest = strtok(NULL, "\r\n");
            char *moves = rest ? strstr(rest, "moves ") : NULL;
            read_board(&board, kind && strcmp(kind, "fen") == 0 && rest ? rest : START);
            if (moves)
                for (char *move = strtok(moves + 6, " \r\n"); move; move = strtok(NULL, " \r\n")) play(&board, move);
        } else if (strcmp(word, "go") == 0) {
            int depth = 4;
            for (char *option = strtok(NULL, " \r\n"); option; option = strtok(NULL, " \r\n"))
                if (strcmp(option, "depth") == 0) {
                    char *number = strtok(NULL, " \r\n");
                    depth = number ? atoi(number) : depth;
                }
            go(&board, depth);
        }
    }
    return 0;
}
