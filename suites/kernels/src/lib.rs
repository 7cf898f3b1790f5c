//! What the benches share: the searches and hot parts that are measured, and a search without hooks.
//!
//! `cargo bench` runs those of criterion, `cargo bench -p secateur-benches --features runner --bench icount` counts
//! instructions. A member of its own, because their tools are large and nothing else needs them.

pub mod kernels;
pub mod plain;
