//! What methods learn while they search ([`crate::prune::Prune::leave`]): numbers in cells of their own.
//!
//! Cells belong to the searcher and are forgotten with its table ([`Search::forget`]), so that what a search finds depends
//! neither on threads nor on the clock nor on what was searched before.

use super::Search;
use super::moments::Member;
use crate::game::Game;
use crate::prune::Place;

/// The cells of all methods of a search.
#[derive(Clone, Debug)]
pub(super) struct Learnt(Vec<Vec<i32>>);

impl Learnt {
    pub(super) fn new(members: &[Member]) -> Learnt {
        Learnt(members.iter().map(|member| vec![0; member.cells]).collect())
    }

    pub(super) fn clear(&mut self) {
        self.0.iter_mut().for_each(|cells| cells.fill(0));
    }
}

impl<G: Game> Search<'_, G> {
    /// The cells of the method at `place`, as many as [`crate::prune::Method::CELLS`], 0 at first.
    #[inline]
    pub fn learnt(&mut self, place: Place) -> &mut [i32] {
        &mut self.learnt.0[place.index as usize]
    }
}
