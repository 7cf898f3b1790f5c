//! What the score of a match says about strength: Elo, normalised Elo, likelihood of superiority.
//!
//! The two games of a pair share their opening, so they are no independent trials: the pair is the trial, its five
//! possible scores are the pentanomial counts, and their spread gives every interval. Single games (three counts) are
//! there for results that were not paired. Where too little was played for a number there is none: nothing here
//! guesses, and nothing is NaN. The sequential test is in [`sprt`].
//!
//! Sources: Elo's logistic curve; normalised Elo and its scale, Van den Bergh, "Normalized Elo" (2021).

pub mod sprt;

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};
use std::f64::consts::LN_10;

/// Normalised Elo of one standard deviation of a game: 800 / ln 10, the slope of Elo's curve at 50 %, times 2.
pub const NORMALISED: f64 = 800.0 / LN_10;

/// Counts of the results of trials, from the first player's side, worst first, evenly spaced from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// Games: lost, drawn, won.
    Games([u64; 3]),
    /// Pairs of games with colours swapped, by the points of both games: 0, 0.5, 1, 1.5, 2.
    Pairs([u64; 5]),
}

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

/// An estimate with its 95 % interval; ends may be infinite, none is NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate; infinite for a score of 0 or 1.
    pub estimate: f64,
    /// The interval; `None` where all trials ended alike, which says nothing about their spread.
    pub ends: Option<(f64, f64)>,
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

impl Counts {
    /// The counts, worst result first.
    #[must_use]
    pub fn cells(&self) -> &[u64] {
        match self {
            Counts::Games(cells) => cells,
            Counts::Pairs(cells) => cells,
        }
    }

    /// The pairs by points; `None` of single games.
    #[must_use]
    pub fn pentanomial(&self) -> Option<Pentanomial> {
        match self {
            Counts::Games(_) => None,
            Counts::Pairs(cells) => Some(Pentanomial(*cells)),
        }
    }

    /// Games in a trial.
    #[must_use]
    pub fn games_per_trial(&self) -> u32 {
        match self {
            Counts::Games(_) => 1,
            Counts::Pairs(_) => 2,
        }
    }

    /// Mean and spread; `None` without trials.
    #[must_use]
    pub fn score(&self) -> Option<Score> {
        let cells = self.cells();
        let trials: u64 = cells.iter().sum();
        if trials == 0 {
            return None;
        }
        let value = |index: usize| index as f64 / (cells.len() - 1) as f64;
        let expect = |f: &dyn Fn(f64) -> f64| {
            cells.iter().enumerate().map(|(i, &n)| n as f64 * f(value(i))).sum::<f64>() / trials as f64
        };
        let mean = expect(&|x| x);
        let deviation = expect(&|x| (x - mean).powi(2)).sqrt();
        Some(Score { trials, mean, deviation, games: f64::from(self.games_per_trial()) })
    }
}

impl Score {
    /// Standard error of the mean; `None` where all trials ended alike.
    #[must_use]
    pub fn error(&self) -> Option<f64> {
        (self.deviation > 0.0).then(|| self.deviation / (self.trials as f64).sqrt())
    }

    /// The mean with its interval, cut to 0..1.
    #[must_use]
    pub fn mean(&self) -> Estimate {
        let ends = self.error().map(|error| {
            let spread = z95() * error;
            ((self.mean - spread).max(0.0), (self.mean + spread).min(1.0))
        });
        Estimate { estimate: self.mean, ends }
    }

    /// Elo difference: the logistic curve of the mean and of the ends of its interval.
    #[must_use]
    pub fn elo(&self) -> Estimate {
        let mean = self.mean();
        Estimate { estimate: elo(mean.estimate), ends: mean.ends.map(|(low, high)| (elo(low), elo(high))) }
    }

    /// Normalised Elo: the distance of the mean from 50 % in standard deviations of a game. `None` where all trials
    /// ended alike: then there is no deviation to measure by.
    #[must_use]
    pub fn normalised_elo(&self) -> Option<Estimate> {
        let error = self.error()?;
        // A trial of two games has half the variance of one game in its mean.
        let unit = NORMALISED / (self.games.sqrt() * self.deviation);
        let (estimate, spread) = ((self.mean - 0.5) * unit, z95() * error * unit);
        Some(Estimate { estimate, ends: Some((estimate - spread, estimate + spread)) })
    }

    /// Two-sided p-value of the mean being 50 %; `None` where all trials ended alike.
    #[must_use]
    pub fn p(&self) -> Option<f64> {
        Some(2.0 * Normal::standard().sf(((self.mean - 0.5) / self.error()?).abs()))
    }

    /// An even match of so many trials that vary as these do.
    #[must_use]
    pub fn even(&self, trials: u64) -> Score {
        Score { trials, mean: 0.5, ..*self }
    }

