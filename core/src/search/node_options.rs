//! What host options add to single nodes (an extension in check, a first move where the table has none, a cut by what the
//! table says of a child), and the nodes just before the horizon that the game searches by itself
//! ([`crate::game::Evaluation::last_plies`]) because no option or method wants them.
//!
//! A plain search does without any of these options, so the host asks once a node whether one is on (`Search::varied`). Options
//! that concern the table and the order of moves stand where they act.
//!
//! Nine nodes in ten of a full-width search are just before the horizon, and what the host does for any of them (a position of
//! its own, a list of moves, hooks, counters) costs more than what the game does. The game only gets a node where the host
//! would do nothing else: no method acts there, no option, no open window, and no budget ends below. Whether it gets it is
//! therefore a matter of speed alone.

use super::host::from_table;
use super::{Bound, Form, Kind, Missing, Node, Options, Ordering, Path, Search};
use crate::game::{Game, Last, Moves};
use crate::score::{Depth, Score, Window};

/// More nodes than there are below a node that the game searches by itself: 40 moves, with 40 replies each.
const MOST: u64 = 1 << 11;

/// Plies before the horizon that are the game's: fewer than methods act from and any option asks for.
pub(super) fn least_plies<G: Game>(acts_from: Depth, options: &Options) -> Depth {
    let below = |from: i32| if from > 0 { from - 1 } else { i32::MAX };
    let mut plies = G::LAST_PLIES.min(acts_from.0.saturating_sub(1));
    // A node of the game's may be in the table, but none below it.
    plies = plies.min(options.table_min_depth.max(1));
    plies = plies.min(below(options.etc_min_depth)).min(below(options.missing_from));
    // Without looking moves go in another order than the game would take them in.
    let other = options.check_extension || options.ordering == Ordering::Static;
    Depth(if other { 0 } else { plies })
}

impl<G: Game, F: Form<G>> Search<'_, G, F> {
    /// What the game says of a node that it may search by itself.
    #[inline(always)]
    pub(super) fn last_plies(
        &mut self,
        pos: &G::Position,
        depth: Depth,
        window: Window,
        ply: u32,
        path: Path,
        hint: u16,
    ) -> Option<(Score, Option<G::Move>)> {
        if G::LAST_PLIES == 0
            || depth > self.last
            || path.kind == Kind::Pv
            || !window.is_null()
            || !self.limit.allows(self.tally.nodes, MOST)
        {
            return None;
        }
        let table = (hint != 0).then(|| self.game.unpack(hint));
        let last = Last { depth: depth.0, ply, alpha: window.alpha, table };
        self.game.last_plies(pos, last, &mut self.tally.nodes, &mut self.meter)
    }
}

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
