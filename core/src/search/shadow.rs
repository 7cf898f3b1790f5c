//! A shadow: what other methods would say at a node of a search that they have no part in.
//!
//! Whole trees say how much two methods save together; which cuts of one the other would have made, node by node, only the
//! other itself can say. A searcher of its own, with the other methods and a table of its own, takes the line, the iteration
//! and the ordering memory from the real search and is asked there. The real search is only looked at, so its tree is
//! what it would be, and what the shadow's probes visit is counted in the shadow's tally. Left out: the moments beyond
//! [`crate::prune::Prune::enter`], [`crate::prune::Prune::branch`] and [`crate::prune::Prune::skip`], and what the real search's table says beyond its first move: a method that reads the table itself sees the shadow's.

use super::budget::Limit;
use super::{Form, Hooked, Node, Search};
use crate::game::{Game, Moves};
use crate::prune::Verdict;
use crate::score::Score;

impl<G: Game> Search<'_, G> {
    /// What the methods of this searcher say of a node of `other`: [`crate::prune::Prune::enter`], and where that lets it pass
    /// [`crate::prune::Prune::branch`] with the moves in the order that `other` would give them.
    ///
    /// # Panics
    /// As [`Search::would_skip`].
    pub fn would(&mut self, other: &Search<'_, G>, node: &Node<'_, G>) -> Verdict {
        self.attend(other);
        let mut verdict = Hooked::enter(self, node);
        if verdict == Verdict::Go && self.moments.branches() {
            let mut moves = Moves::<G>::new();
            self.game.moves(node.pos, &mut moves);
            let slot = other.slot(node.key, node.path, node.depth);
            let hint = other.table.probe(slot, node.depth.0, other.context(node.path, node.depth)).mv;
            self.order(node, hint, &mut moves);
            verdict = Hooked::branch(self, node, &mut moves);
        }
        self.unstored = false;
        verdict
    }

    /// Whether the methods of this searcher would leave out a move of a node of `other` ([`crate::prune::Prune::skip`]).
    ///
    /// # Panics
    /// If these methods look back on a line that `other` does not keep ([`crate::prune::Asks::looks_back`]).
    pub fn would_skip(
        &mut self,
        other: &Search<'_, G>,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        index: usize,
    ) -> bool {
        self.attend(other);
        let base = Hooked::planned(self);
        let asked = Hooked::plan(self, node, alpha);
        let skips = index >= asked && Hooked::skip(self, base, node, alpha, mv, index).is_some();
        Hooked::unplan(self, base, node);
        skips
    }

    /// Stands where `other` stands.
    fn attend(&mut self, other: &Search<'_, G>) {
        self.keys.clone_from(&other.keys);
        self.memory.clone_from(&other.memory);
        let asks = self.moments.asks;
        if asks.looks_back() {
            let kept = other.moments.asks;
            let enough = kept.evaluations || (kept.line && !asks.evaluations);
            assert!(enough && kept.pairs >= asks.pairs, "the line is not kept as far as is asked for");
            self.line.clone_from(&other.line);
        }
        (self.iteration, self.throws) = (other.iteration, other.throws);
        (self.limit, self.stopped, self.probing) = (Limit::NONE, false, 0);
    }
}
