//! `report`: what finished runs say, in the form that is asked for; never searches.

use crate::cli::bench::{Block, block_of};
use crate::cli::evidence::{positions, searches, searches_in};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::reading::hold_something;
use crate::cli::say::{hand, message, put, say};
use crate::cli::speed::{folders, is_comparison};
use crate::cli::worth::{SEARCHES, is_worth, matches};
use secateur_arena::play::{Ended, SETTINGS};
use secateur_base::program::name;
use secateur_base::words::shell_path;
use secateur_record::archive::is_file;
use secateur_record::manifest::Manifest;
use secateur_record::store::RunRows;
use secateur_reports::evidence::Evidence;
use secateur_reports::page::html::Extras;
use secateur_reports::page::{brief, changes, html};
use secateur_reports::table::Report;
use secateur_reports::worth::Played;
use secateur_reports::{export, full, full_of, play, predict, pruning, render, table2, worth};
use secateur_stats::group::groups_of;
use secateur_stats::measures::measure_rows;
use secateur_stats::metrics::iterations;
use secateur_stats::play::match_rows;
use secateur_stats::read::from_rows;
use secateur_stats::runs::Runs;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Arguments of `report`.
#[derive(clap::Args)]
#[command(
    after_help = format!("Examples:\n  {me} report runs/buro --table2 --markdown > table2.md\n  {me} report \
                        runs/quick --csv > quick.csv\n  {me} report docs/runs/play-toga2 --markdown", me = name())
)]
pub struct Flags {
    /// Run folders, match folders, or a folder that `worth` or `speed` wrote
    #[arg(required_unless_present = "json_schema")]
    runs: Vec<PathBuf>,
    /// Print the JSON schema of --json, and nothing else
    #[arg(long, exclusive = true)]
    json_schema: bool,
    /// Only the tables by stage
    #[arg(long)]
    table2: bool,
    /// Print one page: what each method saves, what it breaks, when it fires
    #[arg(long, conflicts_with = "table2")]
    pruning: bool,
    /// Print every position at which a method changes move or value, as CSV
    #[arg(long, conflicts_with_all = ["table2", "pruning", "full", "markdown", "html", "latex", "csv", "json"])]
    changed: bool,
    /// Print every table, not only the answer and one table per block
    #[arg(long, conflicts_with_all = ["table2", "pruning"])]
    full: bool,
    /// Print every column of the tables, however narrow the terminal
    #[arg(long)]
    wide: bool,
    #[command(flatten)]
    form: Form,
    /// Add these pairs, which `pairs` wrote, to the page as scatter plots
    #[arg(long, value_name = "FILE", requires = "html")]
    pairs: Vec<PathBuf>,
    /// Write to this file [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The form; a table for the terminal without any.
#[derive(clap::Args, Clone, Copy, Default)]
#[group(multiple = false)]
pub struct Form {
    /// Print Markdown instead of the form for a terminal
    #[arg(long)]
    pub markdown: bool,
    /// Write one self-contained page with pictures and sortable tables
    #[arg(long, conflicts_with_all = ["table2", "pruning"])]
    pub html: bool,
    /// Print LaTeX tables
    #[arg(long)]
    pub latex: bool,
    /// Print tidy CSV: one row per measure of each method set, budget and stage
    #[arg(long)]
    pub csv: bool,
    /// Print JSON: the measures of --csv and the sections as printed
    #[arg(long)]
    pub json: bool,
}

impl Flags {
    pub fn run(self) -> Outcome {
        if self.json_schema {
            say(export::SCHEMA);
            return Ok(());
        }
        hand(self.out.as_deref(), &self.report_text()?)
    }

    fn report_text(&self) -> Result<String, Failure> {
        match self.runs.as_slice() {
            [folder] if is_comparison(folder) => return self.of_speed(folder),
            [folder] if is_worth(folder) => return self.of_worth_folder(folder),
            folders => hold_something(folders)?,
        }
        match self.runs.iter().filter(|path| is_file(&path.join(SETTINGS))).count() {
            0 => self.text(&searches(&self.runs)?),
            matches if matches == self.runs.len() => self.of_matches(),
            _ => Err(Failure::input("runs and matches have no table in common: report one kind at a time")),
        }
    }

