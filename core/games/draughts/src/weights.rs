//! The weights of the evaluation: how they are kept, expanded, stored and identified.
//!
//! A weight is learnt twice, for the full board and for the empty one, and what lies between is interpolated by the number of
//! pieces. Both are summed at once, as the halves of one number. Training lives elsewhere.

use super::board::{Board, bits, square, turned};
use super::pattern::{
    ALONE, AREAS, CONFIGURATIONS, CROWNED, INSTANCES, KINGS, MEN, OPPOSITION, TURN, WEIGHTS, alone,
    configurations, opposite, opposition,
};
use super::{KING, MAN};
use miniz_oxide::{deflate::compress_to_vec, inflate::decompress_to_vec_with_limit};
use std::sync::{Arc, OnceLock};

/// First four bytes of a weight file; the fourth is the version of the layout.
const MAGIC: [u8; 4] = *b"sdw\x01";
/// A weight stays within this, so that no half of a sum overflows.
pub const LARGEST: i16 = 1_500;

static EMBEDDED: &[u8] = include_bytes!("../data/draughts.weights");

/// Why bytes are not a weight file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// The first bytes are not those of a weight file of this layout.
    #[error("not a draughts weight file of layout 1")]
    Magic,
    /// The rest does not unpack.
    #[error("the weight file is damaged: {0}")]
    Damaged(String),
    /// It unpacks to another number of weights than there are.
    #[error("the weight file holds {found} weights where the patterns need {expected}")]
    Length {
        /// Weights found.
        found: usize,
        /// Weights of this pattern set.
        expected: usize,
    },
    /// A weight is too large.
    #[error("a weight is {found}, expected at most {LARGEST} either way")]
    Large {
        /// The weight.
        found: i16,
    },
}

/// What regression finds, in 1/100 man: each weight for the full board, then for the empty one.
pub type Learnt = Vec<[i16; 2]>;

/// Weights ready for evaluation. Large (240 kB): share it.
#[derive(Debug)]
pub struct Weights {
    learnt: Learnt,
    areas: Vec<i32>,
    kings: [i32; 32],
    id: u64,
}

/// Both halves in one number; sums of such numbers hold the sums of the halves.
fn both([full, empty]: [i16; 2]) -> i32 {
    (i32::from(empty) << 16) + i32::from(full)
}

impl Weights {
    /// Prepares weights for evaluation.
    ///
    /// # Errors
    /// [`WeightsError::Length`] if there are not [`WEIGHTS`], [`WeightsError::Large`] if one is beyond [`LARGEST`].
    pub fn new(learnt: Learnt) -> Result<Weights, WeightsError> {
        if learnt.len() != WEIGHTS {
            return Err(WeightsError::Length { found: learnt.len(), expected: WEIGHTS });
        }
        if let Some(&found) = learnt.iter().flatten().find(|weight| weight.unsigned_abs() > LARGEST as u16) {
            return Err(WeightsError::Large { found });
        }
        let mut areas = vec![0; INSTANCES * CONFIGURATIONS];
        for (instance, table) in areas.chunks_mut(CONFIGURATIONS).enumerate() {
            for (number, weight) in table.iter_mut().enumerate() {
                let of = |area: usize, number: usize| both(learnt[area * CONFIGURATIONS + number]);
                if instance < AREAS {
                    *weight += of(instance, number);
                }
                if instance >= AREAS - 1 {
                    *weight -= of(INSTANCES - 1 - instance, opposite(number));
                }
            }
        }
        let kings = std::array::from_fn(|square| both(learnt[KINGS + square]));
        let id = fnv1a(learnt.iter().flatten());
        Ok(Weights { learnt, areas, kings, id })
    }

    /// Men and kings alone: what training begins with, and what it is measured against.
    ///
    /// # Panics
    /// Never: the weights are in range.
    #[must_use]
    pub fn material() -> Weights {
        let mut learnt = vec![[0; 2]; WEIGHTS];
        learnt[MEN] = [MAN as i16; 2];
        learnt[CROWNED] = [KING as i16; 2];
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
    /// If the bytes are not a weight file, are damaged, or belong to another pattern set.
    pub fn from_bytes(bytes: &[u8]) -> Result<Weights, WeightsError> {
        let packed = bytes.strip_prefix(&MAGIC).ok_or(WeightsError::Magic)?;
        let count = 2 * WEIGHTS;
        let planes = decompress_to_vec_with_limit(packed, 2 * count + 1)
            .map_err(|error| WeightsError::Damaged(error.to_string()))?;
        if planes.len() != 2 * count {
            return Err(WeightsError::Length { found: planes.len() / 4, expected: WEIGHTS });
        }
        let (low, high) = planes.split_at(count);
        let all: Vec<i16> = low.iter().zip(high).map(|(&l, &h)| unfold(u16::from_le_bytes([l, h]))).collect();
        let (full, empty) = all.split_at(WEIGHTS);
        Weights::new(full.iter().zip(empty).map(|(&full, &empty)| [full, empty]).collect())
    }

    /// Writes a weight file: low bytes, then high bytes, compressed.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let half = |half: usize| self.learnt.iter().map(move |weight| fold(weight[half]).to_le_bytes());
        let all = || half(0).chain(half(1));
        let planes: Vec<u8> = all().map(|b| b[0]).chain(all().map(|b| b[1])).collect();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(compress_to_vec(&planes, 9));
        bytes
    }

