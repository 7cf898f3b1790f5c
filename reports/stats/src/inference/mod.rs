//! Tests of significance and attribution, which all measures share.
//!
//! Intervals are in [`crate::interval`]; here is what decides whether a difference is *shown*: exact tests, a
//! correction for making many of them, and Shapley's way of dividing a joint effect among its causes. Nothing
//! here ever shows that two things are equal: what is not significant is "not shown to differ".

pub mod holm;
pub mod interval;
pub mod mcnemar;
pub mod mean;
pub mod random;
pub mod rank;
pub mod shapley;
pub mod share;
pub mod shown;
pub mod sign_flip;
pub mod spread;

pub use holm::{correct, holm};
pub use mcnemar::{binomial, mcnemar};
pub use rank::spearman;
pub use shapley::shapley;
pub use shown::{Judged, Shown, Test, judged, shown};
pub use sign_flip::sign_flip;

/// The level of every test, after correction.
pub const LEVEL: f64 = 0.05;
