//! The weights of the evaluation: how they are kept, shared, interpolated, summed, stored and identified.
//!
//! A weight is learnt at 15 knots, one every four discs, and interpolated linearly to each disc count when
//! the file is loaded; an evaluation then reads one table. Training lives elsewhere.
//!
//! There are hand-made weights in the form of the trained ones: moves along each line, corners and what spoils them, and discs
//! as the end comes near. They play a decent game, which is all the first generation of self-play needs, and they serve as the weak
//! evaluation when the effect of evaluation quality is measured.
//!
//! An evaluation is a sum of one weight per lane of the pattern numbers. With AVX2,
//! which the build asks for on x86-64, eight lanes are looked up by one instruction, straight from the registers that the
//! numbers were computed in: a third of the instructions of storing them and looking up one by one, which is what is done
//! elsewhere.

use crate::pattern::{CONSTANT, START, Sharing, TABLE, WINDOW};
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
    pub fn zero() -> Learnt {
        Learnt { constant: vec![0; DISC_COUNTS], patterns: vec![0; KNOTS * Sharing::get().len()] }
    }

    /// All numbers, in the order of a file.
    fn all(&self) -> impl Iterator<Item = i16> + Clone {
        self.constant.iter().chain(&self.patterns).copied()
    }
}

/// The lower knot of a disc count (0..=64) and, in quarters, how far the count is on the way to the next.
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
    pub fn to_bytes(&self) -> Vec<u8> {
        FILE.write(self.learnt.all())
    }

    /// The numbers the tables were made from.
    pub fn learnt(&self) -> &Learnt {
        &self.learnt
    }

    /// What tells the weights apart ([`weights_id`]).
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

/// 1/100 disc for each move that a line offers the mover, as for each it offers the other side.
const MOVE: i32 = 60;
/// A corner in one of the two edges that it ends.
const CORNER: i32 = 400;
/// An X square next to an empty corner, once for each edge.
const X_SQUARE: i32 = -150;
/// A C square next to an empty corner.
const C_SQUARE: i32 = -80;
/// Every disc in each line through it, at the end of the game.
const DISC: i32 = 25;

impl Weights {
    /// Hand-made weights (mobility along lines, corners, discs at the end): where training starts.
    pub fn elementary() -> Weights {
        Weights::new(learnt()).expect("elementary weights have the right length")
    }
}

fn learnt() -> Learnt {
    let sharing = Sharing::get();
    let mut learnt = Learnt::zero();
    for class in 0..sharing.len() {
        let (shape, squares) = sharing.configuration(class);
        let digits: Vec<i32> = squares.iter().map(|&(_, digit)| digit).collect();
        let (early, late) = match shape {
            0 => (edge(&digits), material(&digits[1..9])),
            1 | 2 => (0, 0),
            _ => (MOVE * line_moves(&digits), material(&digits)),
        };
        for knot in 0..KNOTS {
            // Discs begin to count at 44 and moves no longer do at 64.
            let end = (knot as i32 - 9).clamp(0, 5);
            let weight = (early * (5 - end) + late * end) / 5;
            learnt.patterns[knot * sharing.len() + class] = weight as i16;
        }
    }
    learnt
}

fn edge(digits: &[i32]) -> i32 {
    let line = &digits[1..9];
    let side = |corner: i32, c: i32, x: i32| {
        CORNER * corner + if corner == 0 { C_SQUARE * c + X_SQUARE * x } else { 0 }
    };
    MOVE * line_moves(line) + side(line[0], line[1], digits[0]) + side(line[7], line[6], digits[9])
}

fn material(digits: &[i32]) -> i32 {
    DISC * digits.iter().sum::<i32>()
}

