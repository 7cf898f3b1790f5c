//! ChanceProbCut: before a throw, a shallow search of the chance node predicts its value.
//!
//! Source: Schadd, Winands & Uiterwijk 2009, "ChanceProbCut: Forward Pruning in Chance Nodes". The linear model of ProbCut holds
//! between the values of a chance node at two depths: v = a v' + b + e. A mean over throws scatters less than a single
//! outcome, so the fits are those of positions before a throw ([`Calibration::chance`]). Beyond t sigma of a bound the chance
//! node, with all its outcomes, is cut. Checks, thresholds and guards are those of MPC ([`super::mpc`]).
//! Without pairs, as in games without dice, it does nothing. Left out: a test of single outcomes against their own part of the
//! window, which is ProbCut at the nodes after the throw.

use super::check_searches::{Checks, Pair, Rules, Sides};
use super::threshold::{one_sided, threshold};
use super::{Asks, Calibration, Depths, Guards, Method, Place, Prune, SetupError, Verdict};
use crate::game::Game;
use crate::search::{Node, Search};
use serde::{Deserialize, Serialize};

/// Parameters of ChanceProbCut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Depth pairs (d', d) of chance nodes, plies, d' < d: a throw takes no depth, so d counts the moves below it.
    #[serde(default)]
    pub pairs: Vec<(i32, i32)>,
    /// Threshold, as for ProbCut.
    #[serde(default = "usual", deserialize_with = "threshold")]
    pub t: f64,
    /// Which bounds are tested.
    #[serde(default)]
    pub sides: Sides,
    /// The guards that all methods share.
    #[serde(default)]
    pub guards: Guards,
}

fn usual() -> f64 {
    1.5
}

/// ProbCut at chance nodes.
#[derive(Clone, Debug)]
pub struct ChanceProbCut(Checks);

impl Method for ChanceProbCut {
    const NAME: &'static str = "chance-probcut";
    const MARKS: u32 = 1;
    type Params = Params;

    fn new(params: &Params, calibration: &Calibration, stages: usize) -> Result<Self, SetupError> {
        params.guards.refuse_last::<Self>()?;
        let pairs = params.pairs.iter().copied().map(Pair::always).collect();
        let Params { t, sides, guards, .. } = *params;
        let throws = Calibration { fits: calibration.chance.clone(), ..Calibration::default() };
        Checks::new::<Self>(pairs, &Rules::plain(t, sides, guards), &[], &throws, stages).map(ChanceProbCut)
    }

    fn promise(params: &Params) -> Option<f64> {
        Some(one_sided(params.t))
    }
}

impl<G: Game> Prune<G> for ChanceProbCut {
    fn asks(&self) -> Asks {
        self.0.asks(Asks { chance: Depths::from(self.0.lowest.0), ..Asks::of::<Self>() })
    }

    #[inline]
    fn chance(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        self.0.enter(search, place, node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Depth;
    use crate::prune::Fit;

    #[test]
    fn it_goes_by_the_fits_of_throws() {
        let fit = Fit { stage: 0, shallow: 1, deep: 3, n: 99, a: 1.0, b: 0.0, sigma: 80.0, r: 0.9 };
        let params = Params { pairs: vec![(1, 3)], t: 1.0, sides: Sides::Both, guards: Guards::default() };
        let new = |calibration: &Calibration, params: &Params| ChanceProbCut::new(params, calibration, 1);
        let other = Calibration { fits: vec![fit], ..Calibration::default() };
        assert!(new(&other, &params).unwrap_err().to_string().contains("no fit"));
        let calibration = Calibration { chance: vec![fit], ..Calibration::default() };
        assert_eq!(new(&calibration, &params).unwrap().0.lowest, Depth(3));
        let without = Params { pairs: Vec::new(), ..params.clone() };
        assert_eq!(new(&other, &without).unwrap().0.lowest, Depth(i32::MAX));
        // One threshold is one promise: Phi(1.5).
        let promised = ChanceProbCut::promise(&Params { t: 1.5, ..params.clone() }).unwrap();
        assert!((promised - 0.933_192_8).abs() < 1e-6);
        let last = Guards { last: true, ..Guards::default() };
        assert!(new(&calibration, &Params { guards: last, ..params }).is_err());
    }
}
