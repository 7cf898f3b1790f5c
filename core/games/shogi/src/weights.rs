//! The weights of the evaluation: how they are kept, stored and identified. Training lives elsewhere.

use super::material::{BOARD, IN_HAND};
use super::terms::{HAND, HANDS, KINDS, MATERIAL, TURN, WEIGHTS, around, place};
use haitaka::Piece;
use miniz_oxide::{deflate::compress_to_vec, inflate::decompress_to_vec_with_limit};
use secateur_base::Fnv;
use std::sync::{Arc, OnceLock};

/// First four bytes of a weight file; the fourth is the version of the layout.
const MAGIC: [u8; 4] = *b"ssw\x02";
/// A weight stays within this, 1/100 pawn.
pub const LARGEST: i16 = 4_000;

static EMBEDDED: &[u8] = include_bytes!("../data/shogi.weights");

/// Why bytes are not a weight file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// The first bytes are not those of a weight file of this layout.
    #[error("not a shogi weight file of layout 2")]
    Magic,
    /// The rest does not unpack.
    #[error("the weight file is damaged: {0}")]
    Damaged(String),
    /// There are more or fewer weights than terms.
    #[error("the weight file holds {count} weights, expected {WEIGHTS}")]
    Length {
        /// Weights found.
        count: usize,
    },
    /// A weight is too large.
    #[error("a weight is {weight}, expected at most {LARGEST} either way")]
    Large {
        /// The weight.
        weight: i16,
    },
}

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
            return Err(WeightsError::Length { count: learnt.len() });
        }
        if let Some(&weight) = learnt.iter().find(|weight| weight.unsigned_abs() > LARGEST as u16) {
            return Err(WeightsError::Large { weight });
        }
        let bytes: Vec<u8> = learnt.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        let id = Fnv::default().bytes(&bytes).value();
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
        let packed = bytes.strip_prefix(&MAGIC).ok_or(WeightsError::Magic)?;
        let plain = decompress_to_vec_with_limit(packed, 2 * WEIGHTS + 1)
            .map_err(|error| WeightsError::Damaged(error.to_string()))?;
        if plain.len() != 2 * WEIGHTS {
            return Err(WeightsError::Length { count: plain.len() / 2 });
        }
        Weights::new(plain.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect())
    }

    /// Writes a weight file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let plain: Vec<u8> = self.learnt.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(compress_to_vec(&plain, 9));
        bytes
    }

    /// The numbers, in the order of the terms.
    #[must_use]
    pub fn learnt(&self) -> &[i16] {
        &self.learnt
    }

    /// Hash of the numbers.
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
        let bytes = weights.to_bytes();
        assert_eq!(Weights::from_bytes(&bytes[1..]), Err(WeightsError::Magic));
        assert!(matches!(Weights::from_bytes(&bytes[..bytes.len() / 2]), Err(WeightsError::Damaged(_))));
        assert_eq!(Weights::new(vec![0; 3]), Err(WeightsError::Length { count: 3 }));
    }
}
