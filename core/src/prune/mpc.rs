//! Multi-ProbCut: ProbCut with several depth pairs, and parameters by stage of the game.
//!
//! Source: Buro 1997 ("Experiments with Multi-ProbCut"); pairs for chess from Jiang & Buro 2003. Where a
//! height has several check depths they are tried from the shallowest on, each a search of its own that
//! leaves moves in the table for the next (the papers' internal iterative deepening). Not applied inside its
//! own checks (nesting 0, as in the papers) unless `nesting` is 1 (Edax).

use super::check_searches::{Checks, Pair, Rules, Sides, Sigma, everything};
use super::threshold::{one_sided, threshold};
use super::{Asks, Calibration, Depths, Guards, Method, Place, Prune, SetupError, Verdict};
use crate::game::Game;
use crate::search::{Node, Search};
use serde::{Deserialize, Serialize};

/// Parameters of Multi-ProbCut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Depth pairs (d', d), plies, d' < d.
    pub pairs: Vec<(i32, i32)>,
    /// Threshold, as for ProbCut.
    #[serde(deserialize_with = "threshold")]
    pub t: f64,
    /// Added to t where the expected node type does not speak for the cut (high at a cut node, low at an all node), standard
    /// deviations: such cuts break more often (docs/POSTERIOR.md).
    #[serde(default)]
    pub against: f64,
    /// Taken off t for every ply of height above that of the lowest pair, standard deviations; t does not fall below 0. A cut
    /// high in the tree saves more, so more may be risked for it.
    #[serde(default)]
    pub per_ply: f64,
    /// Added to t at each stage, in the order of the game, standard deviations; 0 for stages beyond the list, and t does not
    /// fall below 0 (Jiang & Buro 2003, tables 2 and 3: one threshold for the middle game, one for the endgame).
    #[serde(default)]
    pub by_stage: Vec<f64>,
    /// Where sigma is from.
    #[serde(default)]
    pub sigma: Sigma,
    /// Which bounds are tested.
    #[serde(default)]
    pub sides: Sides,
    /// As for ProbCut: leaves out checks that a look at the static evaluation finds hopeless (Edax and
    /// Egaroucid look before they check).
    #[serde(default = "everything")]
    pub glance: f64,
    /// Checks within checks: 0 as in the papers, 1 as in Edax.
    #[serde(default)]
    pub nesting: u8,
    /// The guards that all methods share.
    #[serde(default)]
    pub guards: Guards,
}

/// ProbCut with several depth pairs.
#[derive(Clone, Debug)]
pub struct Mpc(Checks);

impl Method for Mpc {
    const NAME: &'static str = "mpc";
    const MARKS: u32 = 2;
    type Params = Params;

    fn new(params: &Params, calibration: &Calibration, stages: usize) -> Result<Self, SetupError> {
        let pairs = params.pairs.iter().copied().map(Pair::always).collect();
        let Params { t, against, per_ply, sigma, sides, glance, nesting, guards, .. } = *params;
        let rules = Rules { t, against, per_ply, sigma, sides, glance, nesting, guards };
        Checks::new::<Self>(pairs, &rules, &params.by_stage, calibration, stages).map(Mpc)
    }

    fn promise(params: &Params) -> Option<f64> {
        // One threshold is one promise.
        let is_one =
            params.against == 0.0 && params.per_ply == 0.0 && params.by_stage.iter().all(|t| *t == 0.0);
        is_one.then(|| one_sided(params.t))
    }
}

impl<G: Game> Prune<G> for Mpc {
    fn asks(&self) -> Asks {
        self.0.asks(Asks { enter: Depths::from(self.0.lowest.0), ..Asks::of::<Self>() })
    }

    #[inline]
    fn enter(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        self.0.enter(search, place, node)
    }
}
