//! Tests of significance, which all measures share: what decides whether a difference is *shown*.
//!
//! Exact tests, and a correction for making many of them: Holm's (A Simple Sequentially Rejective Multiple Test Procedure, 1979),
//! which holds whatever the tests have to do with one another and never shows less than Bonferroni's. Sentences say "shown", "better",
//! "worse" or name a direction only by what [`judged`] answers: it takes all tests of a family, which are those that a reader looks at
//! together, and corrects them together. An interval that does not hold 0 is a test without a family, so no sentence rests on one.
//! What is not shown is not shown to differ, which is not the same as equal. Intervals are in [`crate::interval`].

pub mod interval;
pub mod mean;
pub mod orders;
pub mod rank;
pub mod share;
pub mod sign_flip;
pub mod spread;

pub use rank::spearman;
pub use share::{binomial, mcnemar};
pub use sign_flip::sign_flip;

use crate::interval::Interval;
use secateur_base::hash::mixed;
use statrs::distribution::{ContinuousCDF, Normal};

/// The level of every test, after correction.
pub const LEVEL: f64 = 0.05;

/// The p-values corrected for their number, in the order given. One at most 0.05 among them is shown at a level of 5 %
/// for all tests together. A test without a p-value (`NaN`) does not count.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).filter(|&i| !p_values[i].is_nan()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut corrected = vec![f64::NAN; p_values.len()];
    let mut least: f64 = 0.0;
    for (rank, &index) in order.iter().enumerate() {
        least = least.max((p_values[index] * (order.len() - rank) as f64).min(1.0));
        corrected[index] = least;
    }
    corrected
}

/// Replaces p-values by those that hold for all of them, and says how many are tests (`NaN` is none).
pub fn correct<'p>(family: impl IntoIterator<Item = &'p mut f64>) -> usize {
    let family: Vec<&mut f64> = family.into_iter().collect();
    let corrected = holm(&family.iter().map(|p| **p).collect::<Vec<_>>());
    let tests = corrected.iter().filter(|p| !p.is_nan()).count();
    family.into_iter().zip(corrected).for_each(|(p, corrected)| *p = corrected);
    tests
}

/// A difference with its test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Test {
    /// It, with its interval where it has one; its sign is the direction.
    pub effect: Interval,
    /// Two-sided p-value, of this test alone until it is corrected with its family; `NaN` shows nothing.
    pub p: f64,
}

/// What a test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The effect is shown to lie above 0.
    Above,
    /// The effect is shown to lie below 0.
    Below,
    /// Neither.
    No,
}

/// The tests of a family, in their order, their p-values corrected for all of them (Holm). A test without a p-value (`NaN`) does
/// not count.
pub fn judged(mut family: Vec<Test>) -> Vec<Test> {
    correct(family.iter_mut().map(|test| &mut test.p));
    family
}

impl Test {
    /// Of a difference without an interval.
    pub fn of(effect: f64, p: f64) -> Test {
        Test { effect: Interval::none(effect), p }
    }

    /// What it says of its difference, if its p-value was corrected with its family.
    pub fn shown(&self) -> Shown {
        match self.effect.estimate {
            effect if self.p <= LEVEL && effect > 0.0 => Shown::Above,
            effect if self.p <= LEVEL && effect < 0.0 => Shown::Below,
            _ => Shown::No,
        }
    }
}

impl Shown {
    /// Whether either direction is shown.
    pub fn any(self) -> bool {
        self != Shown::No
    }

    /// The same of the effect with the other sign.
    pub fn turned(self) -> Shown {
        match self {
            Shown::Above => Shown::Below,
            Shown::Below => Shown::Above,
            Shown::No => Shown::No,
        }
    }

    /// The words for it.
    pub fn choose<'w>(self, above: &'w str, below: &'w str, no: &'w str) -> &'w str {
        match self {
            Shown::Above => above,
            Shown::Below => below,
            Shown::No => no,
        }
    }
}

/// SplitMix64 (Steele, Lea & Flood 2014), by its state: the one source of chance in reports, always with a fixed seed.
#[derive(Clone, Debug)]
pub struct SplitMix(pub u64);

impl SplitMix {
    /// The next number, of all 64-bit numbers equally often.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.word()) * n as u128) >> 64) as usize
    }

    /// Between 0 and 1, neither of them.
    pub fn uniform(&mut self) -> f64 {
        ((self.word() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// From the standard normal distribution.
    pub fn normal(&mut self) -> f64 {
        Normal::standard().inverse_cdf(self.uniform())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0.01 x 4; 0.015 x 3 = 0.045; 0.02 x 2 = 0.04, which may not be less than the one before; 0.9 x 1.
    #[test]
    fn a_case_by_hand() {
        let corrected = holm(&[0.02, 0.9, 0.01, 0.015]);
        for (p, expected) in corrected.into_iter().zip([0.045, 0.9, 0.04, 0.045]) {
            assert!((p - expected).abs() < 1e-12, "{p} {expected}");
        }
    }

    #[test]
    fn what_was_not_tested_does_not_count() {
        let p = holm(&[0.03, f64::NAN, 0.6]);
        assert!((p[0] - 0.06).abs() < 1e-12 && p[1].is_nan() && (p[2] - 0.6).abs() < 1e-12);
        assert!(holm(&[]).is_empty());
        assert_eq!(holm(&[0.7, 0.8]), [1.0, 1.0], "no probability is above 1");
    }

    #[test]
    fn one_test_needs_no_correction_and_order_is_kept() {
        assert_eq!(holm(&[0.04]), [0.04]);
        let (mut first, mut second, mut none) = (0.03, 0.04, f64::NAN);
        assert_eq!(correct([&mut first, &mut none, &mut second]), 2);
        assert!((first - 0.06).abs() < 1e-12 && none.is_nan());
        let p_values: Vec<f64> = (1..40).map(|i| f64::from(i * 7919 % 997) / 997.0).collect();
        let corrected = holm(&p_values);
        for (i, a) in p_values.iter().enumerate() {
            for (j, b) in p_values.iter().enumerate() {
                assert!(a > b || corrected[i] <= corrected[j]);
            }
            assert!(corrected[i] >= *a);
        }
    }

    #[test]
    fn direction_needs_a_test_and_a_test_needs_a_direction() {
        let at = |effect, p| Test::of(effect, p).shown();
        assert_eq!([at(2.0, 0.05), at(-2.0, 0.01), at(9.0, 0.051)], [Shown::Above, Shown::Below, Shown::No]);
        assert_eq!([at(0.0, 0.0), at(1.0, f64::NAN), at(f64::NAN, 0.0)], [Shown::No; 3]);
        assert_eq!(at(-1.0, 0.0).choose("more", "less", "?"), "less");
    }

    /// Each of five would be shown by itself; together only the surest is.
    #[test]
    fn a_family_is_judged_together() {
        let family: Vec<Test> = [0.04, 0.004, 0.03, f64::NAN, 0.02].map(|p| Test::of(-1.0, p)).to_vec();
        let shown: Vec<Shown> = judged(family.clone()).iter().map(Test::shown).collect();
        assert_eq!(shown, [Shown::No, Shown::Below, Shown::No, Shown::No, Shown::No]);
        let corrected = judged(family.clone());
        assert!((corrected[1].p - 0.016).abs() < 1e-12 && corrected[3].p.is_nan());
        assert!(family.iter().all(|test| test.p.is_nan() || judged(vec![*test])[0].shown() == Shown::Below));
    }
}
