//! The terms of the evaluation: what a position is made of, as rows of a regression and as sums kept up to date see it.
//!
//! Each side has its pieces in hand, and each of its pieces on the board has what it is, where it stands as its owner sees
//! the board, and where it stands from either king; left and right are the same. Left out: terms of more than one piece
//! besides the kings.

use haitaka::{Board, Color, Piece};

/// Squares of the board.
pub(crate) const SQUARES: usize = 81;
/// Kinds of pieces, promoted ones included.
pub(crate) const KINDS: usize = 14;
/// Kinds of pieces that can be in hand; they are the first ones but for the king's place.
pub(crate) const HANDS: [Piece; 7] =
    [Piece::Pawn, Piece::Lance, Piece::Knight, Piece::Silver, Piece::Bishop, Piece::Rook, Piece::Gold];
/// Places on a board whose left and right are the same.
const PLACES: usize = 5 * 9;
/// Places from a king: files apart, and ranks from it.
const AROUND: usize = 9 * 17;

/// Having the move.
pub(crate) const TURN: usize = 0;
/// A piece in hand, by kind.
pub(crate) const HAND: usize = 1;
/// A piece on the board, by kind.
pub(crate) const MATERIAL: usize = HAND + HANDS.len();
/// The same by place.
const PLACE: usize = MATERIAL + KINDS;
/// The same by its place from the own king.
const OWN: usize = PLACE + KINDS * PLACES;
/// The same by its place from the other king.
const OTHER: usize = OWN + KINDS * AROUND;
/// The first weight of a piece, a pawn in hand.
pub const PAWN: usize = HAND;
/// The first weights, of the turn and of pieces wherever they are.
pub const PIECES: usize = PLACE;
/// All weights.
pub const WEIGHTS: usize = OTHER + KINDS * AROUND;

/// A square as its owner sees the board: black's are as they are, white's turned around.
#[inline(always)]
pub(crate) fn seen(color: Color, square: usize) -> usize {
    if color == Color::Black { square } else { SQUARES - 1 - square }
}

const fn place(square: usize) -> usize {
    let file = square / 9;
    (if file > 4 { 8 - file } else { file }) * 9 + square % 9
}

const fn around(king: usize, square: usize) -> usize {
    (king / 9).abs_diff(square / 9) * 17 + (square % 9 + 8 - king % 9)
}

/// [`around`] of every pair of squares.
pub(crate) static AROUND_KING: [[u8; SQUARES]; SQUARES] = {
    let mut table = [[0; SQUARES]; SQUARES];
    let mut king = 0;
    while king < SQUARES {
        let mut square = 0;
        while square < SQUARES {
            table[king][square] = around(king, square) as u8;
            square += 1;
        }
        king += 1;
    }
    table
};

/// The three weights besides the material of a piece on the board, from its owner's view of all squares.
#[inline(always)]
pub(crate) fn standing(kind: usize, square: usize, own_king: usize, other_king: usize) -> [usize; 3] {
    [
        PLACE + kind * PLACES + place(square),
        OWN + kind * AROUND + usize::from(AROUND_KING[own_king][square]),
        OTHER + kind * AROUND + usize::from(AROUND_KING[other_king][square]),
    ]
}

/// Every term of a position with how often the side to move has it more than the other.
pub fn terms(board: &Board, mut each: impl FnMut(usize, i32)) {
    let us = board.side_to_move();
    each(TURN, 1);
    for color in [Color::White, Color::Black] {
        let sign = if color == us { 1 } else { -1 };
        for (at, piece) in HANDS.into_iter().enumerate() {
            each(HAND + at, sign * i32::from(board.num_in_hand(color, piece)));
        }
        let kings = [color, !color].map(|of| seen(color, board.king(of) as usize));
        for piece in Piece::ALL {
            for square in board.colored_pieces(color, piece) {
                let kind = piece as usize;
                each(MATERIAL + kind, sign);
                for weight in standing(kind, seen(color, square as usize), kings[0], kings[1]) {
                    each(weight, sign);
                }
            }
        }
    }
}
