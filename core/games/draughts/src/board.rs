//! The board: 32 dark squares in 35 bits, seen by the side to move, and what moves do to it.
//!
//! A bit of padding after every eight squares makes the four directions the same shifts everywhere (Samuel 1959): 4 and 5
//! bits up for the side to move, 4 and 5 down. The side to move plays upwards always: a move turns the board round, so that
//! whatever is written here is written once, and mirrored positions are equal by construction.

/// Bits that are squares.
pub(crate) const VALID: u64 = 0x7_FBFD_FEFF;
/// Where men of the side to move are crowned.
pub(crate) const CROWNING: u64 = 0xF << 31;
/// Where men of the other side are crowned.
pub(crate) const HOME: u64 = 0xF;
/// Number of squares.
pub(crate) const SQUARES: usize = 32;

/// The bit of a square, numbered 0 to 31 from the mover's own left back row.
#[inline]
pub(crate) const fn bit(square: usize) -> u64 {
    1 << (square + square / 8)
}

/// The square of the lowest bit of a set.
#[inline]
pub(crate) const fn square(bits: u64) -> usize {
    let at = bits.trailing_zeros() as usize;
    at - at / 9
}

/// The squares of a set, lowest first.
pub(crate) fn bits(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// A set of squares as the other side sees it.
#[inline]
pub(crate) const fn turned(set: u64) -> u64 {
    set.reverse_bits() >> 29
}

/// Men and kings as the side to move sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Board {
    /// Pieces of the side to move.
    pub(crate) mover: u64,
    /// Pieces of the other side.
    pub(crate) other: u64,
    /// Kings of both.
    pub(crate) kings: u64,
}

/// A step, or a jump with all that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Bit of the square that is left.
    pub(crate) from: u64,
    /// Bit of the square that is reached; where it began, if a king comes round.
    pub(crate) to: u64,
    /// What is taken; nothing by a step.
    pub(crate) taken: u64,
}

impl Move {
    /// Whether anything is taken.
    #[inline]
    pub fn is_capture(self) -> bool {
        self.taken != 0
    }

    /// Pieces taken.
    #[inline]
    pub fn size(self) -> u32 {
        self.taken.count_ones()
    }
}

impl Board {
    /// The board that games begin from, for whoever is to move.
    pub const START: Board = Board { mover: 0x1EFF, other: 0x7_FBC0_0000, kings: 0 };

    /// Squares where nothing stands.
    #[inline]
    pub(crate) fn empty(&self) -> u64 {
        VALID & !(self.mover | self.other)
    }

    /// Pieces on the board.
    #[inline]
    pub fn pieces(&self) -> u32 {
        (self.mover | self.other).count_ones()
    }

    /// Men and kings of the side to move, then of the other.
    #[inline]
    pub fn counts(&self) -> [[u32; 2]; 2] {
        [self.mover, self.other]
            .map(|side| [(side & !self.kings).count_ones(), (side & self.kings).count_ones()])
    }

    /// The same board for the other side to move.
    #[inline]
    pub fn passed(&self) -> Board {
        Board { mover: turned(self.other), other: turned(self.mover), kings: turned(self.kings) }
    }

    /// The pieces of the side to move that can take something.
    #[inline]
    pub(crate) fn takers(&self) -> u64 {
        let (empty, other) = (self.empty(), self.other);
        let up = (empty >> 4 & other) >> 4 | (empty >> 5 & other) >> 5;
        let down = (empty << 4 & other) << 4 | (empty << 5 & other) << 5;
        self.mover & (up | down & self.kings)
    }

    /// Whether the side to move must take.
    #[inline]
    pub fn must_take(&self) -> bool {
        self.takers() != 0
    }

    /// Whether there is any move.
    #[inline]
    pub fn is_mobile(&self) -> bool {
        let empty = self.empty();
        let up = empty >> 4 | empty >> 5;
        let down = empty << 4 | empty << 5;
        self.mover & (up | down & self.kings) != 0 || self.must_take()
    }

    /// Whether a move takes, or is made by a man: what cannot be undone.
    #[inline]
    pub fn is_progress(&self, mv: Move) -> bool {
        mv.taken != 0 || mv.from & self.kings == 0
    }

    /// Calls `each` with every legal move, in a fixed order.
    #[inline]
    pub(crate) fn each_move(&self, mut each: impl FnMut(Move)) {
        let takers = self.takers();
        if takers == 0 { self.each_step(each) } else { self.each_capture(takers, &mut each) }
    }

    #[inline]
    fn each_step(&self, mut each: impl FnMut(Move)) {
        let empty = self.empty();
        let kings = self.mover & self.kings;
        let mut direction = |mut movers: u64, to: fn(u64) -> u64| {
            while movers != 0 {
                let from = movers & movers.wrapping_neg();
                movers ^= from;
                each(Move { from, to: to(from), taken: 0 });
            }
        };
        direction(self.mover & empty >> 4, |from| from << 4);
        direction(self.mover & empty >> 5, |from| from << 5);
        if kings != 0 {
            direction(kings & empty << 4, |from| from >> 4);
            direction(kings & empty << 5, |from| from >> 5);
        }
    }

