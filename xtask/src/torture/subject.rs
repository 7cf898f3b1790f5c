//! What is disturbed: small runs of every kind that leaves a record, a second or less each.

use super::program::{Ended, Exact, Of, Program};
use secateur_suites::program::Program as OtherProgram;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, io};

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
limit = 5
methods = ["mpc"]
budgets = [{ depth = 7 }, { nodes = 3000 }]
"#;

/// Thousands of searches of microseconds, which are written many at a time, and a few long ones among them.
const CONCURRENT: &str = r#"name = "concurrent"
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
limit = 5
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

/// Another program is searched at three positions, its baseline twice.
const PROGRAM: &str = r#"name = "program"
description = "Another program, to be disturbed"

[[block]]
game = "chess"
positions = ["chess-games"]
limit = 2
subject = "engine.toml"
budgets = [{ depth = 6 }]
repeats = 1
"#;

/// The subject file in the folder of a trial.
const FILE: &str = "engine.toml";

/// Programs of other people that are killed with their runs, each with a subject file; without one, it is the subject of this
/// name that everybody has, which is built from its source. Not toga2 and glaurung: their last iterations differ by a few nodes
/// from process to process, now and then, so that a difference says nothing of ours.
const ENGINES: [(&str, Option<&str>); 3] = [
    (
        "gnuchess",
        Some(
            "[subject]\ngame = \"chess\"\ncommand = \"gnuchess\"\nargs = [\"--uci\"]\n[factor]\n\
             null-move = \"NullMove Pruning=Never\"\nhistory = \"History Pruning=false\"\n",
        ),
    ),
    (
        "stockfish",
        Some("[subject]\ngame = \"chess\"\ncommand = \"stockfish\"\n[factor]\nnnue = \"Use NNUE=false\"\n"),
    ),
    ("stockfish-11", None),
];

/// A program of somebody else that a run is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Engine {
    /// Its name, one of [`ENGINES`].
    pub(super) name: &'static str,
    /// Its subject file; `None`: that of its name, whose source is built.
    file: Option<&'static str>,
    /// `run` or `cell`.
    pub(super) isolation: &'static str,
}

impl Engine {
    /// All of them, each with both ways to keep its searches apart; those that are built only if they are wanted.
    pub(super) fn all(built: bool) -> impl Iterator<Item = Engine> {
        let wanted = ENGINES.into_iter().filter(move |(_, file)| built || file.is_some());
        wanted.flat_map(|(name, file)| ["run", "cell"].map(|isolation| Engine { name, file, isolation }))
    }

    /// Looks for the program, or builds it, so that no trial waits for that.
    ///
    /// # Errors
    /// Why it cannot be started here.
    pub(super) fn ready(self) -> Result<(), String> {
        match self.file {
            Some(_) => {
                secateur_engines::find(Path::new(self.name)).map(drop).map_err(|error| error.to_string())
            }
            None => {
                // Under the name that the trials' file has: what was built is found again by it.
                let program = OtherProgram::parse(Path::new(FILE), &self.text());
                let built = program.and_then(OtherProgram::installed);
                built.map(drop).map_err(|error| error.to_string())
            }
        }
    }

    /// Its subject file.
    fn text(self) -> String {
        let text = self.file.or_else(|| OtherProgram::text(self.name)).unwrap_or_default();
        text.replacen("[subject]\n", &format!("[subject]\nisolation = \"{}\"\n", self.isolation), 1)
    }
}

/// One kind of run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Subject {
    pub(super) name: &'static str,
    /// The program that searches, if it is not ours.
    pub(super) engine: Option<Engine>,
    /// Arguments that begin it in [`RUN`], or go on with it, with blanks between them.
    begin: &'static str,
    /// Arguments that go on with it.
    resume: &'static str,
    /// The files of its record, the one that says what it is first, the one whose rows count as finished second.
    pub(super) files: &'static [&'static str],
}

const RECORD: &[&str] = &["run.toml", "records.csv", "iterations.csv", "counters.csv"];

pub(super) const BENCH: Subject = Subject {
    name: "bench",
    engine: None,
    begin: "bench tiny.toml --out run --jobs 2",
    resume: "bench --resume run",
    files: RECORD,
};

pub(super) const BATCHES: Subject = Subject {
    name: "batches",
    begin: "bench concurrent.toml --out run --jobs 2",
    resume: "bench --resume run --jobs 3",
    ..BENCH
};

pub(super) const COUNT: Subject = Subject {
    name: "instructions",
    begin: "bench counted.toml --instructions --out run --jobs 2",
    resume: "bench --instructions --resume run",
    ..BENCH
};

/// Needs a book of its oracle in the folder of the trial.
pub(super) const JUDGED: Subject = Subject {
    name: "oracle",
    begin: "bench tiny.toml --game chess --oracle +1 --oracle-book book.csv --out run",
    resume: "bench --oracle-book book.csv --resume run",
    ..BENCH
};

pub(super) const PLAY: Subject = Subject {
    name: "play",
    begin: "play --first none --second null-move --nodes 1000 --games 8 --hash 1 --jobs 2 --out run",
    resume: "play --resume run",
    files: &["play.toml", "games.csv", "openings.csv", "games.pgn"],
    ..BENCH
};

