//! Shares whose trials are not independent, and differences of shares at the same positions.
//!
//! Cuts of one tree hold or break together. So Wilson's interval is taken with the number of independent cuts that those at
//! hand are worth: their number over the design effect (Kish 1965), less what is lost because the design effect is itself an
//! estimate (Korn & Graubard 1998). Sources: Wilson 1927; Bonett & Price 2012 (paired difference).
//!
//! Only positions on which two methods disagree say whether both do right about equally often (McNemar 1947, in the exact form: binomial,
//! two-sided). Positions count as independent there; where a source game gave several, p is too small.

use super::spread::{Spread, effective, spread, t95};
use crate::interval::{Interval, mean_spread, wilson_of, z95};
use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, Normal};

/// Fewer positions with a success than this say nothing of the design effect.
const FEWEST: usize = 3;
/// Of fewer positions the interval of a difference is too wide to say anything.
const FEWEST_PAIRS: usize = 20;

/// A share over positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// All successes over all trials.
    pub share: f64,
    /// The independent trials that these are worth.
    pub trials: f64,
}

/// The share of successes, from (successes, trials) of each position; `None` without trials.
///
/// With fewer than three positions that have a success, each position counts as one trial: wider than it need be.
pub fn clustered(positions: &[(f64, f64)]) -> Option<Share> {
    let positions: Vec<Vec<f64>> =
        positions.iter().filter(|(_, n)| *n > 0.0).map(|(x, n)| vec![*x, *n]).collect();
    let all: f64 = positions.iter().map(|position| position[1]).sum();
    if positions.is_empty() {
        return None;
    }
    let ratio: Spread = spread(&positions, |sums| sums[0] / sums[1]);
    let (share, worth) = (ratio.estimate, effective(positions.iter().map(|position| position[1])));
    let successful = positions.iter().filter(|position| position[0] > 0.0).count();
    if successful < FEWEST {
        return Some(Share { share, trials: worth });
    }
    let design = (ratio.error.powi(2) * all / (share * (1.0 - share))).max(1.0);
    let freedom = ratio.freedom().min(worth - 1.0).min(successful as f64 - 1.0);
    Some(Share { share, trials: all / design * (z95() / t95(freedom)).powi(2) })
}

impl Share {
    /// Its 95 % interval.
    pub fn interval(&self) -> Interval {
        wilson_of(self.share, self.trials)
    }

    /// Two-sided p-value of the share being `expected`: the test that belongs to the interval.
    pub fn p(&self, expected: f64) -> f64 {
        let z = (self.share - expected) / (expected * (1.0 - expected) / self.trials).sqrt();
        2.0 * Normal::standard().sf(z.abs())
    }
}

/// The second less the first share of `n` positions, of which `first` are successes of the first alone and `second` of the
/// second alone, with its 95 % interval, none for fewer than 20 positions; the test that belongs to it is McNemar's.
pub fn paired_difference(first: u64, second: u64, n: usize) -> Interval {
    difference_of([first as f64, second as f64], n as f64, n as f64)
}

/// The same from the differences at the positions of each source game (-1, 0 or 1): the mean difference, with the interval of so
/// many positions as those of all games are worth. Positions of one game that differ together are worth fewer.
pub fn clustered_difference(games: &[&[f64]]) -> Interval {
    let all = games.concat();
    let n = all.len() as f64;
    let [first, second] = [-1.0, 1.0].map(|which| all.iter().filter(|value| **value == which).count());
    let totals: Vec<[f64; 2]> = games.iter().map(|game| [game.iter().sum(), game.len() as f64]).collect();
    let mean = mean_spread(&totals);
    let centre = mean.estimate;
    let simple = ((first + second) as f64 / n - centre * centre) / n;
    let design = if simple > 0.0 { (mean.error.powi(2) / simple).max(1.0) } else { 1.0 };
    let worth = |count: usize| count as f64 / design;
    difference_of([worth(first), worth(second)], n / design, (n / design).min(games.len() as f64))
}

/// Bonett & Price's interval from counts that need not be whole; none where so many independent positions are too few.
fn difference_of([first, second]: [f64; 2], n: f64, independent: f64) -> Interval {
    if independent < FEWEST_PAIRS as f64 {
        return Interval::none((second - first) / n);
    }
    let [one, other] = [first, second].map(|count| (count + 1.0) / (n + 2.0));
    let centre = other - one;
    let reach = z95() * ((one + other - centre * centre) / (n + 2.0)).sqrt();
    Interval {
        estimate: (second - first) / n,
        low: (centre - reach).max(-1.0),
        high: (centre + reach).min(1.0),
    }
}

