//! `report`: what finished runs say, in the form that is asked for; never searches.

use crate::failure::{Failure, Outcome};
use crate::say::{complain, say};
use secateur_reports::pair::groups;
use secateur_reports::read::read;
use secateur_reports::{forms, full, render, table2};
use std::path::{Path, PathBuf};

/// Arguments of `report`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  cargo xtask report runs/buro --table2 --markdown > table2.md\n  cargo xtask report \
                        runs/quick --csv > quick.csv"
)]
pub(crate) struct Flags {
    /// Run folders
    #[arg(required = true)]
    runs: Vec<PathBuf>,
    /// Only the tables by stage, in the form of Buro 1995
    #[arg(long)]
    table2: bool,
    #[command(flatten)]
    form: Form,
}

/// The form; a table for the terminal without any.
#[derive(clap::Args)]
#[group(multiple = false)]
struct Form {
    /// Markdown instead of the terminal's form
    #[arg(long)]
    markdown: bool,
    /// LaTeX tables
    #[arg(long)]
    latex: bool,
    /// Tidy CSV: one row for each measure of each method set, budget and stage
    #[arg(long)]
    csv: bool,
    /// JSON: the measures of --csv and the sections as they are printed
    #[arg(long)]
    json: bool,
}

impl Flags {
    pub(crate) fn run(self) -> Outcome {
        let runs = read(&self.runs)?;
        let measures = || forms::rows(&groups(&runs.records));
        if self.form.csv {
            say(&forms::csv(&measures()));
            return Ok(());
        }
        let report = if self.table2 { table2(&runs) } else { full(&runs) };
        say(&match self.form {
            Form { markdown: true, .. } => render::markdown(&report),
            Form { latex: true, .. } => forms::latex(&report),
            Form { json: true, .. } => forms::json(&report, &measures()),
            _ => render::terminal(&report, width()),
        });
        Ok(())
    }
}

/// Prints the report of a run folder and writes it there as `report.md`.
pub(crate) fn of_folder(folder: &Path) -> Outcome {
    let report = full(&read(&[folder.to_owned()])?);
    let path = folder.join("report.md");
    std::fs::write(&path, render::markdown(&report)).map_err(Failure::io(&path))?;
    say(&render::terminal(&report, width()));
    complain(&format!("\nreport: {}\n", path.display()));
    Ok(())
}

/// Columns of the terminal; wide where there is none, so that nothing is folded in a file.
pub(crate) fn width() -> u16 {
    console::Term::stdout().size_checked().map_or(200, |(_, columns)| columns.max(60))
}
