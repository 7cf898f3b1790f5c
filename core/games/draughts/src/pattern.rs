//! What the evaluation looks at: nine overlapping areas of four rows by four files, each with all men on its eight squares,
//! besides kings, material, the turn and the opposition.
//!
//! An area is a number in base 3: empty (or a king), a man of the mover, a man of the other. The technique is Buro's (1999);
//! areas of this kind are what Scan (Letouzey) evaluates ten by ten boards with. Seen from the other side an area becomes
//! the one opposite with colours exchanged, so both share weights of opposite sign, and what is left to learn are
//! [`AREAS`] areas.

use super::board::{Board, bits, square};

/// Areas with weights of their own: four, whose opposites follow, and the one in the middle.
pub const AREAS: usize = 5;
/// Configurations of an area: 3 to the power of 8.
pub const CONFIGURATIONS: usize = 6_561;
/// Areas looked at.
pub(crate) const INSTANCES: usize = 9;
/// Where the weights of kings by square begin, as their owner sees them.
pub const KINGS: usize = AREAS * CONFIGURATIONS;
/// Difference in men.
pub const MEN: usize = KINGS + 32;
/// Difference in kings.
pub const CROWNED: usize = MEN + 1;
/// Kings against none.
pub const ALONE: usize = MEN + 2;
/// The turn: there at every position.
pub const TURN: usize = MEN + 3;
/// The opposition, which draughts players call the move: 1 with an odd number of pieces on every other row, else -1.
pub const OPPOSITION: usize = MEN + 4;
/// Number of weights.
pub const WEIGHTS: usize = MEN + 5;

/// Base-3 value of the bits of a number.
static BASE_3: [u16; 256] = {
    let mut table = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut at, mut power) = (0, 1);
        while at < 8 {
            table[bits] += (bits as u16 >> at & 1) * power;
            power *= 3;
            at += 1;
        }
        bits += 1;
    }
    table
};

/// The second, fourth, sixth and eighth row of the mover.
const EVERY_OTHER_ROW: u64 = 0xF << 4 | 0xF << 13 | 0xF << 22 | 0xF << 31;

/// Two files of squares as 16 bits, two a row, from the file `from`.
#[inline(always)]
fn strip(set: u64, from: usize) -> usize {
    const PAIRS: u64 = 3 | 3 << 9 | 3 << 18 | 3 << 27;
    let set = set >> from;
    // Two rows are nine bits apart from the next two; close the gaps.
    let fours = set & PAIRS | (set >> 4 & PAIRS) << 2;
    (fours & 0xF | fours >> 5 & 0xF0 | fours >> 10 & 0xF00 | fours >> 15 & 0xF000) as usize
}

/// The configurations of all areas, area by area from the mover's left, upwards.
#[inline(always)]
pub(crate) fn configurations(board: &Board) -> [usize; INSTANCES] {
    let (mover, other) = (board.mover & !board.kings, board.other & !board.kings);
    let mut numbers = [0; INSTANCES];
    for from in 0..3 {
        let (mover, other) = (strip(mover, from), strip(other, from));
        for up in 0..3 {
            let digits = |strip: usize| usize::from(BASE_3[strip >> (4 * up) & 0xFF]);
            numbers[3 * up + from] = digits(mover) + 2 * digits(other);
        }
    }
    numbers
}

/// The opposition of a board, 1 or -1.
#[inline(always)]
pub(crate) fn opposition(board: &Board) -> i32 {
    2 * ((board.mover | board.other) & EVERY_OTHER_ROW).count_ones() as i32 % 4 - 1
}

/// A configuration as the other side sees it, of the area opposite.
pub(crate) fn opposite(configuration: usize) -> usize {
    let (mut left, mut seen) = (configuration, 0);
    for _ in 0..8 {
        seen = 3 * seen + (3 - left % 3) % 3;
        left /= 3;
    }
    seen
}

/// Calls `each` with every weight that a board counts and how often: what an evaluation is the sum of.
pub fn terms(board: &Board, mut each: impl FnMut(usize, i32)) {
    for (instance, number) in configurations(board).into_iter().enumerate() {
        if instance < AREAS {
            each(instance * CONFIGURATIONS + number, 1);
        }
        if instance >= AREAS - 1 {
            each((INSTANCES - 1 - instance) * CONFIGURATIONS + opposite(number), -1);
        }
    }
    let passed = board.passed();
    for (board, sign) in [(board, 1), (&passed, -1)] {
        for king in bits(board.mover & board.kings) {
            each(KINGS + square(king), sign);
        }
    }
    let [[men, kings], [other_men, other_kings]] = board.counts().map(|side| side.map(|count| count as i32));
    each(MEN, men - other_men);
    each(CROWNED, kings - other_kings);
    each(ALONE, alone(kings, other_kings));
    each(TURN, 1);
    each(OPPOSITION, opposition(board));
}

/// 1 if the mover alone has kings, -1 if the other alone has.
#[inline(always)]
pub(crate) fn alone(kings: i32, other: i32) -> i32 {
    i32::from(kings > 0) - i32::from(other > 0)
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use std::collections::BTreeMap;

    fn counted(board: &Board) -> BTreeMap<usize, i32> {
        let mut sums = BTreeMap::new();
        terms(board, |weight, count| *sums.entry(weight).or_insert(0) += count);
        sums.retain(|_, count| *count != 0);
        sums
    }

    /// All but turn and opposition have the other sign for the other side.
    #[test]
    fn terms_change_sign_with_the_side() {
        for board in testing::boards(1_000) {
            let (mut mover, mut other) = (counted(&board), counted(&board.passed()));
            for terms in [&mut mover, &mut other] {
                terms.remove(&TURN);
                terms.remove(&OPPOSITION);
                assert!(terms.keys().all(|&weight| weight < WEIGHTS));
            }
            other.values_mut().for_each(|count| *count = -*count);
            assert_eq!(mover, other);
        }
    }

    #[test]
    fn opposites_are_opposite() {
        assert!((0..CONFIGURATIONS).all(|number| opposite(opposite(number)) == number));
        // A man of the mover on the first square of an area is one of the other on the last.
        assert_eq!(opposite(1), 2 * 3usize.pow(7));
    }

    /// Every square is seen, the corners once, the middle four times.
    #[test]
    fn areas_cover_the_board() {
        let seen = |index: usize| {
            let board = Board { mover: super::super::board::bit(index), other: 0, kings: 0 };
            configurations(&board).into_iter().filter(|&number| number != 0).count()
        };
        let times: Vec<usize> = (0..32).map(seen).collect();
        assert_eq!(times[..8], [1, 2, 2, 1, 1, 2, 2, 1]);
        assert_eq!(times[12..20], [2, 4, 4, 2, 2, 4, 4, 2]);
        assert_eq!(times.iter().sum::<usize>(), INSTANCES * 8);
    }
}
