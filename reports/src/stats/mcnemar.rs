//! McNemar's exact test: do two methods do right on the same positions about equally often?
//!
//! Source: McNemar 1947, in the exact form (binomial, two-sided). Only positions on which the methods disagree
//! say anything. Positions count as independent; where a source game gave several, p is too small.

use statrs::distribution::{Binomial, DiscreteCDF};

/// Two-sided p-value of `only_first` positions that only the first method got right and `only_second` that only the
/// second did; 1 if there are none, or as many of both.
#[must_use]
pub fn mcnemar(only_first: u64, only_second: u64) -> f64 {
    let trials = only_first + only_second;
    if only_first == only_second {
        return 1.0;
    }
    // A share of 1/2 is always in range.
    let Ok(fair) = Binomial::new(0.5, trials) else { return 1.0 };
    (2.0 * fair.cdf(only_first.min(only_second))).min(1.0)
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

    #[test]
    fn more_of_the_same_is_surer() {
        assert!(mcnemar(40, 20) < mcnemar(20, 10) && mcnemar(20, 10) < mcnemar(10, 5));
        assert!((0.0..1e-20).contains(&mcnemar(100, 0)));
    }
}
