//! The search beyond the horizon: whoever must take takes, until nobody must.
//!
//! Captures are forced, so there is no standing pat and nothing is left out: the value is the minimax value of a small tree
//! that depends on the position alone, fail-soft. Left out: what the other side threatens to take next, which a quiet position
//! is evaluated with.

use super::board::Move;
use super::order::gain;
use super::{Draughts, Position};
use secateur_base::MATE;
use secateur_core::game::{Evaluation, MAX_MOVES, Meter};
use secateur_core::{Score, Window};

/// Value of a position at the horizon.
pub(crate) fn value(game: &Draughts, pos: &Position, window: Window, ply: u32, meter: &mut Meter) -> Score {
    meter.qnodes += 1;
    meter.seldepth = meter.seldepth.max(ply);
    let takers = pos.board.takers();
    if takers == 0 {
        return if pos.board.is_mobile() { game.evaluate(pos) } else { Score(ply as i32 - MATE) };
    }
    let mut moves = arrayvec::ArrayVec::<(i32, Move), MAX_MOVES>::new();
    pos.board.each_move(|mv| moves.push((gain(&pos.board, mv), mv)));
    let (mut best, mut alpha) = (-Score::INFINITE, window.alpha);
    while let Some(at) = first(&moves) {
        let (_, mv) = moves.remove(at);
        let child = pos.play(mv);
        let score = -value(game, &child, -Window { alpha, beta: window.beta }, ply + 1, meter);
        if score > best {
            best = score;
            if score >= window.beta {
                break;
            }
            alpha = alpha.max(score);
        }
    }
    best
}

/// The first of the best captures.
fn first(moves: &[(i32, Move)]) -> Option<usize> {
    let mut largest: Option<usize> = None;
    for (at, (value, _)) in moves.iter().enumerate() {
        if largest.is_none_or(|best| moves[best].0 < *value) {
            largest = Some(at);
        }
    }
    largest
}
