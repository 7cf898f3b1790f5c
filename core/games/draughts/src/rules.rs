//! The rules of English draughts as a search asks for them.

use crate::board::Move;
use crate::position::{NO_PROGRESS, Position, clock_key, identity};
use crate::{Draughts, text};
use secateur_base::MATE;
use secateur_core::Score;
use secateur_core::game::{Moves, Rules, Scored};

impl Rules for Draughts {
    type Position = Position;
    type Move = Move;

    const REPETITION: bool = true;

    /// Hash of board and, near the limit, clock. Whose turn it is makes no difference: the board is the mover's.
    #[inline]
    fn key(&self, pos: &Position) -> u64 {
        identity(&pos.board) ^ clock_key(pos.clock)
    }

    #[inline]
    fn side(&self, pos: &Position) -> usize {
        usize::from(!pos.black_to_move)
    }

    fn mirror(&self, pos: &Position) -> Position {
        Position { black_to_move: !pos.black_to_move, ..*pos }
    }

    #[inline]
    fn moves(&self, pos: &Position, moves: &mut Moves<Self>) {
        pos.board.each_move(|mv| moves.push(Scored { mv, value: 0 }));
    }

    #[inline]
    fn play(&self, pos: &Position, mv: Move) -> Position {
        let progress = pos.board.is_progress(mv);
        let counted = |plies: u8| if progress { 0 } else { plies.saturating_add(1) };
        Position {
            board: pos.board.play(mv),
            black_to_move: !pos.black_to_move,
            clock: counted(pos.clock),
            reversible: counted(pos.reversible),
        }
    }

    #[inline]
    fn pack(&self, mv: Move) -> u16 {
        text::pack(mv)
    }

    #[inline]
    fn unpack(&self, bits: u16) -> Move {
        text::unpack(bits)
    }

    /// The position with the other side to move. Nothing before it can come back.
    #[inline]
    fn null(&self, pos: &Position) -> Option<Position> {
        let clock = pos.clock.saturating_add(1);
        Some(Position { board: pos.board.passed(), black_to_move: !pos.black_to_move, clock, reversible: 0 })
    }

    /// Who cannot move has lost.
    fn outcome(&self, _: &Position, ply: u32) -> Score {
        Score(ply as i32 - MATE)
    }

    /// Whether the rules end the game here; `keys` are those of the positions before, oldest first.
    #[inline]
    fn drawn(&self, pos: &Position, keys: &[u64]) -> bool {
        pos.reversible >= 4 && pos.repeated(keys) || pos.clock >= NO_PROGRESS && pos.board.is_mobile()
    }
}
