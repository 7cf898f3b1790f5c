//! What makes numbers and positions: evaluations are trained, positions sampled, parameters fitted, pairs drawn.
//!
//! Everything here searches, writes files that are committed or compiled in, and follows from its settings alone. Runs
//! that are compared with each other are made by `secateur-suites`.

pub mod cuts;
pub mod fit;
pub mod grades;
pub mod noisy;
pub mod pairs;
mod sidecar;
pub mod train;
pub mod tune;
