//! `tune`: parameters of methods tuned by games of the program against itself.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::reading::jobs;
use crate::cli::running::{interrupt_by, unnamed_folder};
use crate::cli::say::{Progress, message, say};
use secateur_base::number::plural;
use secateur_base::program::name;
use secateur_base::words::{shell_path, shell_word};
use secateur_lab::tune;
use secateur_lab::tune::{Course, Ended, Job, Settings, TUNED};
use secateur_reports::render::terminal;
use secateur_reports::table::{Report, Table};
use secateur_suites::instruments::machine::cores;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Columns of the report.
const WIDTH: u16 = 120;
/// Parts of the way at which a table says where the parameters were.
const PARTS: usize = 4;

/// Arguments of `tune`.
#[derive(clap::Args)]
#[command(after_help = format!("Examples:\n  {me} tune mine.toml --out runs/mine\n  \
                  {me} play --first modern --first-params runs/mine/tuned.toml --second modern --second-params modern --nodes 2000\n\n\
                  The file names a game, a set of methods and numeric parameters with range and step (docs/PLAYING.md). SPSA plays pairs\n\
                  of games, at fixed nodes or by the clock, between two versions that differ in all of them at once, and moves towards\n\
                  the winner. At fixed nodes the result does not depend on --jobs. After Ctrl-C the same command resumes.\n\
                  The result is FOLDER/tuned.toml, which --params takes; confirm it with a match.", me = name()))]
pub struct Flags {
    /// File that says what to tune
    file: PathBuf,
    /// Folder; a run that began there is resumed [default: runs/tune-TIME]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Games at once, at most one per game of an iteration [default: all cores]; results do not depend on it
    #[arg(long, value_parser = jobs)]
    jobs: Option<usize>,
}

impl Flags {
    pub fn run(self) -> Outcome {
        let dir = self.out.unwrap_or_else(|| unnamed_folder(None, "tune"));
        let stop = Arc::new(AtomicBool::new(false));
        let job = Job { file: &self.file, dir: &dir, jobs: self.jobs.unwrap_or_else(cores), stop: &stop };
        let (mut bar, mut listening): (Option<Progress>, _) = (None, Ok(()));
        let ended = tune::run(&job, &mut |course| {
            let done = course.rows.len() as u64;
            let bar = bar.get_or_insert_with(|| {
                listening = interrupt_by(&stop, "the games under way are given up");
                let iterations = plural(course.settings.iterations as usize, "iteration");
                message(&format!("{iterations} into {}\n", dir.display()));
                Progress::new(course.settings.iterations, done)
            });
            bar.set(
                done,
                &course.after(course.rows.len()).into_iter().map(short).collect::<Vec<_>>().join(" "),
            );
        })?;
        listening?;
        drop(bar);
        report(&ended, &self.file, &dir)
    }
}

/// Says what came of a course.
fn report(Ended { course, mended }: &Ended, file: &Path, dir: &Path) -> Outcome {
    for what in mended {
        message(&format!("repaired: {what}\n"));
    }
    let settings = &course.settings;
    let title = format!("{} in {}, {}", settings.methods, settings.game, settings.spent());
    say(&terminal(&Report::of_table(&title, vec![summary(course)], table(course)), WIDTH));
    if !course.is_complete() {
        return Err(Failure::stopped(format!(
            "stopped after {} of {}; resume with: {} tune {} --out {}",
            course.rows.len(),
            plural(settings.iterations as usize, "iteration"),
            name(),
            shell_path(file),
            shell_path(dir)
        )));
    }
    say(&format!("\nwritten: {}\nis it better? {}\n", dir.join(TUNED).display(), confirming(settings, dir)));
    Ok(())
}

/// The match that has to say what a course is worth, from other openings than those that it was gone with.
fn confirming(settings: &Settings, dir: &Path) -> String {
    let Settings { game, methods, params, nodes, tc, seed, .. } = settings;
    let methods = shell_word(methods);
    let nodes = nodes.map(|nodes| format!("--nodes {nodes}"));
    let limit = nodes.or_else(|| Some(format!("--tc {}", tc.as_ref()?))).unwrap_or_default();
    let before =
        params.as_ref().map_or(String::new(), |params| format!(" --second-params {}", shell_word(params)));
    format!(
        "{} play --game {game} --first {methods} --first-params {} --second {methods}{before} {limit} \
         --seed {} --games 1000",
        name(),
        shell_path(&dir.join(TUNED)),
        seed.wrapping_add(1)
    )
}

/// What was played, in a sentence.
pub fn summary(course: &Course) -> String {
    let count = |index: usize| course.rows.iter().map(|row| u64::from(row.games[index])).sum::<u64>();
    let Settings { iterations, pairs, seed, rate, .. } = course.settings;
    format!(
        "{} of {} of {} of games {}, seed {seed}, rate {rate}; of all games the \
         first side won {}, drew {} and lost {}.",
        course.rows.len(),
        plural(iterations as usize, "iteration"),
        plural(pairs, "pair"),
        course.settings.spent(),
        count(0),
        count(1),
        count(2)
    )
}

/// Where the parameters were on the way, a row each.
pub fn table(course: &Course) -> Table {
    let done = course.rows.len();
    let marks: Vec<usize> = (0..=PARTS).map(|part| done * part / PARTS).collect();
    let tuned = course.tuned();
    let spaces = course.settings.parameters.iter().zip(&course.spaces).enumerate();
    let rows = spaces.map(|(index, (parameter, space))| {
        let cell = |heading: &str, cell: String| (heading.to_owned(), cell);
        let mut row = vec![
            cell("<parameter", parameter.name.clone()),
            cell("range", format!("{} to {}", space.least, space.most)),
            cell("step", space.step.to_string()),
        ];
        row.extend(marks.iter().map(|&mark| (format!("after {mark}"), short(course.after(mark)[index]))));
        let whole = space.whole.then(|| tuned[index].to_string());
        row.push(cell("tuned", whole.unwrap_or_else(|| short(tuned[index]))));
        row
    });
    rows.collect()
}

/// A number with as many decimals as people read.
fn short(value: f64) -> String {
    if value.abs() >= 100.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}
