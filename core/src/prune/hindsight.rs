//! Hindsight reductions and extensions: whether a move was rightly reduced is seen from the other side.
//!
//! Source: Stockfish 2024 ("hindsight"). A node whose parent reduced the move by `deeper-after` plies or more is searched a ply
//! deeper if its mover did not lose by it; one that was reduced at all is searched a ply shallower if both static
//! evaluations, of the parent and of the node, are good for their movers by more than `margin` together, so that somebody is
//! mistaken and the move was bad. Acts only next to what reduces (late-move reductions).

use super::{Asks, Calibration, Depths, Method, Place, Prune, SetupError};
use crate::game::Game;
use crate::search::{Node, Search};
use serde::{Deserialize, Serialize};

/// Parameters of hindsight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Plies of reduction after which the node may be searched one ply deeper, at least 1; 100 is never.
    pub deeper_after: i32,
    /// Least depth at which a node may be searched one ply shallower, at least 2; 100 is never.
    pub shallower_from: i32,
    /// What the sum of both evaluations must exceed for that, score units.
    pub margin: i32,
}

/// Corrections of reductions.
#[derive(Clone, Debug)]
pub struct Hindsight(Params);

impl Method for Hindsight {
    const NAME: &'static str = "hindsight";
    type Params = Params;

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        let Params { deeper_after, shallower_from, .. } = *params;
        Self::require(
            deeper_after >= 1 && shallower_from >= 2,
            format_args!(
                "deeper-after {deeper_after}, shallower-from {shallower_from}: expected deeper-after >= 1 and \
                 shallower-from >= 2"
            ),
        )?;
        Ok(Hindsight(params.clone()))
    }
}

impl<G: Game> Prune<G> for Hindsight {
    fn asks(&self) -> Asks {
        Asks { approach: Depths::from(1), evaluations: true, ..Asks::of::<Self>() }
    }

    #[inline]
    fn approach(&self, search: &mut Search<'_, G>, place: Place, node: &mut Node<'_, G>, _: bool) {
        let reduced = search.reduced(node);
        if reduced < 1 || node.in_check {
            return;
        }
        let Some(before) = search.evaluation_before(node) else { return };
        search.count(place, node).tries += 1;
        let sum = node.evaluation(&search.game) + before;
        if reduced >= self.0.deeper_after && sum.0 <= 0 {
            search.count(place, node).cuts_high += 1;
            node.depth = node.depth + 1;
        } else if node.depth.0 >= self.0.shallower_from && sum.0 > self.0.margin {
            search.count(place, node).cuts_low += 1;
            node.depth = node.depth - 1;
        }
    }
}
