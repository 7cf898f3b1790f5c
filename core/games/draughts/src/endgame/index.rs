//! Numbers of the positions with the same material, and back.
//!
//! A slice is all positions with so many men and kings of the mover and of the other side. Men and kings are numbered as
//! combinations in colexicographic order, kings among the squares that are left. Men of both sides are numbered
//! apart, so some numbers would mean two men on a square; they are holes.
//!
//! [`positions`] says how many there are with so many pieces, by a formula that knows nothing of these numbers. A
//! man of either side may stand on 28 squares, 24 of them open to men of both; kings on any. Boards with pieces of one side
//! alone count, as they do in the numbers that Chinook's authors published (Schaeffer et al. 2007, supporting text).

use crate::board::{Board, SQUARES, bit, bits, square};

/// Squares that a man can stand on: all but the row where it is crowned.
const FOR_MEN: usize = 28;
/// The most pieces of a kind of one side.
pub(super) const MOST: usize = 6;

/// Binomial coefficients n over k.
static CHOOSE: [[u32; MOST + 1]; SQUARES + 1] = {
    let mut table = [[0; MOST + 1]; SQUARES + 1];
    let mut n = 0;
    while n <= SQUARES {
        table[n][0] = 1;
        let mut k = 1;
        while n > 0 && k <= MOST {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// Men and kings of the mover, men and kings of the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Slice {
    pub(crate) mover: [usize; 2],
    pub(crate) other: [usize; 2],
}

impl Slice {
    pub(crate) fn of(board: &Board) -> Slice {
        let [mover, other] = board.counts().map(|side| side.map(|count| count as usize));
        Slice { mover, other }
    }

    /// All with so many pieces and some of each side, in an order in which no move that takes or crowns leads to a later one.
    pub(crate) fn all(pieces: usize) -> Vec<Slice> {
        let mut all = Vec::new();
        for ours in 1..pieces {
            for (men, other_men) in
                (0..=ours).flat_map(|men| (0..=pieces - ours).map(move |other| (men, other)))
            {
                all.push(Slice { mover: [men, ours - men], other: [other_men, pieces - ours - other_men] });
            }
        }
        all.sort_by_key(|slice| (slice.mover[0] + slice.other[0], *slice));
        all
    }

    /// The same material with the other side to move.
    pub(crate) fn turned(self) -> Slice {
        Slice { mover: self.other, other: self.mover }
    }

    fn parts(self) -> [usize; 4] {
        let Slice { mover: [men, kings], other: [other_men, other_kings] } = self;
        let free = SQUARES - men - other_men;
        let choose = |n: usize, k: usize| CHOOSE[n][k] as usize;
        [
            choose(FOR_MEN, men),
            choose(FOR_MEN, other_men),
            choose(free, kings),
            choose(free - kings, other_kings),
        ]
    }

    /// Numbers of this slice, holes included.
    pub(crate) fn len(self) -> usize {
        self.parts().iter().product()
    }

    /// The number of a board of this slice.
    pub(crate) fn rank(self, board: &Board) -> usize {
        let [_, other_men, kings, other_kings] = self.parts();
        let (own_men, other) = (board.mover & !board.kings, board.other & !board.kings);
        let men = own_men | other;
        let own_kings = board.mover & board.kings;
        let mut rank = combination(own_men, square);
        rank = rank * other_men + combination(other, |piece| square(piece) - 4);
        rank = rank * kings + combination(own_kings, |piece| left(piece, men));
        rank * other_kings + combination(board.other & board.kings, |piece| left(piece, men | own_kings))
    }

    /// The board of a number, unless it is a hole.
    pub(crate) fn board(self, rank: usize) -> Option<Board> {
        let [_, other_men, kings, other_kings] = self.parts();
        let Slice { mover: [men_count, king_count], other: [other_count, other_king_count] } = self;
        let (rest, last) = (rank / other_kings, rank % other_kings);
        let (rest, middle) = (rest / kings, rest % kings);
        let own_men = chosen(rest / other_men, men_count);
        let other = chosen(rest % other_men, other_count) << 4;
        if own_men & other != 0 {
            return None;
        }
        let own_kings = deposited(chosen(middle, king_count), own_men | other);
        let taken = own_men | other | own_kings;
        let enemies = deposited(chosen(last, other_king_count), taken);
        let padded =
            |plain: u32| (0..SQUARES).filter(|at| plain >> at & 1 != 0).fold(0, |set, at| set | bit(at));
        Some(Board {
            mover: padded(own_men | own_kings),
            other: padded(other | enemies),
            kings: padded(own_kings | enemies),
        })
    }
}

/// The number of a set among sets of its size, with the places of its members.
fn combination(set: u64, place: impl Fn(u64) -> usize) -> usize {
    bits(set).enumerate().map(|(at, piece)| CHOOSE[place(piece)][at + 1] as usize).sum()
}

/// Place of a square among those that are not taken.
fn left(piece: u64, taken: u64) -> usize {
    square(piece) - (taken & (piece - 1)).count_ones() as usize
}

/// The set of a number, as plain bits.
fn chosen(mut number: usize, count: usize) -> u32 {
    let mut set = 0;
    let mut place = SQUARES;
    for size in (1..=count).rev() {
        while CHOOSE[place][size] as usize > number {
            place -= 1;
        }
        number -= CHOOSE[place][size] as usize;
        set |= 1 << place;
    }
    set
}

/// Members of a set put on the squares that are not taken.
fn deposited(set: u32, taken: u32) -> u32 {
    let mut free = !taken;
    let (mut result, mut left) = (0, set);
    while left != 0 {
        let lowest = free & free.wrapping_neg();
        free ^= lowest;
        if left & 1 != 0 {
            result |= lowest;
        }
        left >>= 1;
    }
    result
}

/// Squares on which men of both sides may stand.
const SHARED: u64 = 24;
/// Squares on which men of one side alone may stand: the row that they begin from.
const OWN: u64 = 4;

/// Ways to choose `k` of `n`.
fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, at| product * n.saturating_sub(at) / (at + 1))
}

