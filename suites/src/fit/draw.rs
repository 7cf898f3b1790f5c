//! Draws the positions that are fitted: interior nodes of a real search, not positions of games.
//!
//! ProbCut's check happens deep inside the tree, where one side has just made a mistake at about every other
//! ply. A model fitted on positions of games would promise more than it keeps there. (Buro 1995 took
//! "positions reached at depth 6" from tournament positions for the same reason.) So a full-width search is
//! run from each game position, and one of the nodes of a drawn ply is kept, each as likely.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use secateur_core::Game;
use secateur_core::prune::{Prune, Verdict};
use secateur_core::score::Depth;
use secateur_core::search::{Budget, Kind, Node, Options, Search};
use std::cell::RefCell;
use std::ops::RangeInclusive;

/// Height of the nodes that are drawn. Above 1, so that the search knows good moves at every ply above.
const HEIGHT: i32 = 2;

/// Keeps one of the nodes it is asked about; prunes nothing.
pub(super) struct Drawer<G: Game>(RefCell<Hat<G>>);

/// One slot of reservoir sampling.
struct Hat<G: Game> {
    rng: ChaCha8Rng,
    ply: u32,
    seen: u64,
    kept: Option<G::Position>,
}

impl<G: Game> Prune<G> for Drawer<G> {
    fn enter<P: Prune<G>>(&self, search: &mut Search<'_, G, P>, node: &Node<'_, G>) -> Verdict {
        let hat = &mut *self.0.borrow_mut();
        // The nodes that ProbCut would check, but for the height.
        if node.ply == hat.ply
            && node.depth == Depth(HEIGHT)
            && node.path.kind != Kind::Pv
            && !node.in_check
            && !node.is_decisive()
            && !node.is_solved_by_depth(&search.game)
        {
            hat.seen += 1;
            if below(&mut hat.rng, hat.seen) == 0 {
                hat.kept = Some(node.pos.clone());
            }
        }
        Verdict::Go
    }
}

impl<G: Game> Drawer<G> {
    pub(super) fn new() -> Drawer<G> {
        Drawer(RefCell::new(Hat { rng: ChaCha8Rng::seed_from_u64(0), ply: 0, seen: 0, kept: None }))
    }

    /// A position as many plies below `from` as one of `walk`, each as likely (0 plies below it is `from`); none where
    /// the game ends too soon. A function of position, seed and item number.
    pub(super) fn draw(
        &self,
        game: &G,
        from: &G::Position,
        walk: &RangeInclusive<u32>,
        seed: u64,
        item: usize,
    ) -> Option<G::Position> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(item as u64);
        let (least, most) = (*walk.start(), *walk.end());
        let ply = least + below(&mut rng, u64::from(most.saturating_sub(least)) + 1) as u32;
        if ply == 0 {
            return Some(from.clone());
        }
        *self.0.borrow_mut() = Hat { rng, ply, seen: 0, kept: None };
        let options = Options { table_mib: 1, ..Options::default() };
        let depth = ply as i32 + HEIGHT;
        Search::new(game.clone(), self, options).run(from, &Budget::Depth(depth));
        self.0.borrow_mut().kept.take()
    }
}

/// A number below `bound`, which is at least 1, each as likely but for 1 in 2^64 / `bound`.
fn below(rng: &mut ChaCha8Rng, bound: u64) -> u64 {
    ((u128::from(rng.next_u64()) * u128::from(bound)) >> 64) as u64
}
