//! Intervals and tests that hold at all times: one may look after every game and stop when one likes.
//!
//! An estimate whose information grows is, in the time of its information, a Brownian motion with a drift (Jennison & Turnbull 1997;
//! Scharfstein, Tsiatis & Robins 1997); so is that of a method in a regression, decided methods left out or not. A mixture of the
//! likelihood ratios over all drifts, weighed by a normal distribution, exceeds 1 / a in at most a share `a` of experiments, whenever
//! one looks (Ville 1939; Robbins 1970; Howard, Ramdas, McAuliffe & Sekhon 2021). All is done with scores, which have bounds, and
//! shown in Elo. That the error holds in pairs of games, from the first one on, is simulated by `cargo xtask coverage`.

use crate::elo::{elo, expected_score};
use crate::inference::LEVEL;
use crate::interval::{Interval, z95};
use statrs::distribution::{ContinuousCDF, Normal};
use std::f64::consts::LN_10;

/// Standard deviation of the mixture in scores: about 10 Elo. Decisions about 5 to 20 Elo then need within 10 % of the fewest games that any
/// mixture needs.
const MIXTURE: f64 = 10.0 * LN_10 / 1600.0;

/// A mean score of the program as it is against itself without a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Located {
    /// The mean, 0 to 1.
    pub mean: f64,
    /// Its standard error, above 0.
    pub error: f64,
}

impl Located {
    /// Elo with the 95 % interval of a number of games that was fixed before the first one.
    pub(super) fn fixed(&self) -> Interval {
        self.within(z95())
    }

    /// Two-sided p-value, of a number of games that was fixed before the first one, of an even score.
    pub(super) fn p_even(&self) -> f64 {
        2.0 * Normal::standard().sf((self.mean - 0.5).abs() / self.error)
    }

    /// Elo with a 95 % interval that holds at all times.
    pub(super) fn at_all_times(&self) -> Interval {
        let weight = self.weight();
        self.within(((-2.0 * LEVEL.ln() - (1.0 - weight).ln()) / weight).sqrt())
    }

    fn within(&self, errors: f64) -> Interval {
        let end = |errors: f64| elo((self.mean + errors * self.error).clamp(0.0, 1.0));
        Interval { estimate: elo(self.mean), low: end(-errors), high: end(errors) }
    }

    /// How much of the mixture's variance the games leave to it: near 0 with few games, near 1 with many.
    fn weight(&self) -> f64 {
        MIXTURE * MIXTURE / (MIXTURE * MIXTURE + self.error * self.error)
    }

    /// p-value, at all times, of the method being worth at most so many Elo.
    pub(super) fn p_at_most(&self, elo: f64) -> f64 {
        self.p_one_sided(self.mean - expected_score(elo))
    }

    /// p-value, at all times, of the method being worth at least so many Elo.
    pub(super) fn p_at_least(&self, elo: f64) -> f64 {
        self.p_one_sided(expected_score(elo) - self.mean)
    }

    /// 1 / the likelihood ratio, mixed over half of a normal distribution.
    fn p_one_sided(&self, distance: f64) -> f64 {
        let (weight, errors) = (self.weight(), distance / self.error);
        let log = 0.5 * (1.0 - weight).ln() + 0.5 * errors * errors * weight;
        let half = 2.0 * Normal::standard().cdf(errors * weight.sqrt());
        if errors < 0.0 { 1.0 } else { ((-log).exp() / half).min(1.0) }
    }

    /// The same mean from so many times the games.
    pub(super) fn with_games(&self, times: f64) -> Located {
        Located { mean: self.mean, error: self.error / times.sqrt() }
    }
}
