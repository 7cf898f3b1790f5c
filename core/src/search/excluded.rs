//! Searches of a node without one of its moves, and reading of what the table says beyond what answers a node.

use super::host::Late;
use super::slot::Bound;
use super::{Kind, Node, Path, Search};
use crate::game::{Game, Moves};
use crate::prune::Place;
use crate::score::{Depth, Score, Window};

/// What the table knows of a node, at whatever depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<M> {
    /// The value, as seen from the node's ply.
    pub score: Score,
    /// What the value is.
    pub bound: Bound,
    /// Depth that it was searched to, plies.
    pub draft: Depth,
    /// The best move then.
    pub mv: Option<M>,
}

impl<G: Game> Search<'_, G> {
    /// The deepest entry of the table on the node's position that was found in the same way as the node would be (after
    /// a null move or not, inside a probe or not).
    #[must_use]
    pub fn entry(&self, node: &Node<'_, G>) -> Option<Entry<G::Move>> {
        if !self.options.table_values {
            return None;
        }
        let slot = self.slot(node.key, node.path, node.depth);
        let (score, bound, draft, mv) = self.table.deepest(slot, self.context(node.path, node.depth))?;
        let score = super::host::from_table::<G>(score, node.ply);
        let mv = (mv != 0).then(|| self.game.unpack(mv));
        Some(Entry { score, bound, draft: Depth(draft), mv })
    }

    /// A method's search of the node's own position without the move `mv`: the value of the best of the others, `None` if
    /// there is no other. The table is neither asked about the node nor told. Its nodes are counted as the method's.
    /// `window` is to be a null window.
    pub fn probe_without(
        &mut self,
        place: Place,
        node: &Node<'_, G>,
        mv: G::Move,
        depth: Depth,
        window: Window,
    ) -> Option<Score> {
        self.metered(place, node, |search| search.without(node, mv, depth, window, place.mark))
    }

    fn without(
        &mut self,
        node: &Node<'_, G>,
        mv: G::Move,
        depth: Depth,
        window: Window,
        mark: u32,
    ) -> Option<Score> {
        self.tally.nodes += 1;
        if self.limit.reached(self.tally.nodes) {
            self.stopped = true;
            return Some(Score::ZERO);
        }
        let mut moves = Moves::<G>::new();
        self.game.moves(node.pos, &mut moves);
        moves.retain(|scored| scored.mv != mv);
        if moves.is_empty() {
            return None;
        }
        let path = Path { kind: Kind::Cut, after_null: false, inside: node.path.inside | mark };
        let mut inner = Node::new(&self.game, node.pos, depth, window, node.ply, path, node.key);
        inner.partial = true;
        self.order(&inner, 0, &mut moves);
        let (score, _) = self.search_moves(&inner, &mut moves, Late::NOTHING, &mut ());
        self.is_unstored(path, score, window);
        Some(score)
    }
}
