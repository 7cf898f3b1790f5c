//! From differences at positions to one number, with its interval and its test.

use super::share::clustered_difference;
use super::spread::{FEWEST, Spread};
use super::{Shown, Test, mcnemar, sign_flip};
use crate::interval::{Interval, mean_spread};
use statrs::distribution::{Binomial, DiscreteCDF};

/// How the differences at positions become one number, and by which test. Which interval holds for which kind was found by
/// simulation (the example `coverage` of `secateur-lab`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mean {
    /// The geometric mean of ratios: Student's law of their logarithms.
    Geometric,
    /// The mean of differences that may be skewed: Student's test, Hall's interval.
    Arithmetic,
    /// The mean of losses, which are 0 at most positions and large at few: the sign-flip test.
    Losses,
    /// The difference of two shares of positions: Bonett & Price's interval, and McNemar's test with whole source games.
    Share,
}

impl Mean {
    /// A value as differences are taken of it: of ratios its logarithm.
    pub fn scale(self, value: f64) -> f64 {
        if self == Mean::Geometric { value.ln() } else { value }
    }

    /// The first value less the second on that scale. The logarithm of the quotient has fewer rounding errors than two logarithms.
    pub fn difference(self, first: f64, second: f64) -> f64 {
        if self == Mean::Geometric { (first / second).ln() } else { first - second }
    }

    /// [`Mean::estimate`] of differences, each with its source game.
    pub fn over_games<'a>(self, differences: impl Iterator<Item = (&'a str, f64)>) -> Option<Estimate> {
        let mut differences: Vec<(&str, f64)> = differences.collect();
        // Stable, and one pass where the positions of a game follow each other in the order of games, as in most runs.
        differences.sort_by(|one, other| one.0.cmp(other.0));
        let values: Vec<f64> = differences.iter().map(|(_, value)| *value).collect();
        let (mut games, mut rest) = (Vec::new(), values.as_slice());
        for of_game in differences.chunk_by(|one, other| one.0 == other.0) {
            let (game, others) = rest.split_at(of_game.len());
            games.push(game);
            rest = others;
        }
        self.of_games(&games)
    }

    /// The mean of differences, those of each source game together; of ratios they are logarithms. `None` without any.
    pub fn estimate(self, games: &[Vec<f64>]) -> Option<Estimate> {
        let games = games.iter().map(Vec::as_slice).filter(|values| !values.is_empty());
        self.of_games(&games.collect::<Vec<_>>())
    }

    /// The same of games that all have a difference.
    fn of_games(self, games: &[&[f64]]) -> Option<Estimate> {
        let sums: Vec<f64> = games.iter().map(|values| values.iter().sum()).collect();
        let totals: Vec<[f64; 2]> =
            sums.iter().zip(games).map(|(sum, values)| [*sum, values.len() as f64]).collect();
        let spread = mean_spread(&totals);
        let above =
            |sign: f64| games.iter().copied().flatten().filter(|value| sign * **value > 0.0).count() as u64;
        let only = [above(1.0), above(-1.0)];
        let within = match self {
            Mean::Geometric => spread.student().exp(),
            Mean::Arithmetic => spread.skewed(),
            Mean::Losses => spread.heavy(sums.iter().filter(|sum| **sum != 0.0).count()),
            Mean::Share => clustered_difference(games),
        };
        let p = match self {
            Mean::Geometric | Mean::Arithmetic => spread.p(),
            Mean::Losses | Mean::Share => sign_flip(&sums),
        };
        let n = games.iter().map(|values| values.len()).sum();
        (n > 0).then_some(Estimate { mean: self, n, only, spread, within, p })
    }
}

/// A mean difference with its interval and its test.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// What it is the mean of.
    pub mean: Mean,
    /// Positions.
    pub n: usize,
    /// Positions at which the first, and at which the second, has more.
    pub only: [u64; 2],
    /// Of the differences; of ratios of the logarithms. Its sign is the direction.
    pub spread: Spread,
    /// The ratio or the difference, with its 95 % interval over source games where there is one.
    pub within: Interval,
    /// Two-sided p-value of no difference, of this test alone until it is corrected with its family.
    pub p: f64,
}

impl Estimate {
    /// Its test.
    pub fn test(&self) -> Test {
        Test::of(self.spread.estimate, self.p)
    }

    /// What its test shows: above, the ratio lies above 1 or the difference above 0. Of a ratio a claim needs an interval too.
    pub fn shown(&self) -> Shown {
        match self.mean == Mean::Geometric && !self.within.has_ends() {
            true => Shown::No,
            false => self.test().shown(),
        }
    }

