//! Suites, the matrix, records, fitting and training: everything that runs searches.

pub mod record;
pub mod setup;
