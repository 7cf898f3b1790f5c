//! What the score of a match says about strength: Elo, normalised Elo, likelihood of superiority.
//!
//! The two games of a pair share their opening, so they are no independent trials: the pair is the trial, its five
//! possible scores are the pentanomial counts, and their spread gives every interval. Where too little was played for a number there is none: nothing here
//! guesses, and nothing is NaN. The sequential test comes last.
//!
//! Sources: Elo's logistic curve; normalised Elo and its scale, Van den Bergh, "Normalized Elo" (2021).
//!
//! The sequential probability ratio test is between two normalised Elo differences. Its log-likelihood ratio is the generalised
//! one: under either hypothesis the five probabilities are the likeliest ones that have the hypothesis' normalised Elo. Cells
//! without a count get a thousandth, or one such cell would decide everything. Sources: Van den Bergh, "A practical introduction to the
//! GSPRT" and "The generalized maximum likelihood ratio for the expectation value of a distribution"; alpha = beta = 0.05 gives the bounds
//! of +-2.94 that testing frameworks use.

use crate::interval::{Interval, z95};
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};
use std::f64::consts::LN_10;

/// Normalised Elo of one standard deviation of a game: 800 / ln 10, the slope of Elo's curve at 50 %, times 2.
pub const NORMALISED: f64 = 800.0 / LN_10;

/// The pairs of a match by the points of the first player in both games, 0, 0.5, 1, 1.5 and 2; in tables five numbers with blanks
/// between them. All that is said of the strength of two players follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pentanomial(pub [u64; 5]);

impl From<Pentanomial> for String {
    fn from(Pentanomial(cells): Pentanomial) -> String {
        cells.map(|cell| cell.to_string()).join(" ")
    }
}

impl TryFrom<String> for Pentanomial {
    type Error = String;

    fn try_from(text: String) -> Result<Pentanomial, String> {
        let cells: Result<Vec<u64>, _> = text.split_whitespace().map(str::parse).collect();
        let cells = cells.ok().and_then(|cells| cells.try_into().ok());
        cells.map(Pentanomial).ok_or_else(|| {
            format!("found `{text}`, expected the pairs by points, five numbers as in `3 20 90 60 27`")
        })
    }
}

/// The score of some trials and its spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// Trials.
    pub trials: u64,
    /// Mean, 0 to 1.
    pub mean: f64,
    /// Standard deviation of one trial (of the trials seen: divided by n).
    pub deviation: f64,
    /// Games in a trial: 1 or 2.
    games: f64,
}

impl Pentanomial {
    /// Pairs of games.
    pub fn pairs(self) -> u64 {
        self.0.iter().sum()
    }

    /// Mean and spread; `None` without pairs.
    pub fn score(self) -> Option<Score> {
        Score::of(&self.0, 2.0)
    }
}

impl Score {
    /// That of trials of so many games, from how many ended with each of some results, worst first, evenly spaced from 0 to 1.
    fn of(cells: &[u64], games: f64) -> Option<Score> {
        let trials: u64 = cells.iter().sum();
        let value = |index: usize| index as f64 / (cells.len() - 1) as f64;
        let expect = |f: &dyn Fn(f64) -> f64| {
            cells.iter().enumerate().map(|(i, &n)| n as f64 * f(value(i))).sum::<f64>() / trials as f64
        };
        let mean = expect(&|x| x);
        let deviation = expect(&|x| (x - mean).powi(2)).sqrt();
        (trials > 0).then_some(Score { trials, mean, deviation, games })
    }

    /// Standard error of the mean; `None` where all trials ended alike.
    pub fn error(&self) -> Option<f64> {
        (self.deviation > 0.0).then(|| self.deviation / (self.trials as f64).sqrt())
    }

    /// The mean with its interval, cut to 0..1.
    pub fn mean(&self) -> Interval {
        let ends = self.error().map(|error| {
            let spread = z95() * error;
            ((self.mean - spread).max(0.0), (self.mean + spread).min(1.0))
        });
        Interval::of(self.mean, ends)
    }

    /// Elo difference: the logistic curve of the mean and of the ends of its interval.
    pub fn elo(&self) -> Interval {
        self.mean().map(elo)
    }

    /// Normalised Elo: the distance of the mean from 50 % in standard deviations of a game. `None` where all trials
    /// ended alike: then there is no deviation to measure by.
    pub fn normalised_elo(&self) -> Option<Interval> {
        let error = self.error()?;
        // A trial of two games has half the variance of one game in its mean.
        let unit = NORMALISED / (self.games.sqrt() * self.deviation);
        let (estimate, spread) = ((self.mean - 0.5) * unit, z95() * error * unit);
        Some(Interval::around(estimate, spread))
    }

