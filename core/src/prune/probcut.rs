//! ProbCut: a shallow search predicts whether the deep one would fall outside the window.
//!
//! Source: Buro 1995, section 2. With v = a v' + b + e, e ~ N(0, sigma^2), a node of height d is cut at
//! beta if a search to d' < d gives v' >= (t sigma + beta - b) / a, and at alpha if
//! v' <= (-t sigma + alpha - b) / a. The promise is one-sided: a cut is right with probability Phi(t).
//! Stockfish's form of the same name, which has no regression, is `capture_probcut`.
//! Scan (Letouzey 2015-2019, `search.cpp` of 2.0 to 3.1) has none either: at every depth a share of it is searched, and a value above
//! beta by a margin that grows with the depth cuts ([`Linear`]). Left out: its return of the value less the margin.

use super::check_searches::{Checks, Linear, Pair, Rules, Sides, Sigma, everything};
use super::threshold::{one_sided, threshold};
use super::{Asks, Calibration, Depths, Guards, Method, Place, Prune, SetupError, Verdict};
use crate::game::Game;
use crate::search::{Node, Search};
use serde::{Deserialize, Serialize};

/// Parameters of ProbCut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Check depth d', plies.
    pub shallow: i32,
    /// Height d at which the check happens, plies; > `shallow`.
    pub deep: i32,
    /// Threshold: standard deviations, one-sided, or a percentage in quotes (`"93.3%"`, `"86.6% two-sided"`); infinite
    /// switches the checks off.
    #[serde(deserialize_with = "threshold")]
    pub t: f64,
    /// Where sigma is from.
    #[serde(default)]
    pub sigma: Sigma,
    /// Which bounds are tested.
    #[serde(default)]
    pub sides: Sides,
    /// Leaves out checks that would succeed only if their search found something this many standard deviations
    /// from what the static evaluation foretells; infinite, no check is left out.
    #[serde(default = "everything")]
    pub glance: f64,
    /// Pairs that take over as the iterations deepen, in any order: the one with the largest `from` that the
    /// iteration has reached is used. Buro 1995, section 4: with one pair the branching factor of ever deeper
    /// searches creeps back to that of the full width, unless d - d' grows with the iteration.
    #[serde(default)]
    pub growing: Vec<Step>,
    /// Checks at every depth, without a model, in place of the pairs.
    #[serde(default)]
    pub linear: Linear,
    /// The guards that all methods share.
    #[serde(default)]
    pub guards: Guards,
}

/// A pair for later iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Step {
    /// First iteration that uses the pair, plies.
    pub from: i32,
    /// Check depth d', plies.
    pub shallow: i32,
    /// Height d of the check, plies.
    pub deep: i32,
}

/// ProbCut with one depth pair.
#[derive(Clone, Debug)]
pub struct ProbCut(Checks);

impl Method for ProbCut {
    const NAME: &'static str = "probcut";
    const MARKS: u32 = 1;
    type Params = Params;

    fn new(params: &Params, calibration: &Calibration, stages: usize) -> Result<Self, SetupError> {
        let first = Step { from: 1, shallow: params.shallow, deep: params.deep };
        for Step { from, .. } in &params.growing {
            Self::require(*from >= 2, format_args!("growing from iteration {from}: expected 2 or later"))?;
        }
        let mut steps: Vec<Step> = std::iter::once(first).chain(params.growing.iter().copied()).collect();
        steps.sort_by_key(|step| step.from);
        for two in steps.windows(2) {
            let (before, from) = (two[0].from, two[1].from);
            Self::require(
                before < from,
                format_args!("growing from iteration {from} twice: expected one pair"),
            )?;
        }
        let until = |index: usize| steps.get(index + 1).map_or(i32::MAX, |next: &Step| next.from);
        let pair = |(index, &Step { from, shallow, deep }): (usize, &Step)| Pair {
            shallow,
            deep,
            iterations: (from, until(index)),
        };
        let pairs: Vec<Pair> = steps.iter().enumerate().map(pair).collect();
        let Params { t, sigma, sides, glance, linear, guards, .. } = *params;
        // A check of the one pair is too shallow for another check: nesting cannot matter.
        let rules = Rules { sigma, glance, ..Rules::plain(t, sides, guards) };
        if linear.is_on() {
            return Checks::linear::<Self>(linear, &rules, stages).map(ProbCut);
        }
        Checks::new::<Self>(pairs, &rules, &[], calibration, stages).map(ProbCut)
    }

    fn promise(params: &Params) -> Option<f64> {
        (!params.linear.is_on()).then(|| one_sided(params.t))
    }
}

impl<G: Game> Prune<G> for ProbCut {
    fn asks(&self) -> Asks {
        self.0.asks(Asks { enter: Depths::from(self.0.lowest.0), ..Asks::of::<Self>() })
    }

    #[inline]
    fn enter(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        self.0.enter(search, place, node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Depth;

    fn params(shallow: i32, deep: i32, t: f64) -> Params {
        Params {
            shallow,
            deep,
            t,
            sigma: Sigma::Pair,
            sides: Sides::Both,
            glance: f64::INFINITY,
            growing: Vec::new(),
            linear: Linear::default(),
            guards: Guards::default(),
        }
    }

    #[test]
    fn the_linear_form_needs_no_fit_and_promises_nothing() {
        let with = |linear| ProbCut::new(&Params { linear, ..params(4, 8, 1.0) }, &Calibration::default(), 1);
        let scan = Linear { from: 3, share: 40, margin: 10 };
        assert_eq!(with(scan).map(|probcut| probcut.0.lowest), Ok(Depth(3)));
        for linear in [
            Linear { from: -1, ..scan },
            Linear { share: 100, ..scan },
            Linear { share: -1, ..scan },
            Linear { margin: -1, ..scan },
        ] {
            let error = with(linear).unwrap_err().to_string();
            assert!(error.contains("expected from >= 0, share 0 to 99 and margin >= 0"), "{error}");
        }
        let promise = |linear| ProbCut::promise(&Params { linear, ..params(4, 8, 1.0) });
        assert!(promise(scan).is_none() && promise(Linear::default()).is_some());
    }

    #[test]
    fn bad_parameters_are_refused() {
        let calibration = Calibration::default();
        let new = |shallow, deep, t| ProbCut::new(&params(shallow, deep, t), &calibration, 1);
        assert!(new(4, 8, f64::NAN).is_err());
        assert!(new(8, 8, 1.0).is_err());
        assert!(new(4, 8, 1.0).unwrap_err().to_string().contains("no fit"));
        assert!(new(4, 8, f64::INFINITY).is_ok(), "never checks, so needs no fit");
        for (steps, message) in [(vec![1], "iteration 1: expected 2"), (vec![9, 5, 9], "iteration 9 twice")] {
            let growing = steps.into_iter().map(|from| Step { from, shallow: 4, deep: 10 }).collect();
            let params = Params { growing, ..params(4, 8, 1.0) };
            let error = ProbCut::new(&params, &calibration, 1).unwrap_err();
            assert!(error.to_string().contains(message), "{error}");
        }
    }
}
