//! The weights of the evaluation: how they are kept, stored and identified. Training lives elsewhere.

use super::material::{BOARD, IN_HAND};
use super::terms::{HAND, HANDS, KINDS, MATERIAL, TURN, WEIGHTS, around, place};
use haitaka::Piece;
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
    #[must_use]
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
    #[must_use]
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
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        FILE.write(self.learnt.iter().copied())
    }

    /// The numbers, in the order of the terms.
    #[must_use]
    pub fn learnt(&self) -> &[i16] {
        &self.learnt
    }

    /// What tells the weights apart ([`weights_id`]).
    #[must_use]
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
