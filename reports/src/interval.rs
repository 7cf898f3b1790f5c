//! Intervals: Wilson's for rates, a bootstrap over clusters of positions for everything else.
//!
//! Sources: Wilson 1927; Efron & Tibshirani 1993 (percentile bootstrap). Positions of one source game are
//! not independent, so whole clusters are drawn.

use statrs::distribution::{ContinuousCDF, Normal};

/// An estimate with a 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Point estimate.
    pub estimate: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// Whether an effect is shown to be other than 0.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }

    /// The ratio that a difference of logarithms stands for.
    #[must_use]
    pub fn exp(&self) -> Interval {
        Interval { estimate: self.estimate.exp(), low: self.low.exp(), high: self.high.exp() }
    }
}

/// The two-sided 95 % point of the standard normal distribution.
fn z95() -> f64 {
    Normal::standard().inverse_cdf(0.975)
}

/// Wilson's 95 % interval of a rate; `None` without trials.
#[must_use]
pub fn wilson(successes: usize, trials: usize) -> Option<Interval> {
    if trials == 0 {
        return None;
    }
    let (n, p, z) = (trials as f64, successes as f64 / trials as f64, z95());
    let centre = p + z * z / (2.0 * n);
    let spread = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    // At p = 0 and 1 the ends are exact; rounding must not put them outside.
    let low = if successes == 0 { 0.0 } else { (centre - spread) / scale };
    let high = if successes == trials { 1.0 } else { (centre + spread) / scale };
    Some(Interval { estimate: p, low, high })
}

/// Resamples of every bootstrap.
const RESAMPLES: usize = 2_000;
/// One seed for all, so that a report is a pure function of its records.
const SEED: u64 = 0x5eca_7e04;

/// Percentile bootstrap of `statistic` over clusters of item indices; `statistic` sees the items drawn.
#[must_use]
pub fn bootstrap(clusters: &[Vec<usize>], statistic: impl Fn(&[usize]) -> f64) -> Interval {
    let all: Vec<usize> = clusters.iter().flatten().copied().collect();
    let mut drawn = Vec::with_capacity(all.len());
    let found = resample(clusters.len(), |draw| {
        drawn.clear();
        for _ in 0..clusters.len() {
            drawn.extend_from_slice(&clusters[draw()]);
        }
        vec![statistic(&drawn)]
    });
    interval(statistic(&all), found.into_iter().map(|values| values[0]).collect())
}

/// The same for statistics that are functions of totals: `clusters` holds the totals of each cluster, and `statistics`
/// sees those of all clusters drawn. Far faster, and the draws are those of [`bootstrap`].
///
/// # Panics
/// If a cluster has other totals than the first.
#[must_use]
pub fn bootstrap_totals(clusters: &[Vec<f64>], statistics: impl Fn(&[f64]) -> Vec<f64>) -> Vec<Interval> {
    let Some(length) = clusters.first().map(Vec::len) else { return Vec::new() };
    // One after another in memory: a draw of many clusters is bound by how fast they are reached.
    let flat: Vec<f64> = clusters.iter().flat_map(|totals| totals[..length].iter().copied()).collect();
    let mut sums = vec![0.0; length];
    let mut found = resample(clusters.len(), |draw| {
        sums.fill(0.0);
        for _ in 0..clusters.len() {
            let at = draw() * length;
            sums.iter_mut().zip(&flat[at..at + length]).for_each(|(sum, value)| *sum += value);
        }
        statistics(&sums)
    });
    let all: Vec<f64> = (0..length).map(|i| clusters.iter().map(|totals| totals[i]).sum()).collect();
    let estimates = statistics(&all).into_iter().enumerate();
    estimates
        .map(|(i, estimate)| interval(estimate, found.iter_mut().map(|values| values[i]).collect()))
        .collect()
}

/// What `once` gives on each resample; it is handed the next cluster drawn. Nothing where there are too few clusters.
fn resample(clusters: usize, mut once: impl FnMut(&mut dyn FnMut() -> usize) -> Vec<f64>) -> Vec<Vec<f64>> {
    let mut random = SplitMix(SEED);
    let times = if clusters < 2 { 0 } else { RESAMPLES };
    (0..times).map(|_| once(&mut || random.below(clusters))).collect()
}

