//! The sequential probability ratio test between two normalised Elo differences.
//!
//! The log-likelihood ratio is the generalised one: under either hypothesis the five (or three) probabilities are the
//! likeliest ones that have the hypothesis' normalised Elo. Cells without a count get a thousandth, or one such cell
//! would decide everything.
//!
//! Sources: Van den Bergh, "A practical introduction to the GSPRT" and "The generalized maximum likelihood ratio for
//! the expectation value of a distribution"; alpha = beta = 0.05 gives the bounds of +-2.94 that testing frameworks use.

use super::{Counts, NORMALISED};

/// Stand-in for an empty cell.
const EMPTY: f64 = 1e-3;
/// Either error: to accept the worse hypothesis, or to refuse the better.
const ERROR: f64 = 0.05;
/// Rounds of the fixed point that finds the likeliest probabilities; each gains about three digits.
const ROUNDS: usize = 20;
/// Halvings of a root's interval: more than a double has bits.
const HALVINGS: usize = 200;

/// Two hypotheses about the normalised Elo difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypotheses {
    /// Normalised Elo of the null hypothesis.
    pub elo0: f64,
    /// Normalised Elo of the alternative, larger.
    pub elo1: f64,
}

/// What the test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Nothing yet.
    Open,
    /// The null hypothesis is accepted.
    Null,
    /// The alternative is accepted.
    Alternative,
}

/// The ratio's bounds: -2.944 and 2.944.
#[must_use]
pub fn bounds() -> (f64, f64) {
    ((ERROR / (1.0 - ERROR)).ln(), ((1.0 - ERROR) / ERROR).ln())
}

impl Hypotheses {
    /// The log-likelihood ratio of the alternative to the null hypothesis; 0 without trials.
    #[must_use]
    pub fn ratio(&self, counts: &Counts) -> f64 {
        if counts.cells().iter().sum::<u64>() == 0 {
            return 0.0;
        }
        let filled: Vec<f64> =
            counts.cells().iter().map(|&n| if n == 0 { EMPTY } else { n as f64 }).collect();
        let total: f64 = filled.iter().sum();
        let seen: Vec<f64> = filled.iter().map(|n| n / total).collect();
        let unit = f64::from(counts.games_per_trial()).sqrt() / NORMALISED;
        let null = likeliest(&seen, self.elo0 * unit);
        let alternative = likeliest(&seen, self.elo1 * unit);
        total
            * seen
                .iter()
                .zip(alternative.iter().zip(&null))
                .map(|(p, (q1, q0))| p * (q1 / q0).ln())
                .sum::<f64>()
    }

    /// What the test says at a ratio.
    #[must_use]
    pub fn decide(ratio: f64) -> Decision {
        let (low, high) = bounds();
        match ratio {
            r if r <= low => Decision::Null,
            r if r >= high => Decision::Alternative,
            _ => Decision::Open,
        }
    }
}

/// The likeliest probabilities given those seen, among those whose mean lies `t` of their own standard deviations
/// above 1/2.
///
/// The constraint mean - 1/2 - t * deviation = 0 is not linear; its gradient at the last solution is, and with it the
/// problem has a closed form but for one root ([`tilt`]). Repeating this converges.
fn likeliest(seen: &[f64], t: f64) -> Vec<f64> {
    let values: Vec<f64> = (0..seen.len()).map(|i| i as f64 / (seen.len() - 1) as f64).collect();
    let mut chances = vec![1.0 / seen.len() as f64; seen.len()];
    for _ in 0..ROUNDS {
        let mean: f64 = values.iter().zip(&chances).map(|(x, p)| x * p).sum();
        let deviation = values.iter().zip(&chances).map(|(x, p)| p * (x - mean).powi(2)).sum::<f64>().sqrt();
        let slope = |x: &f64| x - 0.5 - t * deviation * (1.0 + ((x - mean) / deviation).powi(2)) / 2.0;
        let slopes: Vec<f64> = values.iter().map(slope).collect();
        chances = tilt(seen, &slopes);
    }
    chances
}