/// Two-sided p-value of `only_first` positions that only the first method got right and `only_second` that only the
/// second did; 1 if there are none, or as many of both.
pub fn mcnemar(only_first: u64, only_second: u64) -> f64 {
    binomial(only_first.min(only_second), only_first + only_second, 0.5)
}

/// Two-sided p-value of so many successes where each trial has one with this probability, the lesser tail twice; 1 without
/// trials.
pub fn binomial(successes: u64, trials: u64, share: f64) -> f64 {
    let Ok(law) = Binomial::new(share, trials) else { return 1.0 };
    let (below, above) = (law.cdf(successes), if successes == 0 { 1.0 } else { law.sf(successes - 1) });
    (2.0 * below.min(above)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interval::wilson;

    #[test]
    fn independent_cuts_are_worth_nearly_their_number() {
        // Every fifth position breaks one of four: 4, 20, ... no two alike more than chance would have it.
        let even: Vec<(f64, f64)> = (0..100).map(|i| (f64::from(u8::from(i % 5 == 0)), 4.0)).collect();
        let share = clustered(&even).unwrap();
        assert!((share.share - 0.05).abs() < 1e-12 && (300.0..=400.0).contains(&share.trials), "{share:?}");
        let wilson = wilson(20, 400).unwrap();
        let interval = share.interval();
        assert!((interval.low - wilson.low).abs() < 0.005 && interval.high >= wilson.high);
    }

    /// The same shares, but the broken cuts of five positions are in one.
    #[test]
    fn cuts_that_break_together_are_worth_less() {
        let lumps: Vec<(f64, f64)> = (0..100).map(|i| (if i % 25 == 0 { 4.0 } else { 0.0 }, 4.0)).collect();
        let share = clustered(&lumps).unwrap();
        assert!(share.trials < 110.0, "{share:?}");
        assert!(share.p(0.02) > 0.05 && share.p(0.5) < 1e-6);
    }

    #[test]
    fn without_a_broken_cut_each_position_counts_once() {
        let share = clustered(&[(0.0, 50.0), (0.0, 50.0), (0.0, 0.0)]).unwrap();
        assert!((share.trials - 2.0).abs() < 1e-9);
        assert_eq!(share.interval().low, 0.0);
        assert_eq!((clustered(&[]), clustered(&[(0.0, 0.0)])), (None, None));
    }

    /// Bonett & Price: with nothing discordant the interval is symmetric around 0, and turning the sides turns it.
    #[test]
    fn paired_differences_turn_with_their_sides() {
        let (one, other) = (paired_difference(11, 0, 60), paired_difference(0, 11, 60));
        assert!((one.estimate + 11.0 / 60.0).abs() < 1e-12 && one.high < 0.0);
        assert!((one.low + other.high).abs() < 1e-12);
        let none = paired_difference(0, 0, 60);
        assert!((none.low + none.high).abs() < 1e-12 && none.high > 0.0);
    }

    /// By hand: the sum of binomial coefficients up to the smaller count, doubled, over 2^n.
    #[test]
    fn small_cases_agree_with_counting_by_hand() {
        for (first, second, expected) in [
            (0, 0, 1.0),
            (1, 0, 1.0),
            (5, 0, 2.0 / 32.0),
            (6, 0, 2.0 / 64.0),
            (1, 9, 2.0 * (1.0 + 10.0) / 1024.0),
            (2, 8, 2.0 * (1.0 + 10.0 + 45.0) / 1024.0),
            (3, 3, 1.0),
            (2, 1, 1.0),
        ] {
            let p = mcnemar(first, second);
            assert!((p - expected).abs() < 1e-12, "{first} {second}: {p}, by hand {expected}");
            assert!((mcnemar(second, first) - p).abs() < 1e-15, "which is first does not matter");
        }
    }

    /// By hand: (3/4)^8 = 0.1001 of eight, and of none 0.25^8.
    #[test]
    fn a_share_other_than_a_half_has_unequal_tails() {
        assert!((binomial(8, 8, 0.75) - 2.0 * 0.75_f64.powi(8)).abs() < 1e-12);
        assert!((binomial(0, 8, 0.75) - 2.0 * 0.25_f64.powi(8)).abs() < 1e-12);
        assert_eq!((binomial(0, 0, 0.75), binomial(6, 8, 0.75)), (1.0, 1.0));
    }

    #[test]
    fn more_of_the_same_is_surer() {
        assert!(mcnemar(40, 20) < mcnemar(20, 10) && mcnemar(20, 10) < mcnemar(10, 5));
        assert!((0.0..1e-20).contains(&mcnemar(100, 0)));
    }
}
