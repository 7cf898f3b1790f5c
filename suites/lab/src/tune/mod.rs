//! The tuner: parameters of pruning methods moved by the results of games, outside of the search that they are for.
//!
//! SPSA is in `spsa`, what is asked in `file`, numbers put into their places in `values`, the folder that a course is kept in and
//! continued from in `course`, the games in `run`. What comes of it is a parameter file that `--params` takes. Left out: a verdict on
//! it, which a match against the numbers of before has to give; other optimisers.

mod course;
mod file;
mod run;
mod spsa;
#[cfg(test)]
mod tests;
mod values;

pub use course::{ASKED, COURSE, Course, Row, TUNED};
pub use file::{Parameter, Settings};
pub use run::{Ended, Job, run};
pub use spsa::{Gains, Space, Spsa, Trial};
