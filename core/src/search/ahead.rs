//! What is done before its time, and what is left until it is needed.
//!
//! Waiting for memory is most of what a probe of the table costs, so the buckets of children that will be searched are
//! fetched ahead. An order of moves, on the other hand, is for nothing where the table's move cuts.

use super::host::{Late, pick};
use super::order::Kept;
use super::{Form, Kind, Node, Search, moments};
use crate::game::{Game, Hints, Moves, Scored};

impl<G: Game, F: Form<G>> Search<'_, G, F> {
    /// Whether the moves behind the table's (packed) need an order only if it does not cut, as it mostly does. Its value is then set, and its bucket fetched.
    #[inline(always)]
    pub(super) fn late(&self, node: &Node<'_, G>, hint: u16, moves: &mut Moves<G>) -> Late {
        if !G::STEADY || !self.steady || hint == 0 || node.path.kind != Kind::Cut {
            return Late::NOTHING;
        }
        let mv = self.game.unpack(hint);
        let Some(scored) = moves.iter_mut().find(|scored| scored.mv == mv) else { return Late::NOTHING };
        scored.value = i32::MAX;
        if node.depth.0 > self.options.table_min_depth {
            self.table.prefetch(self.game.key_after(node.pos, mv));
        }
        Late { hint, behind: 1 }
    }

    /// Whether some moves are to be searched before the others are generated. They are then in `moves`: the table's (packed; 0 is
    /// none), which has its bucket fetched, or those that come first whatever the hints.
    #[inline(always)]
    pub(super) fn opens(&self, node: &Node<'_, G>, hint: u16, moves: &mut Moves<G>) -> bool {
        if !G::OPENS || !self.opening || node.path.kind != Kind::Cut {
            return false;
        }
        if F::ANY && self.moments.spoken(node.depth, moments::BRANCH) {
            return false;
        }
        if hint == 0 {
            if !node.in_check {
                self.game.opening(node.pos, moves);
            }
            return !moves.is_empty();
        }
        let mv = self.game.unpack(hint);
        if !self.game.is_legal(node.pos, mv) {
            return false;
        }
        moves.push(Scored { mv, value: 0 });
        if node.depth.0 > self.options.table_min_depth {
            self.table.prefetch(self.game.key_after(node.pos, mv));
        }
        true
    }

    /// What the order of a node's moves goes by, as it is before the first is searched.
    #[inline(always)]
    pub(super) fn keep(&mut self, node: &Node<'_, G>) -> Kept<G::Move> {
        self.memory.keep(self.game.side(node.pos), node.ply)
    }

    /// All moves behind those that were searched, in the order that they would have had before that.
    #[inline(never)]
    pub(super) fn rest(&self, node: &Node<'_, G>, hint: u16, kept: &Kept<G::Move>, moves: &mut Moves<G>) {
        let searched = moves.len();
        moves.clear();
        self.game.moves(node.pos, moves);
        if moves.len() > 1 {
            let hints = Hints {
                depth: self.sight(node),
                table: (hint != 0).then(|| self.game.unpack(hint)),
                killers: kept.killers,
                counter: if G::COUNTERS { kept.counter } else { None },
                history: self.memory.kept_history(),
            };
            self.game.order(node.pos, &hints, moves);
        }
        for index in 0..searched {
            pick::<G>(moves, index);
        }
    }

    /// Has the table's bucket of the child fetched that the hint leads to and that will most likely be searched
    /// first, while the moves are ordered.
    #[inline(never)]
    pub(super) fn foresee(&self, pos: &G::Position, mv: G::Move, moves: &Moves<G>) {
        if moves.iter().any(|scored| scored.mv == mv) {
            self.table.prefetch(self.game.key_after(pos, mv));
        }
    }

    /// The same for the move at `index`, while the one before it is searched; `sorted` if it is in its place.
    #[inline(never)]
    pub(super) fn foresee_next(&self, pos: &G::Position, moves: &mut Moves<G>, index: usize, sorted: bool) {
        if index < moves.len() {
            let mv = if sorted { moves[index].mv } else { pick::<G>(moves, index) };
            self.table.prefetch(self.game.key_after(pos, mv));
        }
    }
}
