//! Draws the positions that are fitted: interior nodes of a real search ([`AnySearch::draw`]), each as likely.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use secateur_core::search::AnySearch;
use secateur_core::{Depth, Game};
use std::ops::RangeInclusive;

/// Height of the nodes that are drawn. Above 1, so that the search knows good moves at every ply above.
const HEIGHT: Depth = Depth(2);

/// A position as many plies below `from` as one of `walk`, each as likely (0 plies below it is `from`); none where
/// the game ends too soon. A function of position, seed and item number.
pub(super) fn draw<G: Game>(
    search: &dyn AnySearch<G>,
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
    // Reservoir sampling with one slot.
    search.draw(from, ply, HEIGHT, &mut |seen| below(&mut rng, seen) == 0)
}

/// A number below `bound`, which is at least 1, each as likely but for 1 in 2^64 / `bound`.
fn below(rng: &mut ChaCha8Rng, bound: u64) -> u64 {
    ((u128::from(rng.next_u64()) * u128::from(bound)) >> 64) as u64
}