/// The 95 % in the middle of what the resamples gave.
fn interval(estimate: f64, mut values: Vec<f64>) -> Interval {
    values.retain(|value| value.is_finite());
    values.sort_by(f64::total_cmp);
    let at = |q: f64| values.get((q * (values.len().max(1) - 1) as f64).round() as usize).copied();
    Interval { estimate, low: at(0.025).unwrap_or(f64::NAN), high: at(0.975).unwrap_or(f64::NAN) }
}

/// SplitMix64 (Steele, Lea & Flood 2014).
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

/// Arithmetic mean; NaN for nothing.
#[must_use]
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Standard deviation with n - 1; NaN for fewer than two values.
#[must_use]
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

    /// Of many simulated experiments about 95 % should have the truth in their interval.
    #[test]
    fn the_bootstrap_covers_the_truth() {
        let mut random = SplitMix(7);
        // A sum of twelve uniforms less six is normal enough; the mean is 0.
        let mut normal = || (0..12).map(|_| random.next() as f64 / u64::MAX as f64).sum::<f64>() - 6.0;
        let experiments = 200;
        let covered = (0..experiments)
            .filter(|_| {
                let values: Vec<f64> = (0..40).map(|_| normal()).collect();
                let clusters: Vec<Vec<usize>> = (0..40).map(|i| vec![i]).collect();
                let drawn = |items: &[usize]| items.iter().map(|&i| values[i]).sum::<f64>() / 40.0;
                let i = bootstrap(&clusters, drawn);
                i.low <= 0.0 && 0.0 <= i.high
            })
            .count();
        assert!((180..=198).contains(&covered), "{covered} of {experiments}");
    }

    /// Four positions of each game that share most of their luck: games must be drawn, not positions.
    #[test]
    fn drawing_clusters_covers_where_drawing_positions_does_not() {
        let mut random = SplitMix(11);
        let mut normal = || (0..12).map(|_| random.next() as f64 / u64::MAX as f64).sum::<f64>() - 6.0;
        let experiments = 200;
        let mut covered = [0, 0];
        for _ in 0..experiments {
            let games: Vec<Vec<f64>> = (0..30)
                .map(|_| {
                    let shared = normal();
                    (0..4).map(|_| shared + 0.3 * normal()).collect()
                })
                .collect();
            let whole: Vec<Vec<f64>> = games.iter().map(|game| vec![game.iter().sum(), 4.0]).collect();
            let single: Vec<Vec<f64>> = games.iter().flatten().map(|value| vec![*value, 1.0]).collect();
            for (count, clusters) in covered.iter_mut().zip([whole, single]) {
                let i = bootstrap_totals(&clusters, |sums| vec![sums[0] / sums[1]])[0];
                *count += usize::from(i.low <= 0.0 && 0.0 <= i.high);
            }
        }
        let [games, positions] = covered;
        assert!((178..=198).contains(&games), "{games} of {experiments}");
        assert!(positions < 160, "{positions} of {experiments}");
    }

    #[test]
    fn totals_give_the_interval_of_the_items() {
        let values: Vec<f64> = (0..30).map(|i| f64::from(i * i % 17)).collect();
        let clusters: Vec<Vec<usize>> = (0..10).map(|i| vec![3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let slow = bootstrap(&clusters, |items| items.iter().map(|&i| values[i]).sum::<f64>() / 30.0);
        let totals: Vec<Vec<f64>> =
            clusters.iter().map(|items| vec![items.iter().map(|&i| values[i]).sum()]).collect();
        let fast = bootstrap_totals(&totals, |sums| vec![sums[0] / 30.0])[0];
        for (a, b) in [(slow.estimate, fast.estimate), (slow.low, fast.low), (slow.high, fast.high)] {
            assert!((a - b).abs() < 1e-12, "{slow:?} {fast:?}");
        }
        assert!(bootstrap_totals(&totals[..1], |sums| vec![sums[0]])[0].low.is_nan());
        assert!(bootstrap_totals(&[], |sums| sums.to_vec()).is_empty());
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