/// Moves that a line alone offers: the mover's less the other side's.
fn line_moves(digits: &[i32]) -> i32 {
    let backwards: Vec<i32> = digits.iter().rev().copied().collect();
    let legal = |side: i32| {
        let ends = |line: &[i32], at: usize| {
            let run = line[at + 1..].iter().take_while(|&&digit| digit == -side).count();
            run > 0 && line.get(at + 1 + run) == Some(&side)
        };
        (0..digits.len())
            .filter(|&at| digits[at] == 0 && (ends(digits, at) || ends(&backwards, digits.len() - 1 - at)))
            .count() as i32
    };
    legal(1) - legal(-1)
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(super) use one_by_one::sum;
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(super) use vector::sum;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod vector {
    use crate::pattern::{Numbers, WINDOW, pairs};
    use std::arch::x86_64::*;

    /// Sum of the weights of the configurations with these numbers, and of the constant term.
    #[inline(always)]
    pub(crate) fn sum(table: &[i16; WINDOW], numbers: Numbers) -> i32 {
        let (starts, _) = pairs().0.as_chunks::<8>();
        // SAFETY: this module is only there if every processor the program is for has AVX2. Reads are within their
        // arrays: `starts` has eight numbers for each half vector, and a window of the table holds what begins at any
        // start plus any 16 bits, with two bytes to spare.
        unsafe {
            let (lower, ones) = (_mm256_set1_epi32(0xFFFF), _mm256_set1_epi16(1));
            let mut sum = _mm256_setzero_si256();
            for (vector, starts) in numbers.into_iter().zip(starts.as_chunks::<2>().0) {
                let vector: __m256i = std::mem::transmute(vector.to_array());
                // A number of an even lane and one of an odd lane share 32 bits, and so do their weights.
                let numbers = [_mm256_and_si256(vector, lower), _mm256_srli_epi32::<16>(vector)];
                let [even, odd] = [0, 1].map(|half| {
                    let starts = _mm256_load_si256(starts[half].as_ptr().cast());
                    let places = _mm256_add_epi32(numbers[half], starts);
                    _mm256_i32gather_epi32::<2>(table.as_ptr().cast(), places)
                });
                let weights = _mm256_blend_epi16::<0b1010_1010>(even, odd);
                sum = _mm256_add_epi32(sum, _mm256_madd_epi16(weights, ones));
            }
            let four = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
            let two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
            _mm_cvtsi128_si32(two) + _mm_extract_epi32::<1>(two)
        }
    }
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod one_by_one {
    use crate::pattern::{CONSTANT, FIRST, LANES, Lanes, Numbers, START, WINDOW};

    /// Sum of the weights of the configurations with these numbers, and of the constant term.
    #[inline]
    pub(crate) fn sum(table: &[i16; WINDOW], numbers: Numbers) -> i32 {
        // Kept in memory: reading numbers back from there is cheaper than extracting them from vectors one by one.
        let numbers = &std::hint::black_box(Lanes::of(numbers).0.map(|number| number as u16));
        let lines = part::<3>(table, numbers) + part::<4>(table, numbers) + part::<5>(table, numbers);
        let diagonals = part::<6>(table, numbers)
            + part::<7>(table, numbers)
            + part::<8>(table, numbers)
            + part::<9>(table, numbers)
            + part::<10>(table, numbers);
        let corners = part::<0>(table, numbers) + part::<1>(table, numbers) + part::<2>(table, numbers);
        i32::from(table[CONSTANT]) + corners + lines + diagonals
    }

    /// The weights of one shape's instances. The shape is known to the compiler, so that its place in the table
    /// costs nothing and 16 bits need no check.
    #[inline(always)]
    fn part<const SHAPE: usize>(table: &[i16; WINDOW], numbers: &[u16; LANES]) -> i32 {
        let weights: &[i16; 1 << 16] =
            table[START[SHAPE]..].first_chunk().expect("a window holds all places");
        numbers[FIRST[SHAPE]..FIRST[SHAPE + 1]].iter().map(|&n| i32::from(weights[usize::from(n)])).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::random_boards;
    use crate::position::Position;

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

    #[test]
    fn line_moves_are_counted_for_both_sides() {
        assert_eq!(line_moves(&[0, -1, 1, 0, 0, 0, 0, 0]), 0);
        assert_eq!(line_moves(&[0, -1, -1, 1, 0, 0, 0, 0]), 0);
        assert_eq!(line_moves(&[0, -1, 1, 1, 1, 1, 1, 1]), 1);
        assert_eq!(line_moves(&[0, 1, 1, -1, -1, -1, -1, -1]), -1);
        assert_eq!(line_moves(&[0, 1, 0, -1]), 0);
    }

    /// Weights of either sign up to the ends of the scale, so that no weight is taken for its neighbour's half.
    fn wild() -> Weights {
        let mut learnt = Learnt::zero();
        let mut state = 1_u32;
        for weight in learnt.constant.iter_mut().chain(&mut learnt.patterns) {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *weight = (state >> 16) as i16;
        }
        assert_eq!(learnt.constant.len(), DISC_COUNTS);
        Weights::new(learnt).expect("as many weights as there are")
    }

    #[test]
    fn sums_are_those_of_weights_looked_up_one_by_one() {
        let weights = wild();
        for board in random_boards(3_000) {
            let position = Position::new(board, true);
            let table = weights.table(board.discs());
            assert_eq!(
                sum(table, position.numbers()),
                one_by_one::sum(table, position.numbers()),
                "{board:?}"
            );
        }
    }
}
