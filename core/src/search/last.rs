//! Nodes just before the horizon that the game searches by itself ([`crate::game::Evaluation::last_plies`]).
//!
//! Nine nodes in ten of a full-width search are there, and what the host does for any of them (a position of its own, a
//! list of moves, hooks, counters) costs more than what the game does. The game only gets a node where the host would do
//! nothing else: no method acts there, no option, no open window, and no budget ends below. Whether it gets it is
//! therefore a matter of speed alone.

use super::{Form, Kind, Options, Ordering, Path, Search};
use crate::game::{Game, Last};
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
