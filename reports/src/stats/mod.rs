//! Tests of significance and attribution that reports share.
//!
//! Intervals are in [`crate::interval`]; here is what decides whether a difference is *shown*: exact tests, a
//! correction for making many of them, and Shapley's way of dividing a joint effect among its causes. Nothing
//! here ever shows that two things are equal: what is not significant is "not shown to differ".

pub mod holm;
pub mod interval;
pub mod mcnemar;
pub(crate) mod random;
pub mod shapley;
pub mod share;
pub mod shown;
pub mod sign_flip;
pub mod spread;
pub mod student;

pub use holm::holm;
pub use mcnemar::{binomial, mcnemar};
pub use shapley::shapley;
pub use shown::{Shown, Test, shown};
pub use sign_flip::sign_flip;
pub use student::paired;

/// The level of every test, after correction.
pub const LEVEL: f64 = 0.05;

/// A p-value for people: `0.034`, `<0.001`, `-` where there is none.
#[must_use]
pub fn p_words(p: Option<f64>) -> String {
    match p {
        Some(p) if p < 0.001 => "<0.001".to_owned(),
        Some(p) if p.is_finite() => format!("{p:.3}"),
        _ => "-".to_owned(),
    }
}
