//! SEE pruning: near the horizon, moves that lose too much by exchange are not searched, captures and quiet moves alike.
//!
//! Source: Stockfish (2013) and Ethereal 12: a capture may lose a number of score units a ply squared, a quiet move a number a ply.
//! Left out: checks are not spared, as in the sources.

use super::{Asks, Calibration, Depths, Guards, Method, Place, Prune, SetupError, SkipPlan};
use crate::game::Game;
use crate::score::Score;
use crate::search::{Node, Search};
use serde::{Deserialize, Serialize};

/// Parameters of SEE pruning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Greatest depth, plies, 0 to 64; 0 is never.
    pub depth: i32,
    /// Score units a ply that a quiet move may lose.
    pub quiet: i32,
    /// Score units a ply squared that a capture or promotion may lose.
    pub capture: i32,
    /// The guards that all methods share.
    #[serde(default)]
    pub guards: Guards,
}

/// Pruning by static exchange evaluation.
#[derive(Clone, Debug)]
pub struct SeePruning(Params);

impl Method for SeePruning {
    const NAME: &'static str = "see-pruning";
    type Params = Params;

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        let Params { depth, quiet, capture, guards } = *params;
        Self::require(
            (0..=64).contains(&depth) && quiet >= 0 && capture >= 0,
            format_args!(
                "depth {depth}, quiet {quiet}, capture {capture}: expected a depth of 0 to 64, the others at least 0"
            ),
        )?;
        guards.refuse_last::<Self>()?;
        Ok(SeePruning(params.clone()))
    }
}

impl<G: Game> Prune<G> for SeePruning {
    fn asks(&self) -> Asks {
        Asks { skip: Depths::up_to(self.0.depth), ..Asks::guarded::<Self>(&self.0.guards) }
    }

    fn plan(&self, search: &mut Search<'_, G>, _: Place, node: &Node<'_, G>, alpha: Score) -> SkipPlan {
        if self.0.guards.bar_whatever_bound(node, &search.game) {
            return SkipPlan::NONE;
        }
        // Where nothing is exchanged, nothing is lost by it.
        let idle = !G::HAS.exchanges && alpha.abs() < G::DECISIVE;
        if idle { SkipPlan::passing_below(G::DECISIVE) } else { SkipPlan::from(1) }
    }

    fn skip(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        _: usize,
    ) -> Option<Score> {
        let Params { quiet, capture, guards, .. } = &self.0;
        if guards.bar_bound::<G>(alpha) || alpha <= -G::DECISIVE {
            return None;
        }
        let plies = node.depth.0;
        let margin = if search.game.tactical(node.pos, mv) { capture * plies * plies } else { quiet * plies };
        search.count(place, node).tries += 1;
        if search.game.exchange_reaches(node.pos, mv, Score(-margin)) {
            return None;
        }
        search.claim_move(place, node, mv, alpha)
    }
}
