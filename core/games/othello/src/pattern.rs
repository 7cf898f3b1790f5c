//! The patterns of the evaluation: which squares, numbered how, shared between which symmetries.
//!
//! The set is Logistello's (Buro 1997, "Experiments with Multi-ProbCut and a new high-quality evaluation
//! function for Othello"): rows, diagonals, edge with X squares, two corner blocks. A configuration is a
//! number in balanced ternary, +1 for the mover's disc and -1 for the other side's, so that exchanging
//! colours is a change of sign. Tables are computed at compile time.

use super::board::transform;
use super::square::Square;
use std::sync::OnceLock;
use wide::i16x16;

/// Pattern instances on the board.
pub const INSTANCES: usize = 46;
/// Instances rounded up to whole vector registers; the rest stays zero.
pub(super) const LANES: usize = 48;
/// Vectors of 16 lanes that they fill.
pub(super) const VECTORS: usize = LANES / 16;
/// Different pattern shapes.
const SHAPES: usize = 11;

/// One shape in one place: the squares from the least significant digit on.
const SHAPE: [&[u8]; SHAPES] = [
    &[9, 0, 1, 2, 3, 4, 5, 6, 7, 14],   // edge with both X squares
    &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12], // corner, 2x5
    &[0, 1, 2, 8, 9, 10, 16, 17, 18],   // corner, 3x3
    &[8, 9, 10, 11, 12, 13, 14, 15],    // second row
    &[16, 17, 18, 19, 20, 21, 22, 23],  // third row
    &[24, 25, 26, 27, 28, 29, 30, 31],  // fourth row
    &[0, 9, 18, 27, 36, 45, 54, 63],    // diagonals of eight to four squares
    &[1, 10, 19, 28, 37, 46, 55],
    &[2, 11, 20, 29, 38, 47],
    &[3, 12, 21, 30, 39],
    &[4, 13, 22, 31],
];

const fn power(exponent: usize) -> usize {
    3usize.pow(exponent as u32)
}

/// Where each shape's configurations begin in a full table; the last entry is the table's length.
const START: [usize; SHAPES + 1] = {
    let mut start = [0; SHAPES + 1];
    let mut shape = 0;
    while shape < SHAPES {
        start[shape + 1] = start[shape] + power(SHAPE[shape].len());
        shape += 1;
    }
    start
};

/// The first lane of each shape: as many follow as symmetries make different. The last entry is their number.
const FIRST: [usize; SHAPES + 1] = {
    let mut first = [0; SHAPES + 1];
    let mut shape = 0;
    while shape < SHAPES {
        first[shape + 1] = first[shape];
        let mut symmetry = 0;
        while symmetry < 8 {
            first[shape + 1] += is_new(shape, symmetry) as usize;
            symmetry += 1;
        }
        shape += 1;
    }
    first
};

/// Configurations of all shapes together.
pub(super) const FULL: usize = START[SHAPES];
/// The place after the configurations holds the constant term.
pub(super) const CONSTANT: usize = FULL;
/// Entries of a full table.
pub(super) const TABLE: usize = FULL + 1;
/// A window that every place of a table is inside of whatever 16 bits say, so that no bound is checked.
pub(super) const WINDOW: usize = START[SHAPES - 1] + (1 << 16);

/// What the rest of the evaluation needs to know of the instances.
struct Layout {
    /// What a disc on a square adds to each lane: a power of three, or nothing. The last entry, no square, adds nothing.
    delta: [Lanes; 65],
    /// Each lane's all-empty configuration: its number within its shape's range. Spare lanes have a number
    /// too, or the compiler leaves them out and falls from vectors to words.
    centre: [u16; LANES],
    /// Where each lane's shape begins in a full table.
    start: [usize; INSTANCES],
}

/// One number per instance, aligned for vector registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub(super) struct Lanes(pub(super) [i16; LANES]);

impl Lanes {
    pub(super) const ZERO: Lanes = Lanes([0; LANES]);

    /// Sixteen of the numbers in a register. Written as vectors because loops over lanes became vectors or not
    /// according to what they were inlined into, which moved a whole search by a tenth.
    #[inline(always)]
    pub(super) fn vector(&self, index: usize) -> i16x16 {
        let lanes: &[i16; 16] = self.0[16 * index..].first_chunk().expect("as many lanes as vectors hold");
        i16x16::new(*lanes)
    }

