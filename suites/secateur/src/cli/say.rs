//! Writing to people and programs: results on standard output, everything else on standard error, with a bar of progress on a terminal;
//! and files next to a record.
//!
//! Nothing that leaves here hides or turns what stands around it. Output that was lost, on a full disk or a closed descriptor,
//! is remembered, and the program does not end well; a reader that has had enough (`| head`) is no failure.

use crate::cli::failure::{Failure, Outcome};
use clap::error::ErrorKind;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use secateur_base::visible::{visible, visible_lines};
use secateur_record::files::replace;
use secateur_record::label::Label;
use secateur_record::record::{BudgetKind, CellKey, Record};
use secateur_reports::measures::{PACKAGE, package};
use std::collections::BTreeMap;
use std::io;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why some of standard output was lost.
static LOST: OnceLock<String> = OnceLock::new();

/// Writes a result.
pub fn say(text: &str) {
    let text = visible_lines(text);
    let mut out = io::stdout().lock();
    keep(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

/// Writes a message about the work. Names and paths of others may be in it.
pub fn message(text: &str) {
    let _ = io::stderr().lock().write_all(visible_lines(text).as_bytes());
}

/// Writes what the parser of the command line has to say, help or an error.
pub fn parsed(error: &clap::Error) -> ExitCode {
    if error.kind() == ErrorKind::ValueValidation {
        message(&in_words(&error.render().to_string()));
    } else {
        let printed = error.print();
        if !error.use_stderr() {
            keep(printed.and_then(|()| io::stdout().flush()));
        }
    }
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => ended(ExitCode::SUCCESS),
        _ => ExitCode::from(2),
    }
}

/// What the standard library says of a number, in the words of a user.
fn in_words(error: &str) -> String {
    let replacements = [
        ("invalid digit found in string", "expected a whole number"),
        ("cannot parse integer from empty string", "expected a whole number, found no text"),
        ("number too large to fit in target type", "the number is too large"),
        ("number too small to fit in target type", "the number is too small"),
        ("invalid float literal", "expected a number"),
        ("cannot parse float from empty string", "expected a number, found no text"),
    ];
    replacements.iter().fold(error.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// How the program ends that was to end with this code: not well if output was lost. A verdict stays one.
pub fn ended(code: ExitCode) -> ExitCode {
    let Some(why) = LOST.get() else { return code };
    message(&format!("error: standard output: {why}\n"));
    if code == ExitCode::SUCCESS { ExitCode::FAILURE } else { code }
}

/// Remembers the first failure of standard output.
fn keep(written: io::Result<()>) {
    let closed = || Err(io::Error::other("it was closed when the program began"));
    let written = if CLOSED.load(Ordering::Relaxed) { closed() } else { written };
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        let _ = LOST.set(error.to_string());
    }
}

/// Whether standard output was closed when the program began. Before `main` Rust opens `/dev/null` in its place, which takes
/// everything; so it is looked at before that.
static CLOSED: AtomicBool = AtomicBool::new(false);

#[cfg(target_os = "linux")]
extern "C" fn look() {
    CLOSED.store(rustix::io::fcntl_getfd(io::stdout()).is_err(), Ordering::Relaxed);
}

// SAFETY: what stands in this section is called once, before `main`, with arguments that a function without any ignores. It
// asks the system about a descriptor and keeps the answer.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

/// The tables of a run.
pub const RUN: [&str; 3] = ["records.csv", "iterations.csv", "counters.csv"];
/// The tables of a match.
pub const MATCH: [&str; 2] = ["games.csv", "openings.csv"];

/// Writes a file for people whole or not at all. What is there and is no plain file, such as a pipe, is written to.
pub fn put(path: &Path, text: impl AsRef<[u8]>) -> Outcome {
    match path.metadata() {
        Ok(there) if !there.is_file() => std::fs::write(path, text).map_err(Failure::io(path)),
        _ => Ok(replace(path, text.as_ref())?),
    }
}

/// Gives a text to whoever asked for it: in a file if one is named, else on standard output.
pub fn hand(out: Option<&Path>, text: &str) -> Outcome {
    let Some(path) = out else {
        say(text);
        return Ok(());
    };
    put(path, text)
}

/// Writes what the columns of a folder's tables are, for programs ([`package`]). Nothing vouches for it, and nothing reads it here.
pub fn describe(folder: &Path, tables: &[&str]) -> Outcome {
    let name = folder.file_name().map_or_else(|| "run".into(), |name| name.to_string_lossy());
    put(&folder.join(PACKAGE), package(&name, tables))
}

/// Time between two lines where there is no terminal.
const INTERVAL: Duration = Duration::from_secs(10);

/// How far some work is, with an estimate of the time left: a bar on a terminal, a line now and then elsewhere.
///
/// Searches come block by block, the cheap ones often first, so that a rate of cells an hour promises too much until the
/// end. The time left is that of cells like those to come: of the same game, method set and budget, or, until there is one,
/// of the nearest budget.
pub struct Progress {
    bar: ProgressBar,
    start: Instant,
    /// Done before this process began; the estimate leaves it out.
    head_start: u64,
    next_line: Instant,
    /// What the rest costs, where things are known to differ in that.
    costs: Option<Pace>,
}

impl Progress {
    /// Work of `total` things, `done` of them already.
    pub fn new(total: u64, done: u64) -> Progress {
        let bar = ProgressBar::new(total).with_position(done);
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}").expect("a valid template");
        bar.set_style(style);
        bar.reset_eta();
        let start = Instant::now();
        Progress { bar, start, head_start: done, next_line: start + INTERVAL, costs: None }
    }

    /// The same of searches, whose costs are told by [`Progress::searched`].
    pub fn of_searches(total: u64, done: u64, costs: Pace) -> Progress {
        let mut progress = Progress::new(total, done);
        progress.costs = Some(costs);
        progress
    }

    /// A search is over.
    pub fn searched(&mut self, row: &Record) {
        if let Some(costs) = &mut self.costs {
            costs.searched(row);
        }
    }

    /// `done` things are done; `what` is the last.
    pub fn set(&mut self, done: u64, what: &str) {
        let left =
            self.estimate(done).map_or(String::new(), |left| format!("about {} left", HumanDuration(left)));
        let what = visible(what);
        self.bar.set_position(done);
        self.bar.set_message(format!("{left}  {what}"));
        if self.bar.is_hidden() && Instant::now() >= self.next_line {
            self.next_line = Instant::now() + INTERVAL;
            message(&format!("{done}/{} {left}  {what}\n", self.bar.length().unwrap_or(0)));
        }
    }

    /// `done` of `total` things of a phase are done; another total, or more after the last, is a new phase.
    pub fn phase(&mut self, done: u64, total: u64, what: &str) {
        if self.bar.length() != Some(total) || self.bar.position() >= total {
            self.bar.set_length(total);
            self.start = Instant::now();
            self.head_start = 0;
        }
        self.set(done, what);
    }

    /// Time left if the rest goes on at the rate of this process so far.
    fn estimate(&self, done: u64) -> Option<Duration> {
        if let Some(costs) = &self.costs {
            return costs.share().map(|share| self.start.elapsed().mul_f64(share));
        }
        let searched = done.checked_sub(self.head_start).filter(|cells| *cells > 0)?;
        let remaining = self.bar.length()?.saturating_sub(done);
        Some(self.start.elapsed().mul_f64(remaining as f64 / searched as f64))
    }

    /// Writes something else while the bar is out of the way.
    pub fn suspended(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }
}

/// Work of phases that tells a bar what is done of how much, with what it is in words.
pub fn phased<T, E>(
    what: &str,
    work: impl FnOnce(&mut (dyn FnMut(usize, usize) + Send)) -> Result<T, E>,
) -> Result<T, E> {
    let mut bar = Progress::new(0, 0);
    work(&mut |done, total| bar.phase(done as u64, total as u64, what))
}

/// Takes the bar away, however the work ends.
impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Searches that cost about the same: game, budget, method set.
type Class = (Label, BudgetKind, u64, Label);

/// What searches cost and how many of them are to come.
#[derive(Default)]
pub struct Pace(BTreeMap<Class, Seen>);

/// The searches of a class.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// Those to come.
    to_come: u64,
    done: u64,
    /// CPU time of the latter, nanoseconds.
    time: f64,
}

