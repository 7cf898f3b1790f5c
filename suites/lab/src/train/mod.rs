//! Training of evaluations: what the games share.
//!
//! Everything follows from the settings (and the games given): the same ones give the same bytes on any number of
//! threads. Nothing is written but what a caller wants kept; positions that test or fitting sets hold are never
//! learnt from.

pub mod chess;
pub mod draughts;
pub mod einstein;
mod kept;
pub(crate) mod logistic;
pub mod othello;
mod self_play;
pub mod shogi;

use secateur_core::game::WeightsError;
use secateur_core::prune::SetupError;
use secateur_reports::format::{count, to_four as rounded};
use secateur_suites::pool::all_by;
use secateur_suites::setups::setup::SetupFileError;
use std::ops::RangeInclusive;

pub use othello::{OPENING_DISCS, RESERVED_SHARE, reserved};
pub use self_play::{SelfPlay, Trained};

/// What training is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Generation, from 0.
    pub generation: u32,
    /// What is counted by the next two.
    pub phase: Phase,
    /// Done of this phase.
    pub done: u64,
    /// All of this phase.
    pub total: u64,
}

/// What is done with an archive, and in every generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Games of the archive, or endgames, are solved.
    Archive,
    /// Games are played.
    Games,
    /// Passes of the regression.
    Passes,
}

/// Why training cannot start or go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// A setting is out of range.
    #[error("{name} is {value}, expected {expected}")]
    Setting {
        /// Which.
        name: &'static str,
        /// Its value.
        value: u64,
        /// What it may be.
        expected: String,
    },
    /// No group of the evaluation's numbers has this name.
    #[error("found the group `{found}`, expected one of {names}")]
    Group {
        /// What was found.
        found: String,
        /// The names that there are.
        names: String,
    },
    /// The embedded parameters of the players are broken: a mistake in their files.
    #[error(transparent)]
    Setup(#[from] SetupFileError),
    /// The players' methods cannot be set up: likewise.
    #[error(transparent)]
    Methods(#[from] SetupError),
    /// Kept positions cannot be written or read.
    #[error("{path}: {message}")]
    Kept {
        /// The file.
        path: String,
        /// What is wrong with it.
        message: String,
    },
    /// Too few games of the archive can be learnt from.
    #[error("found {found} games that reach a result, expected at least {least}")]
    Games {
        /// How many there are.
        found: u64,
        /// How many it takes to have one for validation.
        least: u64,
    },
    /// A built-in position set is broken: a mistake in its data.
    #[error(transparent)]
    Positions(#[from] secateur_positions::Error),
    /// The result is no weight file: a mistake in the trainer.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The provenance is no TOML: likewise.
    #[error(transparent)]
    Provenance(#[from] toml::ser::Error),
}

/// A setting: its name, its value and what it may be.
type Ranged = (&'static str, u64, RangeInclusive<u64>);

/// Rejects the first setting that is out of its range.
fn in_range(settings: impl IntoIterator<Item = Ranged>) -> Result<(), TrainError> {
    match settings.into_iter().find(|(_, value, range)| !range.contains(value)) {
        None => Ok(()),
        Some((name, value, range)) => {
            let expected = format!("{} to {}", count(*range.start()), count(*range.end()));
            Err(TrainError::Setting { name, value, expected })
        }
    }
}

/// What `work` makes of every item. Each thread has a state of its own, which is made here, as games need not be shared; `work` must
/// not depend on what was done with it before, so that the results do not depend on `threads`.
pub fn shared_out<I: Sync, S: Send, T: Send>(
    items: &[I],
    threads: usize,
    state: impl Fn() -> S,
    work: impl Fn(&mut S, &I) -> T + Sync,
) -> Vec<T> {
    let mut states: Vec<S> = (0..threads.clamp(1, items.len().max(1))).map(|_| state()).collect();
    all_by(&mut states, items, work)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_whatever_the_threads() {
        let items: Vec<usize> = (0..23).collect();
        for threads in [0, 1, 2, 7, 23, 50] {
            let doubled = shared_out(&items, threads, || 2, |factor, item| *factor * item);
            assert_eq!(doubled, items.iter().map(|item| 2 * item).collect::<Vec<_>>());
            assert!(shared_out(&items[..0], threads, || (), |(), item| *item).is_empty());
        }
    }
}
