//! Intervals: what they are, Wilson's for rates, and geometric means, ratios of sums and mean losses over source games.
//!
//! Positions of one source game are not independent, so whole games count ([`crate::inference::spread`]). Where no interval is
//! known to hold what it promises, there is none: the ends are NaN. Sources: Wilson 1927; Efron & Tibshirani 1993 (percentile
//! bootstrap, kept for large samples).

use super::SplitMix;
use crate::inference::spread::{Spread, effective, spread};
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};
use std::collections::BTreeMap;

/// An estimate with a 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Point estimate.
    pub estimate: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// An estimate without an interval.
    pub fn none(estimate: f64) -> Interval {
        Interval { estimate, low: f64::NAN, high: f64::NAN }
    }

    /// An estimate with its ends, where it has them.
    pub fn of(estimate: f64, ends: Option<(f64, f64)>) -> Interval {
        ends.map_or(Interval::none(estimate), |(low, high)| Interval { estimate, low, high })
    }

    /// Its ends, where it has them; they may be infinite.
    pub fn ends(&self) -> Option<(f64, f64)> {
        (!self.low.is_nan()).then_some((self.low, self.high))
    }

    /// Whether it has finite ends.
    pub fn has_ends(&self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    /// What a rising function makes of it.
    pub fn map(&self, rising: impl Fn(f64) -> f64) -> Interval {
        Interval { estimate: rising(self.estimate), low: rising(self.low), high: rising(self.high) }
    }

    /// What a falling function makes of it: its ends change places.
    pub fn turned(&self, falling: impl Fn(f64) -> f64) -> Interval {
        Interval { estimate: falling(self.estimate), low: falling(self.high), high: falling(self.low) }
    }

    /// An estimate that is as far from both ends.
    pub fn around(estimate: f64, reach: f64) -> Interval {
        Interval { estimate, low: estimate - reach, high: estimate + reach }
    }

    /// The same in larger units, of `per_unit` each.
    pub fn in_units(&self, per_unit: f64) -> Interval {
        self.map(|x| x / per_unit)
    }

    /// The logarithm of a ratio.
    pub fn ln(&self) -> Interval {
        self.map(f64::ln)
    }

    /// The ratio that a difference of logarithms stands for.
    pub fn exp(&self) -> Interval {
        self.map(f64::exp)
    }
}

/// The two-sided 95 % point of the standard normal distribution.
pub fn z95() -> f64 {
    Normal::standard().inverse_cdf(0.975)
}

/// Wilson's 95 % interval of a rate; `None` without trials.
pub fn wilson(successes: usize, trials: usize) -> Option<Interval> {
    if trials == 0 {
        return None;
    }
    Some(wilson_of(successes as f64 / trials as f64, trials as f64))
}

/// The same of a share whose trials are worth `n` independent ones, which need not be a whole number.
pub fn wilson_of(p: f64, n: f64) -> Interval {
    let z = z95();
    let centre = p + z * z / (2.0 * n);
    let spread = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    // At p = 0 and 1 the ends are exact; rounding must not put them outside.
    let low = if p <= 0.0 { 0.0 } else { (centre - spread) / scale };
    let high = if p >= 1.0 { 1.0 } else { (centre + spread) / scale };
    Interval { estimate: p, low, high }
}

/// Resamples of a bootstrap.
const RESAMPLES: usize = 2_000;
/// One seed for all, so that a report is a pure function of its records.
const SEED: u64 = 0x5eca_7e04;

/// Percentile bootstrap of `statistic` over clusters of item indices; `statistic` sees the items drawn. Too narrow for fewer
/// than some two hundred clusters: for statistics of that many that are no function of totals (r^2 of thousands of pairs).
pub fn bootstrap(clusters: &[Vec<usize>], statistic: impl Fn(&[usize]) -> f64) -> Interval {
    let all: Vec<usize> = clusters.iter().flatten().copied().collect();
    let mut random = SplitMix(SEED);
    let mut drawn = Vec::with_capacity(all.len());
    let mut values = Vec::new();
    for _ in 0..if clusters.len() < 2 { 0 } else { RESAMPLES } {
        drawn.clear();
        for _ in 0..clusters.len() {
            drawn.extend_from_slice(&clusters[random.below(clusters.len())]);
        }
        values.push(statistic(&drawn));
    }
    percentiles(statistic(&all), values)
}

