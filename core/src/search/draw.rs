//! Draws an interior node of a full-width search: what models of the search are fitted on.
//!
//! ProbCut's check happens deep inside the tree, where one side has just made a mistake at about every other ply. A model
//! fitted on positions of games would promise more than it keeps there. (Buro 1995 took "positions reached at depth 6"
//! from tournament positions for the same reason.) Left out: chance, which is the caller's.

use super::{Budget, Kind, Node, Options, Search};
use crate::game::Game;
use crate::prune::{Asks, Depths, Place, Prune, Verdict};
use crate::score::Depth;
use std::sync::{Mutex, PoisonError};

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