    #[inline(never)]
    fn each_capture(&self, takers: u64, each: &mut impl FnMut(Move)) {
        for from in bits(takers) {
            let king = from & self.kings != 0;
            let empty = self.empty() | from;
            let mut seen = arrayvec::ArrayVec::<Move, 32>::new();
            self.jumps(Move { from, to: from, taken: 0 }, empty, king, &mut |mv: Move| {
                // A king that goes round the same pieces the other way has made the same move.
                if mv.size() >= 4 && king {
                    if seen.contains(&mv) {
                        return;
                    }
                    let _ = seen.try_push(mv);
                }
                each(mv);
            });
        }
    }

    /// Goes on jumping from where `done` has come to, and hands over every capture that can go no further.
    fn jumps(&self, done: Move, empty: u64, king: bool, each: &mut impl FnMut(Move)) {
        let left = self.other & !done.taken;
        let at = done.to;
        let mut further = false;
        let mut jump = |over: u64, to: u64| {
            if over & left != 0 && to & empty != 0 {
                further = true;
                self.jumps(Move { to, taken: done.taken | over, ..done }, empty, king, each);
            }
        };
        jump(at << 4, at << 8);
        jump(at << 5, at << 10);
        if king {
            jump(at >> 4, at >> 8);
            jump(at >> 5, at >> 10);
        }
        // Crowning ends the move: a man that reaches the last row finds no further square up there.
        if !further && done.taken != 0 {
            each(done);
        }
    }

    /// The board after a legal move, as the other side sees it.
    #[inline]
    pub(crate) fn play(&self, mv: Move) -> Board {
        let mover = self.mover & !mv.from | mv.to;
        let other = self.other & !mv.taken;
        let moved = if self.kings & mv.from == 0 { mv.to & CROWNING } else { mv.to };
        let kings = self.kings & !mv.from & !mv.taken | moved;
        Board { mover: turned(other), other: turned(mover), kings: turned(kings) }
    }

    /// Leaves of the tree of so many plies.
    pub fn perft(&self, plies: u32) -> u64 {
        let mut leaves = 0;
        self.each_move(|mv| leaves += if plies <= 1 { 1 } else { self.play(mv).perft(plies - 1) });
        leaves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Leaves from the start: Fierz 2009 and Bik, as the Chess Programming Wiki has them; at depth 12 they have 388,623,673, which
    /// is what comes out if a king's way round counts once for each direction. Here what it takes makes the move.
    const PERFT: [u64; 12] =
        [7, 49, 302, 1_469, 7_361, 36_768, 179_740, 845_931, 3_963_680, 18_391_564, 85_242_128, 388_623_673];

    fn counted(plies: std::ops::RangeInclusive<usize>) {
        for depth in plies {
            assert_eq!(Board::START.perft(depth as u32), PERFT[depth - 1], "depth {depth}");
        }
    }

    #[test]
    fn leaves_from_the_start_are_the_published_ones() {
        counted(1..=9);
    }

    /// `cargo test --release -p secateur-draughts -- --ignored leaves`
    #[test]
    #[ignore = "half a billion leaves"]
    fn leaves_from_the_start_to_depth_twelve() {
        counted(10..=12);
    }

    #[test]
    fn squares_and_bits_are_inverse_and_the_board_turns() {
        let all = (0..SQUARES).fold(0, |all, index| all | bit(index));
        assert_eq!(all, VALID);
        for index in 0..SQUARES {
            assert_eq!(square(bit(index)), index);
            assert_eq!(turned(bit(index)), bit(31 - index));
        }
        assert_eq!(Board::START.passed(), Board::START);
        assert_eq!(Board::START.counts(), [[12, 0], [12, 0]]);
    }

    /// A man that is crowned by a capture stops, though a king could go on.
    #[test]
    fn crowning_ends_a_capture() {
        let at = |squares: &[usize]| squares.iter().fold(0, |set, &square| set | bit(square - 1));
        // 22 takes 26 and lands on 31; a king there would take 27 too.
        let man = Board { mover: at(&[22]), other: at(&[26, 27]), kings: 0 };
        let mut sizes = Vec::new();
        man.each_move(|mv| sizes.push(mv.size()));
        assert_eq!(sizes, [1]);
        assert_eq!(man.play(Move { from: bit(21), to: bit(30), taken: bit(25) }).kings.count_ones(), 1);
        let mut sizes = Vec::new();
        Board { kings: at(&[22]), ..man }.each_move(|mv| sizes.push(mv.size()));
        assert_eq!(sizes, [2]);
    }

    /// Four men around an empty square: a king takes them all, one move whichever way it goes round.
    #[test]
    fn a_way_round_is_one_move() {
        let at = |squares: &[usize]| squares.iter().fold(0, |set, &square| set | bit(square - 1));
        let board = Board { mover: at(&[6]), other: at(&[9, 10, 17, 18]), kings: at(&[6]) };
        let mut moves = Vec::new();
        board.each_move(|mv| moves.push(mv));
        assert_eq!(moves, [Move { from: bit(5), to: bit(5), taken: board.other }]);
    }
}
