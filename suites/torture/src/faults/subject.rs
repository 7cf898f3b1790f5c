//! What is disturbed: small runs of every kind that leaves a record, a second or less each.

use super::program::{Ended, Program};
use super::record::{Exact, Of};
use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// The folder of the run inside the folder of a trial: its name stands in every row.
pub(super) const RUN: &str = "run";

/// Both games, two budgets, an audit, repetitions.
const SUITE: &str = r#"name = "tiny"
description = "A suite to be disturbed"
audit = 8

[[block]]
game = "chess"
positions = ["chess-games"]
limit = 2
methods = ["null-move", "futility"]
budgets = [{ depth = 4 }]
repeats = 1

[[block]]
game = "othello"
positions = ["othello-28"]
limit = 4
methods = ["mpc"]
budgets = [{ depth = 7 }, { nodes = 3000 }]
"#;

/// Thousands of searches of microseconds, which are written many at a time, and a few long ones among them.
const CROWD: &str = r#"name = "crowd"
description = "A suite to be disturbed while batches of cells are written"

[[block]]
game = "othello"
positions = ["othello-28", "othello-44"]
limit = 180
methods = ["null-move", "mpc", "futility", "lmr"]
budgets = [{ depth = 1 }, { nodes = 30 }]
expect-silent = ["null-move", "mpc", "futility", "lmr"]

[[block]]
game = "othello"
positions = ["othello-36"]
limit = 4
methods = ["null-move"]
budgets = [{ depth = 6 }]
"#;

/// Few and small searches: callgrind is slow.
const COUNTED: &str = r#"name = "counted"
description = "A suite to be disturbed while instructions are counted"

[[block]]
game = "chess"
positions = ["chess-games"]
limit = 1
methods = ["null-move"]
budgets = [{ depth = 3 }]
instructions = true
"#;

/// One kind of run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Subject {
    pub(super) name: &'static str,
    /// Arguments that begin it in `run`, or go on with it.
    pub(super) begin: &'static [&'static str],
    /// Arguments that go on with it.
    pub(super) resume: &'static [&'static str],
    /// The files of its record, the one that says what it is first, the one whose rows count as finished second.
    pub(super) files: &'static [&'static str],
}

const RECORD: &[&str] = &["run.toml", "records.csv", "iterations.csv", "counters.csv"];

pub(super) const BENCH: Subject = Subject {
    name: "bench",
    begin: &["bench", "tiny.toml", "--out", RUN, "--jobs", "2"],
    resume: &["bench", "--resume", RUN],
    files: RECORD,
};

pub(super) const BATCHES: Subject = Subject {
    name: "batches",
    begin: &["bench", "crowd.toml", "--out", RUN, "--jobs", "2"],
    resume: &["bench", "--resume", RUN, "--jobs", "3"],
    files: RECORD,
};

pub(super) const COUNT: Subject = Subject {
    name: "instructions",
    begin: &["bench", "counted.toml", "--instructions", "--out", RUN, "--jobs", "2"],
    resume: &["bench", "--instructions", "--resume", RUN],
    files: RECORD,
};

/// Needs a book of its oracle in the folder of the trial.
pub(super) const JUDGED: Subject = Subject {
    name: "oracle",
    begin: &[
        "bench",
        "tiny.toml",
        "--game",
        "chess",
        "--oracle",
        "+1",
        "--oracle-book",
        "book.csv",
        "--out",
        RUN,
    ],
    resume: &["bench", "--oracle-book", "book.csv", "--resume", RUN],
    files: RECORD,
};

pub(super) const PLAY: Subject = Subject {
    name: "play",
    begin: &[
        "play",
        "--first",
        "none",
        "--second",
        "null-move",
        "--nodes",
        "1000",
        "--games",
        "8",
        "--hash",
        "1",
        "--jobs",
        "2",
        "--out",
        RUN,
    ],
    resume: &["play", "--resume", RUN],
    files: &["play.toml", "games.csv", "openings.csv", "games.pgn"],
};

impl Subject {
    /// Makes the folder of a trial.
    pub(super) fn prepare(self, dir: &Path) -> io::Result<()> {
        fs::create_dir_all(dir)?;
        fs::write(dir.join("tiny.toml"), SUITE)?;
        fs::write(dir.join("crowd.toml"), CROWD)?;
        fs::write(dir.join("counted.toml"), COUNTED)
    }

    /// The record in the folder of a trial.
    pub(super) fn record(self, dir: &Path, of: Of) -> Exact {
        Exact::read(&dir.join(RUN), self.files, of)
    }

    /// The file whose rows are finished things.
    pub(super) fn main_file(self) -> &'static str {
        self.files[1]
    }

    /// Whether the run can be resumed by its folder alone.
    pub(super) fn has_begun(self, dir: &Path) -> bool {
        dir.join(RUN).join(self.files[0]).exists()
    }

    /// An undisturbed run, and how long it took: the second of two, so that nothing is built or read for the first time.
    pub(super) fn reference(self, program: &Program, dir: &Path) -> io::Result<(Exact, Duration)> {
        self.prepare(dir)?;
        let mut took = Duration::ZERO;
        for cargo in [true, false] {
            let _ = fs::remove_dir_all(dir.join(RUN));
            let _ = fs::remove_file(dir.join("book.csv"));
            let begin = Instant::now();
            let ended = program.run(dir, self.begin, cargo)?;
            took = begin.elapsed();
            if ended.code != Some(0) {
                return Err(io::Error::other(format!("undisturbed {}: {}", self.name, ended.words())));
            }
        }
        Ok((self.record(dir, Of::Equals), took))
    }

    /// Goes on to the end, by the folder alone where that is asked for and possible.
    pub(super) fn go_on(self, program: &Program, dir: &Path, by_folder: bool) -> io::Result<Ended> {
        let arguments = if by_folder && self.has_begun(dir) { self.resume } else { self.begin };
        program.run(dir, arguments, false)
    }
}
