/* What the files of sprout share. */
#ifndef SPROUT_H
#define SPROUT_H

enum { EMPTY, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING };

typedef struct {
    signed char square[128]; /* a piece, negative for Black */
    int white;               /* the side to move */
    int king[2];             /* of White and of Black */
} Board;

typedef struct {
    unsigned char from, to;
    signed char taken, promotes;
} Move;

extern const int VALUE[7];

int read_board(Board *board, const char *fen);
int moves_of(const Board *board, Move *moves, int captures_only);
int make(Board *board, Move move);
int attacked(const Board *board, int square, int by_white);
int in_check(const Board *board);
int evaluate(const Board *board);
void write_move(Move move, char *text);

Move think(Board *board, int depth);
unsigned long long searched(void);
void forget(void);

#endif
