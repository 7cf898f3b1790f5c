//! Exchange pruning below the horizon: captures that lose by exchange are not searched, nor those that win nothing where the mover is
//! far behind.
//!
//! Sources: Reul 2010 and most programs (losing captures); Stockfish (the second rule: futility by exchange). The usual host leaves
//! losing captures out by itself ([`crate::search::Options::losing_captures`]), so that only the second rule acts there; next to
//! `losing-captures = true` the first shows what that is worth.

use super::{Asks, Calibration, Method, Place, Prune, SetupError};
use crate::game::{Game, QuietNode};
use crate::score::Score;
use crate::search::Quiet;
use serde::{Deserialize, Serialize};

/// Parameters of exchange pruning below the horizon.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Captures that win less than this are left out, score units; -32,000 and less is never.
    pub least: i32,
    /// Captures that win nothing are left out where standing pat plus this does not exceed alpha, score units; 32,000 and more is
    /// never.
    pub behind: i32,
}

/// Pruning of losing captures below the horizon.
#[derive(Clone, Debug)]
pub struct QuietExchange(Params);

impl Method for QuietExchange {
    const NAME: &'static str = "quiet-exchange";
    type Params = Params;

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        Self::require(params.behind >= 0, format_args!("behind {}: expected at least 0", params.behind))?;
        Ok(QuietExchange(params.clone()))
    }
}

impl<G: Game> Prune<G> for QuietExchange {
    fn asks(&self) -> Asks {
        let (never, infinite) = (-Score::INFINITE.0, Score::INFINITE.0);
        let acts = self.0.least > never || self.0.behind < infinite;
        Asks { quiet: acts && G::HAS.quiescence, ..Asks::of::<Self>() }
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
        let behind = Score(node.stand.0.saturating_add(self.0.behind));
        let won = search.game().exchange(node.pos, mv);
        if won.0 < self.0.least {
            search.claim(place, node, alpha)
        } else if behind <= alpha && won.0 <= 0 {
            search.claim(place, node, behind)
        } else {
            None
        }
    }
}
