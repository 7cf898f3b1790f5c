//! McNemar's exact test: do two methods do right on the same positions about equally often?
//!
//! Source: McNemar 1947, in the exact form (binomial, two-sided). Only positions on which the methods disagree
//! say anything. Positions count as independent; where a source game gave several, p is too small.

use statrs::distribution::{Binomial, DiscreteCDF};

/// Two-sided p-value of `only_first` positions that only the first method got right and `only_second` that only the
/// second did; 1 if there are none, or as many of both.
#[must_use]
pub fn mcnemar(only_first: u64, only_second: u64) -> f64 {
    binomial(only_first.min(only_second), only_first + only_second, 0.5)
}

/// Two-sided p-value of so many successes where each trial has one with this probability, the lesser tail twice; 1 without
/// trials.
#[must_use]
pub fn binomial(successes: u64, trials: u64, share: f64) -> f64 {
    let Ok(law) = Binomial::new(share, trials) else { return 1.0 };
    let (below, above) = (law.cdf(successes), if successes == 0 { 1.0 } else { law.sf(successes - 1) });
    (2.0 * below.min(above)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

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
