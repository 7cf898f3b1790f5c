//! What methods learn while they search ([`crate::prune::Prune::leave`]): numbers in cells of their own.
//!
//! Cells belong to the searcher and are forgotten with its table ([`Search::forget`]), so that what a search finds depends
//! neither on threads nor on the clock nor on what was searched before.

use super::Search;
use crate::game::Game;
use crate::prune::{Method, Prune};

/// The cells of all methods of a search.
#[derive(Clone, Debug)]
pub(super) struct Learnt(Vec<Vec<i32>>);

impl Learnt {
    pub(super) fn new<G: Game, P: Prune<G>>(prune: &P) -> Learnt {
        let mut cells = Vec::new();
        prune.learns(&mut cells);
        Learnt(cells.into_iter().map(|cells| vec![0; cells]).collect())
    }

    pub(super) fn clear(&mut self) {
        self.0.iter_mut().for_each(|cells| cells.fill(0));
    }
}

impl<G: Game, P: Prune<G>> Search<'_, G, P> {
    /// The cells of method `M`, as many as [`Method::CELLS`], 0 at first.
    #[inline]
    pub fn learnt<M: Method>(&mut self) -> &mut [i32] {
        &mut self.learnt.0[const { P::ROLL.place(M::NAME, M::MARKS) }.index]
    }
}
