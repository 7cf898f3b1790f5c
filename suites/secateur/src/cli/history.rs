//! `history`: exact quantities of runs over commits, the commits at which something stepped, and trend pictures; never searches.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::reading::hold_something;
use crate::cli::report::width;
use crate::cli::say::{hand, message};
use secateur_base::program::name;
use secateur_gate::exact::Baseline;
use secateur_gate::gate::{Answer, Question};
use secateur_reports::history::{
    Commit, INSTRUCTIONS, Point, add, data, figures, points_of, read, report, series,
};
use secateur_reports::page::html;
use secateur_reports::render;
use secateur_stats::read as runs;
use secateur_stats::runs::Runs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Arguments of `history`.
#[derive(clap::Args)]
#[command(
    after_help = format!("Examples:\n  {me} history add history runs/gate-20261121T120000Z\n  {me} history show history\n  {me} \
                  history show history --html --out history.html\n  {me} gate --history history", me = name())
)]
pub struct Flags {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(clap::Subcommand)]
enum Verb {
    /// Add the exact quantities of runs to the table of a commit
    Add {
        /// The folder of the history, with one CSV file per commit; created if missing
        folder: PathBuf,
        /// Run folders
        #[arg(required = true)]
        runs: Vec<PathBuf>,
        #[command(flatten)]
        at: At,
    },
    /// Print the commits at which a quantity changed
    Show {
        /// The folder of the history
        folder: PathBuf,
        /// Ignore changes of instructions up to this many per cent
        #[arg(long, value_name = "PERCENT", default_value_t = 0.5)]
        tolerance: f64,
        /// Print Markdown instead of the form for a terminal
        #[arg(long, conflicts_with_all = ["html", "csv"])]
        markdown: bool,
        /// Write one self-contained page with trend pictures
        #[arg(long, conflicts_with = "csv")]
        html: bool,
        /// Print all numbers of all commits as CSV
        #[arg(long)]
        csv: bool,
        /// Write to this file [default: standard output]
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

/// Which commit numbers are of.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct At {
    /// Commit of the runs [default: HEAD of this repository]
    #[arg(long, requires = "date")]
    commit: Option<String>,
    /// Date of that commit in UTC: 2026-11-22T15:23:03Z; with --commit
    #[arg(long, requires = "commit")]
    date: Option<String>,
}

impl At {
    /// The commit with these points.
    fn with(&self, points: Vec<Point>) -> Result<Commit, Failure> {
        let (commit, date) = match (&self.commit, &self.date) {
            (Some(commit), Some(date)) => (commit.clone(), date.clone()),
            _ => here()?,
        };
        Ok(Commit { commit, date, points })
    }
}

/// The commit that is checked out here, and when it was made.
fn here() -> Result<(String, String), Failure> {
    let mut git = Command::new("git");
    git.args([
        "show",
        "--no-patch",
        "--abbrev=12",
        "--date=format-local:%Y-%m-%dT%H:%M:%SZ",
        "--format=%h %cd",
    ]);
    let expected = "found no commit here, expected a git repository with one (`history add` takes --commit and --date instead)";
    let done = git.env("TZ", "UTC").output().map_err(|_| Failure::input(expected))?;
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    let parts = text.trim().split_once(' ').filter(|_| done.status.success());
    parts.map(|(commit, date)| (commit.to_owned(), date.to_owned())).ok_or_else(|| Failure::input(expected))
}

impl Flags {
    pub fn run(self) -> Outcome {
        match self.verb {
            Verb::Add { folder, runs: paths, at } => {
                hold_something(&paths)?;
                keep(&folder, &at, points_of(&runs::read(&paths)?))
            }
            Verb::Show { folder, tolerance, markdown, html, csv, out } => {
                let commits = read(&folder).map_err(Failure::input)?;
                let all = series(&commits, tolerance / 100.0);
                let changes = report(&commits, &all, tolerance / 100.0);
                let text = match (html, csv, markdown) {
                    (true, ..) => html::of_report(&changes, &figures(&commits, &all), &data(&commits)),
                    (_, true, _) => data(&commits),
                    (.., true) => render::markdown(&changes),
                    _ => render::terminal(&changes, width()),
                };
                hand(out.as_deref(), &text)
            }
        }
    }
}

/// At which commit the nodes stepped of what a gate found breached, as far as a history knows.
pub fn stepped(folder: &Path, checks: &[Question]) -> Option<String> {
    let breached = |subject: &str| {
        let is_it = |check: &Question| check.what == "signature" && check.subject == subject;
        checks.iter().any(|check| is_it(check) && check.verdict == Answer::Regression)
    };
    let commits = read(folder).ok()?;
    let all = series(&commits, 0.0);
    let moved = all.iter().filter(|series| {
        let point = &series.levels[0].point;
        point.measure == "nodes" && breached(&format!("{} {}", point.game, point.methods))
    });
    let last = moved.filter_map(|series| Some((series.steps.last()?, &series.levels[0].point)));
    let (step, point) = last.max_by_key(|(step, _)| step.at)?;
    let Commit { commit, date, .. } = &commits[step.at];
    Some(format!(
        "By the history the nodes of `{}` stepped from {} to {} at commit {commit} ({date}).",
        point.methods, step.from, step.to
    ))
}

/// Adds points to the history of the commit.
fn keep(folder: &Path, at: &At, points: Vec<Point>) -> Outcome {
    if points.is_empty() {
        return Err(Failure::input(
            "nothing in this run repeats exactly: expected searches to a depth or with a budget of nodes",
        ));
    }
    let path = add(folder, &at.with(points)?).map_err(Failure::input)?;
    message(&format!("history: {}\n", path.display()));
    Ok(())
}

/// Adds a run that a gate made.
pub fn keep_run(folder: &Path, runs: &Runs) -> Outcome {
    keep(folder, &At::default(), points_of(runs))
}

/// Adds what the built-in gate measured.
pub fn keep_measured(folder: &Path, measured: &Baseline) -> Outcome {
    let mut points = Vec::new();
    for (name, arm) in &measured.arm {
        let Some((game, methods)) = name.split_once(' ') else { continue };
        let point = |measure: &str, value: f64| Point {
            suite: "gate".to_owned(),
            game: game.to_owned(),
            methods: methods.to_owned(),
            measure: measure.to_owned(),
            n: usize::try_from(arm.cells).unwrap_or(usize::MAX),
            value,
            ..Point::default()
        };
        points.push(point("nodes", arm.nodes as f64));
        if let Some(accuracy) = &arm.accuracy {
            let share = |kept: u64| kept as f64 / arm.cells.max(1) as f64;
            points.push(point("same_move", share(accuracy.same_move)));
            points.push(point("same_value", share(accuracy.same_value)));
        }
        let counts = measured.counted.iter().filter_map(|counted| {
            let count = counted.instructions.get(name)?.instructions as f64;
            Some(Point { toolchain: counted.toolchain.to_string(), ..point(INSTRUCTIONS, count) })
        });
        points.extend(counts);
    }
    keep(folder, &At::default(), points)
}