    /// The numbers the tables were made from.
    #[must_use]
    pub fn learnt(&self) -> &Learnt {
        &self.learnt
    }

    /// Hash (FNV-1a, 64 bits) of the numbers.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The evaluation of a board for the side to move, 1/100 man.
    #[inline]
    pub(crate) fn evaluate(&self, board: &Board) -> i32 {
        let mut sum = 0i32;
        for (instance, number) in configurations(board).into_iter().enumerate() {
            sum += self.areas[instance * CONFIGURATIONS + number];
        }
        let [[men, kings], [other_men, other_kings]] =
            board.counts().map(|side| side.map(|count| count as i32));
        if board.kings != 0 {
            for king in bits(board.own & board.kings) {
                sum += self.kings[square(king)];
            }
            for king in bits(turned(board.other & board.kings)) {
                sum -= self.kings[square(king)];
            }
            sum += (kings - other_kings) * both(self.learnt[CROWNED]);
            sum += alone(kings, other_kings) * both(self.learnt[ALONE]);
        }
        sum += (men - other_men) * both(self.learnt[MEN]) + both(self.learnt[TURN]);
        sum += opposition(board) * both(self.learnt[OPPOSITION]);
        let full = i32::from(sum as i16);
        let empty = (sum - full) >> 16;
        let pieces = board.pieces() as i32;
        (full * pieces + empty * (24 - pieces)) / 24
    }
}

/// Small numbers of either sign to small numbers without: what compresses well.
fn fold(weight: i16) -> u16 {
    ((weight << 1) ^ (weight >> 15)) as u16
}

fn unfold(folded: u16) -> i16 {
    (folded >> 1) as i16 ^ -((folded & 1) as i16)
}

fn fnv1a<'a>(weights: impl Iterator<Item = &'a i16>) -> u64 {
    weights
        .flat_map(|weight| weight.to_le_bytes())
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use super::super::pattern::terms;
    use super::super::testing::{self, Random};
    use super::*;

    /// Weights without rhyme or reason, up to 200 either way.
    fn arbitrary() -> Weights {
        let mut random = Random(5);
        let mut any = || random.below(401) as i16 - 200;
        Weights::new((0..WEIGHTS).map(|_| [any(), any()]).collect()).expect("in range")
    }

    #[test]
    fn an_evaluation_is_the_sum_of_its_terms() {
        let weights = arbitrary();
        for board in testing::boards(2_000) {
            let mut sums = [0i32; 2];
            terms(&board, |weight, count| {
                for (sum, half) in sums.iter_mut().zip(weights.learnt[weight]) {
                    *sum += count * i32::from(half);
                }
            });
            let pieces = board.pieces() as i32;
            assert_eq!(weights.evaluate(&board), (sums[0] * pieces + sums[1] * (24 - pieces)) / 24);
        }
    }

    #[test]
    fn a_file_is_read_back_and_the_hash_tells_weights_apart() {
        let weights = arbitrary();
        let read = Weights::from_bytes(&weights.to_bytes()).expect("a weight file");
        assert_eq!((&read.learnt, read.id), (&weights.learnt, weights.id));
        assert_ne!(read.id, Weights::material().id);
        assert!(Weights::embedded().learnt().iter().any(|weight| *weight != [0; 2]));
    }

    #[test]
    fn damaged_files_are_refused() {
        let good = Weights::material().to_bytes();
        assert_eq!(Weights::from_bytes(b"GIF89a").unwrap_err(), WeightsError::Magic);
        assert!(matches!(Weights::from_bytes(&good[..good.len() / 2]), Err(WeightsError::Damaged(_))));
        assert!(matches!(Weights::new(vec![[0; 2]; 7]), Err(WeightsError::Length { found: 7, .. })));
        assert!(matches!(Weights::new(vec![[2_000; 2]; WEIGHTS]), Err(WeightsError::Large { found: 2_000 })));
    }
}
