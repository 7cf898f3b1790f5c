//! What stays open where a plan closes the rest of a node's moves ([`SkipPlan::closes`](crate::prune::SkipPlan::closes)).
//!
//! Of the moves behind the first so many, only captures, promotions and checks are searched, and those are few. So the rest is not
//! put in order: the open moves are looked for, and for each the moves that would come before it are counted. What is searched, at which
//! place and what is counted is the same as if all had been sorted and asked about one by one.

use crate::game::{Game, Moves};
use arrayvec::ArrayVec;
use std::cmp::Reverse;

/// Most open moves; where there are more, sorting all costs no more.
const MOST: usize = 8;

/// The open moves of a node.
pub struct Open<M> {
    /// Place in the order of the first move that is closed unless it is among them.
    pub(super) from: usize,
    /// Moves with their places in the order, the last first.
    pub(super) left: ArrayVec<(usize, M), MOST>,
}

/// The open moves from `from` on, which need not be in order; nothing if there are too many.
#[inline(never)]
pub(super) fn open<G: Game>(
    game: &G,
    pos: &G::Position,
    moves: &Moves<G>,
    from: usize,
) -> Option<Open<G::Move>> {
    let mut left = ArrayVec::new();
    let mut at = from;
    loop {
        at += game.calm(pos, &moves[at..]);
        let Some(found) = moves.get(at) else { break };
        let earlier = moves[from..at].iter().filter(|other| other.value >= found.value).count();
        let later = moves[at + 1..].iter().filter(|other| other.value > found.value).count();
        left.try_push((from + earlier + later, found.mv)).ok()?;
        at += 1;
    }
    left.sort_unstable_by_key(|&(place, _)| Reverse(place));
    Some(Open { from, left })
}
