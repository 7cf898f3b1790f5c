//! `coverage`: do the intervals of reports hold what they promise? Simulated experiments with a known truth.

use secateur::cli::failure::{Failure, Outcome};
use secateur::cli::report::width;
use secateur::cli::say::say;
use secateur_reports::coverage::table;
use secateur_reports::render;
use secateur_reports::table::{Report, Section};
use secateur_stats::coverage::{GAMES, csv, simulate};
use std::path::PathBuf;

/// Arguments of `coverage`.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  cargo xtask coverage --out docs/coverage.csv && cargo xtask docs")]
pub(crate) struct Flags {
    /// Experiments of each kind
    #[arg(long, default_value_t = 4_000, value_parser = clap::value_parser!(u32).range(1..))]
    experiments: u32,
    /// Write the counts to this file too
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Flags {
    pub(crate) fn run(self) -> Outcome {
        let rows = simulate(&GAMES, self.experiments);
        let mut report = Report::new("Coverage of intervals");
        let title = "Do intervals hold what they promise?".to_owned();
        report.sections.push(Section { title, text: Vec::new(), tables: vec![table(&rows)] });
        say(&render::terminal(&report, width()));
        self.out.map_or(Ok(()), |path| std::fs::write(&path, csv(&rows)).map_err(Failure::io(&path)))
    }
}
