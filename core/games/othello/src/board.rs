//! The rules of Othello on two 64-bit words, seen by the side to move; and squares, which are also the moves.
//!
//! Colours are left out: the rules do not know them. What an evaluation keeps up to date is added by
//! `Position`.
//!
//! Index 0 is a1, 7 is h1, 63 is h8: the order in which positions are written.
//! A forced pass is a move too, so it gets an index of its own.

use crate::flips::{flips, is_mobile, mobility};
use std::fmt;

/// Discs of the side to move and of the other side; bit 0 is a1, bit 63 is h8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// Discs of the side to move.
    pub player: u64,
    /// Discs of the other side.
    pub opponent: u64,
}

impl Board {
    /// The start position, X (e4, d5) to move.
    pub const START: Board = Board { player: 0x0000_0008_1000_0000, opponent: 0x0000_0010_0800_0000 };

    /// The squares where the side to move may play.
    #[inline]
    pub fn moves(self) -> u64 {
        mobility(self.player, self.opponent)
    }

    /// The number of `moves`, those to corners counted twice: what a move that leaves them costs.
    #[inline(always)]
    pub(super) fn freedom(moves: u64) -> i32 {
        const CORNERS: u64 = 0x8100_0000_0000_0081;
        (moves.count_ones() + (moves & CORNERS).count_ones()) as i32
    }

    /// Whether the side to move may play anywhere.
    #[inline]
    pub fn is_mobile(self) -> bool {
        is_mobile(self.player, self.opponent)
    }

    /// The squares where the other side could play if it were to move.
    #[inline]
    pub fn replies(self) -> u64 {
        mobility(self.opponent, self.player)
    }

    /// The discs turned by a move to an empty square, none if it is illegal.
    #[inline]
    pub fn flips(self, square: Square) -> u64 {
        flips(square.index() & 63, self.player, self.opponent)
    }

    /// The board after a move to `square` that turns `turned`.
    #[inline]
    pub fn after(self, square: Square, turned: u64) -> Board {
        Board { player: self.opponent ^ turned, opponent: self.player | turned | square.bit() }
    }

    /// The board after a legal move or a pass.
    #[inline]
    pub fn play(self, square: Square) -> Board {
        if square == Square::PASS { self.passed() } else { self.after(square, self.flips(square)) }
    }

    /// The board seen by the other side.
    #[inline]
    pub fn passed(self) -> Board {
        Board { player: self.opponent, opponent: self.player }
    }

    /// Empty squares.
    #[inline]
    pub fn empty(self) -> u64 {
        !(self.player | self.opponent)
    }

    /// Number of discs of both sides, 0..=64.
    #[inline]
    pub fn discs(self) -> u32 {
        (self.player | self.opponent).count_ones()
    }

    /// Final result for the side to move in discs, empty squares going to the winner (-64..=64).
    #[inline]
    pub fn result(self) -> i32 {
        let lead = self.player.count_ones() as i32 - self.opponent.count_ones() as i32;
        lead + lead.signum() * self.empty().count_ones() as i32
    }

    /// The board under symmetry `symmetry` (0..8): bit 0 mirrors columns, bit 1 rows, bit 2 then transposes.
    pub fn transformed(self, symmetry: usize) -> Board {
        let map = |discs: u64| {
            (0..64).filter(|&s| discs >> s & 1 == 1).fold(0u64, |m, s| m | 1 << transform(symmetry, s))
        };
        Board { player: map(self.player), opponent: map(self.opponent) }
    }

    /// Leaves of the game tree `depth` plies on; a pass is a ply and a finished game one leaf.
    ///
    /// The last ply is counted, not played.
    pub fn perft(self, depth: u32) -> u64 {
        let moves = self.moves();
        if depth == 0 {
            return 1;
        }
        if moves == 0 {
            return if self.replies() == 0 { 1 } else { self.passed().perft(depth - 1) };
        }
        if depth == 1 {
            return u64::from(moves.count_ones());
        }
        squares(moves).map(|square| self.play(square).perft(depth - 1)).sum()
    }
}

/// Where symmetry `symmetry` (see [`Board::transformed`]) takes the square of an index.
pub(super) const fn transform(symmetry: usize, square: usize) -> usize {
    let x = if symmetry & 1 == 0 { square % 8 } else { 7 - square % 8 };
    let y = if symmetry & 2 == 0 { square / 8 } else { 7 - square / 8 };
    if symmetry & 4 == 0 { y * 8 + x } else { x * 8 + y }
}

