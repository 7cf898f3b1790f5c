//! The rules of shogi as a search asks for them.

use crate::position::Position;
use crate::{MATE, Shogi, legal, material, text};
use haitaka::{Color, Move, Piece};
use secateur_core::Score;
use secateur_core::game::{Ending, Moves, Rules, Scored};

/// Occurrences of a position that end a game.
const OCCURRENCES: usize = 4;

impl Rules for Shogi {
    type Position = Position;
    type Move = Move;

    const REPETITION: bool = true;

    #[inline]
    fn key(&self, pos: &Position) -> u64 {
        pos.board.hash()
    }

    /// Black begins.
    #[inline]
    fn side(&self, pos: &Position) -> usize {
        usize::from(pos.board.side_to_move() == Color::White)
    }

    #[inline]
    fn in_check(&self, pos: &Position) -> bool {
        !pos.board.checkers().is_empty()
    }

    /// Colours exchanged and the board turned around.
    fn mirror(&self, pos: &Position) -> Position {
        let board =
            text::board(&text::mirrored(&pos.board)).expect("the mirror image of a legal position is legal");
        let [white, black] = pos.checks;
        Position { checks: [black, white], since: pos.since, ..self.position(board) }
    }

    #[inline]
    fn moves(&self, pos: &Position, moves: &mut Moves<Shogi>) {
        legal::each(&pos.board, |set| {
            moves.extend(set.into_iter().map(|mv| Scored { mv, value: 0 }));
            false
        });
    }

    #[inline]
    fn is_legal(&self, pos: &Position, mv: Move) -> bool {
        legal::is_legal(&pos.board, mv)
    }

    /// The position after a legal move.
    #[inline]
    fn play(&self, pos: &Position, mv: Move) -> Position {
        let us = pos.board.side_to_move();
        let mut next = pos.clone();
        next.board.play_unchecked(mv);
        next.placed = pos.placed_after(mv, us, &next.board, &self.weights);
        let checking = &mut next.checks[us as usize];
        *checking = if next.board.checkers().is_empty() { 0 } else { checking.saturating_add(1) };
        next.since = pos.since.saturating_add(1);
        next
    }

    #[inline]
    fn pack(&self, mv: Move) -> u16 {
        text::pack(mv)
    }

    #[inline]
    fn unpack(&self, bits: u16) -> Move {
        text::unpack(bits)
    }

    #[inline]
    fn gives_check(&self, pos: &Position, mv: Move) -> bool {
        material::gives_check(&pos.board, mv)
    }

    /// The same pieces with the other side to move; none in check, and none of a side without a king.
    #[inline]
    fn null(&self, pos: &Position) -> Option<Position> {
        if !pos.board.checkers().is_empty() || !pos.board.has(pos.board.side_to_move(), Piece::King) {
            return None;
        }
        // `Board::null_move` of haitaka 0.3.2 looks for the pins of the wrong side. A king that is taken off and put back where
        // it stood is a move that changes nothing else, and pins are found as after any move.
        let (mut board, us) = (pos.board.clone(), pos.board.side_to_move());
        let to = board.king(us);
        board.unchecked_put(us, Piece::King, to);
        board.take_in_hand(us, Piece::King);
        board.play_unchecked(Move::Drop { piece: Piece::King, to });
        Some(Position { board, placed: pos.placed, checks: [0; 2], since: 0 })
    }

    /// Who cannot move has lost.
    fn outcome(&self, _: &Position, ply: u32) -> Score {
        Score(ply as i32 - MATE)
    }

    /// Whether this position has been there before, but not by perpetual check. `keys` are the hashes of the positions before
    /// this one, oldest first.
    #[inline]
    fn drawn(&self, pos: &Position, keys: &[u64]) -> bool {
        let span = usize::from(pos.since).min(keys.len());
        let now = pos.board.hash();
        // A repetition by checks alone is lost for who gives them; the search goes on and finds nothing better for that side.
        let perpetual = |back: usize| pos.checks.iter().any(|&checks| 2 * usize::from(checks) >= back);
        (4..=span).step_by(2).any(|back| keys[keys.len() - back] == now && !perpetual(back))
    }

    fn ending(&self, pos: &Position, seen: usize) -> Option<Ending> {
        let side = |color: Color| usize::from(color == Color::White);
        let us = pos.board.side_to_move();
        if !legal::any(&pos.board) {
            let why = if self.in_check(pos) { "checkmate" } else { "no-moves" };
            return Some(Ending { winner: Some(side(!us)), why });
        }
        if pos.may_declare() {
            return Some(Ending { winner: Some(side(us)), why: "declared" });
        }
        if seen < OCCURRENCES {
            return None;
        }
        Some(Ending { winner: pos.perpetual().map(|checks| side(!checks)), why: "repetition" })
    }
}
