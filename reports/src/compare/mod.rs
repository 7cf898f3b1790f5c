//! Two runs, or two method sets, side by side: the form of what [`secateur_stats::compare`] found.

mod conclusion;
mod finding;
#[cfg(test)]
mod tests;

pub use conclusion::{Conclusion, conclude, conclude_whole};