/// The squares of a set, a1 first.
#[inline]
pub fn squares(mut set: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let index = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            Square::new(index)
        })
    })
}

/// One value a square from those of the corner's quarter (a1 to d1, then a2 ...): all four quarters are alike.
pub(super) const fn quartered(quarter: [i16; 16]) -> [i16; 64] {
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (x, y) = (square % 8, square / 8);
        let (x, y) = (if x < 4 { x } else { 7 - x }, if y < 4 { y } else { 7 - y });
        all[square] = quarter[y * 4 + x];
        square += 1;
    }
    all
}

/// A square, or the pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The forced pass.
    pub const PASS: Square = Square(64);
    /// Number of values, the pass included.
    pub const COUNT: usize = 65;

    /// The square of an index in 0..=64 (64 is the pass); larger ones wrap to the pass.
    #[inline]
    pub const fn new(index: usize) -> Square {
        if index < 64 { Square(index as u8) } else { Square::PASS }
    }

    /// Its index, 0..=64.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The bit of the square; none for the pass.
    #[inline]
    pub const fn bit(self) -> u64 {
        if self.0 < 64 { 1 << self.0 } else { 0 }
    }

    /// Reads `d3`, `D3`, `pass`, `pa`, `ps` or `--`.
    pub fn read(text: &str) -> Option<Square> {
        match text.to_ascii_lowercase().as_bytes() {
            b"pass" | b"pa" | b"ps" | b"--" => Some(Square::PASS),
            &[column @ b'a'..=b'h', row @ b'1'..=b'8'] => Some(Square((row - b'1') * 8 + (column - b'a'))),
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Square::PASS {
            return f.write_str("pass");
        }
        write!(f, "{}{}", char::from(b'a' + self.0 % 8), self.0 / 8 + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
pub(crate) use tests::{Random, random_boards};

#[cfg(test)]
mod tests {
    use super::*;
    pub(crate) use secateur_base::hash::SplitMix as Random;

    /// At least `count` boards of random games, passes and finished games included.
    pub(crate) fn random_boards(count: usize) -> Vec<Board> {
        let mut random = Random(7);
        let mut boards = Vec::new();
        while boards.len() < count {
            let mut board = Board::START;
            loop {
                boards.push(board);
                let moves: Vec<Square> = squares(board.moves()).collect();
                if moves.is_empty() {
                    if board.replies() == 0 {
                        break;
                    }
                    board = board.passed();
                } else {
                    board = board.play(moves[random.below(moves.len())]);
                }
            }
        }
        boards
    }

    #[test]
    fn perft_equals_the_published_counts() {
        let published = [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288, 24_571_284, 212_258_800];
        let deepest = if cfg!(debug_assertions) { 10 } else { 11 };
        for (depth, leaves) in (1..=deepest).zip(published) {
            assert_eq!(Board::START.perft(depth), leaves, "perft {depth}");
        }
    }

    #[test]
    fn the_eight_symmetries_differ_and_keep_the_tree() {
        let board = random_boards(40)[17];
        let mut images: Vec<Board> = (0..8).map(|symmetry| board.transformed(symmetry)).collect();
        assert!(images.iter().all(|image| image.perft(4) == board.perft(4)));
        images.sort_by_key(|image| (image.player, image.opponent));
        images.dedup();
        assert_eq!(images.len(), 8);
    }

    #[test]
    fn the_winner_gets_the_empty_squares() {
        let board = Board { player: 0b111, opponent: 0 };
        assert_eq!(board.result(), 64);
        assert_eq!(board.passed().result(), -64);
        assert_eq!(Board { player: 1, opponent: 2 }.result(), 0);
    }

    #[test]
    fn every_square_is_read_back() {
        for index in 0..Square::COUNT {
            let square = Square::new(index);
            assert_eq!(Square::read(&square.to_string()), Some(square));
        }
        assert_eq!(Square::read("d3").map(Square::index), Some(19));
    }

    #[test]
    fn nonsense_is_no_square() {
        for text in ["", "i1", "a0", "a9", "a", "a1b", "é"] {
            assert_eq!(Square::read(text), None, "{text}");
        }
    }
}
