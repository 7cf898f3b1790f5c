//! The bench: suites, the matrix, runs and their records, other engines.
//!
//! What makes the numbers of a run stands in `suites/lab`, games in `suites/arena`, exact costs in `suites/gate`.

pub mod allowance;
pub mod cell;
pub mod cutting;
pub mod ends;
pub mod error;
pub mod experiment;
pub mod instruments;
pub mod lineup;
pub mod manifest;
pub mod matrix;
pub mod oracle;
pub mod pool;
pub mod program;
pub mod run;
pub mod sample;
pub mod setups;
pub mod shards;
pub mod shell;
pub mod speed;
pub mod subject;
pub mod suite;

pub use error::Error;
pub use experiment::{Experiment, Runs};
