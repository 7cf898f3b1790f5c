//! Two runs, or two method sets, side by side: the form of what [`secateur_stats::compare`] found.

mod judge;
#[cfg(test)]
mod tests;
mod words;

pub use judge::{Conclusion, conclude};