    /// A report in one of the forms that any has.
    fn rendered(&self, report: &Report) -> String {
        match self.form {
            Form { markdown: true, .. } => render::markdown(report),
            Form { latex: true, .. } => export::latex(report),
            _ => render::terminal(report, width()),
        }
    }

    /// The report of a comparison of speed.
    fn of_speed(&self, folder: &Path) -> Result<String, Failure> {
        let Form { html, csv, json, .. } = self.form;
        let report = secateur_reports::speed::report(&folders(folder)?);
        if html || csv || json {
            let what = "a comparison of speed has --markdown and --latex; its parts are runs of their own";
            return Err(Failure::input(format!("{}: {what}", folder.display())));
        }
        Ok(self.rendered(&report))
    }

    /// The page of a folder that `worth` wrote, of its searches and its games.
    fn of_worth_folder(&self, folder: &Path) -> Result<String, Failure> {
        if self.table2 || self.pruning || self.changed || self.full {
            let searches = folder.join(SEARCHES);
            return Err(Failure::input(format!(
                "--table2, --pruning, --changed and --full are for runs of searches, as in {}",
                searches.display()
            )));
        }
        let runs = searches_in(&folder.join(SEARCHES))?;
        let played = matches(folder, |path| Ok(Ended::read(path)?))?;
        Ok(worth_in(self.form, &Evidence::of(&runs), &runs, &played, self.wide))
    }

    /// The report of matches, one section for each.
    fn of_matches(&self) -> Result<String, Failure> {
        if self.table2 || self.pruning || self.changed || self.form.html {
            let what = "--table2, --pruning, --changed and --html are for runs of searches";
            return Err(Failure::input(format!("found a match: {what}")));
        }
        let ended: Vec<Ended> = self.runs.iter().map(|path| Ended::read(path)).collect::<Result<_, _>>()?;
        let mut reports = ended.iter().map(play::report);
        let mut report = reports.next().unwrap_or_default();
        for more in reports {
            report.notes.extend(more.notes.into_iter().map(|note| format!("{}: {note}", more.title)));
            report.sections.extend(more.sections);
        }
        let measures = || ended.iter().flat_map(match_rows).collect::<Vec<_>>();
        Ok(match self.form {
            Form { csv: true, .. } => export::csv(&measures()),
            Form { json: true, .. } => export::json(&report, &measures()),
            _ => self.rendered(&report),
        })
    }

    fn text(&self, runs: &Runs) -> Result<String, Failure> {
        if self.changed {
            return Ok(changes::data(&changes::changes(&groups_of(runs))));
        }
        let measures = || measure_rows(&groups_of(runs), &iterations(&runs.iterations));
        let report = || match (self.table2, self.pruning) {
            (true, _) => table2(runs),
            (_, true) => pruning::page(runs),
            _ => full(runs),
        };
        Ok(match self.form {
            Form { html: true, .. } => {
                let figures: Vec<_> =
                    self.pairs.iter().map(|path| predict::figures_of(path)).collect::<Result<_, _>>()?;
                let figures = figures.into_iter().flatten().collect();
                html::page(runs, Extras { figures, positions: positions(runs), ..Extras::default() })
            }
            Form { csv: true, .. } => export::csv(&measures()),
            Form { json: true, .. } => export::json(&report(), &measures()),
            Form { latex: true, .. } | Form { markdown: true, .. } => self.rendered(&report()),
            // What programs say side by side has tables of its own, which come first there.
            _ if self.table2 || self.pruning || self.full || has_lineup(runs) => self.rendered(&report()),
            _ => {
                let (evidence, more) = (Evidence::of(runs), self.more());
                of_worth(&evidence, &more, if self.wide { brief::WIDE } else { width() })
                    .unwrap_or_else(|| brief::whole(&evidence, &more, columns(self.wide)))
            }
        })
    }

