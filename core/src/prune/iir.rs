//! Internal iterative reduction: a node for which the table has no first move is searched one ply shallower.
//!
//! Source: Schröder 2020 (Rebel), in Stockfish since 2020: the node will be met again in the next iteration, with a table
//! move then. Not at nodes that are expected to fail low, where no move is the first to be tried. The host's option
//! `missing = "shorten"` does the same at the root as well.

use super::{Asks, Calibration, Depths, Method, Place, Prune, SetupError};
use crate::game::Game;
use crate::search::{Node, Search};
use serde::{Deserialize, Serialize};

/// Parameters of internal iterative reduction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Least depth, plies, at least 2.
    pub min_depth: i32,
    /// Plies by which the node is searched shallower, less than `min-depth`; 0 is never.
    pub plies: i32,
}

/// One ply less where the table has no move.
#[derive(Clone, Debug)]
pub struct Iir(Params);

impl Method for Iir {
    const NAME: &'static str = "iir";
    type Params = Params;

    fn usual() -> Option<Params> {
        Some(Params { min_depth: 4, plies: 1 })
    }

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        let Params { min_depth, plies } = *params;
        Self::require(
            min_depth >= 2 && (0..min_depth).contains(&plies),
            format_args!(
                "min-depth {min_depth}, plies {plies}: expected min-depth >= 2 and 0 <= plies < min-depth"
            ),
        )?;
        Ok(Iir(params.clone()))
    }
}

impl<G: Game> Prune<G> for Iir {
    fn asks(&self) -> Asks {
        let Params { min_depth, plies } = self.0;
        Asks { approach: Depths::from(min_depth).when(plies > 0), ..Asks::of::<Self>() }
    }

    #[inline]
    fn approach(&self, search: &mut Search<'_, G>, place: Place, node: &mut Node<'_, G>, hint: bool) {
        let Params { plies, .. } = self.0;
        if hint || !search.needs_first_move(node) {
            return;
        }
        let counter = search.count(place, node);
        (counter.tries, counter.cuts_low) = (counter.tries + 1, counter.cuts_low + 1);
        node.depth = node.depth - plies;
    }
}