    /// Two-sided p-value of the mean being 50 %; `None` where all trials ended alike.
    pub fn p(&self) -> Option<f64> {
        Some(2.0 * Normal::standard().sf(((self.mean - 0.5) / self.error()?).abs()))
    }

    /// An even match of so many trials that vary as these do.
    pub fn even(&self, trials: u64) -> Score {
        Score { trials, mean: 0.5, ..*self }
    }

    /// The Elo difference that tests at `level` show in 80 of 100 matches of this length and spread; `None` where all trials
    /// ended alike.
    pub fn detectable(&self, level: f64) -> Option<f64> {
        let normal = Normal::standard();
        let points = normal.inverse_cdf(1.0 - level / 2.0) + normal.inverse_cdf(0.8);
        Some(elo((0.5 + points * self.error()?).min(1.0)))
    }

    /// Likelihood that the first player is the stronger one: the normal distribution at the distance of the mean from
    /// 50 % in standard errors. `None` where all trials ended alike.
    pub fn superiority(&self) -> Option<f64> {
        let error = self.error()?;
        Some(Normal::standard().cdf((self.mean - 0.5) / error))
    }
}

/// Elo difference at which a score, 0 to 1, is expected; infinite at the ends.
pub fn elo(score: f64) -> f64 {
    // In this form both ends divide to an infinity of the right sign, and 0.5 gives 0 without a sign.
    let odds = score / (1.0 - score);
    if odds == 1.0 { 0.0 } else { 400.0 * odds.log10() }
}

/// The score, 0 to 1, that is expected at an Elo difference: the inverse of [`elo`].
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

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
pub fn bounds() -> (f64, f64) {
    ((ERROR / (1.0 - ERROR)).ln(), ((1.0 - ERROR) / ERROR).ln())
}

