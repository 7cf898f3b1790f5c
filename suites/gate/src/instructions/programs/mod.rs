//! Instructions of programs of somebody else: a pass of its own over a finished run, in which they search the same cells again
//! under callgrind.
//!
//! A program may not search the same twice, so what it says of its nodes is held against the record: a count is entered where
//! they agree, or differ by no more than the subject file allows, and the manifest names every search of which that is not so.
//! The first arm is counted twice, in processes of their own, and what the two counts differ by is recorded next to them.
//! A process searches a few positions of one arm, the same for every arm, so that what a program keeps from one search to the
//! next is the same for all. Left out: the processor's own counter, which cannot be begun and ended from outside.
//!
//! A toolchain is what decides how many instructions a program takes besides its source: its compiler, its C library, and valgrind.
//! Compilers leave their name in the section `.comment` of what they make. Where it was taken out, as Debian does, the subject
//! file may say it; if neither does, the binary stands for itself, and another one is another toolchain. Which of its own copies of a
//! function the C library takes the processor decides, of which nothing is said.

mod entered;
mod session;

use entered::{Book, Task};
use object::{Object, ObjectSection};
use secateur_record::archive::lock;
use secateur_record::store::RunRows;
use secateur_suites::Error;
use secateur_suites::instruments::machine::hash_of_file;
use secateur_suites::matrix::Plan;
use secateur_suites::pool::each;
use secateur_suites::program::ProgramArm;
use session::{Counted, Halt, Search};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Whether programs of somebody else can be counted here; if not, what is missing and how to mend it, on one line.
///
/// # Errors
/// That line.
pub fn check_programs() -> Result<(), String> {
    session::available()
}

/// Whether a plan asks for instructions of a program of somebody else.
pub fn has_programs(plan: &Plan) -> bool {
    plan.units.iter().any(|unit| unit.instructions && plan.games[unit.game].program.is_some())
}

/// How programs are counted.
#[derive(Clone, Copy, Debug)]
pub struct Manner<'a> {
    /// Processes at a time.
    pub jobs: usize,
    /// Set to give up what is under way.
    pub stop: &'a Arc<AtomicBool>,
    /// Whether searches are counted again that could not be counted before.
    pub retry: bool,
}

/// Fills `instructions` of the finished run of `plan` in `dir` for the programs of somebody else in it, where the suite asks for
/// it. What was filled before stays, unless it was counted otherwise. `progress` hears (searches counted, searches to count).
/// Gives all rows back, and whether all were counted that can be.
///
/// # Errors
/// The file system; valgrind that does not obey. What the program does wrong costs its own counts.
pub fn fill_programs(
    plan: &Plan,
    dir: &Path,
    manner: Manner<'_>,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<(RunRows, bool), Error> {
    let _lock = lock(dir)?;
    let mut book = Book::open(plan, dir, manner.retry)?;
    let tasks = book.tasks(plan);
    let total = tasks.iter().map(|task| task.cells.len()).sum();
    if total == 0 {
        return Ok((book.rows, true));
    }
    session::available().map_err(Error::Count)?;
    book.begin()?;
    let searches: Vec<_> = tasks.iter().map(|task| (task.arm, searches_of(plan, &book, task))).collect();
    let mut counted = 0;
    progress(counted, total);
    let count = |(arm, searches): &(&ProgramArm, Vec<Search<'_>>)| session::count(arm, searches, manner.stop);
    each(&searches, manner.jobs, manner.stop, count, |at, counts| {
        match counts {
            // A process that was given up is made again as a whole, so that it searches what it would have searched.
            Err(Halt::Stopped) => return Ok(()),
            Err(Halt::Tool(why) | Halt::Search(why)) => return Err(Error::Count(why)),
            Ok(counts) => book.enter(plan, &tasks[at], &counts)?,
        }
        counted += tasks[at].cells.len();
        progress(counted, total);
        Ok(())
    })?;
    if counted == total {
        book.complete()?;
    }
    Ok((book.rows, counted == total))
}

/// What one process does.
fn searches_of<'p>(plan: &'p Plan, book: &Book, task: &Task<'p>) -> Vec<Search<'p>> {
    let game = &plan.games[task.game];
    let searches = task.cells.iter().map(|&(unit, row)| {
        let unit = &plan.units[unit];
        let time = Duration::from_nanos(book.rows.records[row].time_ns);
        Search { position: &game.entries[unit.entry].position, allowance: unit.allowance, time }
    });
    searches.collect()
}

/// What the binary at `path` was compiled with: `told` if that says anything, or else what the binary says.
fn compiler(path: &Path, told: &str) -> String {
    if !told.is_empty() {
        return told.to_owned();
    }
    let compilers = std::fs::read(path).ok().and_then(|bytes| comment(&bytes));
    compilers.unwrap_or_else(|| {
        let hash = hash_of_file(path);
        format!("binary {}", hash.get(..16).unwrap_or("unknown"))
    })
}

/// The words of `.comment`, each once, in order.
fn comment(bytes: &[u8]) -> Option<String> {
    let file = object::File::parse(bytes).ok()?;
    let section = file.section_by_name(".comment")?;
    let text = String::from_utf8_lossy(section.data().ok()?).into_owned();
    let words: BTreeSet<&str> = text.split('\0').map(str::trim).filter(|word| !word.is_empty()).collect();
    (!words.is_empty()).then(|| words.into_iter().collect::<Vec<_>>().join("; "))
}

/// The C library of this system: `glibc 2.36`; empty where it does not say.
fn library() -> String {
    line(Command::new("getconf").arg("GNU_LIBC_VERSION")).unwrap_or_default()
}

/// `valgrind --version`; empty where it is not installed.
fn tool() -> String {
    line(Command::new("valgrind").arg("--version")).unwrap_or_default()
}

fn line(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then(|| text.lines().next().unwrap_or_default().trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_binary_says_its_compiler_or_stands_for_itself() {
        let this = std::env::current_exe().unwrap();
        let compiler_text = compiler(&this, "");
        assert!(
            compiler_text.contains("rustc version") || compiler_text.starts_with("binary "),
            "{compiler_text}"
        );
        assert_eq!(compiler(&this, "clang 19"), "clang 19");
        let dir = tempfile::tempdir().unwrap();
        let script = dir.path().join("script");
        std::fs::write(&script, "#!/bin/sh\n").unwrap();
        let one = compiler(&script, "");
        assert!(one.starts_with("binary ") && one.len() > 16, "{one}");
        std::fs::write(&script, "#!/bin/sh\nexit\n").unwrap();
        assert_ne!(compiler(&script, ""), one);
        assert_eq!(line(&mut Command::new("no-such-program")), None);
    }
}
