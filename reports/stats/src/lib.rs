//! The numbers of secateur's reports: pairing, tests, intervals, interactions, comparisons and Elo, computed from records.
//!
//! Nothing here searches and nothing is put in words or tables: what is computed are values, which `secateur-reports` prints
//! and anybody else may use. Definitions are in docs/METHODOLOGY.md.

mod builds;
pub mod columns;
pub mod compare;
pub mod contrast;
pub mod decisions;
pub mod depth;
pub mod elo;
pub mod factorial;
#[cfg(any(test, feature = "fixtures"))]
pub mod fixtures;
pub mod forecast;
pub mod foretell;
pub mod group;
pub mod growth;
pub mod inference;
pub mod labels;
pub mod linear;
pub mod measure;
pub mod measures;
pub mod metrics;
pub mod models;
pub mod numbers;
pub mod pairwise;
pub mod peers;
pub mod play;
pub mod predict;
pub mod promises;
pub mod read;
pub mod regret;
pub mod runs;
pub mod shared;
pub mod solved;
pub mod speed;
pub mod spent;
pub mod worth;

pub use inference::interval;
