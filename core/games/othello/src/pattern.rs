//! The patterns of the evaluation: which squares, numbered how, shared between which symmetries.
//!
//! The set is Logistello's (Buro 1997, "Experiments with Multi-ProbCut and a new high-quality evaluation
//! function for Othello"): rows, diagonals, edge with X squares, two corner blocks. A configuration is a
//! number in ternary, 2 for the mover's disc, 1 for an empty square and 0 for the other side's, so that
//! exchanging colours mirrors a number at the middle of its range. Tables are computed at compile time.

use super::board::transform;
use crate::board::Square;
use std::sync::OnceLock;
use wide::i16x16;

/// Pattern instances on the board.
pub const INSTANCES: usize = 46;
/// Instances rounded up to whole vector registers. Of the lanes beyond, the first has nothing and the other the
/// constant term, so that a sum over all lanes is the whole evaluation.
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

/// The place of a zero, before the configurations: 32 bits may be read that end with a weight.
const NOTHING: usize = 0;
/// Where each shape's configurations begin in a full table; the last entry is where those of the last end.
pub(super) const START: [usize; SHAPES + 1] = {
    let mut start = [NOTHING + 1; SHAPES + 1];
    let mut shape = 0;
    while shape < SHAPES {
        start[shape + 1] = start[shape] + power(SHAPE[shape].len());
        shape += 1;
    }
    start
};

/// The first lane of each shape: as many follow as symmetries make different. The last entry is their number.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
pub(super) const FIRST: [usize; SHAPES + 1] = {
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

/// The place after the configurations holds the constant term.
pub(super) const CONSTANT: usize = START[SHAPES];
/// Entries of a full table.
pub(super) const TABLE: usize = CONSTANT + 1;
/// A window that every place of a table is inside of, and the place behind it, whatever 16 bits say: no bound
/// is checked, and 32 bits may be read where 16 are meant.
pub(super) const WINDOW: usize = CONSTANT + (1 << 16) + 1;

/// What the rest of the evaluation needs to know of the instances.
struct Layout {
    /// What a disc on a square adds to each lane: a power of three, or nothing.
    delta: [Delta; 64],
    /// What a disc that turns adds: it goes from the other side's digit to the mover's, which is two more. The last entry, no
    /// square, adds nothing.
    twice: [Delta; 65],
    /// Each lane's all-empty configuration, in the middle of its shape's range, which 16 bits can number.
    centre: Lanes,
    /// Twice that: the sum of the numbers that the two sides see.
    both: Lanes,
    /// Where each lane's shape begins in a full table.
    start: Starts,
    /// Where 32 bits begin that have a weight of each lane's shape in the half that the lane has of its 32 bits: those of the even
    /// lanes of each vector, then those of the odd ones.
    pairs: Starts,
}

/// What a disc adds, in two cache lines of its own: a shift finds it.
#[repr(align(128))]
struct Delta(Lanes);

/// A place in a table per lane, aligned for vector registers.
#[repr(align(32))]
pub(super) struct Starts(pub(super) [u32; LANES]);

/// The numbers of all lanes in registers.
pub(super) type Numbers = [i16x16; VECTORS];

/// One number per instance, 16 bits without sign whatever the type says, aligned for vector registers.
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

    /// These numbers.
    #[inline(always)]
    pub(super) fn of(numbers: Numbers) -> Lanes {
        let mut lanes = Lanes::ZERO;
        for (lanes, vector) in lanes.0.as_chunks_mut::<16>().0.iter_mut().zip(numbers) {
            *lanes = vector.to_array();
        }
        lanes
    }
}

static LAYOUT: Layout = layout();

const fn layout() -> Layout {
    let (zero, nothing) = (Lanes::ZERO, Starts([NOTHING as u32; LANES]));
    let mut layout = Layout {
        delta: [const { Delta(Lanes::ZERO) }; 64],
        twice: [const { Delta(Lanes::ZERO) }; 65],
        centre: zero,
        both: zero,
        start: nothing,
        pairs: Starts([0; LANES]),
    };
    let mut lane = 0;
    let mut shape = 0;
    while shape < SHAPES {
        let mut symmetry = 0;
        while symmetry < 8 {
            if is_new(shape, symmetry) {
                let mut digit = 0;
                while digit < SHAPE[shape].len() {
                    let square = transform(symmetry, SHAPE[shape][digit] as usize);
                    layout.delta[square].0.0[lane] = power(digit) as i16;
                    layout.twice[square].0.0[lane] = (2 * power(digit)) as u16 as i16;
                    digit += 1;
                }
                let both = power(SHAPE[shape].len()) - 1;
                layout.centre.0[lane] = (both / 2) as i16;
                layout.both.0[lane] = both as u16 as i16;
                layout.start.0[lane] = START[shape] as u32;
                lane += 1;
            }
            symmetry += 1;
        }
        shape += 1;
    }
    assert!(lane == INSTANCES);
    layout.start.0[LANES - 1] = CONSTANT as u32;
    let mut pair = 0;
    while pair < LANES / 2 {
        let at = pair / 8 * 16 + pair % 8;
        layout.pairs.0[at] = layout.start.0[2 * pair];
        layout.pairs.0[at + 8] = layout.start.0[2 * pair + 1] - 1;
        pair += 1;
    }
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
    &LAYOUT.delta[square.index() & 63].0
}

