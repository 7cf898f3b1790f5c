//! Suites, the matrix, records, fitting and training: everything that runs searches.

pub mod arm;
pub mod audit;
pub mod cell;
pub mod clock;
pub mod doctor;
pub mod engine;
pub mod error;
pub mod fit;
pub mod games;
pub mod gate;
pub mod guests;
pub mod instructions;
pub mod machine;
pub mod maker;
pub mod manifest;
pub mod matrix;
pub mod oracle;
pub mod pairs;
pub mod peers;
pub mod play;
pub mod processor;
pub mod pv;
pub mod run;
pub mod sample;
pub mod setup;
pub mod solution;
pub mod store;
pub mod suite;
pub mod train;
pub mod uci;
mod verify;

pub use error::{Blame, Error};
pub use secateur_base::{number, visible};
pub use secateur_record::{files, record, seal};
