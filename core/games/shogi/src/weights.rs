//! The terms of the evaluation and their weights: what a position is made of, and how weights are kept, stored and identified.
//! Training lives elsewhere.
//!
//! Rows of a regression and sums kept up to date see the same terms. Each
//! side has its pieces in hand, and each of its pieces on the board has what it is, where it stands as its owner sees the
//! board, and where it stands from either king. So that some ten thousand games bear the terms, they are shared: left and
//! right are the same, promoted pieces that move like gold stand where gold stands, and far from a king is far. Left out:
//! terms of more than one piece besides the kings.

use crate::legal::king;
use crate::material::{BOARD, IN_HAND};
use haitaka::{Board, Color, Piece};
use secateur_core::game::{WeightFile, WeightsError, weights_id};
use std::sync::{Arc, OnceLock};

const FILE: WeightFile = WeightFile { game: "shogi", magic: *b"ssw\x03" };
/// A weight stays within this, 1/100 pawn.
pub const LARGEST: i16 = 4_000;

static EMBEDDED: &[u8] = include_bytes!("../data/shogi.weights");

/// One weight a term, 1/100 pawn. Share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    learnt: Vec<i16>,
    id: u64,
}

impl Weights {
    /// Takes weights into use.
    ///
    /// # Errors
    /// [`WeightsError::Length`] if there are not [`WEIGHTS`], [`WeightsError::Large`] if one is beyond [`LARGEST`].
    pub fn new(learnt: Vec<i16>) -> Result<Weights, WeightsError> {
        if learnt.len() != WEIGHTS {
            return Err(WeightsError::Length { count: learnt.len(), expected: WEIGHTS });
        }
        if let Some(&weight) = learnt.iter().find(|weight| weight.unsigned_abs() > LARGEST as u16) {
            return Err(WeightsError::Large { weight, most: LARGEST });
        }
        let id = weights_id(learnt.iter().copied());
        Ok(Weights { learnt, id })
    }

    /// Pieces alone, as the balance counts them: what training begins with, and what it is measured against.
    ///
    /// # Panics
    /// Never: the weights are in range.
    pub fn material() -> Weights {
        let mut learnt = vec![0; WEIGHTS];
        for (at, piece) in HANDS.into_iter().enumerate() {
            learnt[HAND + at] = IN_HAND[piece as usize] as i16;
        }
        for kind in (0..KINDS).filter(|&kind| kind != Piece::King as usize) {
            learnt[MATERIAL + kind] = BOARD[kind] as i16;
        }
        Weights::new(learnt).expect("few and small")
    }

    /// The weights that come with the program, prepared once and shared.
    ///
    /// # Panics
    /// If the embedded file is damaged, which a test excludes.
    pub fn embedded() -> Arc<Weights> {
        static SHARED: OnceLock<Arc<Weights>> = OnceLock::new();
        let load = || Arc::new(Weights::from_bytes(EMBEDDED).expect("the embedded weights are checked"));
        Arc::clone(SHARED.get_or_init(load))
    }

    /// Reads a weight file.
    ///
    /// # Errors
    /// If the bytes are not a weight file, are damaged, or belong to other terms.
    pub fn from_bytes(bytes: &[u8]) -> Result<Weights, WeightsError> {
        Weights::new(FILE.read(bytes, WEIGHTS)?)
    }

    /// Writes a weight file.
    pub fn to_bytes(&self) -> Vec<u8> {
        FILE.write(self.learnt.iter().copied())
    }

    /// The numbers, in the order of the terms.
    pub fn learnt(&self) -> &[i16] {
        &self.learnt
    }

    /// What tells the weights apart ([`weights_id`]).
    pub fn id(&self) -> u64 {
        self.id
    }

    /// What having the move is worth.
    #[inline(always)]
    pub(crate) fn turn(&self) -> i32 {
        i32::from(self.learnt[TURN])
    }

    /// What a piece in hand is worth to its owner.
    #[inline(always)]
    pub(crate) fn in_hand(&self, piece: Piece) -> i32 {
        // Gold comes last of those in hand, after the rook, and so do its numbers.
        i32::from(self.learnt[HAND + piece as usize])
    }

    /// What a piece on the board is worth to its owner, who sees it and the kings on these squares.
    #[inline(always)]
    pub(crate) fn on_board(&self, piece: Piece, square: usize, own_king: usize, other_king: usize) -> i32 {
        let kind = piece as usize;
        let weight = |weight: usize| i32::from(self.learnt[weight]);
        let placed = weight(MATERIAL + kind) + weight(place(kind, square));
        if piece == Piece::King {
            return placed;
        }
        let [near_own, other] = around(kind, square, own_king, other_king);
        placed + weight(near_own) + weight(other)
    }
}