/// The number of the empty board in every instance.
pub(super) fn centre() -> Lanes {
    LAYOUT.centre
}

/// The numbers that the other side sees.
#[inline(always)]
pub(super) fn other(numbers: Numbers) -> Numbers {
    std::array::from_fn(|vector| LAYOUT.both.vector(vector) - numbers[vector])
}

/// Where to read 32 bits for each lane: those of the even lanes of each vector, whose weights are the lower halves, then those of
/// the odd ones, whose weights are the upper halves.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[inline(always)]
pub(super) fn pairs() -> &'static Starts {
    &LAYOUT.pairs
}

/// `numbers` and what a move to the square of this index (0..=63) that turns `turned` adds to the mover's.
#[inline(always)]
pub(super) fn added(numbers: Numbers, square: usize, turned: u64) -> Numbers {
    stepped(numbers, square, turned, |number, step| number + step)
}

/// `numbers` less what such a move adds to the mover's: what it leaves of those that the other side sees.
#[inline(always)]
pub(super) fn taken(numbers: Numbers, square: usize, turned: u64) -> Numbers {
    stepped(numbers, square, turned, |number, step| number - step)
}

/// `numbers` after a step by what the disc placed adds, and one by what those that turn add.
#[inline(always)]
fn stepped(
    mut numbers: Numbers,
    square: usize,
    turned: u64,
    step: impl Fn(i16x16, i16x16) -> i16x16,
) -> Numbers {
    let placed = &LAYOUT.delta[square].0;
    for (vector, number) in numbers.iter_mut().enumerate() {
        *number = step(*number, placed.vector(vector));
    }
    let mut unadded = turned;
    // Four at a time, the missing ones being nothing: how many discs turn is what no processor foresees.
    loop {
        let mut next = || {
            let twice = &LAYOUT.twice[unadded.trailing_zeros() as usize].0;
            unadded &= unadded.wrapping_sub(1);
            twice
        };
        let (a, b, c, d) = (next(), next(), next(), next());
        for (vector, number) in numbers.iter_mut().enumerate() {
            let [a, b, c, d] = [a, b, c, d].map(|twice| twice.vector(vector));
            *number = step(*number, (a + b) + (c + d));
        }
        if unadded == 0 {
            return numbers;
        }
    }
}

/// Places in a full table of the configurations with these numbers.
pub(super) fn places(numbers: &Lanes) -> [usize; INSTANCES] {
    std::array::from_fn(|lane| LAYOUT.start.0[lane] as usize + usize::from(numbers.0[lane] as u16))
}

/// Which configurations share a weight because a symmetry of the board maps one to the other.
#[derive(Debug)]
pub struct Sharing {
    class: Vec<u32>,
    /// A place of each class.
    first: Vec<u32>,
}

impl Sharing {
    /// The table, computed once.
    pub fn get() -> &'static Sharing {
        static SHARING: OnceLock<Sharing> = OnceLock::new();
        SHARING.get_or_init(Sharing::new)
    }

    fn new() -> Sharing {
        let mut class = vec![u32::MAX; CONSTANT];
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
        Sharing { class, first }
    }

    /// Number of different weights.
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// Never: there are always patterns.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// The first weight of each instance's shape: instances of one shape share a range of weights, of at
    /// most 65,536.
    pub fn starts(&self) -> [u32; INSTANCES] {
        std::array::from_fn(|lane| self.class[LAYOUT.start.0[lane] as usize])
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
    let mut unread = place - START[shape];
    SHAPE[shape]
        .iter()
        .map(|_| {
            let digit = (unread % 3) as i32 - 1;
            unread /= 3;
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
            assert!(LAYOUT.delta[square].0.0.iter().filter(|&&d| d != 0).count() >= 3, "{square}");
        }
        for lane in 0..INSTANCES {
            assert!((0..64).any(|square| LAYOUT.delta[square].0.0[lane] == 1), "{lane}");
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
