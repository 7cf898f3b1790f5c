//! Two methods as one: how any number of them hang in a search. The first is asked first.

use super::{Asks, Prune, Roll, Searched, Verdict};
use crate::game::{Game, Moves, QuietNode};
use crate::score::{Depth, Score};
use crate::search::{Node, Quiet, Search};

impl<G: Game, A: Prune<G>, B: Prune<G>> Prune<G> for (A, B) {
    const ROLL: &'static Roll = &Roll::Both(A::ROLL, B::ROLL);

    #[inline]
    fn approach<P: Prune<G>>(&self, search: &mut Search<'_, G, P>, node: &mut Node<'_, G>, hint: bool) {
        self.0.approach(search, node, hint);
        self.1.approach(search, node, hint);
    }

    #[inline]
    fn enter<P: Prune<G>>(&self, search: &mut Search<'_, G, P>, node: &Node<'_, G>) -> Verdict {
        match self.0.enter(search, node) {
            Verdict::Go => self.1.enter(search, node),
            verdict => verdict,
        }
    }

    #[inline]
    fn branch<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        match self.0.branch(search, node, moves) {
            Verdict::Go => self.1.branch(search, node, moves),
            verdict => verdict,
        }
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
        match self.0.skip(search, node, alpha, mv, index) {
            None => self.1.skip(search, node, alpha, mv, index),
            claim => claim,
        }
    }

    #[inline]
    fn extend<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        mv: G::Move,
        index: usize,
    ) -> i32 {
        self.0.extend(search, node, mv, index) + self.1.extend(search, node, mv, index)
    }

    #[inline]
    fn leave<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        found: &Searched<G::Move>,
    ) {
        self.0.leave(search, node, found);
        self.1.leave(search, node, found);
    }

    #[inline]
    fn quiet<P: Prune<G>>(
        &self,
        search: &mut Quiet<'_, G, P>,
        node: &QuietNode<'_, G>,
        alpha: Score,
        mv: G::Move,
    ) -> Option<Score> {
        match self.0.quiet(search, node, alpha, mv) {
            None => self.1.quiet(search, node, alpha, mv),
            claim => claim,
        }
    }

    #[inline]
    fn chance<P: Prune<G>>(&self, search: &mut Search<'_, G, P>, node: &Node<'_, G>) -> Verdict {
        match self.0.chance(search, node) {
            Verdict::Go => self.1.chance(search, node),
            verdict => verdict,
        }
    }

    fn asks(&self) -> Asks {
        self.0.asks().or(self.1.asks())
    }

    fn learns(&self, cells: &mut Vec<usize>) {
        self.0.learns(cells);
        self.1.learns(cells);
    }

    #[inline]
    fn sensitive_from(&self) -> Depth {
        self.0.sensitive_from().min(self.1.sensitive_from())
    }

    #[inline]
    fn acts_from(&self) -> Depth {
        self.0.acts_from().min(self.1.acts_from())
    }

    #[inline]
    fn branches(&self) -> bool {
        self.0.branches() || self.1.branches()
    }

    #[inline]
    fn has_last(&self) -> bool {
        self.0.has_last() || self.1.has_last()
    }

    #[inline]
    fn cuts_open_windows(&self) -> bool {
        self.0.cuts_open_windows() || self.1.cuts_open_windows()
    }

    #[inline]
    fn doubts_bounds(&self) -> bool {
        self.0.doubts_bounds() || self.1.doubts_bounds()
    }
}
