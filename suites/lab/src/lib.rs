//! The laboratory: what makes the numbers, studies and papers of this repository, and what it says of them in prose.
//!
//! Of the verbs of a user's program, `fit`, `pairs`, `tune` and `paper` need it, and nothing else does. Everything that searches here
//! writes files that are committed or compiled in, and follows from its settings alone. Runs that are compared with each other are made
//! by `secateur-suites`.

pub mod coverage;
pub mod fit;
pub mod net;
pub mod pairs;
pub mod posterior;
pub mod prose;
pub mod studies;
pub mod train;
pub mod tune;
