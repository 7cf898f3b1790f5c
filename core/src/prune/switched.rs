//! A method with a switch, so that one compiled search covers all method sets of a game.

use super::{Asks, Guards, Method, Prune, Roll, Searched, Verdict};
use crate::game::{Game, Moves, QuietNode};
use crate::score::{Depth, Score};
use crate::search::{Node, Quiet, Search};

/// A method that is on or off.
#[derive(Clone, Debug)]
pub struct Switched<M> {
    /// The method, if it is on.
    pub method: Option<M>,
    /// Its guards.
    pub guards: Guards,
}

impl<G: Game, M: Method + Prune<G>> Prune<G> for Switched<M> {
    const ROLL: &'static Roll = &Roll::One { name: M::NAME, marks: M::MARKS };

    #[inline]
    fn approach<P: Prune<G>>(&self, search: &mut Search<'_, G, P>, node: &mut Node<'_, G>, hint: bool) {
        if let Some(method) = &self.method {
            method.approach(search, node, hint);
        }
    }

    #[inline]
    fn enter<P: Prune<G>>(&self, search: &mut Search<'_, G, P>, node: &Node<'_, G>) -> Verdict {
        match &self.method {
            Some(method) if self.guards.last == node.last_round => method.enter(search, node),
            _ => Verdict::Go,
        }
    }

    #[inline]
    fn branch<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        self.method.as_ref().map_or(Verdict::Go, |method| method.branch(search, node, moves))
    }

    #[inline(always)]
    fn skip<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        index: usize,
    ) -> Option<Score> {
        self.method.as_ref().and_then(|method| method.skip(search, node, alpha, mv, index))
    }

    #[inline]
    fn extend<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        mv: G::Move,
        index: usize,
    ) -> i32 {
        self.method.as_ref().map_or(0, |method| method.extend(search, node, mv, index))
    }

    #[inline]
    fn leave<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        found: &Searched<G::Move>,
    ) {
        if let Some(method) = &self.method {
            method.leave(search, node, found);
        }
    }

    #[inline]
    fn quiet<P: Prune<G>>(
        &self,
        search: &mut Quiet<'_, G, P>,
        node: &QuietNode<'_, G>,
        alpha: Score,
        mv: G::Move,
    ) -> Option<Score> {
        self.method.as_ref().and_then(|method| method.quiet(search, node, alpha, mv))
    }

    #[inline]
    fn chance<P: Prune<G>>(&self, search: &mut Search<'_, G, P>, node: &Node<'_, G>) -> Verdict {
        self.method.as_ref().map_or(Verdict::Go, |method| method.chance(search, node))
    }

    fn asks(&self) -> Asks {
        self.method.as_ref().map_or(Asks::default(), |method| method.asks())
    }

    fn learns(&self, cells: &mut Vec<usize>) {
        cells.push(if self.method.is_some() { M::CELLS } else { 0 });
    }

    #[inline]
    fn sensitive_from(&self) -> Depth {
        self.method.as_ref().map_or(Depth(i32::MAX), |method| method.sensitive_from())
    }

    #[inline]
    fn acts_from(&self) -> Depth {
        self.method.as_ref().map_or(Depth(i32::MAX), |method| method.acts_from())
    }

    #[inline]
    fn branches(&self) -> bool {
        self.method.as_ref().is_some_and(|method| method.branches())
    }

    #[inline]
    fn has_last(&self) -> bool {
        self.method.is_some() && self.guards.last
    }

    #[inline]
    fn cuts_open_windows(&self) -> bool {
        self.method.is_some() && !self.guards.pv
    }

    #[inline]
    fn doubts_bounds(&self) -> bool {
        self.method.as_ref().is_some_and(|method| method.doubts_bounds())
    }
}
