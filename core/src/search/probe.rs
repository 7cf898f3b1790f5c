//! What a pruning method may ask of the search that asks it: searches of its own, which are counted as its own, its
//! counters, and the history of a move.

use super::{Counter, Node, Path, Search};
use crate::game::Game;
use crate::prune::Place;
use crate::score::{Depth, Score, Window};

impl<G: Game> Search<'_, G> {
    /// A method's search of a position one ply below `node`: value for the node's side of reaching `child` by `mv`
    /// (`None`: by a null move). `window` is the child's. Its nodes are counted as the method's.
    #[expect(clippy::too_many_arguments, reason = "a place, and what a search of that kind takes")]
    pub fn probe_child(
        &mut self,
        place: Place,
        node: &Node<'_, G>,
        mv: Option<G::Move>,
        child: &G::Position,
        depth: Depth,
        window: Window,
        path: Path,
    ) -> Score {
        if self.moments.asks.looks_back() {
            self.line.reduce(node.ply, node.depth.0 - 1 - depth.0);
        }
        let score =
            self.metered(place, node, |search| search.below(node.parent(), mv, child, depth, window, path));
        self.line.reduce(node.ply, 0);
        score
    }

    /// A method's shallower search of the node's own position. Its nodes are counted as the method's.
    pub fn probe_here(
        &mut self,
        place: Place,
        node: &Node<'_, G>,
        depth: Depth,
        window: Window,
        path: Path,
    ) -> Score {
        self.metered(place, node, |search| search.value(node.pos, depth, window, node.ply, path))
    }

    pub(super) fn metered<T>(
        &mut self,
        place: Place,
        node: &Node<'_, G>,
        probe: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = self.tally.nodes;
        self.probing += 1;
        let result = probe(self);
        self.probing -= 1;
        let spent = self.tally.nodes - before;
        if self.probing == 0 {
            self.tally.probe_nodes += spent;
        }
        self.count(place, node).probe_nodes += spent;
        result
    }

    /// The counter of the method at `place` for a node's depth and stage.
    #[inline]
    pub fn count(&mut self, place: Place, node: &Node<'_, G>) -> &mut Counter {
        self.tally.counter(place.index as usize, || node.stage(&self.game), node.depth.0)
    }

    /// Whether the table is to have the cut that ends the current node.
    #[inline]
    pub fn store_cut(&mut self, stored: bool) {
        self.unstored = !stored;
    }

    /// Whether the table holds a search of the node, of whatever depth, that says: at least `bound`.
    #[must_use]
    pub fn foretells(&self, node: &Node<'_, G>, bound: Score) -> bool {
        self.options.table_values && self.table.foretells(self.slot(node.key, node.path, node.depth), bound)
    }

    /// History value of a move at a node, within ±16,384: how often moves of its kind refuted, less how often they
    /// failed to.
    #[must_use]
    #[inline]
    pub fn merit(&self, node: &Node<'_, G>, mv: G::Move) -> i32 {
        let side = self.game.side(node.pos);
        i32::from(self.memory.history(side)[self.game.history_index(node.pos, mv)])
    }

    /// The same of the pairs of a move and those up to `plies` before it, 0 to 2, within ±16,384 each; 0 unless a method
    /// asks for them ([`crate::prune::Asks::pairs`]), and in games that keep no moves of the line
    /// ([`crate::Evaluation::COUNTERS`]).
    #[must_use]
    #[inline]
    pub fn merit_of_pairs(&self, node: &Node<'_, G>, mv: G::Move, plies: u32) -> i32 {
        if plies == 0 {
            return 0;
        }
        let side = self.game.side(node.pos);
        self.memory.paired(side, node.ply, self.game.history_index(node.pos, mv), plies)
    }

    /// Whether the budget ran out: what a probe returned then means nothing.
    #[must_use]
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }
}
