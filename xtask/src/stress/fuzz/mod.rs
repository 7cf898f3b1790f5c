//! Mutated texts for every reader: none may panic, hang, or take in what cannot be; and what is taken in must read
//! back as it is printed.
//!
//! Inputs follow from seed, target and number. Not covered: the command line itself, and programs of others.

mod driver;
mod judge;
mod mutate;
mod numbers;
mod positions;
mod records;
mod talk;

pub(crate) use driver::Found;

use driver::{Plan, Target};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How much is to be done.
#[derive(Clone, Debug)]
pub(crate) struct FuzzSettings {
    /// Seed of all inputs.
    pub seed: u64,
    /// Inputs for each target.
    pub inputs: u64,
    /// Wall time of all targets together, each having its share.
    pub time: Duration,
    /// One target alone.
    pub target: Option<String>,
    /// One input alone.
    pub number: Option<u64>,
}

/// Where the last panic was and what it said.
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

fn last_panic() -> String {
    LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Every reader. What cannot be made (a folder for temporary files) leaves its targets out.
fn targets() -> Vec<Target> {
    [positions::targets(), numbers::targets(), records::targets(), talk::targets()]
        .into_iter()
        .flatten()
        .collect()
}

/// Names of the targets.
#[must_use]
pub(crate) fn names() -> Vec<&'static str> {
    targets().iter().map(|target| target.name).collect()
}

/// Does it all; `say` hears what came of each target. Panics are silent meanwhile.
pub(crate) fn run(settings: &FuzzSettings, say: &mut dyn FnMut(&Found)) -> Vec<Found> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let words = panic.payload_as_str().unwrap_or("something");
        *LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner) = format!("{place}: `{words}`");
    }));
    let mut wanted = targets();
    wanted.retain(|target| settings.target.as_deref().is_none_or(|name| name == target.name));
    let share = settings.time / u32::try_from(wanted.len().max(1)).unwrap_or(1);
    let plan = Plan { seed: settings.seed, inputs: settings.inputs, time: share, only: settings.number };
    let run = |target| {
        let found = driver::run(target, plan);
        say(&found);
        found
    };
    let found = wanted.into_iter().map(run).collect();
    std::panic::set_hook(hook);
    found
}

/// A folder for files that are written over and over: in memory, where there is a place for that.
fn scratch() -> std::io::Result<tempfile::TempDir> {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir())
}

/// The bytes as text; readers of files refuse what is none before they look at it.
fn text(input: &[u8]) -> Option<&str> {
    std::str::from_utf8(input).ok()
}

/// A refusal, whose message must be printable, too.
fn told(error: &dyn std::error::Error) -> driver::Reaction {
    let words = error.to_string();
    if words.trim().is_empty() { Err("refused without a word".to_owned()) } else { Ok(false) }
}

/// Complains unless two things are equal.
fn same<T: PartialEq + std::fmt::Debug>(what: &str, one: &T, two: &T) -> Result<(), String> {
    let cut = |thing: &T| format!("{thing:?}").chars().take(300).collect::<String>();
    if one == two { Ok(()) } else { Err(format!("{what}: `{}` became `{}`", cut(one), cut(two))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts that everything is mutated from are good, and a few mutations of each do no harm.
    #[test]
    fn every_reader_takes_in_its_valid_texts() {
        let settings =
            FuzzSettings { seed: 1, inputs: 30, time: Duration::from_secs(600), target: None, number: None };
        let found = run(&settings, &mut |_| ());
        let failures: Vec<&String> = found.iter().flat_map(|found| &found.failures).collect();
        assert!(failures.is_empty(), "{failures:#?}");
        assert!(found.len() >= 20 && found.iter().all(|found| found.inputs == 30));
    }
}
