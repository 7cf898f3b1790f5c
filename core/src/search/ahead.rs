//! What is done before its time, and what is left until it is needed.
//!
//! Waiting for memory is most of what a probe of the table costs, so the buckets of children that will be searched are
//! fetched ahead. An order of moves, on the other hand, is for nothing where the table's move cuts.

use super::host::pick;
use super::{Form, Kind, Node, Search};
use crate::game::{Game, Moves};

impl<G: Game, F: Form<G>> Search<'_, G, F> {
    /// The table's move (packed) where the others need an order only if it does not cut, as it mostly does; 0 where they
    /// are to be ordered first. Its value is then set, and its bucket fetched.
    #[inline(always)]
    pub(super) fn late(&self, node: &Node<'_, G>, hint: u16, moves: &mut Moves<G>) -> u16 {
        if !G::STEADY || !self.steady || hint == 0 || node.path.kind != Kind::Cut {
            return 0;
        }
        let mv = self.game.unpack(hint);
        let Some(scored) = moves.iter_mut().find(|scored| scored.mv == mv) else { return 0 };
        scored.value = i32::MAX;
        if node.depth.0 > self.options.table_min_depth {
            self.table.prefetch(self.game.key_after(node.pos, mv));
        }
        hint
    }

    /// Has the table's bucket of the child fetched that the hint leads to and that will most likely be searched
    /// first, while the moves are ordered.
    #[inline(never)]
    pub(super) fn foresee(&self, pos: &G::Position, mv: G::Move, moves: &Moves<G>) {
        if moves.iter().any(|scored| scored.mv == mv) {
            self.table.prefetch(self.game.key_after(pos, mv));
        }
    }

    /// The same for the move at `index`, while the one before it is searched.
    #[inline(never)]
    pub(super) fn foresee_next(&self, pos: &G::Position, moves: &mut Moves<G>, index: usize) {
        if index < moves.len() {
            let mv = pick::<G>(moves, index);
            self.table.prefetch(self.game.key_after(pos, mv));
        }
    }
}
