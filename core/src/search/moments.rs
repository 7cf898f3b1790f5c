//! The moments that only some methods ask for ([`crate::prune::Asks`]): before a node and before a move that is searched.

use super::{Kind, Node, Search};
use crate::game::Game;
use crate::prune::Prune;
use crate::score::Depth;

impl<G: Game, P: Prune<G>> Search<'_, G, P> {
    /// Asks the methods about a node before anything else, and looks for a first move (packed; 0 is none) again where
    /// they may have found one.
    #[inline(never)]
    pub(super) fn approach(&mut self, node: &mut Node<'_, G>, hint: u16) -> u16 {
        let (prune, depth, nodes) = (self.prune, node.depth, self.tally.nodes);
        prune.approach(self, node, hint != 0);
        node.depth = node.depth.min(depth + self.room(node.ply, depth));
        if hint != 0 || self.tally.nodes == nodes || self.stopped {
            return hint;
        }
        self.table.probe(self.slot(node.key, node.path, depth), depth.0, 0).mv
    }

    /// Plies by which a move is searched deeper; shallower if negative.
    #[inline(never)]
    pub(super) fn extra(&mut self, node: &Node<'_, G>, mv: G::Move, index: usize) -> i32 {
        let prune = self.prune;
        let plies = prune.extend(self, node, mv, index);
        let plies = plies.min(self.room(node.ply, node.depth));
        if self.asks.looks_back() {
            self.line.reduce(node.ply, (-plies).max(0));
        }
        plies
    }

    /// Plies by which a line that would end `depth` plies below `ply` may be extended yet.
    #[inline]
    fn room(&self, ply: u32, depth: Depth) -> i32 {
        (2 * self.iteration.0 - ply as i32 - depth.0).max(0)
    }

    /// Whether a node is one whose first move matters: not expected to fail low.
    #[must_use]
    pub fn needs_first_move(&self, node: &Node<'_, G>) -> bool {
        node.path.kind != Kind::All
    }
}
