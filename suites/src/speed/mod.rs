//! How fast this program is next to others that are named: the same positions, in turns, by CPU time, in one run.
//!
//! A comparison is a folder of parts, one for each measure and game ([`secateur_record::speed::Part`]), and each part is a run
//! like any other: it is planned here, searched by the runner of the bench, and goes on where it was stopped. What is compared
//! with what is in `suites/data/speed/games.toml`. A loop of known work takes its turn among the programs, so that computers can
//! be told apart. Left out: numbers, which `secateur-stats` makes of the records.

mod asked;
mod part;
mod reference;
#[cfg(test)]
pub(crate) mod tests;

pub use asked::{Asked, Wanted};
pub(crate) use part::replanned;
pub use part::{Counting, begun_as, countings, planned, sharded};
