//! `torture`: kills, damages and full disks against this very program.

use crate::stress::faults::{self, Campaign, Tally};
use secateur::cli::failure::{Failure, Outcome};
use secateur::cli::report::width;
use secateur::cli::say::{message, say};
use secateur_gate::instructions::Source;
use secateur_reports::render;
use secateur_reports::table::Report;

/// Arguments of `torture`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  cargo xtask torture --short\n  cargo xtask torture --kills 200 --damages 500 --seed 7\n  \
                  cargo xtask torture --seed 7 --only damage-bench:12\n\n\
                  Wanted are zeros under `accepted` (other numbers were taken for good) and `lost`."
)]
pub(crate) struct Flags {
    /// A handful of each, as continuous integration does
    #[arg(long)]
    short: bool,
    /// Seed of all trials
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Kills of bench, of play and, where valgrind is, of a run that counts instructions [default: 200]
    #[arg(long)]
    kills: Option<u64>,
    /// Kills of bench and worth with each of gnuchess, stockfish and, unless `--short`, stockfish-11, which is built from
    /// its source: a quarter of each, in one process for all searches and in one for each, of which `--short` takes one in turn [default: 40]
    #[arg(long)]
    engine_kills: Option<u64>,
    /// Damages, half of them in matches, and as many again in courses, histories, solved positions and searches of `worth`
    /// [default: 500]
    #[arg(long)]
    damages: Option<u64>,
    /// Only one kind of trial, as the table names it (kill-bench), or one trial of it (kill-bench:3)
    #[arg(long, value_name = "KIND[:NUMBER]")]
    only: Option<String>,
}

impl Flags {
    pub(crate) fn run(self) -> Outcome {
        let only = self.only.as_deref().map(|text| match text.split_once(':') {
            None => Ok((text.to_owned(), None)),
            Some((kind, number)) => match number.parse() {
                Ok(number) => Ok((kind.to_owned(), Some(number))),
                Err(_) => Err(Failure::input(format!("--only {text}: expected KIND or KIND:NUMBER"))),
            },
        });
        let many = |short, long| if self.short { short } else { long };
        let settings = Campaign {
            program: std::env::current_exe()
                .map_err(|error| Failure::system(format!("where am I: {error}")))?,
            seed: self.seed,
            kills: self.kills.unwrap_or(many(6, 200)),
            engine_kills: self.engine_kills.unwrap_or(many(4, 40)),
            engines_built: !self.short,
            damages: self.damages.unwrap_or(many(40, 500)),
            others: many(2, 40),
            counted: Source::Callgrind.check().is_ok(),
            only: only.transpose()?,
        };
        let found = faults::run(&settings, &mut |kind| message(&format!("{kind}\n")))
            .map_err(|error| Failure::system(format!("torture: {error}")))?;
        if found.tallies.is_empty() {
            return Err(Failure::input("--only: no such kind of trial; the table names them: kill-bench"));
        }
        say(&render::terminal(&report(&found.tallies, self.seed), width()));
        found.left_out.iter().for_each(|what| message(&format!("not tried: {what}\n")));
        for failure in &found.failures {
            message(&format!("{}\n  again: cargo xtask {}\n", failure.what, failure.again));
        }
        match found.failures.len() {
            0 => Ok(()),
            count => Err(Failure::gate(format!("{count} trials went wrong"))),
        }
    }
}

fn report(tallies: &[Tally], seed: u64) -> Report {
    let row = |tally: &Tally| {
        [
            ("<what", tally.kind.clone()),
            ("tried", tally.tried.to_string()),
            ("found", tally.found.to_string()),
            ("repaired", tally.repaired.to_string()),
            ("refused", tally.refused.to_string()),
            ("accepted", tally.accepted.to_string()),
            ("lost", tally.lost.to_string()),
        ]
    };
    Report::of_table(&format!("Torture, seed {seed}"), Vec::new(), tallies.iter().map(row).collect())
}
