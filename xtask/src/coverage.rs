//! `coverage`: do the intervals of reports hold what they promise? Simulated experiments with a known truth.

use secateur::cli::failure::Outcome;
use secateur::cli::report::width;
use secateur::cli::say::{put, say};
use secateur_lab::coverage::games::{all_decisions, all_estimates};
use secateur_lab::coverage::{GAMES, decisions, estimates, simulate, table};
use secateur_record::table::of_rows;
use secateur_reports::render;
use secateur_reports::table::{Report, Section, Table};
use std::path::PathBuf;

/// The file of decisions, next to that of estimates.
const DECISIONS: &str = "coverage-decisions.csv";

/// Arguments of `coverage`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  cargo xtask coverage --out docs/coverage.csv && cargo xtask docs\n  \
                        cargo xtask coverage --games docs/coverage-games.csv --experiments 40 && cargo xtask docs")]
pub(crate) struct Flags {
    /// Experiments of each kind
    #[arg(long, default_value_t = 4_000, value_parser = clap::value_parser!(u32).range(1..))]
    experiments: u32,
    /// Write the counts to this file too
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Simulate games of programs that lack methods instead, and write how near estimates are to this file, and how many games
    /// decisions take to coverage-decisions.csv next to it
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    games: Option<PathBuf>,
}

impl Flags {
    pub(crate) fn run(self) -> Outcome {
        let mut report = Report::new("Coverage of intervals");
        let mut show = |title: &str, table: Table| {
            report.sections.push(Section { title: title.to_owned(), text: Vec::new(), tables: vec![table] });
        };
        if let Some(path) = self.games {
            let (estimated, decided) = (all_estimates(self.experiments), all_decisions(self.experiments));
            show("How near is left-out Elo?", estimates(&estimated));
            show("How many games do decisions take?", decisions(&decided));
            say(&render::terminal(&report, width()));
            put(&path.with_file_name(DECISIONS), of_rows(&decided))?;
            return put(&path, of_rows(&estimated));
        }
        let rows = simulate(&GAMES, self.experiments);
        show("Do intervals hold what they promise?", table(&rows));
        say(&render::terminal(&report, width()));
        self.out.map_or(Ok(()), |path| put(&path, of_rows(&rows)))
    }
}
