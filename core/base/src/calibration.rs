//! Numbers fitted to one evaluation: the linear models of ProbCut and the margins of futility and razoring.
//!
//! Produced by `cargo xtask fit`, never typed in. They belong to a game, an evaluation and a baseline: a
//! search with null move on has other depth-d values than one without (Jiang & Buro 2003 fitted with it on).

use serde::{Deserialize, Serialize};

/// The linear model v = a v' + b + e, e ~ N(0, sigma^2), of one stage and depth pair (Buro 1995, section 2).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fit {
    /// Index into the game's stages.
    pub stage: usize,
    /// Depth d' of v', plies.
    pub shallow: i32,
    /// Depth d of v, plies.
    pub deep: i32,
    /// Pairs fitted.
    pub n: u32,
    /// Slope.
    pub a: f64,
    /// Offset, in the game's score unit.
    pub b: f64,
    /// Standard deviation of the residual, in the game's score unit.
    pub sigma: f64,
    /// Correlation coefficient of v and v'.
    pub r: f64,
}

/// How much a search to a small depth gains over its base: quantiles of v_depth - base over the fitting
/// positions, the margin that futility and razoring need where no material value is at hand.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Margin {
    /// Index into the game's stages.
    pub stage: usize,
    /// Depth of the search, plies.
    pub depth: i32,
    /// Pairs fitted.
    pub n: u32,
    /// Median gain, in the game's score unit.
    pub q50: i32,
    /// 90 % of gains are at most this.
    pub q90: i32,
    /// 95 % of gains are at most this.
    pub q95: i32,
    /// 99 % of gains are at most this.
    pub q99: i32,
}

/// Everything fitted for one baseline.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// Linear models by stage and depth pair.
    #[serde(default)]
    pub fits: Vec<Fit>,
    /// Gains by stage and depth.
    #[serde(default)]
    pub margins: Vec<Margin>,
    /// Linear models by stage and depth pair of positions before a throw of chance; none in a game without.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chance: Vec<Fit>,
}

impl Calibration {
    /// The model of a stage and depth pair, if it was fitted.
    pub fn fit(&self, stage: usize, shallow: i32, deep: i32) -> Option<&Fit> {
        self.fits.iter().find(|f| f.stage == stage && f.shallow == shallow && f.deep == deep)
    }

    /// The gains of a stage and depth, if they were fitted.
    pub fn margin(&self, stage: usize, depth: i32) -> Option<&Margin> {
        self.margins.iter().find(|m| m.stage == stage && m.depth == depth)
    }
}

/// Calibrations by baseline: what else prunes while the fitted method runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Baselines {
    /// Fitted on full-width searches.
    #[serde(default)]
    pub none: Calibration,
    /// Fitted on searches with null move on; absent for a game that has no use for it.
    #[serde(default)]
    pub null_move: Option<Calibration>,
}

impl Baselines {
    /// The calibration for a search with or without null move.
    pub fn choose(&self, null_move: bool) -> &Calibration {
        self.null_move.as_ref().filter(|_| null_move).unwrap_or(&self.none)
    }
}
