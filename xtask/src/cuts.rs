//! `cuts`: the cuts of checks, searched again one by one, with what was known when they were made.

use secateur::cli::failure::{Failure, Outcome};
use secateur::cli::reading::jobs;
use secateur::cli::say::{Progress, say};
use secateur_base::number::argument;
use secateur_base::words::{shell_path, shell_word};
use secateur_lab::cuts::{CutsSettings, run};
use secateur_suites::instruments::clock::day;
use secateur_suites::instruments::machine::cores;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::SystemTime;

/// Arguments of `cuts`.
#[derive(clap::Args)]
#[command(after_help = "Examples, the cuts of docs/POSTERIOR.md (then: cargo xtask docs):\n  \
                        cargo xtask cuts othello --positions othello-fit --limit 20 --out docs/runs/cuts/othello-fit.csv\n  \
                        cargo xtask cuts othello --positions othello-36 --limit 60 --out docs/runs/cuts/othello-36.csv")]
pub(crate) struct Flags {
    /// Name of the game
    game: String,
    /// Positions to search: an .epd, .fen, .pgn or .obf file, or a built-in set
    #[arg(long)]
    positions: String,
    /// At most so many positions of each stage
    #[arg(long, value_parser = argument::<usize>)]
    limit: Option<usize>,
    /// Method set with the check; its threshold is the lowest that the cuts can tell about
    #[arg(long, default_value = "mpc[t=0.8]")]
    methods: String,
    /// Depth of the searches, plies
    #[arg(long, default_value_t = 12)]
    depth: i32,
    /// One cut in so many is searched again
    #[arg(long, default_value_t = 16, value_parser = argument::<u64>)]
    every: u64,
    /// Leave out cuts of nodes with fewer plies to the horizon than this
    #[arg(long, default_value_t = 5)]
    height: i32,
    /// Leave out cuts whose estimate lies this many standard deviations beyond the bound: hardly any of them breaks
    #[arg(long, value_name = "SD", default_value_t = 3.0)]
    within: f64,
    /// Threads; all cores by default. The result does not depend on it
    #[arg(long, value_parser = jobs)]
    jobs: Option<usize>,
    /// The CSV file; where the cuts come from is written next to it as .toml
    #[arg(long)]
    out: PathBuf,
}

impl Flags {
    pub(crate) fn run(self) -> Outcome {
        if self.out.extension().is_none_or(|extension| extension != "csv") {
            return Err(Failure::input(format!("--out {}: expected a .csv file", self.out.display())));
        }
        let settings = CutsSettings {
            command: self.command(),
            positions: self.positions,
            limit: self.limit,
            methods: self.methods,
            depth: self.depth,
            every: self.every,
            height: self.height,
            within: self.within,
            threads: self.jobs.unwrap_or_else(cores),
            date: day(SystemTime::now()),
        };
        let bar = Mutex::new(Progress::new(0, 0));
        let origin = run(&self.game, &settings, &self.out, &|done, wanted| {
            if let Ok(mut bar) = bar.lock() {
                bar.phase(done as u64, wanted as u64, "positions searched");
            }
        })?;
        drop(bar);
        say(&format!(
            "{} cuts of {} in {} positions of {}, searched again\nwritten: {}\n",
            origin.cuts,
            origin.methods,
            origin.positions_count,
            origin.positions,
            self.out.display()
        ));
        Ok(())
    }

    /// The command with everything that the result depends on.
    fn command(&self) -> String {
        let limit = self.limit.map_or(String::new(), |limit| format!(" --limit {limit}"));
        format!(
            "cargo xtask cuts {} --positions {}{limit} --methods {} --depth {} --every {} --height {} --within {} \
             --out {}",
            self.game,
            shell_word(&self.positions),
            shell_word(&self.methods),
            self.depth,
            self.every,
            self.height,
            self.within,
            shell_path(&self.out)
        )
    }
}