impl Pace {
    /// Of the cells that are to be searched.
    pub fn of(cells: impl Iterator<Item = CellKey>) -> Pace {
        let mut all: BTreeMap<Class, Seen> = BTreeMap::new();
        for cell in cells {
            all.entry((cell.game, cell.budget_kind, cell.budget, cell.methods)).or_default().to_come += 1;
        }
        Pace(all)
    }

    fn searched(&mut self, row: &Record) {
        let class = (row.game, row.budget_kind, row.budget, row.methods);
        let seen = self.0.entry(class).or_default();
        seen.to_come = seen.to_come.saturating_sub(1);
        seen.done += 1;
        seen.time += row.time_ns as f64;
    }

    /// What the rest costs, in units of what is done.
    fn share(&self) -> Option<f64> {
        let done: f64 = self.0.values().map(|seen| seen.time).sum();
        let to_come: f64 = self.0.iter().map(|(class, seen)| seen.to_come as f64 * self.mean(class)).sum();
        (done > 0.0).then(|| to_come / done)
    }

    /// What a search of a class costs: the mean of its own; until there is one, of those of the nearest class that has been
    /// searched, times what a budget costs more.
    fn mean(&self, class: &Class) -> f64 {
        let far = |(game, kind, budget, methods): &Class| {
            (*kind != class.1, *game != class.0, *methods != class.3, budget.abs_diff(class.2))
        };
        let nearest = self.0.iter().filter(|(_, seen)| seen.done > 0).min_by_key(|(other, _)| far(other));
        nearest.map_or(0.0, |(other, seen)| {
            let more = if other.1 == class.1 { weight(class) / weight(other) } else { 1.0 };
            seen.time / seen.done as f64 * more
        })
    }
}