    /// The numbers of all vectors.
    #[inline(always)]
    pub(super) fn of(mut vector: impl FnMut(usize) -> i16x16) -> Lanes {
        let mut lanes = Lanes::ZERO;
        for (index, lanes) in lanes.0.as_chunks_mut::<16>().0.iter_mut().enumerate() {
            *lanes = vector(index).to_array();
        }
        lanes
    }
}

static LAYOUT: Layout = layout();

const fn layout() -> Layout {
    let mut layout = Layout { delta: [Lanes::ZERO; 65], centre: [1; LANES], start: [0; INSTANCES] };
    let mut lane = 0;
    let mut shape = 0;
    while shape < SHAPES {
        let mut symmetry = 0;
        while symmetry < 8 {
            if is_new(shape, symmetry) {
                let mut digit = 0;
                while digit < SHAPE[shape].len() {
                    let square = transform(symmetry, SHAPE[shape][digit] as usize);
                    layout.delta[square].0[lane] = power(digit) as i16;
                    digit += 1;
                }
                // In the middle of the shape's range, which 16 bits can number.
                layout.centre[lane] = ((power(SHAPE[shape].len()) - 1) / 2) as u16;
                layout.start[lane] = START[shape];
                lane += 1;
            }
            symmetry += 1;
        }
        shape += 1;
    }
    assert!(lane == INSTANCES);
    layout
}

/// The squares of a shape's image under a symmetry, as a set.
const fn image(shape: usize, symmetry: usize) -> u64 {
    let mut set = 0;
    let mut digit = 0;
    while digit < SHAPE[shape].len() {
        set |= 1 << transform(symmetry, SHAPE[shape][digit] as usize);
        digit += 1;
    }
    set
}

/// Whether no earlier symmetry takes the shape to the same squares.
const fn is_new(shape: usize, symmetry: usize) -> bool {
    let mut before = 0;
    while image(shape, before) != image(shape, symmetry) {
        before += 1;
    }
    before == symmetry
}

/// What a disc on a square adds to every instance.
#[inline]
pub(super) fn delta(square: Square) -> &'static Lanes {
    &LAYOUT.delta[square.index() & 63]
}

/// What the disc on the lowest square of a set adds; an empty set adds nothing.
#[inline]
pub(super) fn lowest_delta(set: u64) -> &'static Lanes {
    &LAYOUT.delta[set.trailing_zeros() as usize]
}

/// The numbers of the configurations `features` within their shapes' ranges, seen by the owner of the discs
/// counted as `sign` (1 or -1).
#[inline]
fn numbers(features: &Lanes, sign: i16) -> [u16; LANES] {
    std::array::from_fn(|lane| LAYOUT.centre[lane].wrapping_add_signed(features.0[lane].wrapping_mul(sign)))
}

/// Places in a full table of the configurations `features`, seen as in [`sum`].
pub(super) fn places(features: &Lanes, sign: i16) -> [usize; INSTANCES] {
    let numbers = numbers(features, sign);
    std::array::from_fn(|lane| LAYOUT.start[lane] + usize::from(numbers[lane]))
}

/// Sum of the constant term and the weights of the configurations `features`, seen by the owner of the discs
/// counted as `sign` (1 or -1).
#[inline]
pub(super) fn sum(table: &[i16; WINDOW], features: &Lanes, sign: i16) -> i32 {
    // Kept in memory: reading numbers back from there is cheaper than extracting them from vectors one by one.
    let numbers = &std::hint::black_box(numbers(features, sign));
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
    let weights: &[i16; 1 << 16] = table[START[SHAPE]..].first_chunk().expect("a window holds all places");
    numbers[FIRST[SHAPE]..FIRST[SHAPE + 1]].iter().map(|&n| i32::from(weights[usize::from(n)])).sum()
}

/// Which configurations share a weight because a symmetry of the board maps one to the other.
#[derive(Debug)]
pub struct Sharing {
    class: Vec<u32>,
    classes: usize,
    /// A place of each class.
    first: Vec<u32>,
}

