//! Methods below the horizon: what they may ask of a search that is the game's own ([`crate::game::Below`]).
//!
//! There is no depth, no path and no table there, so there is little: the game, and counters, which stand at depth 0. Claims
//! are counted as anywhere else; the audit leaves them out, since nothing deeper stands behind the horizon to judge them by.

use super::{Counter, Search, Tally};
use crate::game::{Below, Game, QuietNode};
use crate::prune::{Method, Prune};
use crate::score::{Score, Window};

/// A quiescence search as its methods see it.
#[derive(Debug)]
pub struct Quiet<'a, G, P> {
    game: &'a G,
    prune: &'a P,
    tally: &'a mut Tally,
    losing: bool,
}

impl<G: Game, P: Prune<G>> Quiet<'_, G, P> {
    /// The game with its evaluation.
    #[must_use]
    #[inline]
    pub fn game(&self) -> &G {
        self.game
    }

    /// The counter of method `M`.
    #[inline]
    pub fn count<M: Method>(&mut self, node: &QuietNode<'_, G>) -> &mut Counter {
        let place = const { P::ROLL.place(M::NAME, M::MARKS) };
        self.tally.counter((place.index, M::NAME), self.game.stage(node.pos), 0)
    }

    /// Counts that method `M` leaves a move out; what it claims.
    #[inline]
    pub fn claim<M: Method>(&mut self, node: &QuietNode<'_, G>, claim: Score) -> Option<Score> {
        self.count::<M>(node).cuts_low += 1;
        Some(claim)
    }
}

impl<G: Game, P: Prune<G>> Below<G> for Quiet<'_, G, P> {
    #[inline(always)]
    fn losing(&self) -> bool {
        self.losing
    }

    #[inline(always)]
    fn skip(&mut self, _: &G, node: &QuietNode<'_, G>, alpha: Score, mv: G::Move) -> Option<Score> {
        let prune = self.prune;
        prune.quiet(self, node, alpha, mv)
    }
}

impl<G: Game, P: Prune<G>> Search<'_, G, P> {
    /// The value at the horizon where a method or an option has a say.
    #[inline(never)]
    pub(super) fn quiesce(&mut self, pos: &G::Position, window: Window, ply: u32) -> Score {
        let losing = self.options.losing_captures;
        let mut quiet = Quiet { game: &self.game, prune: self.prune, tally: &mut self.tally, losing };
        self.game.quiesce(pos, window, ply, &mut self.meter, &mut quiet)
    }
}
