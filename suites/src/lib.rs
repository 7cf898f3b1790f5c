//! Suites, the matrix, records, fitting and training: everything that runs searches.

pub mod arm;
pub mod audit;
pub mod cell;
pub mod clock;
pub mod doctor;
pub mod engine;
pub mod error;
pub mod files;
pub mod fit;
pub mod games;
pub mod gate;
pub mod instructions;
pub mod machine;
pub mod maker;
pub mod manifest;
pub mod matrix;
pub mod number;
pub mod oracle;
pub mod pairs;
pub mod peers;
pub mod play;
pub mod processor;
pub mod pv;
pub mod record;
pub mod run;
pub mod sample;
pub mod seal;
pub mod setup;
pub mod solution;
pub mod store;
pub mod suite;
pub mod train;
pub mod uci;
mod verify;
pub mod visible;

pub use error::{Blame, Error};