impl Sharing {
    /// The table, computed once.
    #[must_use]
    pub fn get() -> &'static Sharing {
        static SHARING: OnceLock<Sharing> = OnceLock::new();
        SHARING.get_or_init(Sharing::new)
    }

    fn new() -> Sharing {
        let mut class = vec![u32::MAX; FULL];
        let mut first = Vec::new();
        for shape in 0..SHAPES {
            let turned = stabilisers(shape);
            for place in START[shape]..START[shape + 1] {
                if class[place] == u32::MAX {
                    for permutation in &turned {
                        class[permuted(shape, place, permutation)] = first.len() as u32;
                    }
                    first.push(place as u32);
                }
            }
        }
        Sharing { class, classes: first.len(), first }
    }

    /// Number of different weights.
    #[must_use]
    pub fn len(&self) -> usize {
        self.classes
    }

    /// Never: there are always patterns.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.classes == 0
    }

    /// The first weight of each instance's shape: instances of one shape share a range of weights, of at
    /// most 65,536.
    #[must_use]
    pub fn starts(&self) -> [u32; INSTANCES] {
        std::array::from_fn(|lane| self.class[LAYOUT.start[lane]])
    }

    /// The weight (0..[`Sharing::len`]) of a place in a full table.
    pub(super) fn class(&self, place: usize) -> usize {
        self.class[place] as usize
    }

    /// The shape and the digits (+1 mover, -1 other side, 0 empty) of a weight, with their squares in the
    /// shape's first place.
    pub(super) fn configuration(&self, class: usize) -> (usize, Vec<(usize, i32)>) {
        let place = self.first[class] as usize;
        let shape = (0..SHAPES).rfind(|&shape| START[shape] <= place).unwrap_or(0);
        let digits = digits(shape, place);
        (shape, SHAPE[shape].iter().map(|&square| usize::from(square)).zip(digits).collect())
    }
}

/// The digits of a place in a shape's range, least significant first.
fn digits(shape: usize, place: usize) -> Vec<i32> {
    let mut rest = place - START[shape];
    SHAPE[shape]
        .iter()
        .map(|_| {
            let digit = (rest % 3) as i32 - 1;
            rest /= 3;
            digit
        })
        .collect()
}

/// The permutations of a shape's digits by those symmetries that map the shape to itself.
fn stabilisers(shape: usize) -> Vec<Vec<usize>> {
    let squares = SHAPE[shape];
    (0..8)
        .filter(|&symmetry| image(shape, symmetry) == image(shape, 0))
        .map(|symmetry| {
            let position = |square: usize| squares.iter().position(|&s| usize::from(s) == square);
            squares.iter().filter_map(|&s| position(transform(symmetry, usize::from(s)))).collect()
        })
        .collect()
}

fn permuted(shape: usize, place: usize, permutation: &[usize]) -> usize {
    let moved = digits(shape, place)
        .into_iter()
        .zip(permutation)
        .map(|(digit, &to)| (digit + 1) as usize * power(to))
        .sum::<usize>();
    START[shape] + moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_is_seen_and_no_lane_is_idle() {
        for square in 0..64 {
            assert!(LAYOUT.delta[square].0.iter().filter(|&&d| d != 0).count() >= 3, "{square}");
        }
        for lane in 0..INSTANCES {
            assert!((0..64).any(|square| LAYOUT.delta[square].0[lane] == 1), "{lane}");
        }
    }

    #[test]
    fn classes_are_those_of_the_mirrored_shapes() {
        let sharing = Sharing::get();
        // Palindromes: 3^5 of the edge, 3^6 of the 3x3 corner (its diagonal is fixed), 3^(n+1)/2 of lines.
        let mirrored = |all: usize, fixed: usize| (all + fixed) / 2;
        let lines: usize = [(6_561, 81), (6_561, 81), (6_561, 81), (6_561, 81), (2_187, 81), (729, 27)]
            .iter()
            .chain(&[(243, 27), (81, 9)])
            .map(|&(all, fixed)| mirrored(all, fixed))
            .sum();
        assert_eq!(sharing.len(), mirrored(59_049, 243) + 59_049 + mirrored(19_683, 729) + lines);
        assert!(!sharing.is_empty());
    }
}
