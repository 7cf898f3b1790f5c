//! The evaluation: what it looks at, and how its weights are kept, expanded, stored and identified.
//!
//! A weight is learnt twice, for the full board and for the empty one, and what lies between is interpolated by the number of
//! pieces. Both are summed at once, as the halves of one number. Training lives elsewhere.
//!
//! It looks at nine overlapping areas of four rows by four files, each with all men on its eight squares,
//! besides kings, material, the turn and the opposition. An area is a number in base 3: empty (or a king), a man of the
//! mover, a man of the other. The technique is Buro's (1999); areas of this kind are what Scan (Letouzey) evaluates ten by
//! ten boards with. Seen from the other side an area becomes the one opposite with colours exchanged, so both share weights
//! of opposite sign, and what is left to learn are [`AREAS`] areas.

use crate::board::{Board, bits, square, turned};
use crate::{KING, MAN};
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
    pub fn to_bytes(&self) -> Vec<u8> {
        let half = |half: usize| self.learnt.iter().map(move |weight| weight[half]);
        FILE.write(half(0).chain(half(1)))
    }

    /// The numbers the tables were made from.
    pub fn learnt(&self) -> &Learnt {
        &self.learnt
    }

    /// What tells the weights apart ([`weights_id`]).
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

/// Areas with weights of their own: four, whose opposites follow, and the one in the middle.
pub(crate) const AREAS: usize = 5;
/// Configurations of an area: 3 to the power of 8.
pub(crate) const CONFIGURATIONS: usize = 6_561;
/// Areas looked at.
pub(crate) const INSTANCES: usize = 9;
/// Where the weights of kings by square begin, as their owner sees them.
pub(crate) const KINGS: usize = AREAS * CONFIGURATIONS;
/// Difference in men.
pub const MEN: usize = KINGS + 32;
/// Difference in kings.
pub const CROWNED: usize = MEN + 1;
/// Kings against none.
pub(crate) const ALONE: usize = MEN + 2;
/// The turn: there at every position.
pub(crate) const TURN: usize = MEN + 3;
/// The opposition, which draughts players call the move: 1 with an odd number of pieces on every other row, else -1.
pub(crate) const OPPOSITION: usize = MEN + 4;
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
    use super::*;
    use crate::testing;
    use secateur_base::hash::SplitMix;
    use std::collections::BTreeMap;

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
            let board = Board { mover: crate::board::bit(index), other: 0, kings: 0 };
            configurations(&board).into_iter().filter(|&number| number != 0).count()
        };
        let times: Vec<usize> = (0..32).map(seen).collect();
        assert_eq!(times[..8], [1, 2, 2, 1, 1, 2, 2, 1]);
        assert_eq!(times[12..20], [2, 4, 4, 2, 2, 4, 4, 2]);
        assert_eq!(times.iter().sum::<usize>(), INSTANCES * 8);
    }
}
