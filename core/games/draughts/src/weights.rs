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
use secateur_core::game::{WeightFile, WeightsError, weights_id};
use std::sync::{Arc, OnceLock};

const FILE: WeightFile = WeightFile { game: "draughts", magic: *b"sdw\x01" };
/// A weight stays within this, so that no half of a sum overflows.
pub const LARGEST: i16 = 1_500;

static EMBEDDED: &[u8] = include_bytes!("../data/draughts.weights");

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
            return Err(WeightsError::Length { count: learnt.len(), expected: WEIGHTS });
        }
        if let Some(&weight) = learnt.iter().flatten().find(|weight| weight.unsigned_abs() > LARGEST as u16) {
            return Err(WeightsError::Large { weight, most: LARGEST });
        }
        let mut areas = vec![0; INSTANCES * CONFIGURATIONS];
        for (instance, table) in areas.chunks_mut(CONFIGURATIONS).enumerate() {
            for (number, weight) in table.iter_mut().enumerate() {
                let pair = |area: usize, number: usize| both(learnt[area * CONFIGURATIONS + number]);
                if instance < AREAS {
                    *weight += pair(instance, number);
                }
                if instance >= AREAS - 1 {
                    *weight -= pair(INSTANCES - 1 - instance, opposite(number));
                }
            }
        }
        let kings = std::array::from_fn(|square| both(learnt[KINGS + square]));
        let id = weights_id(learnt.iter().flatten().copied());
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
        let all = FILE.read(bytes, 2 * WEIGHTS)?;
        let (full, empty) = all.split_at(WEIGHTS);
        Weights::new(full.iter().zip(empty).map(|(&full, &empty)| [full, empty]).collect())
    }

    /// Writes a weight file: all weights for the full board, then all for the empty one.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let half = |half: usize| self.learnt.iter().map(move |weight| weight[half]);
        FILE.write(half(0).chain(half(1)))
    }

    /// The numbers the tables were made from.
    #[must_use]
    pub fn learnt(&self) -> &Learnt {
        &self.learnt
    }

    /// What tells the weights apart ([`weights_id`]).
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
            for king in bits(board.mover & board.kings) {
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

#[cfg(test)]
mod tests {
    use super::super::pattern::terms;
    use super::super::testing;
    use super::*;
    use secateur_base::random::SplitMix;

    /// Weights without rhyme or reason, up to 200 either way.
    fn arbitrary() -> Weights {
        let mut random = SplitMix(5);
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
    fn what_are_no_weights_is_refused() {
        assert!(matches!(Weights::new(vec![[0; 2]; 7]), Err(WeightsError::Length { count: 7, .. })));
        assert!(matches!(
            Weights::new(vec![[2_000; 2]; WEIGHTS]),
            Err(WeightsError::Large { weight: 2_000, .. })
        ));
    }
}
