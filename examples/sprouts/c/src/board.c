/* The rules, but for castling and en passant, on a board of 16 columns of which 8 count. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "sprout.h"

const int VALUE[7] = { 0, 100, 320, 330, 500, 900, 0 };

static const int STEPS[7][9] = {
    { 0 }, { 0 }, { 33, 31, 18, 14, -33, -31, -18, -14, 0 }, { 17, 15, -17, -15, 0 }, { 16, 1, -16, -1, 0 },
    { 17, 15, -17, -15, 16, 1, -16, -1, 0 }, { 17, 15, -17, -15, 16, 1, -16, -1, 0 },
};

int read_board(Board *board, const char *fen) {
    const char *letters = " pnbrqk";
    int square = 112;
    memset(board, 0, sizeof *board);
    for (; *fen && *fen != ' '; fen++) {
        if (*fen == '/') square -= 24;
        else if (isdigit((unsigned char)*fen)) square += *fen - '0';
        else {
            int piece = (int)(strchr(letters, tolower((unsigned char)*fen)) - letters);
            int white = isupper((unsigned char)*fen) != 0;
            board->square[square] = (signed char)(white ? piece : -piece);
            if (piece == KING) board->king[!white] = square;
            square++;
        }
    }
    board->white = fen[0] == ' ' && fen[1] == 'w';
    return 1;
}

int attacked(const Board *board, int square, int by_white) {
    int side = by_white ? 1 : -1;
    for (int piece = KNIGHT; piece <= KING; piece++)
        for (const int *step = STEPS[piece]; *step; step++)
            for (int to = square + *step; !(to & 0x88); to += *step) {
                if (board->square[to] == side * piece) return 1;
                if (board->square[to] || piece == KNIGHT || piece == KING) break;
            }
    for (int step = 15; step <= 17; step += 2) {
        int from = square - side * step;
        if (!(from & 0x88) && board->square[from] == side * PAWN) return 1;
    }
    return 0;
}

int in_check(const Board *board) {
    return attacked(board, board->king[!board->white], !board->white);
}

static void add(const Board *board, Move *moves, int *count, int from, int to) {
    int piece = abs(board->square[from]);
    int last = piece == PAWN && (to >> 4 == 7 || to >> 4 == 0);
    moves[*count].from = (unsigned char)from;
    moves[*count].to = (unsigned char)to;
    moves[*count].taken = (signed char)abs(board->square[to]);
    moves[*count].promotes = last ? QUEEN : 0;
    (*count)++;
}

int moves_of(const Board *board, Move *moves, int captures_only) {
    int count = 0, side = board->white ? 1 : -1;
    for (int from = 0; from < 128; from++) {
        if (from & 0x88 || board->square[from] * side <= 0) continue;
        int piece = board->square[from] * side;
        if (piece == PAWN) {
            for (int step = 15; step <= 17; step += 2) {
                int to = from + side * step;
                if (!(to & 0x88) && board->square[to] * side < 0) add(board, moves, &count, from, to);
            }
            int to = from + side * 16;
            if (captures_only || to & 0x88 || board->square[to]) continue;
            add(board, moves, &count, from, to);
            to += side * 16;
            if (from >> 4 == (board->white ? 1 : 6) && !board->square[to]) add(board, moves, &count, from, to);
            continue;
        }
        for (const int *step = STEPS[piece]; *step; step++)
            for (int to = from + *step; !(to & 0x88); to += *step) {
                if (board->square[to] * side > 0) break;
                if (board->square[to] || !captures_only) add(board, moves, &count, from, to);
                if (board->square[to] || piece == KNIGHT || piece == KING) break;
            }
    }
    return count;
}

/* Whether the move is legal; the board is of no use afterwards if it is not. */
int make(Board *board, Move move) {
    int side = board->white ? 1 : -1;
    board->square[move.to] = move.promotes ? (signed char)(side * move.promotes) : board->square[move.from];
    board->square[move.from] = EMPTY;
    if (board->square[move.to] == side * KING) board->king[!board->white] = move.to;
    board->white = !board->white;
    return !attacked(board, board->king[board->white], board->white);
}

int evaluate(const Board *board) {
    int sum = 0;
    for (int square = 0; square < 128; square++) {
        int piece = board->square[square];
        if (square & 0x88 || !piece) continue;
        int file = square & 7, rank = square >> 4;
        int centre = 6 - abs(2 * file - 7) / 2 - abs(2 * rank - 7) / 2;
        int worth = VALUE[abs(piece)] + (abs(piece) == KING ? -centre : 3 * centre);
        if (abs(piece) == PAWN) worth += 2 * (piece > 0 ? rank : 7 - rank);
        sum += piece > 0 ? worth : -worth;
    }
    return board->white ? sum : -sum;
}

void write_move(Move move, char *text) {
    text[0] = (char)('a' + (move.from & 7));
    text[1] = (char)('1' + (move.from >> 4));
    text[2] = (char)('a' + (move.to & 7));
    text[3] = (char)('1' + (move.to >> 4));
    text[4] = move.promotes ? 'q' : 0;
    text[5] = 0;
}