/// Positions with exactly so many pieces of both sides together, 1 to 10, for one side to move.
pub fn positions(pieces: u64) -> u64 {
    let mut sum = 0;
    for black in 0..=pieces {
        for white in 0..=pieces - black {
            let men: u64 = (0..=black.min(OWN))
                .map(|home| {
                    choose(OWN, home)
                        * choose(SHARED, black - home)
                        * choose(SHARED + OWN + home - black, white)
                })
                .sum();
            let left = SQUARES as u64 - black - white;
            let kings = pieces - black - white;
            sum += (0..=kings).map(|us| men * choose(left, us) * choose(left - us, kings - us)).sum::<u64>();
        }
    }
    sum
}

/// Those of them with pieces of one side alone, whose value is known without a database.
pub fn one_sided(pieces: u64) -> u64 {
    let kings = |men: u64| choose(SQUARES as u64 - men, pieces - men);
    2 * (0..=pieces).map(|men| choose(SHARED + OWN, men) * kings(men)).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_boards_are_inverse() {
        for pieces in 2..=4 {
            for slice in Slice::all(pieces) {
                for rank in (0..slice.len()).step_by(if pieces < 4 { 1 } else { 97 }) {
                    let Some(board) = slice.board(rank) else { continue };
                    assert_eq!((Slice::of(&board), slice.rank(&board)), (slice, rank));
                }
            }
        }
    }

    #[test]
    fn material_only_gets_less() {
        let order = Slice::all(4);
        let place = |slice| order.iter().position(|&other| other == slice).expect("one of them");
        let men = Slice { mover: [1, 1], other: [2, 0] };
        assert!(place(Slice { mover: [0, 2], other: [2, 0] }) < place(men));
        assert_eq!(order.len(), 2 * 4 + 3 * 3 + 4 * 2);
    }

    /// Chinook's numbers.
    #[test]
    fn the_formula_gives_the_published_counts() {
        let published = [
            120,
            6_972,
            261_224,
            7_092_774,
            148_688_232,
            2_503_611_964,
            34_779_531_480,
            406_309_208_481,
            4_048_627_642_976,
            34_778_882_769_216,
        ];
        assert_eq!([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(positions), published);
        assert_eq!(one_sided(1), positions(1));
    }
}
