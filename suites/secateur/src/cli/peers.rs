//! `peers`: other UCI engines and this program on the same positions with the same budget.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::reading::Reading;
use crate::cli::report;
use crate::cli::running::{
    ORACLE_BOOK, budget, fresh_folder, interrupt, note, opened, search as search_plan,
};
use crate::cli::shard::Sharding;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches};
use secateur_base::number::{argument, whole};
use secateur_suites::manifest::Manifest;
use secateur_suites::peers::{Arm, EngineArm, HASH_MIB, Lineup, OwnArm, PATIENCE, POSITIONS, Peers, SUITE};
use secateur_suites::run::Ended;
use secateur_suites::setups::arm::split;
use secateur_suites::suite::Allowance;
use std::path::{Path, PathBuf};

/// Arguments of `peers`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  cargo xtask peers --methods none,null-move --engine toga2 --depth 8\n  \
                  cargo xtask peers --engine toga2 --engine toga2 --option 'NullMove Pruning=Never' --depth 8\n  \
                  cargo xtask peers --engine 'gnuchess --uci' --engine stockfish --time 500ms --limit 5\n\n\
                  The first arm is what the ratios refer to. Engines are looked for in PATH and /usr/games.\n\
                  Exit code 2 if an engine or an option does not exist, before anything is searched; 4 if an \
                  engine failed in some cells (column `error`), after everything else was searched.",
    group = ArgGroup::new("budget")
)]
pub struct Flags {
    #[command(flatten)]
    arms: Arms,
    /// Positions: a built-in set of chess, or an .epd, .fen or .pgn file
    #[arg(long, default_value = POSITIONS)]
    positions: String,
    #[command(flatten)]
    reading: Reading,
    /// At most this many positions of each stage
    #[arg(long, value_parser = argument::<usize>)]
    limit: Option<usize>,
    /// Fixed depth in plies, as each program counts them
    #[arg(long, group = "budget")]
    depth: Option<i64>,
    /// Fixed nodes a search, as each program counts them; some engines do not know this budget
    #[arg(long, group = "budget", value_parser = whole)]
    nodes: Option<i64>,
    /// Fixed wall time a search, e.g. 500ms
    #[arg(long, group = "budget")]
    time: Option<String>,
    /// Transposition table of every arm, MiB
    #[arg(long, default_value_t = HASH_MIB, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// How often every search is made; tables take the middle one
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// What an engine may take for a search, besides a time budget, before it counts as hanging
    #[arg(long, default_value = PATIENCE)]
    patience: String,
    /// Parameters and host options of this program: a .toml file with what differs, or a built-in variant
    #[arg(long)]
    params: Option<String>,
    /// Run folder; a run begun there goes on. Default: runs/peers-TIME
    #[arg(long)]
    out: Option<PathBuf>,
    #[command(flatten)]
    sharding: Sharding,
    /// Search cells again that ended with an error; with --resume or --out
    #[arg(long)]
    retry: bool,
    /// Go on with the interrupted run in this folder
    #[arg(long, conflicts_with_all = [
        "engine", "option", "methods", "positions", "skip_bad", "every", "limit", "budget", "hash", "repeat", "patience", "params", "out", "shard", "costs",
    ])]
    resume: Option<PathBuf>,
}

impl Flags {
    pub fn run(self) -> Outcome {
        let unnamed = || self.sharding.folder(SUITE).unwrap_or_else(|| fresh_folder(SUITE));
        let folder = self.resume.clone().or(self.out.clone()).unwrap_or_else(unnamed);
        search(self.lineup()?, &folder, (&self.sharding, self.resume.is_some()), self.retry)
    }

    fn lineup(&self) -> Result<Lineup, Failure> {
        if let Some(folder) = &self.resume {
            return Ok(Lineup::from_manifest(&Manifest::read(folder)?.suite, folder)?);
        }
        let budget = budget(self.depth, self.nodes, self.time.as_deref())?
            .ok_or_else(|| Failure::input("no budget: expected --depth, --nodes or --time"))?;
        Ok(Lineup {
            name: SUITE.to_owned(),
            positions: lasting(&self.positions),
            limit: self.limit,
            reading: self.reading.given().unwrap_or_default(),
            budget_kind: budget.kind().to_string(),
            budget: budget.amount(),
            repeats: self.repeat,
            hash_mib: self.hash,
            patience_ms: millis(&self.patience)?,
            params: self.params.as_deref().map(lasting),
            arms: self.arms.0.clone(),
        })
    }
}

/// Searches a comparison with other programs into a folder, or the part of it that is asked for or that was begun there, and
/// reports.
pub fn search(lineup: Lineup, folder: &Path, (sharding, resumed): (&Sharding, bool), retry: bool) -> Outcome {
    let whole = Peers::new(lineup)?.plan().clone();
    let whole = if resumed { whole.part_of(&Manifest::read(folder)?, folder)? } else { whole };
    let plan = sharding.cut(whole)?;
    note(&plan);
    let store = opened(&plan, folder, 1, retry)?;
    let stop = interrupt("the search under way is given up")?;
    let ended = search_plan(&plan, store, 1, ORACLE_BOOK.as_ref(), &stop)?;
    let rows = match ended {
        Ended::Complete(rows) => rows,
        Ended::Stopped { finished } => {
            return Err(Failure::incomplete(format!(
                "stopped after {finished} of {} cells; go on with: cargo xtask peers --resume {}",
                plan.len(),
                folder.display()
            )));
        }
    };
    let cells = rows.records.len();
    let failed = rows.records.iter().filter(|record| record.error.is_some()).count();
    let judged = match failed {
        0 => Ok(()),
        failed => Err(Failure::incomplete(format!(
            "{failed} of {cells} cells failed; see the column `error` of records.csv; search them again with: cargo xtask \
             peers --retry --resume {}",
            folder.display()
        ))),
    };
    match &plan.part {
        Some(part) => sharding.finish(folder, part, judged),
        None => {
            report::of_rows(folder, rows, report::Printed::Full)?;
            judged
        }
    }
}

