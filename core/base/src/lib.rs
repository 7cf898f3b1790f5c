//! What every package of secateur shares, whether it searches or not: hashes of content, faults with their place, names
//! and numbers as people write them, and the values that a search is made with and a record tells of.
//!
//! The bottom of everything: nothing here searches, reads or writes. The packages above keep the names under which they
//! had these.

pub mod calibration;
pub mod fault;
pub mod hash;
pub mod number;
pub mod options;
pub mod program;
pub mod sets;
pub mod unknown;
pub mod visible;
pub mod words;

pub use calibration::{Baselines, Calibration, Fit, Margin};
pub use fault::{Fault, fault};
pub use hash::Fnv;
pub use options::{Drafts, MATE, MAX_DEPTH, Missing, Options, Ordering, Reading};
pub use unknown::{Unknown, nearest};
