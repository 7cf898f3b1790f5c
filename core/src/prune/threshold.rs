//! The cut threshold t as people write it: standard deviations, or the probability that a cut is right.
//!
//! Publications mix them up. Buro's t = 1.5 is one-sided: 93.3 % of cuts are right. The 73, 87, 95, 98 and 99 % of
//! Edax's levels are two-sided (t = 1.1, 1.5, 2.0, 2.6, 3.3). So a percentage says which it is, or is one-sided.

use serde::de::{Deserializer, Error, Visitor};
use statrs::distribution::{ContinuousCDF, Normal};
use std::fmt;

/// The probability that a standard normal variable is below `t`: what a one-sided threshold promises.
pub(super) fn one_sided(t: f64) -> f64 {
    Normal::standard().cdf(t)
}

/// Reads a threshold: a number of standard deviations, `"93.3%"` (one-sided) or `"86.6% two-sided"`.
pub(super) fn threshold<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    deserializer.deserialize_any(Written)
}

struct Written;

impl Visitor<'_> for Written {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("standard deviations (1.5), \"93.3%\" (one-sided) or \"86.6% two-sided\"")
    }

    fn visit_f64<E: Error>(self, t: f64) -> Result<f64, E> {
        Ok(t)
    }

    fn visit_i64<E: Error>(self, t: i64) -> Result<f64, E> {
        Ok(t as f64)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<f64, E> {
        parse(text).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }
}

fn parse(text: &str) -> Option<f64> {
    let (number, sides) = text.split_once('%')?;
    let share = number.trim().parse::<f64>().ok().map(|percent| percent / 100.0)?;
    let below = match sides.trim() {
        "" | "one-sided" => share,
        "two-sided" => share.midpoint(1.0),
        _ => return None,
    };
    (0.5..1.0).contains(&below).then(|| Normal::standard().inverse_cdf(below))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_those_of_the_papers() {
        // Buro 1995: t = 1.5 is right in 93.3 % of cases. Edax's levels are two-sided.
        for (text, t) in [("93.3193%", 1.5), ("84.1345 % one-sided", 1.0), ("86.6386% two-sided", 1.5)] {
            assert!((parse(text).unwrap() - t).abs() < 1e-4, "{text}");
        }
        for (t, edax) in [(1.1, 0.729), (1.5, 0.866), (2.0, 0.954), (2.6, 0.991), (3.3, 0.999)] {
            assert!((2.0 * one_sided(t) - 1.0 - edax).abs() < 6e-4, "{t}");
        }
        for wrong in ["1.5", "49%", "100%", "93.3% both", "x%"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