/// A time as it is written, milliseconds, at least 1.
fn millis(text: &str) -> Result<u64, Failure> {
    let patience = Allowance::time(text).map_err(|error| Failure::input(format!("--patience: {error}")))?;
    Ok((patience.amount() / 1_000_000).max(1))
}

/// The lineup of a command that asks for little more than who is to search: the rest is what `peers` does by itself.
pub fn lineup_of(subjects: &[String], methods: Option<&str>, budget: Allowance) -> Result<Lineup, Failure> {
    let mut arms = Vec::new();
    for text in subjects {
        let mut parts = split(text, ';').into_iter();
        let command = parts.next().unwrap_or_default();
        arms.push(engine(command).map_err(|error| Failure::input(error.to_string().trim_end()))?);
        for option in parts {
            add_option(&mut arms, option).map_err(|error| Failure::input(error.to_string().trim_end()))?;
        }
    }
    arms.extend(methods.into_iter().flat_map(|list| split(list, ',')).map(own));
    Ok(Lineup {
        name: SUITE.to_owned(),
        positions: POSITIONS.to_owned(),
        limit: None,
        reading: Default::default(),
        budget_kind: budget.kind().to_string(),
        budget: budget.amount(),
        repeats: 1,
        hash_mib: HASH_MIB,
        patience_ms: millis(PATIENCE)?,
        params: None,
        arms,
    })
}

/// A method set of this program.
fn own(methods: &str) -> Arm {
    Arm::Own(OwnArm { methods: methods.to_owned(), ..OwnArm::default() })
}

/// A file by its full path, so that a run can be resumed from another folder; a name as it is.
pub fn lasting(name_or_path: &str) -> String {
    let path = std::path::Path::new(name_or_path);
    match path.extension().map(|_| std::path::absolute(path)) {
        Some(Ok(path)) => path.display().to_string(),
        _ => name_or_path.to_owned(),
    }
}

/// The arms in the order of the command line, where an option belongs to the engine before it. Clap keeps
/// the place of every value, but a derived struct does not show it.
struct Arms(Vec<Arm>);

/// Names of the three arguments.
const ENGINE: &str = "engine";
const OPTION: &str = "option";
const METHODS: &str = "methods";

impl clap::Args for Arms {
    fn augment_args(command: clap::Command) -> clap::Command {
        let list = |name: &'static str| Arg::new(name).long(name).action(ArgAction::Append);
        command
            .arg(
                list(ENGINE)
                    .value_name("COMMAND")
                    .help("A UCI engine, e.g. toga2 or 'gnuchess --uci'; repeatable"),
            )
            .arg(
                list(OPTION)
                    .value_name("NAME=VALUE")
                    .help("A UCI option of the engine before it, e.g. 'NullMove Pruning=Never'; repeatable"),
            )
            .arg(
                list(METHODS)
                    .value_name("METHODS")
                    .help("Method sets of this program, e.g. none,null-move[verified]+mpc"),
            )
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Arms::augment_args(command)
    }
}

impl clap::FromArgMatches for Arms {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Arms, clap::Error> {
        let mut words: Vec<(usize, &str, &String)> = Vec::new();
        for name in [ENGINE, OPTION, METHODS] {
            if matches.value_source(name) == Some(ValueSource::CommandLine) {
                let places = matches.indices_of(name).into_iter().flatten();
                let values = matches.get_many::<String>(name).into_iter().flatten();
                words.extend(places.zip(values).map(|(place, value)| (place, name, value)));
            }
        }
        words.sort_unstable();
        let mut arms = Vec::new();
        for (_, name, value) in words {
            match name {
                ENGINE => arms.push(engine(value)?),
                OPTION => add_option(&mut arms, value)?,
                _ => arms.extend(split(value, ',').into_iter().map(own)),
            }
        }
        Ok(Arms(arms))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Arms::from_arg_matches(matches)?;
        Ok(())
    }
}

fn refusal(message: String) -> clap::Error {
    clap::Error::raw(ErrorKind::ValueValidation, message + "\n")
}

/// An engine as it is typed: program and arguments between spaces.
fn engine(text: &str) -> Result<Arm, clap::Error> {
    let mut words = text.split_whitespace().map(str::to_owned);
    let command =
        words.next().ok_or_else(|| refusal("--engine: found nothing, expected a program".to_owned()))?;
    let command = match std::path::absolute(&command) {
        Ok(path) if command.contains('/') => path.display().to_string(),
        _ => command,
    };
    Ok(Arm::Engine(EngineArm { command, args: words.collect(), ..EngineArm::default() }))
}

fn add_option(arms: &mut [Arm], text: &str) -> Result<(), clap::Error> {
    let Some((name, value)) = text.split_once('=') else {
        return Err(refusal(format!("--option: found `{text}`, expected NAME=VALUE")));
    };
    let engine = arms.iter_mut().rev().find_map(|arm| match arm {
        Arm::Engine(arm) => Some(arm),
        Arm::Own(_) => None,
    });
    let Some(engine) = engine else {
        return Err(refusal(format!("--option `{text}`: expected an --engine before it")));
    };
    engine.options.push((name.trim().to_owned(), value.trim().to_owned()));
    Ok(())
}
