//! A position: the board, whose turn it is, and how long nothing has happened; and the stages of a game.
//!
//! A draw is a position that was on the line before, or [`NO_PROGRESS`] plies without capture and without the move of a man.
//! Inside a search one repetition is enough: who can reach a position again can do so twice. Neither rule is that of every
//! federation, and none leaves it to a referee to judge a draw; this one is what programs play by.

use crate::board::Board;
use secateur_base::hash::folded;

/// Plies without capture and move of a man after which the game is a draw: 40 moves of each side.
pub const NO_PROGRESS: u8 = 80;
/// From here on the clock is part of the hash. Below, a subtree of usual depth cannot reach the limit, and positions that
/// differ in the clock alone should share their table entry.
const CLOCK_MATTERS: u8 = 50;

/// A position of English draughts as the search knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub(crate) board: Board,
    pub(crate) black_to_move: bool,
    /// Plies since the last capture or move of a man.
    pub(crate) clock: u8,
    /// Plies since something that cannot be undone, a null move included.
    pub(crate) reversible: u8,
}

impl Position {
    /// A position from which nothing can be repeated.
    pub fn new(board: Board, black_to_move: bool, clock: u8) -> Position {
        Position { board, black_to_move, clock, reversible: 0 }
    }

    /// The board as the side to move sees it.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whether the side with the dark pieces, which begins a game, is to move.
    #[inline]
    pub fn black_to_move(&self) -> bool {
        self.black_to_move
    }

    pub(crate) fn repeated(&self, keys: &[u64]) -> bool {
        let span = usize::from(self.reversible).min(keys.len());
        let board_key = identity(&self.board);
        // Two plies cannot lead back: both sides would have to undo a move that they have not made yet.
        (4..=span).step_by(2).any(|back| {
            // The clock of the earlier position follows from the distance, so its share of the key is known.
            keys[keys.len() - back] == board_key ^ clock_key(self.clock.saturating_sub(back as u8))
        })
    }
}

#[inline]
pub(crate) fn clock_key(clock: u8) -> u64 {
    if clock < CLOCK_MATTERS { 0 } else { mixed(u64::from(clock)) }
}

/// Hash of a board: three folded products, one a word.
#[inline]
pub(crate) fn identity(board: &Board) -> u64 {
    let first = folded(board.mover ^ 0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03);
    let second = folded(first ^ board.other.rotate_left(23), 0xa076_1d64_78bd_642f);
    folded(second ^ board.kings.rotate_left(11), 0xe703_7ed1_a0b4_28db) ^ first
}

#[inline]
fn mixed(value: u64) -> u64 {
    let value = value.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (value ^ (value >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// Names in the order of a game: `k` where there are kings.
pub(crate) const STAGES: &[&str] = &["p21-24", "p17-20", "p13-16", "p09-12", "p09-12k", "p02-08", "p02-08k"];

#[inline]
pub(crate) fn stage(board: &Board) -> usize {
    let kings = usize::from(board.kings != 0);
    match board.pieces() {
        21.. => 0,
        17..=20 => 1,
        13..=16 => 2,
        9..=12 => 3 + kings,
        _ => 5 + kings,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::Draughts;
    use secateur_core::game::{Notation, Rules};
    use std::collections::BTreeMap;

    /// Plays moves from a position and says after each whether the rules end the game.
    fn line(fen: &str, moves: &str) -> Vec<bool> {
        let game = Draughts::default();
        let mut pos = game.parse(fen).expect("a position");
        let mut keys = Vec::new();
        let each = moves.split(' ').map(|text| {
            keys.push(game.key(&pos));
            pos = match text {
                "null" => game.null(&pos).expect("a position"),
                _ => game.play(&pos, game.parse_move(&pos, text).expect("a legal move")),
            };
            game.drawn(&pos, &keys)
        });
        each.collect()
    }

    #[test]
    fn a_position_reached_again_is_a_draw() {
        let kings = "B:WK32:BK1";
        assert_eq!(line(kings, "1-5 32-27 5-1 27-32"), [false, false, false, true]);
        for clock in [44, 45, 46, 49, 50, 60] {
            let fen = format!("{kings}:H{clock}");
            assert_eq!(line(&fen, "1-5 32-27 5-1 27-32"), [false, false, false, true], "{clock}");
        }
    }

    #[test]
    fn men_and_null_moves_begin_a_new_line() {
        assert_eq!(line("B:W32,K31:BK1,4", "1-5 31-26 5-1 26-31"), [false, false, false, true]);
        assert_eq!(line("B:W32,K31:BK1,4", "1-5 32-27 5-1 31-26"), [false; 4]);
        assert_eq!(line("B:WK32:BK1", "1-5 null 5-1 32-27"), [false; 4]);
    }

    #[test]
    fn the_eightieth_ply_without_progress_is_a_draw() {
        assert_eq!(line("B:WK32:BK1:H78", "1-5 32-27"), [false, true]);
        // Unless the side to move has lost.
        let stuck = "B:W5:BK14:H79";
        assert_eq!(line(stuck, "14-9").len(), 1);
    }

    #[test]
    fn keys_tell_boards_apart() {
        let mut seen = BTreeMap::new();
        for board in testing::boards(5_000) {
            let before = seen.insert(identity(&board), board);
            assert!(before.is_none_or(|before| before == board));
        }
        assert!(seen.len() > 4_000);
    }
}
