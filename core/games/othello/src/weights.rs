//! The weights of the evaluation: how they are kept, shared, interpolated, stored and identified.
//!
//! A weight is learnt at 15 knots, one every four discs, and interpolated linearly to each disc count when
//! the file is loaded; an evaluation then reads one table. Training lives elsewhere.

use super::pattern::{CONSTANT, FULL, Sharing, TABLE, WINDOW};
use miniz_oxide::{deflate::compress_to_vec, inflate::decompress_to_vec_with_limit};
use std::sync::{Arc, OnceLock};

/// Disc counts at which weights are learnt: 8, 12 .. 64.
pub const KNOTS: usize = 15;
/// Disc counts 0..=64, each with a constant term of its own.
pub const DISC_COUNTS: usize = 65;
/// First four bytes of a weight file; the fourth is the version of the layout.
const MAGIC: [u8; 4] = *b"sow\x01";
/// The fewest discs that a table is made for; a board with fewer uses this one.
const FEWEST: usize = 4;

static EMBEDDED: &[u8] = include_bytes!("../data/othello.weights");

/// Why bytes are not a weight file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// The first bytes are not those of a weight file of this layout.
    #[error("not an Othello weight file of layout 1")]
    Magic,
    /// The rest does not unpack.
    #[error("the weight file is damaged: {0}")]
    Damaged(String),
    /// It unpacks to another number of weights than the pattern set has.
    #[error("the weight file holds {found} weights where the patterns need {expected}")]
    Length {
        /// Weights found.
        found: usize,
        /// Weights of this pattern set.
        expected: usize,
    },
}

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
        let (found, expected) =
            (learnt.constant.len() + learnt.patterns.len(), DISC_COUNTS + KNOTS * sharing.len());
        if found != expected || learnt.constant.len() != DISC_COUNTS {
            return Err(WeightsError::Length { found, expected });
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
            for (place, weight) in table[..FULL].iter_mut().enumerate() {
                *weight = mixed[sharing.class(place)];
            }
            table[CONSTANT] = learnt.constant[discs];
        }
        let id = fnv1a(learnt.constant.iter().chain(&learnt.patterns));
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
        let packed = bytes.strip_prefix(&MAGIC).ok_or(WeightsError::Magic)?;
        let count = DISC_COUNTS + KNOTS * Sharing::get().len();
        let planes = decompress_to_vec_with_limit(packed, 2 * count + 1)
            .map_err(|error| WeightsError::Damaged(error.to_string()))?;
        if planes.len() != 2 * count {
            return Err(WeightsError::Length { found: planes.len() / 2, expected: count });
        }
        let (low, high) = planes.split_at(count);
        let mut all: Vec<i16> =
            low.iter().zip(high).map(|(&l, &h)| unfold(u16::from_le_bytes([l, h]))).collect();
        let patterns = all.split_off(DISC_COUNTS);
        Weights::new(Learnt { constant: all, patterns })
    }

    /// Writes a weight file: low bytes, then high bytes, compressed.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let all = || self.learnt.constant.iter().chain(&self.learnt.patterns).map(|&w| fold(w).to_le_bytes());
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

    /// The table of a disc count (0..=64).
    #[inline]
    pub(super) fn table(&self, discs: u32) -> &[i16; WINDOW] {
        let from = (discs as usize).saturating_sub(FEWEST) * TABLE;
        self.tables[from..].first_chunk().expect("the last table is padded to a whole window")
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
    use super::*;

    #[test]
    fn a_file_is_read_back_and_the_hash_tells_weights_apart() {
        let mut learnt = Weights::elementary().learnt().clone();
        let before = Weights::elementary();
        assert_eq!(Weights::from_bytes(&before.to_bytes()).map(|w| w.learnt), Ok(learnt.clone()));
        learnt.patterns[12_345] -= 1;
        let after = Weights::new(learnt).expect("same length");
        assert_ne!(after.id(), before.id());
        for weight in [0, 1, -1, i16::MAX, i16::MIN] {
            assert_eq!(unfold(fold(weight)), weight);
        }
    }

    #[test]
    fn damaged_files_are_refused() {
        let good = Weights::elementary().to_bytes();
        assert_eq!(Weights::from_bytes(b"GIF89a").unwrap_err(), WeightsError::Magic);
        assert!(matches!(Weights::from_bytes(&good[..good.len() / 2]), Err(WeightsError::Damaged(_))));
        let short = Learnt { constant: vec![0; DISC_COUNTS], patterns: vec![0; 10] };
        assert!(matches!(Weights::new(short), Err(WeightsError::Length { found: 75, .. })));
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
