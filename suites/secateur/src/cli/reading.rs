//! What several commands have on their lines: how a file of positions is read, and how many threads work.

use crate::cli::failure::{Failure, Outcome};
use secateur_base::number::argument;
use secateur_record::archive::{is_file, names};
use secateur_record::manifest;
use secateur_record::play::file::SETTINGS;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Arguments of the commands that take position files.
#[derive(clap::Args, Clone, Copy)]
pub struct Reading {
    /// Skip wrong lines of a position file, and games of a .pgn or .pdn file with an illegal move, of a variant, or with something
    /// unclosed; the record has their number
    #[arg(long)]
    skip_bad: bool,
    /// Plies from one position of a game of a .pgn or .pdn file to the next; 8 without it
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=1000))]
    every: Option<u32>,
}

impl Reading {
    /// What was asked for; nothing if that is the usual.
    pub fn given(self) -> Option<secateur_positions::Reading> {
        let every = self.every.map_or(secateur_positions::Reading::EVERY, |plies| plies as usize);
        let reading = secateur_positions::Reading { skip_bad: self.skip_bad, every };
        (self.skip_bad || self.every.is_some()).then_some(reading)
    }
}

/// A command with those of the options that have a value.
pub fn with_options<const N: usize>(command: String, options: [(&str, Option<String>); N]) -> String {
    let given = options.into_iter().filter_map(|(option, value)| Some(format!(" {option} {}", value?)));
    given.fold(command, |command, option| command + &option)
}

/// The text of a file.
pub fn text_of(path: impl AsRef<Path>) -> Result<String, Failure> {
    Ok(secateur_record::error::text_of(path.as_ref())?)
}

/// Refuses a folder that holds no run and no match, before anybody looks for one of their files.
pub fn hold_something(folders: &[PathBuf]) -> Outcome {
    let files = [manifest::FILE, SETTINGS];
    let holds = |folder: &Path| files.iter().any(|name| is_file(&folder.join(name)));
    let is_empty = |folder: &&PathBuf| folder.is_dir() && !holds(folder);
    match folders.iter().find(is_empty) {
        None => Ok(()),
        Some(folder) => {
            // `worth` keeps its searches and each of its matches in a folder of their own.
            let inner = names(folder).into_iter().flatten().map(|name| folder.join(name));
            let inner: Vec<String> =
                inner.filter(|path| holds(path)).map(|path| path.display().to_string()).collect();
            let inner =
                if inner.is_empty() { String::new() } else { format!("; in it are {}", inner.join(", ")) };
            Err(Failure::input(format!(
                "{}: no folder of a run or of a match, because it has no {}{inner}",
                folder.display(),
                files.join(" or ")
            )))
        }
    }
}

/// Refuses a command outside a checkout that checks or makes the sources themselves, and says what to do.
pub fn in_checkout(verb: &str) -> Outcome {
    if Path::new("xtask/Cargo.toml").is_file() {
        return Ok(());
    }
    let folder =
        std::env::current_dir().map_or_else(|_| ".".to_owned(), |folder| folder.display().to_string());
    Err(Failure::input(format!(
        "`{verb}` is about the sources of secateur, and {folder} is not the root of a checkout of them: git clone {}, and there \
         `cargo xtask {verb}`",
        env!("CARGO_PKG_REPOSITORY")
    )))
}

/// Threads that any machine can start.
const JOBS: RangeInclusive<usize> = 1..=1024;

/// Reads a number of threads.
pub fn jobs(text: &str) -> Result<usize, String> {
    let jobs = argument(text)?;
    match JOBS.contains(&jobs) {
        true => Ok(jobs),
        false => Err(format!("found {jobs}, expected at least {} and at most {}", JOBS.start(), JOBS.end())),
    }
}
