//! Methods below the horizon: what they may ask of a search that is the game's own ([`crate::game::Below`]).
//!
//! There is no depth, no path and no table there, so there is little: the game, and counters, which stand at depth 0. Claims
//! are counted as anywhere else; the audit leaves them out, since nothing deeper stands behind the horizon to judge them by.

use super::moments::Speaker;
use super::{Counter, Form, Search, Tally};
use crate::game::{Below, Game, QuietNode};
use crate::prune::Place;
use crate::score::{Score, Window};

/// A quiescence search as its methods see it.
pub struct Quiet<'a, 'p, G: Game> {
    game: &'a G,
    speakers: &'a [Speaker<'p, G>],
    tally: &'a mut Tally,
    losing: bool,
}

impl<G: Game> Quiet<'_, '_, G> {
    /// The game with its evaluation.
    #[must_use]
    #[inline]
    pub fn game(&self) -> &G {
        self.game
    }

    /// The counter of the method at `place`.
    #[inline]
    pub fn count(&mut self, place: Place, node: &QuietNode<'_, G>) -> &mut Counter {
        self.tally.counter(place.index as usize, || node.stage(self.game), 0)
    }

    /// Counts that the method at `place` leaves a move out; what it claims.
    #[inline]
    pub fn claim(&mut self, place: Place, node: &QuietNode<'_, G>, claim: Score) -> Option<Score> {
        self.count(place, node).cuts_low += 1;
        Some(claim)
    }
}

impl<G: Game> Below<G> for Quiet<'_, '_, G> {
    #[inline(always)]
    fn losing(&self) -> bool {
        self.losing
    }

    #[inline(always)]
    fn skip(&mut self, _: &G, node: &QuietNode<'_, G>, alpha: Score, mv: G::Move) -> Option<Score> {
        let speakers = self.speakers;
        speakers.iter().find_map(|speaker| speaker.method.quiet(self, speaker.place, node, alpha, mv))
    }
}

impl<G: Game, F: Form<G>> Search<'_, G, F> {
    /// The value at the horizon where a method or an option has a say.
    #[inline(never)]
    pub(super) fn quiesce(&mut self, pos: &G::Position, window: Window, ply: u32) -> Score {
        let losing = self.options.losing_captures;
        let mut quiet =
            Quiet { game: &self.game, speakers: &self.moments.quiet, tally: &mut self.tally, losing };
        self.game.quiesce(pos, window, ply, &mut self.meter, &mut quiet)
    }
}
