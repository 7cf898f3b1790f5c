//! The rules of chess as a search asks for them.

use crate::position::Position;
use crate::slides::squares;
use crate::{Chess, MATE, check, draw, notation};
use cozy_chess::{BitBoard, Board, BoardBuilder, Move, Piece, Square};
use secateur_core::Score;
use secateur_core::game::{Ending, Moves, Rules, Scored};

impl Rules for Chess {
    type Position = Position;
    type Move = Move;

    const REPETITION: bool = true;

    #[inline]
    fn key(&self, pos: &Position) -> u64 {
        draw::key(pos)
    }

    #[inline]
    fn side(&self, pos: &Position) -> usize {
        pos.board.side_to_move() as usize
    }

    #[inline]
    fn in_check(&self, pos: &Position) -> bool {
        !pos.board.checkers().is_empty()
    }

    /// Colours exchanged and the board turned upside down.
    fn mirror(&self, pos: &Position) -> Position {
        let board = mirrored(&pos.board);
        Position { board, placed: -pos.placed, phase: pos.phase, reversible: pos.reversible }
    }

    #[inline]
    fn moves(&self, pos: &Position, moves: &mut Moves<Chess>) {
        const LAST: BitBoard = BitBoard(0xff00_0000_0000_00ff);
        pos.board.generate_moves(|set| {
            if set.piece == Piece::Pawn && !(set.to & LAST).is_empty() {
                moves.extend(set.into_iter().map(|mv| Scored { mv, value: 0 }));
            } else {
                let plain = |to| Scored { mv: Move { from: set.from, to, promotion: None }, value: 0 };
                moves.extend(squares(set.to).map(plain));
            }
            false
        });
    }

    /// The position after a legal move.
    #[inline]
    fn play(&self, pos: &Position, mv: Move) -> Position {
        let mut next = pos.clone();
        let color = pos.board.side_to_move();
        if pos.board.colors(color).has(mv.to) {
            next.castle(mv, color, &self.evaluation);
        } else {
            next.count(mv, color, &self.evaluation);
        }
        next.board.play_unchecked(mv);
        next
    }

    #[inline]
    fn pack(&self, mv: Move) -> u16 {
        notation::pack(mv)
    }

    #[inline]
    fn unpack(&self, bits: u16) -> Move {
        notation::unpack(bits)
    }

    #[inline]
    fn gives_check(&self, pos: &Position, mv: Move) -> bool {
        self.checks.gives_check(&pos.board, mv)
    }

    #[inline]
    fn is_legal(&self, pos: &Position, mv: Move) -> bool {
        pos.board.is_legal(mv)
    }

    #[inline]
    fn key_after(&self, pos: &Position, mv: Move) -> u64 {
        check::key_after(&pos.board, mv).unwrap_or_else(|| self.key(&self.play(pos, mv)))
    }

    /// The same men with the other side to move; none in check. En passant ends, and nothing before can be
    /// repeated: a line with a null move in it is not a game.
    fn null(&self, pos: &Position) -> Option<Position> {
        let board = pos.board.null_move()?;
        Some(Position { board, placed: pos.placed, phase: pos.phase, reversible: 0 })
    }

    fn outcome(&self, pos: &Position, ply: u32) -> Score {
        if self.in_check(pos) { Score(ply as i32 - MATE) } else { Score::ZERO }
    }

    #[inline]
    fn drawn(&self, pos: &Position, keys: &[u64]) -> bool {
        draw::drawn(pos, keys)
    }

    fn ending(&self, pos: &Position, seen: usize) -> Option<Ending> {
        let mut moves = Moves::<Chess>::new();
        self.moves(pos, &mut moves);
        let drawn = |why| Some(Ending { winner: None, why });
        if moves.is_empty() {
            if self.in_check(pos) {
                return Some(Ending { winner: Some(1 - self.side(pos)), why: "checkmate" });
            }
            return drawn("stalemate");
        }
        if self.drawn(pos, &[]) {
            return drawn(if pos.board().halfmove_clock() >= 100 { "fifty-moves" } else { "material" });
        }
        if seen >= 3 { drawn("repetition") } else { None }
    }
}

fn mirrored(board: &Board) -> Board {
    let mut builder = BoardBuilder::from_board(board);
    for square in Square::ALL {
        let men = board.piece_on(square).zip(board.color_on(square));
        builder.board[square.flip_rank() as usize] = men.map(|(piece, color)| (piece, !color));
    }
    builder.side_to_move = !builder.side_to_move;
    builder.castle_rights.swap(0, 1);
    builder.en_passant = builder.en_passant.map(Square::flip_rank);
    builder.build().expect("the mirror image of a legal position is legal")
}
