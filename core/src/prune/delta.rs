//! Delta pruning: below the horizon, captures that cannot bring the value near alpha are not searched.
//!
//! Source: chess programs since the 1980s (in print: Hartmann 1988; Crafty); the margin is two pawns in most. A capture is left
//! out if standing pat, plus what it takes, plus the margin stay at or below alpha; it then counts as that bound. Not in check,
//! and not with mates at stake.

use super::{Asks, Calibration, Method, Place, Prune, SetupError};
use crate::game::{Game, QuietNode};
use crate::score::Score;
use crate::search::Quiet;
use serde::{Deserialize, Serialize};

/// Parameters of delta pruning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Score units; 32,000 and more is infinite.
    pub margin: i32,
}

/// Pruning of hopeless captures below the horizon.
#[derive(Clone, Debug)]
pub struct Delta {
    margin: i32,
}

impl Method for Delta {
    const NAME: &'static str = "delta";
    type Params = Params;

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        let margin = params.margin;
        Self::require(margin >= 0, format_args!("margin {margin}: expected at least 0"))?;
        Ok(Delta { margin })
    }
}

impl<G: Game> Prune<G> for Delta {
    fn asks(&self) -> Asks {
        Asks { quiet: self.margin < Score::INFINITE.0 && G::HAS.quiescence, ..Asks::of::<Self>() }
    }

    #[inline]
    fn quiet(
        &self,
        search: &mut Quiet<'_, '_, G>,
        place: Place,
        node: &QuietNode<'_, G>,
        alpha: Score,
        mv: G::Move,
    ) -> Option<Score> {
        if alpha.abs() >= G::DECISIVE {
            return None;
        }
        search.count(place, node).tries += 1;
        let claim = Score(node.stand.0 + search.game().gain(node.pos, mv).0 + self.margin);
        if claim > alpha { None } else { search.claim(place, node, claim) }
    }
}
