//! What the benchmarks share: the searches and hot parts that are measured, and a search without hooks.
//!
//! A member of its own, outside the default ones: its tools are large, and nothing else needs them.

pub mod kernels;
pub mod plain;
