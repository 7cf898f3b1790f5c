//! Internal iterative deepening: a node for which the table has no first move is searched shallower first, for one.
//!
//! Source: Scott 1969, in Anantharaman 1991. Changes no value of a full-width search, only the order of moves. The host's
//! option `missing = "deepen"` does the same at the root as well.
//! It stands before what changes a node's depth: a search as deep as the node, at the same node, would have no end.

use super::{Asks, Calibration, Depths, Method, Place, Prune, SetupError};
use crate::game::Game;
use crate::search::{Node, Search};
use serde::{Deserialize, Serialize};

/// Parameters of internal iterative deepening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Least depth, plies, more than `reduction`.
    pub min_depth: i32,
    /// Plies by which the search for a move is shallower than the node, at least 1.
    pub reduction: i32,
}

/// A search for a first move.
#[derive(Clone, Debug)]
pub struct Iid(Params);

impl Method for Iid {
    const NAME: &'static str = "iid";
    type Params = Params;

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        let Params { min_depth, reduction } = *params;
        Self::require(
            reduction >= 1 && min_depth > reduction,
            format_args!(
                "min-depth {min_depth}, reduction {reduction}: expected reduction >= 1 and min-depth > reduction"
            ),
        )?;
        Ok(Iid(params.clone()))
    }
}

impl<G: Game> Prune<G> for Iid {
    fn asks(&self) -> Asks {
        Asks { approach: Depths::from(self.0.min_depth), ..Asks::of::<Self>() }
    }

    #[inline]
    fn approach(&self, search: &mut Search<'_, G>, place: Place, node: &mut Node<'_, G>, hint: bool) {
        let Params { reduction, .. } = self.0;
        if hint || !search.needs_first_move(node) {
            return;
        }
        let counter = search.count(place, node);
        (counter.tries, counter.cuts_high) = (counter.tries + 1, counter.cuts_high + 1);
        search.probe_here(place, node, node.depth - reduction, node.window, node.path);
    }
}
