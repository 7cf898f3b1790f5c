//! Suites, the matrix, records, fitting and training: everything that runs searches.

pub mod fit;
pub mod record;
pub mod sample;
pub mod setup;
pub mod train;
