//! Run folders, which [`secateur_record::store`] reads and writes: what a run does with one is tested here.

#[cfg(test)]
mod tests;

pub use secateur_record::store::*;