/// `bench` of another program, whose file is in the folder of the trial.
pub(super) const BENCH_OF: Subject = Subject {
    name: "bench",
    begin: "bench program.toml --out run --jobs 2",
    resume: "bench --resume run --jobs 1",
    ..BENCH
};

/// `worth` of another program: the same command goes on.
pub(super) const WORTH_OF: Subject = Subject {
    name: "worth",
    begin: WORTH,
    resume: WORTH,
    files: &["searches/run.toml", "searches/records.csv", "searches/iterations.csv", "searches/counters.csv"],
    ..BENCH
};

const WORTH: &str = "worth engine.toml --positions chess-games --limit 1 --depth 5 --jobs 2 --out run";

impl Subject {
    /// The same of this program.
    pub(super) fn searched_by(self, engine: Engine) -> Subject {
        Subject { engine: Some(engine), ..self }
    }

    /// Makes the folder of a trial.
    pub(super) fn prepare(self, dir: &Path) -> io::Result<()> {
        fs::create_dir_all(dir)?;
        if let Some(engine) = self.engine {
            fs::write(dir.join(FILE), engine.text())?;
            fs::write(dir.join("program.toml"), PROGRAM)?;
        }
        fs::write(dir.join("tiny.toml"), SUITE)?;
        fs::write(dir.join("concurrent.toml"), CONCURRENT)?;
        fs::write(dir.join("counted.toml"), COUNTED)
    }

    /// The record in the folder of a trial.
    pub(super) fn record(self, dir: &Path, of: Of) -> Exact {
        Exact::read(&dir.join(RUN), self.files, of)
    }

    /// The arguments that begin it.
    pub(super) fn begin(self) -> Vec<&'static str> {
        self.begin.split(' ').collect()
    }

    /// The file whose rows are finished things.
    pub(super) fn main_file(self) -> &'static str {
        self.files[1]
    }

    /// Whether the run can be resumed by its folder alone.
    fn has_begun(self, dir: &Path) -> bool {
        dir.join(RUN).join(self.files[0]).exists()
    }

    /// The arguments of the first of two undisturbed runs, or of the second. Another program searches alone in the first, so that
    /// each of its processes has searched other positions before: what it keeps of them shows.
    fn first_of_two(self, first: bool) -> Vec<&'static str> {
        let mut arguments = self.begin();
        if let Some(jobs) =
            arguments.iter().position(|word| *word == "--jobs").filter(|_| first && self.engine.is_some())
        {
            arguments[jobs + 1] = "1";
        }
        arguments
    }

    /// An undisturbed run, and how long it took: the second of two, so that nothing is built or read for the first time.
    pub(super) fn reference(self, program: &Program, dir: &Path) -> io::Result<(Exact, Duration)> {
        self.repeated(program, dir).map(|(record, took, _)| (record, took))
    }

    /// The same with what the first of the two runs had otherwise, if anything.
    pub(super) fn repeated(
        self,
        program: &Program,
        dir: &Path,
    ) -> io::Result<(Exact, Duration, Option<String>)> {
        self.prepare(dir)?;
        let (mut took, mut first) = (Duration::ZERO, None);
        for cargo in [true, false] {
            let _ = fs::remove_dir_all(dir.join(RUN));
            let _ = fs::remove_file(dir.join("book.csv"));
            let begin = Instant::now();
            let ended = program.run(dir, &self.first_of_two(cargo), cargo)?;
            took = begin.elapsed();
            if ended.code != Some(0) {
                return Err(io::Error::other(format!("undisturbed {}: {}", self.name, ended.ending())));
            }
            first.get_or_insert_with(|| self.record(dir, Of::Equals));
        }
        let record = self.record(dir, Of::Equals);
        let differs = first.and_then(|first| first.differs(&record));
        Ok((record, took, differs))
    }

    /// The arguments that begin it or go on with it, by the folder alone where that is asked for and possible.
    pub(super) fn going_on(self, dir: &Path, by_folder: bool) -> Vec<&'static str> {
        let arguments = if by_folder && self.has_begun(dir) { self.resume } else { self.begin };
        arguments.split(' ').collect()
    }

    /// Goes on to the end, by the folder alone where that is asked for and possible.
    pub(super) fn go_on(self, program: &Program, dir: &Path, by_folder: bool) -> io::Result<Ended> {
        program.run(dir, &self.going_on(dir, by_folder), false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_two_of_debian_and_one_that_is_built_each_in_both_isolations() {
        let built = |engine: &Engine| {
            let program = OtherProgram::parse(Path::new("engine.toml"), &engine.text()).unwrap();
            assert_eq!(!program.isolation.keeps(), engine.isolation == "cell", "{}", engine.name);
            program.built_from.is_some()
        };
        let all: Vec<Engine> = Engine::all(true).collect();
        assert_eq!((all.len(), all.iter().filter(|engine| built(engine)).count()), (6, 2));
        assert!(Engine::all(false).all(|engine| !built(&engine)), "a short campaign builds nothing");
    }
}