/// [`bootstrap`] of a statistic that needs to know only how often each of `clusters` clusters was drawn.
pub fn bootstrap_times(clusters: usize, statistic: impl Fn(&[u64]) -> f64) -> Interval {
    let mut random = SplitMix(SEED);
    let mut values = Vec::new();
    for _ in 0..if clusters < 2 { 0 } else { RESAMPLES } {
        let mut times = vec![0; clusters];
        (0..clusters).for_each(|_| times[random.below(clusters)] += 1);
        values.push(statistic(&times));
    }
    percentiles(statistic(&vec![1; clusters]), values)
}

/// The percentile interval of resampled values; those that are no number do not count.
pub fn percentiles(estimate: f64, mut values: Vec<f64>) -> Interval {
    values.retain(|value| value.is_finite());
    values.sort_by(f64::total_cmp);
    let at = |q: f64| values.get((q * (values.len().max(1) - 1) as f64).round() as usize).copied();
    let [low, high] = [0.025, 0.975].map(|q| at(q).unwrap_or(f64::NAN));
    Interval { estimate, low, high }
}

/// The mean of a value over positions, from (sum, positions) of each source game.
pub fn mean_spread(clusters: &[[f64; 2]]) -> Spread {
    spread(clusters, |sums| sums[0] / sums[1])
}

/// The ratio of two sums, from both sums of each source game. Large searches decide.
pub fn ratio_of_sums(clusters: &[[f64; 2]]) -> Interval {
    let [first, second] = [0, 1].map(|side| effective(clusters.iter().map(move |totals| totals[side])));
    spread(clusters, |sums| (sums[0] / sums[1]).ln()).of_sums(first.min(second)).exp()
}

/// The mean of losses, which are 0 at most positions, from (sum, positions) of each source game.
pub fn mean_loss(clusters: &[[f64; 2]]) -> Interval {
    mean_spread(clusters).heavy(clusters.iter().filter(|totals| totals[0] != 0.0).count())
}

/// The sums of two numbers by source game.
pub fn sums_by_game<'a>(pairs: impl Iterator<Item = (&'a str, [f64; 2])>) -> Vec<[f64; 2]> {
    let mut games = BTreeMap::<&str, [f64; 2]>::new();
    for (game, [one, other]) in pairs {
        let sums = games.entry(game).or_default();
        *sums = [sums[0] + one, sums[1] + other];
    }
    games.into_values().collect()
}

/// Arithmetic mean; NaN for nothing.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Standard deviation with n - 1; NaN for fewer than two values.
pub fn sd(values: &[f64]) -> f64 {
    let mean = mean(values);
    (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_at_fifty_positions() {
        let i = wilson(45, 50).unwrap();
        assert_eq!((i.low * 100.0).round(), 79.0);
        assert_eq!((i.high * 100.0).round(), 96.0);
        assert_eq!((wilson(50, 50).unwrap().low * 100.0).round(), 93.0);
        assert_eq!(wilson(50, 50).unwrap().high, 1.0);
        assert_eq!(wilson(0, 0), None);
    }

    #[test]
    fn sd_divides_by_n_minus_one() {
        assert_eq!(sd(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]), (32.0_f64 / 7.0).sqrt());
        assert!(sd(&[1.0]).is_nan());
    }

    #[test]
    fn counting_draws_is_drawing() {
        let clusters: Vec<Vec<usize>> = (0..40).map(|cluster| vec![cluster; 1 + cluster % 3]).collect();
        let value = |cluster: usize| ((7 * cluster) % 11) as f64;
        let drawn = bootstrap(&clusters, |items| items.iter().map(|&cluster| value(cluster)).sum());
        let sum =
            |(cluster, &times): (usize, &u64)| times as f64 * value(cluster) * clusters[cluster].len() as f64;
        assert_eq!(bootstrap_times(clusters.len(), |times| times.iter().enumerate().map(sum).sum()), drawn);
    }

    #[test]
    fn clusters_are_drawn_whole() {
        let clusters = vec![vec![0, 1], vec![2, 3], vec![4, 5]];
        let i = bootstrap(&clusters, |items| {
            assert!(items.chunks(2).all(|pair| pair[0] % 2 == 0 && pair[1] == pair[0] + 1));
            items.len() as f64
        });
        assert_eq!(i, Interval { estimate: 6.0, low: 6.0, high: 6.0 });
    }
}
