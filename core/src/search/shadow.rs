//! Looks into a search that leave it as it is: a shadow, which says what other methods would say at one of its nodes, and the
//! drawing of an interior node, for models of the search to be fitted on.
//!
//! Whole trees say how much two methods save together; which cuts of one the other would have made, node by node, only the other
//! itself can say. A searcher of its own, with the other methods and a table of its own, takes the line, the iteration and the
//! ordering memory from the real search and is asked there. The real search is only looked at, so its tree is what it would be,
//! and what the shadow's probes visit is counted in the shadow's tally. Left out: the moments beyond
//! [`crate::prune::Prune::enter`], [`crate::prune::Prune::branch`] and [`crate::prune::Prune::skip`], and what the real search's
//! table says beyond its first move: a method that reads the table itself sees the shadow's.
//!
//! Nodes are drawn from full-width searches because ProbCut's check happens deep inside the tree, where one side has just made a
//! mistake at about every other ply. A model fitted on positions of games would promise more than it keeps there. (Buro 1995 took
//! "positions reached at depth 6" from tournament positions for the same reason.) Left out: chance, which is the caller's.

use super::budget::Limit;
use super::{Budget, Kind, Node, Options, Search};
use crate::game::{Game, Moves};
use crate::prune::{Asks, Depths, Place, Prune, Verdict};
use crate::score::{Depth, Score};
use std::sync::{Mutex, PoisonError};

impl<G: Game> Search<'_, G> {
    /// What the methods of this searcher say of a node of `other`: [`crate::prune::Prune::enter`], and where that lets it pass
    /// [`crate::prune::Prune::branch`] with the moves in the order that `other` would give them.
    ///
    /// # Panics
    /// As [`Search::would_skip`].
    pub fn would(&mut self, other: &Search<'_, G>, node: &Node<'_, G>) -> Verdict {
        self.attend(other);
        let mut verdict = self.enter(node);
        if verdict == Verdict::Go && self.moments.branches() {
            let mut moves = Moves::<G>::new();
            self.game.moves(node.pos, &mut moves);
            let slot = other.slot(node.key, node.path, node.depth);
            let hint = other.table.probe(slot, node.depth.0, other.context(node.path, node.depth)).mv;
            self.order(node, hint, &mut moves);
            verdict = self.branch(node, &mut moves);
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
        let base = self.planned();
        let asked = self.plan(node, alpha);
        let skips = index >= asked && self.skip(base, node, alpha, mv, index).is_some();
        self.unplan(base, node);
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

/// Which of the nodes met is kept: asked with 1, 2, 3, ... for one after the other; the last that is chosen stays.
pub type Choose<'c> = &'c mut (dyn FnMut(u64) -> bool + Send);

/// Keeps one of the nodes it is asked about; prunes nothing.
struct Drawer<'c, G: Game> {
    ply: u32,
    height: Depth,
    hat: Mutex<Hat<'c, G>>,
}

struct Hat<'c, G: Game> {
    choose: Choose<'c>,
    seen: u64,
    kept: Option<G::Position>,
}

impl<G: Game> Prune<G> for Drawer<'_, G> {
    fn asks(&self) -> Asks {
        Asks { enter: Depths { from: self.height.0, to: self.height.0 }, ..Asks::default() }
    }

    fn enter(&self, search: &mut Search<'_, G>, _: Place, node: &Node<'_, G>) -> Verdict {
        // The nodes that ProbCut would check, but for the height.
        if node.ply == self.ply
            && node.path.kind != Kind::Pv
            && !node.in_check
            && !node.is_decisive()
            && !node.is_solved_by_depth(&search.game)
        {
            let hat = &mut *self.hat.lock().unwrap_or_else(PoisonError::into_inner);
            hat.seen += 1;
            if (hat.choose)(hat.seen) {
                hat.kept = Some(node.pos.clone());
            }
        }
        Verdict::Go
    }
}

/// One of the nodes `ply` plies below `root` and `height` plies above the horizon of a full-width search, as `choose` has
/// it; none where the game ends too soon.
pub(super) fn draw<G: Game>(
    game: G,
    root: &G::Position,
    ply: u32,
    height: Depth,
    choose: Choose<'_>,
) -> Option<G::Position> {
    let drawer = Drawer { ply, height, hat: Mutex::new(Hat { choose, seen: 0, kept: None }) };
    let options = Options { table_mib: 1, ..Options::default() };
    Search::new(game, &[&drawer], options).run(root, &Budget::Depth(ply as i32 + height.0));
    drawer.hat.into_inner().unwrap_or_else(PoisonError::into_inner).kept
}