/// What a budget costs: a ply more about twice as much.
fn weight((_, kind, budget, _): &Class) -> f64 {
    match kind {
        BudgetKind::Depth => ((*budget).min(64) as f64).exp2(),
        _ => (*budget).max(1) as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cheap searches first, dear ones of another depth behind them: the estimate of a rate rises all the way.
    #[test]
    fn the_estimate_does_not_rise_all_the_way() {
        let row = |game: &str, depth: u64, methods: &str, seconds: u64| Record {
            game: game.into(),
            budget: depth,
            methods: methods.into(),
            time_ns: seconds * 1_000_000_000,
            ..Record::default()
        };
        let mut rows = Vec::new();
        for (game, depth, seconds) in
            [("othello", 4, 1), ("othello", 6, 6), ("chess", 5, 9), ("chess", 7, 40)]
        {
            for _ in 0..20 {
                rows.extend([row(game, depth, "none", 2 * seconds), row(game, depth, "mpc", seconds)]);
            }
        }
        let mut costs = Pace::of(rows.iter().map(Record::key));
        let (mut spent, mut ends, mut by_rate) = (0.0, Vec::new(), Vec::new());
        for (at, row) in rows.iter().enumerate() {
            costs.searched(row);
            spent += row.time_ns as f64;
            ends.push(spent * (1.0 + costs.share().unwrap()));
            by_rate.push(spent * rows.len() as f64 / (at + 1) as f64);
        }
        let rises = |ends: &[f64]| ends.windows(2).filter(|pair| pair[1] > 1.001 * pair[0]).count();
        assert!(rises(&ends) < 10 && rises(&by_rate) > 50, "{} {}", rises(&ends), rises(&by_rate));
        assert!((ends.last().unwrap() / spent - 1.0).abs() < 1e-9);
        assert!(Pace::of(std::iter::empty()).share().is_none());
    }
}