/// p / (1 + theta * slope) with the theta for which the slopes' mean is 0: the likeliest probabilities under that
/// condition. Slopes must have both signs.
fn tilt(seen: &[f64], slopes: &[f64]) -> Vec<f64> {
    let most = slopes.iter().fold(f64::MIN, |a, &b| a.max(b));
    let least = slopes.iter().fold(f64::MAX, |a, &b| a.min(b));
    // Between the poles the sum falls from +inf to -inf, so there is exactly one root.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..HALVINGS {
        let theta = f64::midpoint(low, high);
        let sum: f64 = seen.iter().zip(slopes).map(|(p, a)| p * a / (1.0 + theta * a)).sum();
        if sum > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
    }
    let theta = f64::midpoint(low, high);
    seen.iter().zip(slopes).map(|(p, a)| p / (1.0 + theta * a)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::SAMPLE;
    use super::*;

    const BOUNDS: Hypotheses = Hypotheses { elo0: 0.0, elo1: 2.0 };

    /// Second-order approximation: (N/2) ln((1 + (t - t0)^2) / (1 + (t - t1)^2)).
    fn approximate(counts: &Counts, hypotheses: Hypotheses) -> f64 {
        let score = counts.score().unwrap();
        let unit = f64::from(counts.games_per_trial()).sqrt() / NORMALISED;
        let t = (score.mean - 0.5) / score.deviation;
        let part = |elo: f64| 1.0 + (t - elo * unit).powi(2);
        score.trials as f64 / 2.0 * (part(hypotheses.elo0) / part(hypotheses.elo1)).ln()
    }

    #[test]
    fn the_published_ratio_is_the_approximation_and_ours_is_close() {
        // fastchess pull request 783 prints 2.94598 for this sample.
        assert!((approximate(&SAMPLE, BOUNDS) - 2.94598).abs() < 5e-6);
        assert!((BOUNDS.ratio(&SAMPLE) - 2.94598).abs() < 1e-3);
        assert_eq!(Hypotheses::decide(BOUNDS.ratio(&SAMPLE)), Decision::Alternative);
    }

    #[test]
    fn likeliest_probabilities_meet_their_condition_and_beat_their_neighbours() {
        let seen = [0.1, 0.2, 0.3, 0.25, 0.15];
        for t in [-0.3, 0.0, 0.2] {
            let probabilities = likeliest(&seen, t);
            let mean: f64 = probabilities.iter().enumerate().map(|(i, p)| i as f64 / 4.0 * p).sum();
            let variance: f64 =
                probabilities.iter().enumerate().map(|(i, p)| p * (i as f64 / 4.0 - mean).powi(2)).sum();
            assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(((mean - 0.5) - t * variance.sqrt()).abs() < 1e-9, "{t}");
        }
        // The likeliest of all are those seen: any hypothesis but their own is less likely.
        let likeliest = Counts::Pairs([10, 20, 30, 25, 15]);
        let score = likeliest.score().unwrap();
        let elo = (score.mean - 0.5) / (score.deviation * 2f64.sqrt()) * NORMALISED;
        for other in [elo - 50.0, elo + 50.0] {
            assert!(Hypotheses { elo0: other, elo1: elo }.ratio(&likeliest) > 0.0);
        }
    }

    #[test]
    fn the_ratio_is_antisymmetric_and_grows_with_the_trials() {
        let counts = Counts::Pairs([5, 20, 40, 30, 8]);
        let swapped = Hypotheses { elo0: 2.0, elo1: 0.0 };
        assert!((BOUNDS.ratio(&counts) + swapped.ratio(&counts)).abs() < 1e-9);
        let tenfold = Counts::Pairs([50, 200, 400, 300, 80]);
        assert!((BOUNDS.ratio(&tenfold) / BOUNDS.ratio(&counts) - 10.0).abs() < 1e-6);
    }

    #[test]
    fn one_sided_counts_give_a_finite_ratio_of_the_right_sign() {
        assert_eq!(BOUNDS.ratio(&Counts::Pairs([0; 5])), 0.0);
        let wins = BOUNDS.ratio(&Counts::Pairs([0, 0, 0, 0, 500]));
        let losses = BOUNDS.ratio(&Counts::Pairs([500, 0, 0, 0, 0]));
        let draws = BOUNDS.ratio(&Counts::Pairs([0, 0, 500, 0, 0]));
        assert!(wins.is_finite() && losses.is_finite() && draws.is_finite());
        assert!(wins > 0.0 && losses < 0.0, "{wins} {losses}");
        assert!(draws <= 0.0, "{draws}");
    }
}