    /// The Elo difference that tests at `level` show in 80 of 100 matches of this length and spread; `None` where all trials
    /// ended alike.
    #[must_use]
    pub fn detectable(&self, level: f64) -> Option<f64> {
        let normal = Normal::standard();
        let points = normal.inverse_cdf(1.0 - level / 2.0) + normal.inverse_cdf(0.8);
        Some(elo((0.5 + points * self.error()?).min(1.0)))
    }

    /// Likelihood that the first player is the stronger one: the normal distribution at the distance of the mean from
    /// 50 % in standard errors. `None` where all trials ended alike.
    #[must_use]
    pub fn superiority(&self) -> Option<f64> {
        let error = self.error()?;
        Some(Normal::standard().cdf((self.mean - 0.5) / error))
    }
}

/// The two-sided 95 % point of the standard normal distribution.
fn z95() -> f64 {
    Normal::standard().inverse_cdf(0.975)
}

/// Elo difference at which a score, 0 to 1, is expected; infinite at the ends.
#[must_use]
pub fn elo(score: f64) -> f64 {
    // In this form both ends divide to an infinity of the right sign, and 0.5 gives 0 without a sign.
    let odds = score / (1.0 - score);
    if odds == 1.0 { 0.0 } else { 400.0 * odds.log10() }
}

/// The score, 0 to 1, that is expected at an Elo difference: the inverse of [`elo`].
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A published sample: fastchess pull request 783.
    pub(super) const SAMPLE: Counts = Counts::Pairs([379, 10_170, 21_828, 10_640, 343]);

    fn rounded(x: f64) -> f64 {
        (100.0 * x).round() / 100.0
    }

    #[test]
    fn the_published_sample_comes_out_as_published() {
        let normalised = SAMPLE.score().unwrap().normalised_elo().unwrap();
        let (low, high) = normalised.ends.unwrap();
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
        let one = Counts::Pairs([1, 5, 20, 9, 3]).score().unwrap();
        let other = Counts::Pairs([3, 9, 20, 5, 1]).score().unwrap();
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
        close(one.elo().estimate, -other.elo().estimate);
        close(one.elo().ends.unwrap().0, -other.elo().ends.unwrap().1);
        close(one.superiority().unwrap(), 1.0 - other.superiority().unwrap());
        close(one.normalised_elo().unwrap().estimate, -other.normalised_elo().unwrap().estimate);
    }

    /// Pairs whose games are independent say the same as the games: then the trial is only grouped otherwise.
    #[test]
    fn independent_pairs_say_what_their_games_say() {
        // A third of each result, squared: the pairs of all nine combinations.
        let pairs = Counts::Pairs([100, 200, 300, 200, 100]).score().unwrap();
        let games = Counts::Games([600, 600, 600]).score().unwrap();
        assert!((pairs.error().unwrap() - games.error().unwrap()).abs() < 1e-12);
        let same = (pairs.normalised_elo().unwrap(), games.normalised_elo().unwrap());
        assert!((same.0.ends.unwrap().1 - same.1.ends.unwrap().1).abs() < 1e-9);
    }

    /// 2.8016 standard errors are the textbook's two points for 5 % and 80 %.
    #[test]
    fn what_a_match_detects_is_the_sum_of_two_points_and_shrinks_with_its_length() {
        let score = SAMPLE.score().unwrap().even(1000);
        let expected = elo(0.5 + 2.8016 * score.deviation / 1000_f64.sqrt());
        assert!((score.detectable(0.05).unwrap() - expected).abs() < 1e-2);
        assert!(score.detectable(0.005) > score.detectable(0.05), "a stricter test needs more");
        assert!(score.even(4000).detectable(0.05).unwrap() < expected / 1.9);
        assert_eq!(Counts::Pairs([0, 0, 7, 0, 0]).score().unwrap().detectable(0.05), None);
    }

    #[test]
    fn too_little_gives_no_number_and_never_nan() {
        assert_eq!(Counts::Pairs([0; 5]).score(), None);
        for (cells, expected) in
            [([0, 0, 0, 0, 7], f64::INFINITY), ([7, 0, 0, 0, 0], f64::NEG_INFINITY), ([0, 0, 7, 0, 0], 0.0)]
        {
            let score = Counts::Pairs(cells).score().unwrap();
            assert_eq!(score.elo(), Estimate { estimate: expected, ends: None });
            assert_eq!((score.normalised_elo(), score.superiority()), (None, None));
        }
        // An interval that reaches past a score of 1 ends at infinity.
        let score = Counts::Pairs([0, 0, 0, 1, 4]).score().unwrap();
        assert_eq!(score.elo().ends.unwrap().1, f64::INFINITY);
        assert!(score.elo().ends.unwrap().0.is_finite());
    }
}