impl Hypotheses {
    /// The log-likelihood ratio of the alternative to the null hypothesis; 0 without pairs.
    pub fn ratio(&self, pairs: Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let filled = pairs.0.map(|n| if n == 0 { EMPTY } else { n as f64 });
        let total: f64 = filled.iter().sum();
        let seen = filled.map(|n| n / total);
        let unit = 2.0_f64.sqrt() / NORMALISED;
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
    use super::*;

    /// A published sample: fastchess pull request 783.
    pub(super) const SAMPLE: Pentanomial = Pentanomial([379, 10_170, 21_828, 10_640, 343]);

    fn rounded(x: f64) -> f64 {
        (100.0 * x).round() / 100.0
    }

    #[test]
    fn the_published_sample_comes_out_as_published() {
        let normalised = SAMPLE.score().unwrap().normalised_elo().unwrap();
        let (low, high) = normalised.ends().unwrap();
        assert_eq!(rounded(normalised.estimate), 3.05);
        assert_eq!(rounded((high - low) / 2.0), 2.31);
    }

    #[test]
    fn elo_and_score_are_one_curve_symmetrical_about_the_middle() {
        assert_eq!(elo(0.5), 0.0);
        assert!((elo(10.0 / 11.0) - 400.0).abs() < 1e-9);
        for score in [0.01, 0.2, 0.499] {
            assert!((elo(score) + elo(1.0 - score)).abs() < 1e-9);
            assert!((expected_score(elo(score)) - score).abs() < 1e-12);
        }
        assert_eq!((elo(0.0), elo(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn swapping_the_players_mirrors_every_number() {
        let one = Pentanomial([1, 5, 20, 9, 3]).score().unwrap();
        let other = Pentanomial([3, 9, 20, 5, 1]).score().unwrap();
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
        close(one.elo().estimate, -other.elo().estimate);
        close(one.elo().ends().unwrap().0, -other.elo().ends().unwrap().1);
        close(one.superiority().unwrap(), 1.0 - other.superiority().unwrap());
        close(one.normalised_elo().unwrap().estimate, -other.normalised_elo().unwrap().estimate);
    }

    /// Pairs whose games are independent say the same as the games: then the trial is only grouped otherwise.
    #[test]
    fn independent_pairs_say_what_their_games_say() {
        // A third of each result, squared: the pairs of all nine combinations.
        let pairs = Pentanomial([100, 200, 300, 200, 100]).score().unwrap();
        let games = Score::of(&[600, 600, 600], 1.0).unwrap();
        assert!((pairs.error().unwrap() - games.error().unwrap()).abs() < 1e-12);
        let same = (pairs.normalised_elo().unwrap(), games.normalised_elo().unwrap());
        assert!((same.0.ends().unwrap().1 - same.1.ends().unwrap().1).abs() < 1e-9);
    }

    /// 2.8016 standard errors are the textbook's two points for 5 % and 80 %.
    #[test]
    fn what_a_match_detects_is_the_sum_of_two_points_and_shrinks_with_its_length() {
        let score = SAMPLE.score().unwrap().even(1000);
        let expected = elo(0.5 + 2.8016 * score.deviation / 1000_f64.sqrt());
        assert!((score.detectable(0.05).unwrap() - expected).abs() < 1e-2);
        assert!(score.detectable(0.005) > score.detectable(0.05), "a stricter test needs more");
        assert!(score.even(4000).detectable(0.05).unwrap() < expected / 1.9);
        assert_eq!(Pentanomial([0, 0, 7, 0, 0]).score().unwrap().detectable(0.05), None);
    }

    #[test]
    fn too_little_gives_no_number_and_never_nan() {
        assert_eq!(Pentanomial([0; 5]).score(), None);
        for (cells, expected) in
            [([0, 0, 0, 0, 7], f64::INFINITY), ([7, 0, 0, 0, 0], f64::NEG_INFINITY), ([0, 0, 7, 0, 0], 0.0)]
        {
            let score = Pentanomial(cells).score().unwrap();
            assert_eq!((score.elo().estimate, score.elo().ends()), (expected, None));
            assert_eq!((score.normalised_elo(), score.superiority()), (None, None));
        }
        // An interval that reaches past a score of 1 ends at infinity.
        let score = Pentanomial([0, 0, 0, 1, 4]).score().unwrap();
        assert_eq!(score.elo().ends().unwrap().1, f64::INFINITY);
        assert!(score.elo().ends().unwrap().0.is_finite());
    }

    const BOUNDS: Hypotheses = Hypotheses { elo0: 0.0, elo1: 2.0 };

    /// Second-order approximation: (N/2) ln((1 + (t - t0)^2) / (1 + (t - t1)^2)).
    fn approximate(pairs: Pentanomial, hypotheses: Hypotheses) -> f64 {
        let score = pairs.score().unwrap();
        let unit = 2.0_f64.sqrt() / NORMALISED;
        let t = (score.mean - 0.5) / score.deviation;
        let part = |elo: f64| 1.0 + (t - elo * unit).powi(2);
        score.trials as f64 / 2.0 * (part(hypotheses.elo0) / part(hypotheses.elo1)).ln()
    }

    #[test]
    fn the_published_ratio_is_the_approximation_and_ours_is_close() {
        // fastchess pull request 783 prints 2.94598 for this sample.
        assert!((approximate(SAMPLE, BOUNDS) - 2.94598).abs() < 5e-6);
        assert!((BOUNDS.ratio(SAMPLE) - 2.94598).abs() < 1e-3);
        assert_eq!(Hypotheses::decide(BOUNDS.ratio(SAMPLE)), Decision::Alternative);
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
        let likeliest = Pentanomial([10, 20, 30, 25, 15]);
        let score = likeliest.score().unwrap();
        let elo = (score.mean - 0.5) / (score.deviation * 2f64.sqrt()) * NORMALISED;
        for other in [elo - 50.0, elo + 50.0] {
            assert!(Hypotheses { elo0: other, elo1: elo }.ratio(likeliest) > 0.0);
        }
    }

    #[test]
    fn the_ratio_is_antisymmetric_and_grows_with_the_trials() {
        let counts = Pentanomial([5, 20, 40, 30, 8]);
        let swapped = Hypotheses { elo0: 2.0, elo1: 0.0 };
        assert!((BOUNDS.ratio(counts) + swapped.ratio(counts)).abs() < 1e-9);
        let tenfold = Pentanomial([50, 200, 400, 300, 80]);
        assert!((BOUNDS.ratio(tenfold) / BOUNDS.ratio(counts) - 10.0).abs() < 1e-6);
    }

    #[test]
    fn one_sided_counts_give_a_finite_ratio_of_the_right_sign() {
        assert_eq!(BOUNDS.ratio(Pentanomial([0; 5])), 0.0);
        let wins = BOUNDS.ratio(Pentanomial([0, 0, 0, 0, 500]));
        let losses = BOUNDS.ratio(Pentanomial([500, 0, 0, 0, 0]));
        let draws = BOUNDS.ratio(Pentanomial([0, 0, 500, 0, 0]));
        assert!(wins.is_finite() && losses.is_finite() && draws.is_finite());
        assert!(wins > 0.0 && losses < 0.0, "{wins} {losses}");
        assert!(draws <= 0.0, "{draws}");
    }
}
