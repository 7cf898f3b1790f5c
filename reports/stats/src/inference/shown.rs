//! The one place that decides whether a difference is *shown*.
//!
//! Sentences say "shown", "better", "worse" or name a direction only by what [`judged`] answers: it takes all tests of a family,
//! which are those that a reader looks at together, and corrects them together. An interval that does not hold 0 is a test without
//! a family, so no sentence rests on one. What is not shown is not shown to differ, which is not the same as equal.

use super::{LEVEL, holm};

/// A difference with its test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Test {
    /// Its sign is the direction.
    pub effect: f64,
    /// Two-sided p-value; `NaN` shows nothing.
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

/// A test of a family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// Two-sided p-value, corrected for all tests of the family (Holm).
    pub p: f64,
    /// What it says.
    pub shown: Shown,
}

/// What the tests of a family say, in their order; their p-values are not corrected yet. A test without a p-value (`NaN`) shows
/// nothing and does not count.
#[must_use]
pub fn judged(family: &[Test]) -> Vec<Judged> {
    let corrected = holm(&family.iter().map(|test| test.p).collect::<Vec<_>>());
    let judge = |(test, p): (&Test, f64)| Judged { p, shown: shown(Test { effect: test.effect, p }) };
    family.iter().zip(corrected).map(judge).collect()
}

/// What a test says of its difference, whose p-value was corrected with its family.
#[must_use]
pub fn shown(test: Test) -> Shown {
    match test {
        Test { effect, p } if p <= LEVEL && effect > 0.0 => Shown::Above,
        Test { effect, p } if p <= LEVEL && effect < 0.0 => Shown::Below,
        _ => Shown::No,
    }
}

impl Shown {
    /// Whether either direction is shown.
    #[must_use]
    pub fn any(self) -> bool {
        self != Shown::No
    }

    /// The same of the effect with the other sign.
    #[must_use]
    pub fn turned(self) -> Shown {
        match self {
            Shown::Above => Shown::Below,
            Shown::Below => Shown::Above,
            Shown::No => Shown::No,
        }
    }

    /// The words for it.
    #[must_use]
    pub fn choose<'w>(self, above: &'w str, below: &'w str, no: &'w str) -> &'w str {
        match self {
            Shown::Above => above,
            Shown::Below => below,
            Shown::No => no,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn direction_needs_a_test_and_a_test_needs_a_direction() {
        let at = |effect, p| shown(Test { effect, p });
        assert_eq!([at(2.0, 0.05), at(-2.0, 0.01), at(9.0, 0.051)], [Shown::Above, Shown::Below, Shown::No]);
        assert_eq!([at(0.0, 0.0), at(1.0, f64::NAN), at(f64::NAN, 0.0)], [Shown::No; 3]);
        assert_eq!(at(-1.0, 0.0).choose("more", "less", "?"), "less");
    }

    /// Each of five would be shown by itself; together only the surest is.
    #[test]
    fn a_family_is_judged_together() {
        let family: Vec<Test> =
            [0.04, 0.004, 0.03, f64::NAN, 0.02].map(|p| Test { effect: -1.0, p }).to_vec();
        let shown: Vec<Shown> = judged(&family).iter().map(|judged| judged.shown).collect();
        assert_eq!(shown, [Shown::No, Shown::Below, Shown::No, Shown::No, Shown::No]);
        assert!((judged(&family)[1].p - 0.016).abs() < 1e-12 && judged(&family)[3].p.is_nan());
        assert!(family.iter().all(|test| test.p.is_nan() || judged(&[*test])[0].shown == Shown::Below));
    }
}
