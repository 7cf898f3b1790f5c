//! Move-count pruning below the horizon: after the first so many captures of a node the rest are not searched.
//!
//! Source: Stockfish since 2021 (two moves). Spared: moves that give check, nodes in check, mates at stake.

use super::{Asks, Calibration, Method, Place, Prune, SetupError};
use crate::game::{Game, QuietNode};
use crate::score::Score;
use crate::search::Quiet;
use serde::{Deserialize, Serialize};

/// Parameters of move-count pruning below the horizon.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Moves that are searched, at least 1; 300 is all.
    pub moves: usize,
}

/// Pruning of late captures below the horizon.
#[derive(Clone, Debug)]
pub struct QuietCount {
    moves: usize,
}

impl Method for QuietCount {
    const NAME: &'static str = "quiet-count";
    type Params = Params;

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        Self::require(params.moves >= 1, format_args!("moves {}: expected at least 1", params.moves))?;
        Ok(QuietCount { moves: params.moves })
    }
}

impl<G: Game> Prune<G> for QuietCount {
    fn asks(&self) -> Asks {
        Asks { quiet: G::HAS.quiescence, ..Asks::of::<Self>() }
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
        if node.tried < self.moves || alpha.abs() >= G::DECISIVE || search.game().gives_check(node.pos, mv) {
            return None;
        }
        search.count(place, node).tries += 1;
        search.claim(place, node, alpha)
    }
}