/// Squares of the board.
pub(crate) const SQUARES: usize = 81;
/// Kinds of pieces, promoted ones included.
pub(crate) const KINDS: usize = 14;
/// Kinds of pieces that can be in hand; they are the first ones but for the king's place.
pub(crate) const HANDS: [Piece; 7] =
    [Piece::Pawn, Piece::Lance, Piece::Knight, Piece::Silver, Piece::Bishop, Piece::Rook, Piece::Gold];
/// What each kind is where places are concerned: those that move like gold are gold, and the king comes last, as it stands
/// nowhere from a king.
const CLASS: [usize; KINDS] = [0, 1, 2, 3, 4, 5, 6, 9, 6, 6, 6, 6, 7, 8];
/// Classes of pieces that stand somewhere from a king.
const CLASSES: usize = 9;
/// Places on a board whose left and right are the same.
const PLACES: usize = 5 * 9;
/// Files or ranks from a king beyond which it makes no difference how many.
const FAR: usize = 4;
/// Places from a king: files apart, and ranks from it either way.
const AROUND: usize = (FAR + 1) * (2 * FAR + 1);

/// Having the move.
pub(crate) const TURN: usize = 0;
/// A piece in hand, by kind.
pub(crate) const HAND: usize = 1;
/// A piece on the board, by kind.
pub(crate) const MATERIAL: usize = HAND + HANDS.len();
/// A piece by its place and class, the king's included.
const PLACE: usize = MATERIAL + KINDS;
/// A piece by its place from the own king.
const OWN: usize = PLACE + (CLASSES + 1) * PLACES;
/// A piece by its place from the other king.
const OTHER: usize = OWN + CLASSES * AROUND;
/// The first weight of a piece, a pawn in hand.
pub const PAWN: usize = HAND;
/// The first weights, of the turn and of pieces wherever they are.
pub const PIECES: usize = PLACE;
/// All weights.
pub const WEIGHTS: usize = OTHER + CLASSES * AROUND;

/// A square as its owner sees the board: black's are as they are, white's turned around.
#[inline(always)]
pub(crate) fn seen(color: Color, square: usize) -> usize {
    if color == Color::Black { square } else { SQUARES - 1 - square }
}

/// The place of every square on a board whose left and right are the same.
static PLACE_OF: [u8; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let file = square / 9;
        table[square] = ((if file > 4 { 8 - file } else { file }) * 9 + square % 9) as u8;
        square += 1;
    }
    table
};

/// The place from a king of every pair of squares.
static AROUND_KING: [[u8; SQUARES]; SQUARES] = {
    let mut table = [[0; SQUARES]; SQUARES];
    let mut king = 0;
    while king < SQUARES {
        let mut square = 0;
        while square < SQUARES {
            let files = (king / 9).abs_diff(square / 9);
            let ranks = (king % 9).abs_diff(square % 9);
            let (files, ranks) =
                (if files > FAR { FAR } else { files }, if ranks > FAR { FAR } else { ranks });
            let rank = if square % 9 < king % 9 { FAR - ranks } else { FAR + ranks };
            table[king][square] = (files * (2 * FAR + 1) + rank) as u8;
            square += 1;
        }
        king += 1;
    }
    table
};

/// The weight of where a piece stands, from its owner's view.
#[inline(always)]
pub(crate) fn place(kind: usize, square: usize) -> usize {
    PLACE + CLASS[kind] * PLACES + usize::from(PLACE_OF[square])
}

/// The weights of where a piece but a king stands from its own king and from the other, from its owner's view of all squares.
#[inline(always)]
pub(crate) fn around(kind: usize, square: usize, own_king: usize, other_king: usize) -> [usize; 2] {
    let first = CLASS[kind] * AROUND;
    [
        OWN + first + usize::from(AROUND_KING[own_king][square]),
        OTHER + first + usize::from(AROUND_KING[other_king][square]),
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
        let kings = [color, !color].map(|side| seen(color, king(board, side) as usize));
        for piece in Piece::ALL {
            for square in board.colored_pieces(color, piece) {
                let kind = piece as usize;
                each(MATERIAL + kind, sign);
                let square = seen(color, square as usize);
                each(place(kind, square), sign);
                if piece != Piece::King {
                    around(kind, square, kings[0], kings[1])
                        .into_iter()
                        .for_each(|weight| each(weight, sign));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_file_is_read_as_it_was_written() {
        let weights = Weights::embedded();
        assert_eq!(Weights::from_bytes(&weights.to_bytes()).as_ref(), Ok(&*weights));
        assert_ne!(weights.id(), Weights::material().id());
        assert!(matches!(Weights::new(vec![0; 3]), Err(WeightsError::Length { count: 3, .. })));
    }
}