    /// Whether not a single position differs.
    pub fn is_nothing(&self) -> bool {
        self.only == [0, 0]
    }

    /// The same without a p-value where not a single position differs, for families that count only what could have come out
    /// otherwise.
    pub fn if_any(self) -> Estimate {
        Estimate { p: if self.is_nothing() { f64::NAN } else { self.p }, ..self }
    }

    /// The factor that this run would have shown in 80 of 100 experiments by a test at `level`, above 1; of a ratio. `None`
    /// where so few source games give no test.
    pub fn could_have_shown(&self, level: f64) -> Option<f64> {
        let factor = self.spread.detectable(level).exp();
        (factor.is_finite() && self.spread.clusters >= FEWEST).then_some(factor)
    }

    /// The ratio, the difference or the number of positions that tests at `level` would have shown in 80 of 100 such samples;
    /// `None` if there is no such number of positions.
    pub fn detectable(&self, level: f64) -> Option<f64> {
        match self.mean {
            Mean::Geometric => Some(self.spread.detectable(level).exp()),
            Mean::Arithmetic | Mean::Losses => Some(self.spread.detectable(level)),
            Mean::Share => one_way(self.n, level),
        }
    }

    /// The same in larger units, of `per_unit` each.
    pub fn in_units(self, per_unit: f64) -> Estimate {
        Estimate { spread: self.spread.in_units(per_unit), within: self.within.in_units(per_unit), ..self }
    }
}

/// How many of `n` positions must be expected to change one way, and none the other, so that McNemar's test shows it at
/// `level` in 80 of 100 samples; `None` if even all of them would not.
fn one_way(n: usize, level: f64) -> Option<f64> {
    let n = n as u64;
    let least = (1..=n).find(|&k| mcnemar(k, 0) <= level)?;
    let power = |share: f64| Binomial::new(share, n).map_or(0.0, |law| law.sf(least - 1));
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        *if power(middle) < 0.8 { &mut low } else { &mut high } = middle;
    }
    Some((high * n as f64).ceil())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six of six is the least that McNemar's test shows at 5 %: 2 / 2^6 = 0.031.
    #[test]
    fn what_a_sample_can_show_one_way() {
        let expected = one_way(60, 0.05).unwrap();
        // With 8 of 60 expected, six or more come in 80 of 100 samples.
        assert!((7.0..=9.0).contains(&expected), "{expected}");
        assert!(one_way(60, 0.005).unwrap() > expected);
        assert_eq!(one_way(5, 0.05), None);
    }

    /// t = 2.776 is the two-sided 5 % point with 4 degrees of freedom (any table of Student's law).
    #[test]
    fn the_tabled_point_gives_five_percent() {
        let spread = [-2.0, -1.0, 0.0, 1.0, 2.0];
        let standard_error = (2.5_f64 / 5.0).sqrt();
        let games: Vec<Vec<f64>> = spread.iter().map(|x| vec![x + 2.776 * standard_error]).collect();
        let estimate = Mean::Geometric.estimate(&games).unwrap();
        assert!((estimate.p - 0.05).abs() < 1e-4, "{estimate:?}");
        assert!((estimate.within.estimate - (2.776 * standard_error).exp()).abs() < 1e-9);
    }

    #[test]
    fn a_game_counts_once_however_many_positions_it_gave() {
        let single = [vec![0.1], vec![0.5], vec![0.3], vec![]];
        let repeated = [vec![0.1; 50], vec![0.5; 50], vec![0.3; 50]];
        for mean in [Mean::Geometric, Mean::Arithmetic, Mean::Losses] {
            let [one, other] = [&single[..], &repeated[..]].map(|games| mean.estimate(games).unwrap());
            assert!((one.p - other.p).abs() < 1e-12 && (one.n, other.n) == (3, 150), "{mean:?}");
        }
    }

    #[test]
    fn nothing_to_test_gives_no_answer() {
        assert!(Mean::Geometric.estimate(&[]).is_none());
        let one = Mean::Geometric.estimate(&[vec![1.0]]).unwrap();
        assert!(one.p.is_nan() && one.shown() == Shown::No && !one.is_nothing());
        let same = Mean::Losses.estimate(&[vec![0.0], vec![0.0]]).unwrap();
        assert!(same.p == 1.0 && same.is_nothing() && same.if_any().p.is_nan());
        // Two games have Student's test and no interval: nothing is claimed of their ratio.
        let two = Mean::Geometric.estimate(&[vec![1.0], vec![1.0]]).unwrap();
        assert!(two.p == 0.0 && two.shown() == Shown::No);
    }
}
