//! The bench: suites, the matrix, runs and their records, other engines.
//!
//! What makes the numbers of a run stands in `suites/numbers`, games in `suites/arena`, exact costs in `suites/gate`.

pub mod allowance;
pub mod audit;
pub mod cell;
pub mod ends;
pub mod error;
pub mod experiment;
pub mod manifest;
pub mod matrix;
pub mod oracle;
pub mod peers;
mod place;
pub mod program;
pub mod run;
pub mod solution;
pub mod store;
pub mod subject;
mod subsets;
pub mod suite;
mod verify;

pub use error::{Blame, Error};
pub use experiment::{Experiment, Runs};
pub use secateur_base::{number, visible};
pub use secateur_engines as engine;
pub use secateur_instruments::{clock, machine, maker, processor, pv};
pub use secateur_record::{files, record, seal};
pub use secateur_setups::{about, arm, games, methods, numbers, ranges, setup};
