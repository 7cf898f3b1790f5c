//! The one place that decides whether a difference is *shown*.
//!
//! Sentences say "shown", "better", "worse" or name a direction only by what [`shown`] answers, after correction for the number
//! of tests. What is not shown is not shown to differ, which is not the same as equal.

use super::LEVEL;

/// A difference with its test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Test {
    /// Its sign is the direction.
    pub effect: f64,
    /// Two-sided p-value, corrected for all tests that were made; `NaN` shows nothing.
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

/// What a test says of its difference.
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
        let of = |effect, p| shown(Test { effect, p });
        assert_eq!([of(2.0, 0.05), of(-2.0, 0.01), of(9.0, 0.051)], [Shown::Above, Shown::Below, Shown::No]);
        assert_eq!([of(0.0, 0.0), of(1.0, f64::NAN), of(f64::NAN, 0.0)], [Shown::No; 3]);
        assert_eq!(of(-1.0, 0.0).choose("more", "less", "?"), "less");
    }
}
