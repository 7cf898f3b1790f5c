//! `positions`: list, check, sample, import.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::import;
use crate::cli::progress::Progress;
use crate::cli::reading::{Reading, jobs};
use crate::cli::say::{message, say};
use clap::Subcommand;
use secateur_base::number::{argument, grouped};
use secateur_base::program::name;
use secateur_base::words::{shell_path, shell_word};
use secateur_positions::builtin;
use secateur_positions::error::some_of;
use secateur_suites::Error;
use secateur_suites::instruments::clock::day;
use secateur_suites::instruments::machine::cores;
use secateur_suites::sample::{SampleSettings, sample};
use secateur_suites::setups::games;
use std::path::PathBuf;
use std::time::SystemTime;

/// Arguments of `positions`.
#[derive(clap::Args)]
#[command(
    after_help = format!("Examples:\n  {me} positions list\n  {me} positions check my.epd\n  {me} positions check games.pgn --every 10 --skip-bad\n  \
                        {me} positions import WTH_2019.wtb --out games.obf", me = name())
)]
pub struct Flags {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// List the built-in sets and their sources
    List,
    /// Check a file or a built-in set: every line, every move, repeated positions
    Check {
        /// An .epd, .fen, .pgn, .pdn, .obf, .sfen or .pos file, or a built-in set
        set: String,
        /// The game of a .pos file
        #[arg(long)]
        game: Option<String>,
        #[command(flatten)]
        reading: Reading,
    },
    /// Sample test and fitting positions by self-play
    #[command(after_help = format!("Positions of real games: {me} positions import", me = name()))]
    Sample(Sample),
    /// Take positions of real games from WTHOR databases (.wtb)
    Import(import::Flags),
}

#[derive(clap::Args)]
struct Sample {
    /// Name of the game
    game: String,
    /// Folder of the data files and their list
    #[arg(long)]
    out: PathBuf,
    /// Seed of all games
    #[arg(long)]
    seed: Option<u64>,
    /// Positions of each stage for tests
    #[arg(long, value_parser = argument::<usize>)]
    count: Option<usize>,
    /// Positions of each stage for fitting
    #[arg(long, value_parser = argument::<usize>)]
    fit_count: Option<usize>,
    /// Depth of the searches that choose moves, plies [default: 3]; Othello and chess have their own samplers
    #[arg(long, value_parser = clap::value_parser!(i32).range(1..))]
    depth: Option<i32>,
    /// Threads [default: all cores]; results do not depend on it
    #[arg(long, value_parser = jobs)]
    jobs: Option<usize>,
}

impl Flags {
    pub fn run(self) -> Outcome {
        match self.verb {
            Verb::List => list(),
            Verb::Check { set, game, reading } => check(&set, game, reading),
            Verb::Sample(flags) => flags.run(),
            Verb::Import(flags) => flags.run(),
        }
    }
}

fn list() -> Outcome {
    let mut text = String::new();
    for set in secateur_positions::list()? {
        text += &format!(
            "{:<14} {:<8} {:>5} positions  {}\n",
            set.name, set.game, set.positions, set.description
        );
        text += &format!("{:<14} source: {}\n", "", set.provenance.source);
    }
    say(&text);
    Ok(())
}

fn check(name: &str, game: Option<String>, reading: Reading) -> Outcome {
    let game = builtin::game_of(name)?.or(game);
    let game = game.ok_or_else(|| {
        Failure::input(format!("{name}: the file does not say its game: name it with --game"))
    })?;
    let game = games::find(&game).map_err(Error::from)?;
    let report = secateur_positions::check_as(&game, name, reading.given().unwrap_or_default())?;
    let set = &report.set;
    let mut text = format!("{}: {} positions of {}, hash {}\n", name, set.entries.len(), set.game, set.hash);
    for note in set.notes().iter().filter(|note| !note.ends_with(&set.account())) {
        message(&format!("note: {note}\n"));
    }
    text += &format!("  {}\n", set.account());
    for (stage, count) in set.stages() {
        text += &format!("  {stage}: {count}\n");
    }
    say(&text);
    if report.is_clean() {
        return Ok(());
    }
    let pairs: Vec<String> = report.duplicates.iter().map(|(a, b)| format!("{a} and {b}")).collect();
    let mut faults = match pairs.len() {
        0 => Vec::new(),
        1 => vec![format!("{} are the same position", pairs[0])],
        several => {
            vec![format!("{} pairs are each one position: {}", grouped(several as u64), some_of(&pairs))]
        }
    };
    faults.extend(report.listed_hash.map(|hash| format!("the list has hash {hash}, expected {}", set.hash)));
    faults.extend(
        report.listed_positions.map(|n| format!("the list has {n} positions, not {}", set.entries.len())),
    );
    Err(Failure::input(format!("{name}: {}", faults.join("; "))))
}

impl Sample {
    fn run(self) -> Outcome {
        let mut command = format!(
            "cargo xtask positions sample {} --out {}",
            shell_word(&self.game),
            shell_path(&self.out)
        );
        for (option, value) in [
            ("--seed", self.seed.map(|n| n.to_string())),
            ("--count", self.count.map(|n| n.to_string())),
            ("--fit-count", self.fit_count.map(|n| n.to_string())),
            ("--depth", self.depth.map(|n| n.to_string())),
        ] {
            if let Some(value) = value {
                command += &format!(" {option} {value}");
            }
        }
        let settings = SampleSettings {
            seed: self.seed,
            count: self.count,
            fit_count: self.fit_count,
            depth: self.depth,
            threads: self.jobs.unwrap_or_else(cores),
            command,
            date: day(SystemTime::now()),
        };
        let mut bar = Progress::new(0, 0);
        let sets = sample(&self.game, &settings, &self.out, &mut |name, had, wanted| {
            bar.phase(had as u64, wanted as u64, name);
        })?;
        drop(bar);
        let lines: Vec<String> = sets
            .iter()
            .map(|set| format!("{}: {} positions, hash {}\n", set.name, set.positions, set.hash))
            .collect();
        say(&lines.concat());
        Ok(())
    }
}
