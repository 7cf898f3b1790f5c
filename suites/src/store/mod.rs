//! Run folders. They are read and written by [`secateur_record::store`]; what a run does with one is tested here.

#[cfg(test)]
mod tests;

pub use secateur_record::store::*;
