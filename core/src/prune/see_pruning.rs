//! SEE pruning: near the horizon, moves that lose too much by exchange are not searched, captures and quiet moves alike.
//!
//! Source: Stockfish (2013) and Ethereal 12: a capture may lose a number of score units a ply squared, a quiet move a number a ply.
//! Left out: checks are not spared, as in the sources.

use super::{Calibration, Guards, Method, Prune, SetupError};
use crate::game::Game;
use crate::score::{Depth, Score};
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
        if !(0..=64).contains(&depth) || quiet < 0 || capture < 0 {
            let message = format!(
                "depth {depth}, quiet {quiet}, capture {capture}: expected a depth of 0 to 64, the others at least 0"
            );
            return Err(SetupError { method: Self::NAME, message });
        }
        guards.refuse_last(Self::NAME)?;
        Ok(SeePruning(params.clone()))
    }

    fn guards(params: &Params) -> Guards {
        params.guards
    }
}

impl<G: Game> Prune<G> for SeePruning {
    #[inline(always)]
    fn skip<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        _: usize,
    ) -> Option<Score> {
        let Params { depth, quiet, capture, guards } = &self.0;
        if node.depth.0 > *depth || guards.bar_bound(node, alpha, &search.game) || alpha <= -G::DECISIVE {
            return None;
        }
        let plies = node.depth.0;
        let margin = if search.game.tactical(node.pos, mv) { capture * plies * plies } else { quiet * plies };
        search.count::<Self>(node).tries += 1;
        if search.game.exchange_reaches(node.pos, mv, Score(-margin)) {
            return None;
        }
        search.claim_move::<Self>(node, mv, alpha);
        Some(alpha)
    }

    fn acts_from(&self) -> Depth {
        Depth(1)
    }

    fn branches(&self) -> bool {
        false
    }
}
