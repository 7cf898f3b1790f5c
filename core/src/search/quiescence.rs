//! The search beyond the horizon of games with captures: captures and promotions until the position is quiet.
//!
//! Fail-soft alpha-beta over a tree that depends on the position alone: there is no table, so the value is the minimax value of that
//! tree whatever the window. A side that does not evade a check may stand pat; captures that lose by exchange are left out, unless
//! the host wants them. A side that evades tries every move, so checkmate is seen; being without moves out of check is seen at the
//! horizon itself only. What methods leave out besides is theirs to say ([`Below`]).
//!
//! Standing pat: Harris 1975 ("The heuristic search and the game of chess").

use super::order::pick;
use crate::game::{Below, Evaluation, Meter, Moves, QuietNode};
use crate::score::{Score, Window};

/// What the search beyond the horizon asks of its game.
pub trait Captures: Evaluation {
    /// Plies beyond the horizon after which the search gives up. Checks answered by checks could in theory go on for ever.
    const MOST_BEYOND: u32;

    /// Whether the side to move has a move.
    fn has_moves(&self, pos: &Self::Position) -> bool;
    /// Whether the side to move is in check and tries every evasion so many plies beyond the horizon; not at the last.
    fn evades(&self, pos: &Self::Position, beyond: u32) -> bool;
    /// The moves that are tried, with the values that order them: every move of a side that evades, else captures and promotions.
    fn loud(&self, pos: &Self::Position, evades: bool, moves: &mut Moves<Self>);
    /// Whether a capture or promotion loses by exchange.
    fn loses(&self, pos: &Self::Position, mv: Self::Move) -> bool;
}

/// Value of a position at the horizon.
#[inline]
pub fn quiesce<G: Captures>(
    game: &G,
    pos: &G::Position,
    window: Window,
    ply: u32,
    meter: &mut Meter,
    below: &mut impl Below<G>,
) -> Score {
    if !game.in_check(pos) && !game.has_moves(pos) {
        meter.qnodes += 1;
        meter.seldepth = meter.seldepth.max(ply);
        return game.outcome(pos, ply);
    }
    Quiescence { game, meter, horizon: ply, below }.value(pos, window, ply)
}

struct Quiescence<'a, G, B> {
    game: &'a G,
    meter: &'a mut Meter,
    horizon: u32,
    below: &'a mut B,
}

impl<G: Captures, B: Below<G>> Quiescence<'_, G, B> {
    fn value(&mut self, pos: &G::Position, window: Window, ply: u32) -> Score {
        self.meter.qnodes += 1;
        self.meter.seldepth = self.meter.seldepth.max(ply);
        let beyond = ply - self.horizon;
        let evades = self.game.evades(pos, beyond);
        // A floor, not a guess: no position is worth less than being mated in it.
        let mut best = if evades { self.game.attainable(ply).alpha } else { self.game.evaluate(pos) };
        if best >= window.beta || beyond >= G::MOST_BEYOND {
            return best;
        }
        let mut moves = Moves::<G>::new();
        self.game.loud(pos, evades, &mut moves);
        let mut alpha = window.alpha.max(best);
        let mut node = QuietNode::new(pos, ply, beyond, best);
        for index in 0..moves.len() {
            let mv = pick::<G>(&mut moves, index);
            if !evades {
                if !self.below.losing() && self.game.loses(pos, mv) {
                    continue;
                }
                if let Some(claim) = self.below.skip(self.game, &node, alpha, mv) {
                    best = best.max(claim);
                    continue;
                }
            }
            node.tried += 1;
            let child = self.game.play(pos, mv);
            let score = -self.value(&child, -Window { alpha, beta: window.beta }, ply + 1);
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
}
