//! A shadow: what other methods would say at a node of a search that they have no part in.
//!
//! Whole trees say how much two methods save together; which cuts of one the other would have made, node by node, only the
//! other itself can say. A searcher of its own, with the other methods and a table of its own, takes the line, the iteration
//! and the ordering memory from the real search and is asked there. The real search is only looked at, so its tree is
//! what it would be, and what the shadow's probes visit is counted in the shadow's tally. Left out: the moments beyond
//! [`Prune::enter`], [`Prune::branch`] and [`Prune::skip`], methods that are asked last ([`crate::prune::Guards::last`]), and what the real
//! search's table says beyond its first move: a method that reads the table itself sees the shadow's.

use super::budget::Limit;
use super::{Node, Search};
use crate::game::{Game, Moves};
use crate::prune::{Prune, Verdict};
use crate::score::Score;

impl<G: Game, P: Prune<G>> Search<'_, G, P> {
    /// What the methods of this searcher say of a node of `other`: [`Prune::enter`], and where that lets it pass
    /// [`Prune::branch`] with the moves in the order that `other` would give them.
    ///
    /// # Panics
    /// As [`Search::would_skip`].
    pub fn would<Q: Prune<G>>(&mut self, other: &Search<'_, G, Q>, node: &Node<'_, G>) -> Verdict {
        self.attend(other);
        let prune = self.prune;
        let mut verdict = prune.enter(self, node);
        if verdict == Verdict::Go && prune.branches() {
            let mut moves = Moves::<G>::new();
            self.game.moves(node.pos, &mut moves);
            let slot = other.slot(node.key, node.path, node.depth);
            let hint = other.table.probe(slot, node.depth.0, other.context(node.path, node.depth)).mv;
            self.order(node, hint, &mut moves);
            verdict = prune.branch(self, node, &mut moves);
        }
        self.unstored = false;
        verdict
    }

    /// Whether the methods of this searcher would leave out a move of a node of `other` ([`Prune::skip`]).
    ///
    /// # Panics
    /// If the searches were compiled for methods with other marks, so that one would take the other's probes for its own, or
    /// if these methods look back on a line that `other` does not keep ([`crate::prune::Asks::looks_back`]).
    pub fn would_skip<Q: Prune<G>>(
        &mut self,
        other: &Search<'_, G, Q>,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        index: usize,
    ) -> bool {
        self.attend(other);
        let prune = self.prune;
        prune.skip(self, node, alpha, mv, index).is_some()
    }

    /// Stands where `other` stands.
    fn attend<Q: Prune<G>>(&mut self, other: &Search<'_, G, Q>) {
        const { assert!(P::ROLL.marks() == Q::ROLL.marks(), "a mark must mean the same in both searches") };
        self.keys.clone_from(&other.keys);
        self.memory.clone_from(&other.memory);
        if self.asks.looks_back() {
            assert!(other.asks.or(self.asks) == other.asks, "the line is not kept as far as is asked for");
            self.line.clone_from(&other.line);
        }
        (self.iteration, self.throws) = (other.iteration, other.throws);
        (self.limit, self.stopped, self.probing) = (Limit::NONE, false, 0);
    }
}
