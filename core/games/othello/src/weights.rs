//! The weights of the evaluation: how they are kept, shared, interpolated, stored and identified.
//!
//! A weight is learnt at 15 knots, one every four discs, and interpolated linearly to each disc count when
//! the file is loaded; an evaluation then reads one table. Training lives elsewhere.

use super::pattern::{CONSTANT, START, Sharing, TABLE, WINDOW};
use secateur_core::game::{WeightFile, WeightsError, weights_id};
use std::sync::{Arc, OnceLock};

/// Disc counts at which weights are learnt: 8, 12 .. 64.
pub const KNOTS: usize = 15;
/// Disc counts 0..=64, each with a constant term of its own.
pub const DISC_COUNTS: usize = 65;
const FILE: WeightFile = WeightFile { game: "Othello", magic: *b"sow\x01" };
/// The fewest discs that a table is made for; a board with fewer uses this one.
const FEWEST: usize = 4;

static EMBEDDED: &[u8] = include_bytes!("../data/othello.weights");

/// What regression finds: the numbers themselves, in 1/100 disc.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Learnt {
    /// Constant term by disc count.
    pub constant: Vec<i16>,
    /// Weight of class `c` at knot `k`, at `k * Sharing::len() + c`.
    pub patterns: Vec<i16>,
}

impl Learnt {
    /// All zero.
    #[must_use]
    pub fn zero() -> Learnt {
        Learnt { constant: vec![0; DISC_COUNTS], patterns: vec![0; KNOTS * Sharing::get().len()] }
    }

    /// All numbers, in the order of a file.
    fn all(&self) -> impl Iterator<Item = i16> + Clone {
        self.constant.iter().chain(&self.patterns).copied()
    }
}

/// The lower knot of a disc count (0..=64) and, in quarters, how far the count is on the way to the next.
#[must_use]
pub fn knot(discs: usize) -> (usize, i32) {
    let above = discs.clamp(8, 64) - 8;
    if above == 56 { (KNOTS - 2, 4) } else { (above / 4, (above % 4) as i32) }
}

/// Weights ready for evaluation. Large (21 MB): share it.
#[derive(Debug)]
pub struct Weights {
    learnt: Learnt,
    tables: Vec<i16>,
    id: u64,
}

impl Weights {
    /// Prepares weights for evaluation.
    ///
    /// # Errors
    /// [`WeightsError::Length`] if there are not [`DISC_COUNTS`] constants and [`KNOTS`] weights a class.
    pub fn new(learnt: Learnt) -> Result<Weights, WeightsError> {
        let sharing = Sharing::get();
        let (count, expected) =
            (learnt.constant.len() + learnt.patterns.len(), DISC_COUNTS + KNOTS * sharing.len());
        if count != expected || learnt.constant.len() != DISC_COUNTS {
            return Err(WeightsError::Length { count, expected });
        }
        let mut tables = vec![0; (DISC_COUNTS - FEWEST - 1) * TABLE + WINDOW];
        for discs in FEWEST..DISC_COUNTS {
            let (lower, quarters) = knot(discs);
            let (from, to) = (lower * sharing.len(), (lower + 1) * sharing.len());
            let mixed: Vec<i16> = learnt.patterns[from..to]
                .iter()
                .zip(&learnt.patterns[to..])
                .map(|(&a, &b)| ((i32::from(a) * (4 - quarters) + i32::from(b) * quarters + 2) >> 2) as i16)
                .collect();
            let table = &mut tables[(discs - FEWEST) * TABLE..][..TABLE];
            for place in START[0]..CONSTANT {
                table[place] = mixed[sharing.class(place)];
            }
            table[CONSTANT] = learnt.constant[discs];
        }
        let id = weights_id(learnt.all());
        Ok(Weights { learnt, tables, id })
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
        let mut constant = FILE.read(bytes, DISC_COUNTS + KNOTS * Sharing::get().len())?;
        let patterns = constant.split_off(DISC_COUNTS);
        Weights::new(Learnt { constant, patterns })
    }

    /// Writes a weight file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        FILE.write(self.learnt.all())
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

    /// The table of a disc count (0..=64).
    #[inline]
    pub(super) fn table(&self, discs: u32) -> &[i16; WINDOW] {
        let from = (discs as usize).saturating_sub(FEWEST) * TABLE;
        self.tables[from..].first_chunk().expect("the last table is padded to a whole window")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_back_and_the_hash_tells_weights_apart() {
        let mut learnt = Weights::elementary().learnt().clone();
        let before = Weights::elementary();
        assert_eq!(Weights::from_bytes(&before.to_bytes()).map(|w| w.learnt), Ok(learnt.clone()));
        learnt.patterns[12_345] -= 1;
        let after = Weights::new(learnt).expect("same length");
        assert_ne!(after.id(), before.id());
    }

    #[test]
    fn too_few_weights_are_refused() {
        let short = Learnt { constant: vec![0; DISC_COUNTS], patterns: vec![0; 10] };
        assert!(matches!(Weights::new(short), Err(WeightsError::Length { count: 75, .. })));
    }

    #[test]
    fn the_embedded_weights_load() {
        assert!(Weights::embedded().learnt().patterns.iter().any(|&weight| weight != 0));
    }

    #[test]
    fn knots_are_met_exactly_and_quarters_lie_between() {
        assert_eq!(knot(4), (0, 0));
        assert_eq!(knot(28), (5, 0));
        assert_eq!(knot(31), (5, 3));
        assert_eq!(knot(64), (13, 4));
        assert!((0..=64).all(|discs| knot(discs).0 + 1 < KNOTS));
    }
}
