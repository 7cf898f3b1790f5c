//! What host options add to single nodes: an extension in check, a first move where the table has none, a cut by what
//! the table says of a child.
//!
//! A plain search does without all of it, so the host asks once a node whether any is on (`Search::varied`). Options
//! that concern the table and the order of moves stand where they act.

use super::host::from_table;
use super::{Bound, Form, Kind, Missing, Node, Path, Search};
use crate::game::{Game, Moves};
use crate::score::{Depth, Score, Window};

impl<G: Game, F: Form<G>> Search<'_, G, F> {
    /// Changes a node's depth as the options want it, and gives its first move (packed; 0 is none).
    #[inline(always)]
    pub(super) fn vary(&mut self, node: &mut Node<'_, G>, hint: u16) -> u16 {
        if self.options.check_extension && node.in_check {
            node.depth = node.depth + 1;
        }
        if hint == 0 && self.is_blind(node.depth, node.path) {
            match self.options.missing {
                Missing::Nothing => {}
                Missing::Shorten => node.depth = node.depth - 1,
                Missing::Deepen => {
                    return self.deepen(node.pos, node.depth - 2, node.window, node.ply, node.path);
                }
            }
        }
        hint
    }

    /// Whether a node without a table move is one whose first move matters.
    #[inline]
    fn is_blind(&self, depth: Depth, path: Path) -> bool {
        let least = self.options.missing_from;
        least > 0 && depth.0 >= least && path.kind != Kind::All
    }

    /// Internal iterative deepening (Scott 1969, in Anantharaman 1991): a shallower search of the node for a first
    /// move. Its nodes count as any others.
    #[inline(never)]
    fn deepen(&mut self, pos: &G::Position, depth: Depth, window: Window, ply: u32, path: Path) -> u16 {
        self.value(pos, depth, window, ply, path);
        self.table.probe(self.slot(self.game.key(pos), path, depth), depth.0, 0).mv
    }

    /// Enhanced transposition cut-off: a child whose stored value already refutes the node.
    #[inline]
    pub(super) fn refuted_by_table(
        &mut self,
        node: &Node<'_, G>,
        moves: &Moves<G>,
    ) -> Option<(Score, G::Move)> {
        let least = self.options.etc_min_depth;
        if least == 0 || node.depth.0 < least || node.path.kind == Kind::Pv {
            return None;
        }
        self.refuted_by_child(node, moves)
    }

    /// A move after which the table already says that the node fails high, and the value that it says.
    pub fn refuted_by_child(&mut self, node: &Node<'_, G>, moves: &Moves<G>) -> Option<(Score, G::Move)> {
        if !self.options.table_values {
            return None;
        }
        for scored in moves {
            let key = self.game.key_after(node.pos, scored.mv);
            let depth = node.depth - self.game.plies(scored.mv);
            let path = node.path.child(Kind::All);
            let context = self.context(path, depth);
            let entry = self.table.probe(self.slot(key, path, depth), depth.0, context);
            if let Some((score, Bound::Upper | Bound::Exact)) = entry.value {
                let score = -from_table::<G>(score, node.ply + 1);
                if score >= node.window.beta {
                    self.tally.tt_hits += 1;
                    return Some((score, scored.mv));
                }
            }
        }
        None
    }
}
