//! Reverse futility pruning, also static null-move pruning: a node near the horizon whose static evaluation exceeds beta by a
//! margin is not searched.
//!
//! Source: chess programs since about 2000; the numbers are those of Ethereal 12 and Stockfish. The margin grows with the depth,
//! and where the mover improves it may count some plies less. Futility has the same idea as an option of its own, which the
//! playing parameters of `classic` use.

use super::{Asks, Calibration, Depths, Guards, Method, Place, Prune, SetupError, Verdict};
use crate::game::Game;
use crate::score::Score;
use crate::search::{Claim, Node, Search};
use serde::{Deserialize, Serialize};

/// Parameters of reverse futility.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Greatest depth, plies; 0 is never.
    pub depth: i32,
    /// Score units a ply; 32,000 and more is infinite.
    pub margin: i32,
    /// Plies less for the margin where the mover improves ([`Search::improving`]).
    pub improving: i32,
    /// The guards that all methods share.
    #[serde(default)]
    pub guards: Guards,
}

/// Cuts by the static evaluation.
#[derive(Clone, Debug)]
pub struct ReverseFutility(Params);

impl Method for ReverseFutility {
    const NAME: &'static str = "reverse-futility";
    type Params = Params;

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        let Params { depth, margin, improving, .. } = *params;
        Self::require(
            depth >= 0 && margin >= 0 && improving >= 0,
            format_args!("depth {depth}, margin {margin}, improving {improving}: expected all at least 0"),
        )?;
        Ok(ReverseFutility(params.clone()))
    }
}

impl<G: Game> Prune<G> for ReverseFutility {
    fn asks(&self) -> Asks {
        let Params { depth, margin, improving, guards } = &self.0;
        Asks {
            enter: Depths::up_to(*depth).when(*margin < Score::INFINITE.0),
            evaluations: *improving > 0,
            ..Asks::guarded::<Self>(guards)
        }
    }

    #[inline]
    fn enter(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        let Params { margin, improving, guards, .. } = &self.0;
        if guards.bar(node, &search.game) {
            return Verdict::Go;
        }
        search.count(place, node).tries += 1;
        let less = if *improving > 0 && search.improving(node) { *improving } else { 0 };
        let claim = Score(node.evaluation(&search.game).0 - margin * (node.depth.0 - less).max(0));
        if claim < node.window.beta {
            return Verdict::Go;
        }
        guards.cut(search, place, node, Claim::AtLeast(node.window.beta), claim)
    }
}
