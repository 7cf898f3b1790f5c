//! The order of moves: the table's, captures and promotions that do not lose, killers, the counter-move, history, what loses.

use super::legal::king;
use super::material::{exchange, gain};
use super::terms::seen;
use super::text::pack;
use super::{Position, Shogi};
use haitaka::{Color, Move, Piece};
use secateur_core::game::{Hints, Moves};

// Classes, so far apart that history never mixes them.
const TABLE: i32 = 60_000;
const WINNING: i32 = 40_000;
const KILLER: i32 = 35_000;
const COUNTER: i32 = 34_000;
const LOSING: i32 = -30_000;

/// Length of one side's history: kinds of pieces that move or are dropped by squares that they go to.
pub(crate) const HISTORY: usize = 2 * 14 * 81;

/// Index of a move in the history.
#[inline]
pub(crate) fn history_index(pos: &Position, mv: Move) -> usize {
    match mv {
        Move::Drop { piece, to } => (14 + piece as usize) * 81 + to as usize,
        Move::BoardMove { from, to, .. } => {
            pos.board.piece_on(from).unwrap_or(Piece::Pawn) as usize * 81 + to as usize
        }
    }
}

/// Whether a move takes or promotes.
#[inline]
pub(crate) fn is_tactical(pos: &Position, mv: Move) -> bool {
    match mv {
        Move::Drop { .. } => false,
        Move::BoardMove { to, promotion, .. } => {
            promotion || pos.board.colors(!pos.board.side_to_move()).has(to)
        }
    }
}

/// A value that is unique among the moves of a position, by the squares as the mover sees them.
#[inline]
pub(crate) fn distinct(value: i32, mv: Move, color: Color) -> i32 {
    let turned = match mv {
        Move::Drop { piece, to } => (81 + piece as i32) << 7 | seen(color, to as usize) as i32,
        Move::BoardMove { from, to, promotion } => {
            i32::from(promotion) << 14
                | (seen(color, from as usize) as i32) << 7
                | seen(color, to as usize) as i32
        }
    };
    value << 15 | turned
}

/// Gives every move its value.
pub(crate) fn order(game: &Shogi, pos: &Position, hints: &Hints<'_, Move>, moves: &mut Moves<Shogi>) {
    let board = &pos.board;
    let us = board.side_to_move();
    let packed = |mv: Option<Move>| mv.map_or(0, pack);
    let (table, killers, counter) = (packed(hints.table), hints.killers.map(packed), packed(hints.counter));
    let weights = game.weights();
    let kings = [us, !us].map(|color| seen(us, king(board, color) as usize));
    let placed = |piece: Piece, square: usize| weights.on_board(piece, seen(us, square), kings[0], kings[1]);
    for scored in moves {
        let mv = scored.mv;
        let bits = pack(mv);
        let value = if bits == table {
            TABLE
        } else if is_tactical(pos, mv) {
            let won = exchange(board, mv);
            if won < 0 { LOSING + won.max(-2_000) } else { WINNING + 2 * gain(board, mv) }
        } else if bits == killers[0] {
            KILLER + 1
        } else if bits == killers[1] {
            KILLER
        } else if bits == counter {
            COUNTER
        } else {
            let merit = i32::from(hints.history[history_index(pos, mv)]);
            let better = match mv {
                Move::Drop { piece, to } => placed(piece, to as usize) - weights.in_hand(piece),
                Move::BoardMove { from, to, .. } => {
                    let piece = board.piece_on(from).unwrap_or(Piece::Pawn);
                    if piece == Piece::King {
                        0
                    } else {
                        placed(piece, to as usize) - placed(piece, from as usize)
                    }
                }
            };
            merit + better.clamp(-2_000, 2_000)
        };
        scored.value = distinct(value, mv, us);
    }
}
