//! `fit`: evaluation pairs to (a, b, sigma, r) and margins.

use crate::cli::failure::Outcome;
use crate::cli::reading::{jobs, with_options};
use crate::cli::say::{phased, say};
use secateur_base::number::argument;
use secateur_base::program::name;
use secateur_lab::fit::{FitSettings, run};
use secateur_suites::instruments::clock::day;
use secateur_suites::instruments::machine::cores;
use std::path::PathBuf;
use std::time::SystemTime;

/// Arguments of `fit`.
#[derive(clap::Args)]
#[command(after_help = format!("Example:\n  {me} fit othello --pairs othello-pairs.csv\n\n\
                        Without options it makes the committed file again. It takes minutes to hours.", me = name()))]
pub struct Flags {
    /// Name of the game
    game: String,
    /// Fitting positions: an .epd, .fen, .pgn or .obf file, or a built-in set [default: GAME-fit]
    #[arg(long)]
    positions: Option<String>,
    /// Use these parameters and host options: a .toml file with the entries that differ, or a built-in
    /// variant, whose fit is `GAME.VARIANT.fit.toml`
    #[arg(long)]
    params: Option<String>,
    /// Maximum positions per stage [default: all]
    #[arg(long, value_parser = argument::<usize>)]
    limit: Option<usize>,
    /// Seed of the draw of nodes
    #[arg(long)]
    seed: Option<u64>,
    /// Threads [default: all cores]; results do not depend on it
    #[arg(long, value_parser = jobs)]
    jobs: Option<usize>,
    /// Write the raw values of every node to this CSV file as well
    #[arg(long)]
    pairs: Option<PathBuf>,
    /// Folder of the fitted file
    #[arg(long, default_value = "suites/params")]
    out: PathBuf,
}

impl Flags {
    pub fn run(self) -> Outcome {
        let standard = FitSettings::standard(&self.game)?;
        let options = [
            ("--positions", self.positions.clone()),
            ("--params", self.params.clone()),
            ("--limit", self.limit.map(|n| n.to_string())),
            ("--seed", self.seed.map(|n| n.to_string())),
        ];
        let command = with_options(standard.command.clone(), options);
        let settings = FitSettings {
            positions: self.positions.unwrap_or(standard.positions),
            params: self.params.or(standard.params),
            limit: self.limit.or(standard.limit),
            seed: self.seed.unwrap_or(standard.seed),
            threads: self.jobs.unwrap_or_else(cores),
            pairs: self.pairs,
            date: day(SystemTime::now()),
            command,
            ..standard
        };
        let summary = phased("nodes drawn", |bar| run(&self.game, &settings, &self.out, bar))?;
        say(&summary.to_string());
        Ok(())
    }
}