    /// Where there is more than the answer.
    fn more(&self) -> Vec<String> {
        let runs: Vec<String> = self.runs.iter().map(|path| shell_path(path)).collect();
        vec![format!("all tables: {} report {} --full", name(), runs.join(" "))]
    }
}

/// What the methods of a program are worth, where it was compared with itself without them: a table of what each arm saves would say
/// the reverse of what its reader asks. `last` are lines below it. In a file nothing is left out for want of room.
fn of_worth(evidence: &Evidence<'_>, last: &[String], columns: u16) -> Option<String> {
    brief::of_worth(evidence, &[], columns).map(|text| format!("{text}\n{}\n", last.join("\n")))
}

/// What the methods of a program are worth, by its searches and games.
pub fn worth_in(form: Form, evidence: &Evidence<'_>, runs: &Runs, played: &[Played], wide: bool) -> String {
    let report = || worth::page(evidence, played);
    match form {
        Form { html: true, .. } => {
            let extras = Extras { positions: positions(runs), played: played.to_vec(), ..Extras::default() };
            html::page_of(evidence, extras)
        }
        Form { csv: true, .. } => export::csv(&worth::rows(evidence, played)),
        Form { json: true, .. } => worth::json(evidence, played),
        Form { latex: true, .. } => export::latex(&report()),
        Form { markdown: true, .. } => worth::markdown(&report(), played),
        _ => brief::of_worth(evidence, played, if wide { brief::WIDE } else { width() }).unwrap_or_default(),
    }
}

/// Whether programs were searched with side by side.
fn has_lineup(runs: &Runs) -> bool {
    runs.manifests.iter().any(|manifest| manifest.lineup().is_some())
}

/// What is printed of a run that has just been completed.
#[derive(Clone, Copy)]
pub enum Printed<'a> {
    /// Every table.
    Full,
    /// The answer in so many columns, with the tables of these blocks above it; of the others they were printed before.
    Brief(&'a BTreeSet<Block>, u16),
}

/// Prints the report of a run that has just been completed, whose rows are in hand, and writes it into its folder as
/// `report.md` and `report.html`.
pub fn of_rows(folder: &Path, rows: RunRows, printed: Printed<'_>) -> Outcome {
    let runs = from_rows(folder, rows, Manifest::read(folder)?)?;
    let evidence = Evidence::of(&runs);
    let report = full_of(&evidence);
    let extras = Extras { positions: positions(&runs), ..Extras::default() };
    let page = html::page_of(&evidence, extras);
    put(&folder.join("report.md"), render::markdown(&report))?;
    let path = folder.join("report.html");
    put(&path, page)?;
    match printed {
        Printed::Full => {
            say(&render::terminal(&report, width()));
            message(&format!("\nreport: {}\n", path.display()));
        }
        Printed::Brief(blocks, columns) => {
            let last = [
                format!("page: {}", path.display()),
                format!("all tables: {} report {} --full", name(), shell_path(folder)),
            ];
            let wide = if columns == brief::WIDE { columns } else { width() };
            say(&of_worth(&evidence, &last, wide)
                .unwrap_or_else(|| answer(&evidence, blocks, &last, columns)));
        }
    }
    Ok(())
}

/// The tables of the blocks that are wanted, and the end.
fn answer(evidence: &Evidence<'_>, wanted: &BTreeSet<Block>, last: &[String], columns: u16) -> String {
    let order = brief::weightiest_last(&evidence.groups).into_iter();
    let tables = order.filter(|group| wanted.contains(&block_of(group)));
    let tables: Vec<String> = tables.map(|group| brief::block(group, evidence, columns)).collect();
    let above = if evidence.groups.len() == 1 { tables.concat().lines().count() } else { 0 };
    tables.concat() + &brief::ending(evidence, above, last, columns)
}

/// Columns of the terminal; wide where there is none, so that nothing is folded in a file.
pub fn width() -> u16 {
    console::Term::stdout().size_checked().map_or(200, |(_, columns)| columns.max(60))
}

/// Columns for what is fitted into them; so many that everything fits, if that is asked for.
pub fn columns(wide: bool) -> u16 {
    if wide { brief::WIDE } else { narrow() }
}

/// The same as [`width`] for what is fitted; as wide as a page where there is no terminal.
pub fn narrow() -> u16 {
    console::Term::stdout().size_checked().map_or(brief::WIDTH, |(_, columns)| columns.max(30))
}
