//! Small ProbCut: the table's word for a value far above beta, from a search that was not much shallower, cuts the node.
//!
//! Source: Stockfish 2021 (in check and for captures only), for all nodes since 2023. It shares with Buro's ProbCut that a
//! shallower value foretells a deeper one, but searches nothing for it, and its margin is chosen and not fitted.

use super::{Asks, Calibration, Depths, Guards, Method, Place, Prune, SetupError, Verdict};
use crate::game::Game;
use crate::score::Score;
use crate::search::{Bound, Claim, Node, Search};
use serde::{Deserialize, Serialize};

/// Parameters of small ProbCut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// How far above beta the stored value must lie, score units; 32,000 and more is infinite.
    pub margin: i32,
    /// Plies by which the stored search may be shallower than the node, at least 0.
    pub plies: i32,
    /// Least depth of the node, plies, at least 1.
    pub min_depth: i32,
    /// The guards that all methods share.
    #[serde(default)]
    pub guards: Guards,
}

/// Cuts by a stored bound.
#[derive(Clone, Debug)]
pub struct SmallProbCut(Params);

impl Method for SmallProbCut {
    const NAME: &'static str = "small-probcut";
    type Params = Params;

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        let Params { margin, plies, min_depth, .. } = *params;
        Self::require(
            margin >= 0 && plies >= 0 && min_depth >= 1,
            format_args!(
                "margin {margin}, plies {plies}, min-depth {min_depth}: expected margin and plies >= 0 and min-depth >= 1"
            ),
        )?;
        Ok(SmallProbCut(params.clone()))
    }
}

impl<G: Game> Prune<G> for SmallProbCut {
    fn asks(&self) -> Asks {
        Asks { enter: Depths::from(self.0.min_depth), ..Asks::guarded::<Self>(&self.0.guards) }
    }

    #[inline]
    fn enter(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        let Params { margin, plies, guards, .. } = &self.0;
        let raised = Score(node.window.beta.0.saturating_add(*margin));
        if raised >= G::DECISIVE || guards.bar(node, &search.game) {
            return Verdict::Go;
        }
        let Some(entry) = search.entry(node) else { return Verdict::Go };
        search.count(place, node).tries += 1;
        if entry.bound == Bound::Upper
            || entry.draft < node.depth - *plies
            || entry.score < raised
            || entry.score >= G::DECISIVE
        {
            return Verdict::Go;
        }
        let beta = node.window.beta;
        guards.cut(search, place, node, Claim::AtLeast(beta), beta)
    }
}
