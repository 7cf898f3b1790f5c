//! The program on trial, how it is called, interrupted and waited for; and what a run or a match left on the disk, without what may differ
//! between two good runs: clocks, builds, seals.
//!
//! That is read as text, not by the readers of the program: they are what is on trial.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};
use std::{fs, io};

/// No call here takes a hundredth of this, unless the machine has much else to do.
const PATIENCE: Duration = Duration::from_secs(1200);
/// The same where something is built first.
const BUILDING: Duration = Duration::from_secs(3600);

/// The binary.
#[derive(Clone, Debug)]
pub(super) struct Program(pub(super) PathBuf);

/// How a call ended.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    /// Exit code; absent after a signal.
    pub(super) code: Option<i32>,
    /// Standard output.
    pub(super) said: String,
    /// Standard error.
    pub(super) complained: String,
}

impl Ended {
    /// Why this is no clean refusal, if it is none: a panic, a signal, or no message.
    pub(super) fn unclean(&self) -> Option<String> {
        let panicked = self.complained.contains("panicked at");
        // A verdict is no error, but not without a word either.
        let is_verdict = self.code == Some(3) && !self.complained.trim().is_empty();
        let explained = is_verdict || self.complained.lines().any(|line| line.starts_with("error: "));
        (panicked || !explained || !matches!(self.code, Some(1..=4))).then(|| self.ending())
    }

    /// Exit code and last words.
    pub(super) fn ending(&self) -> String {
        let code = self.code.map_or_else(|| "a signal".to_owned(), |code| format!("exit {code}"));
        let line = self.complained.lines().rev().find(|line| line.starts_with("error: "));
        let line = line.or_else(|| self.complained.lines().next_back()).unwrap_or_default();
        format!("{code}, {line}")
    }
}

impl Program {
    /// A call in a folder, with the folder's own place for temporary files.
    fn command(&self, dir: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.0);
        command.args(arguments).current_dir(dir).env("TMPDIR", dir).env("COLUMNS", "100");
        command
    }

    /// Runs to the end. With `cargo`, what the program needs is built first if it is not there.
    pub(super) fn run(&self, dir: &Path, arguments: &[&str], cargo: bool) -> io::Result<Ended> {
        let mut command = self.command(dir, arguments);
        if !cargo {
            command.env_remove("CARGO");
        }
        ended(patiently(command, if cargo { BUILDING } else { PATIENCE })?)
    }

    /// Runs to the end with files of at most this many blocks of 512 bytes: writes beyond fail, as on a full disk.
    pub(super) fn run_cramped(&self, dir: &Path, arguments: &[&str], blocks: u64) -> io::Result<Ended> {
        let mut command = Command::new("sh");
        // A process that ignores the signal gets an error from the write itself.
        let script = "trap '' XFSZ; ulimit -f \"$1\" || exit 99; shift; exec \"$@\"";
        command.args(["-c", script, "sh", &blocks.to_string()]).arg(&self.0).args(arguments);
        command.current_dir(dir).env("TMPDIR", dir).env("COLUMNS", "100").env_remove("CARGO");
        ended(patiently(command, PATIENCE)?)
    }

    /// Starts without waiting or reading its output.
    pub(super) fn start(&self, dir: &Path, arguments: &[&str]) -> io::Result<Child> {
        let mut command = self.command(dir, arguments);
        command.env_remove("CARGO").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()
    }
}

/// The end of a process that was started.
pub(super) fn finished(child: Child) -> io::Result<Ended> {
    ended(child.wait_with_output()?)
}

fn ended(output: Output) -> io::Result<Ended> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let Output { status, stdout, stderr } = output;
    Ok(Ended { code: status.code(), said: text(&stdout), complained: text(&stderr) })
}

/// The output of a command; one that hangs is killed.
fn patiently(mut command: Command, patience: Duration) -> io::Result<Output> {
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let pid = child.id();
    let (done, waiting) = std::sync::mpsc::channel::<()>();
    let watch = std::thread::spawn(move || {
        if waiting.recv_timeout(patience) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            send(pid, true);
        }
    });
    let output = child.wait_with_output();
    drop(done);
    // The thread only waits and sends.
    let _ = watch.join();
    output
}

/// Lets a process live for so long, then ends it: at once, or as Ctrl-C does. Whether it was still alive.
pub(super) fn end_after(child: &mut Child, time: Duration, at_once: bool) -> io::Result<Option<ExitStatus>> {
    let due = Instant::now() + time;
    while Instant::now() < due {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        std::thread::sleep((due - Instant::now()).min(Duration::from_micros(500)));
    }
    if let Some(status) = child.try_wait()? {
        return Ok(Some(status));
    }
    send(child.id(), at_once);
    Ok(None)
}

/// SIGKILL or SIGINT; nothing where there are no signals, and nothing is tortured there.
#[cfg(not(unix))]
fn send(_: u32, _: bool) {}

/// SIGKILL or SIGINT.
#[cfg(unix)]
fn send(pid: u32, at_once: bool) {
    use rustix::process::{Pid, Signal, kill_process};
    let signal = if at_once { Signal::KILL } else { Signal::INT };
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        // One that is gone already needs no signal.
        let _ = kill_process(pid, signal);
    }
}

/// Ends what killed runs left behind: programs whose command line names a folder of ours (valgrind goes on alone).
pub(super) fn end_orphans(dir: &Path) {
    let needle = dir.as_os_str().as_encoded_bytes();
    let Ok(processes) = std::fs::read_dir("/proc") else { return };
    for process in processes.flatten() {
        let Some(pid) = process.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        if pid != std::process::id() && line.windows(needle.len()).any(|window| window == needle) {
            send(pid, true);
        }
    }
}

/// Top-level names of `run.toml` and `play.toml` that differ from session to session.
const OF_SESSION: &[&str] = &["seal", "session"];
/// Those that may also differ from run to run.
const OF_RUN: &[&str] = &["started", "machine"];

/// Which runs are to be held against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// Two runs of the same thing.
    Equals,
    /// One run, gone on with in two ways: it began at one time, on one machine.
    Same,
}

/// Lines by file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Exact(BTreeMap<String, Vec<String>>);

impl Exact {
    /// Texts, in whatever order they come.
    pub(super) fn of(texts: impl IntoIterator<Item = String>) -> Exact {
        Exact(texts.into_iter().map(|text| (text, Vec::new())).collect())
    }

    /// The exact part of these files of a folder; a file that is missing or cannot be read has one line that says so.
    pub(super) fn read(dir: &Path, files: &[&str], of: Of) -> Exact {
        let lines = |name: &str| match fs::read_to_string(dir.join(name)) {
            Ok(text) => exact(name, &placeless(&text, dir), of),
            Err(error) => vec![format!("unreadable: {}", error.kind())],
        };
        Exact(files.iter().map(|name| ((*name).to_owned(), lines(name))).collect())
    }

    /// The first difference in words; `None` of equals.
    pub(super) fn differs(&self, other: &Exact) -> Option<String> {
        self.0.iter().find_map(|(name, lines)| {
            let others = other.0.get(name)?;
            if lines.len() != others.len() {
                return Some(format!("{name}: {} lines instead of {}", others.len(), lines.len()));
            }
            let (one, two) = lines.iter().zip(others).find(|(one, two)| one != two)?;
            let at = one.bytes().zip(two.bytes()).take_while(|(a, b)| a == b).count().saturating_sub(30);
            let part = |text: &str| text.chars().skip(at).take(90).collect::<String>();
            Some(format!("{name}: `{}` instead of `{}`", part(two), part(one)))
        })
    }
}

/// A text without the name of the folder of its trial, which stands in the paths of subject files.
fn placeless(text: &str, dir: &Path) -> String {
    dir.parent().map_or_else(|| text.to_owned(), |trial| text.replace(&trial.display().to_string(), ""))
}

fn exact(name: &str, text: &str, of: Of) -> Vec<String> {
    match name.rsplit('.').next() {
        Some("csv") => rows(text).iter().map(|row| format!("{row:?}")).collect(),
        Some("toml") => settings(text, of),
        _ => transcripts(text),
    }
}

/// Whether a column is one that a clock, a seal or a build decides. That of transcripts is a seal over clocks.
fn is_loose(column: &str) -> bool {
    column == "transcript"
        || column.ends_with("time_ns")
        || column.contains("seal")
        || column.contains("build")
}

/// The rows by column, without the loose ones.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let names = reader.headers().cloned().unwrap_or_default();
    let row = |row: csv::StringRecord| {
        let fields = names.iter().zip(&row).filter(|(name, _)| !is_loose(name));
        fields.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    };
    reader.records().flatten().map(row).collect()
}

fn settings(text: &str, of: Of) -> Vec<String> {
    let Ok(table) = text.parse::<toml::Table>() else { return vec!["not TOML".to_owned()] };
    let loose = |name: &str| {
        name == "build" || OF_SESSION.contains(&name) || of == Of::Equals && OF_RUN.contains(&name)
    };
    table.iter().filter(|(name, _)| !loose(name)).map(|(name, value)| format!("{name} = {value}")).collect()
}

/// The words of games, a game a line: where lines are folded depends on the length of times.
fn transcripts(text: &str) -> Vec<String> {
    let is_time = |word: &str| word.strip_suffix('s').is_some_and(|number| number.parse::<f64>().is_ok());
    let mut games = vec![Vec::new()];
    for line in text.lines().filter(|line| !line.starts_with("[Date ")) {
        if line.starts_with("[Event ") {
            games.push(Vec::new());
        }
        games.last_mut().expect("one from the start").extend(line.split_whitespace());
    }
    let joined =
        |words: Vec<&str>| words.into_iter().filter(|word| !is_time(word)).collect::<Vec<_>>().join(" ");
    games.into_iter().map(joined).collect()
}

/// The clock readings of all finished cells or games of a file: who was done again has another.
pub(super) fn clocks(path: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let whole = &text[..text.rfind('\n').map_or(0, |at| at + 1)];
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(whole.as_bytes());
    let names = reader.headers().cloned().unwrap_or_default();
    let columns = |wanted: fn(&str) -> bool, row: &csv::StringRecord| {
        let fields = names.iter().zip(row).filter(|(name, _)| wanted(name));
        fields.map(|(_, value)| value).collect::<Vec<_>>().join(" ")
    };
    let is_key =
        |name: &str| ["game", "position", "methods", "budget_kind", "budget", "repeat"].contains(&name);
    let clock = |name: &str| name.ends_with("time_ns");
    reader.records().flatten().map(|row| (columns(is_key, &row), columns(clock, &row))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_and_builds_may_differ_and_nothing_else() {
        let rows = |text: &str| exact("records.csv", text, Of::Equals);
        let one = rows("position,nodes,time_ns,seal\na,1,2,x\n");
        assert_eq!(one, rows("position,nodes,time_ns,seal\na,1,3,y\n"));
        assert_ne!(one, rows("position,nodes,time_ns,seal\na,2,2,x\n"));
        assert_ne!(one, rows("position,nodes,time_ns,seal\na,1,2,x\na,1,2,x\n"));
        let toml = |text: &str, of| exact("run.toml", text, of);
        assert_eq!(toml("seal = 1\nstarted = 2\na = 3", Of::Equals), toml("started = 9\na = 3", Of::Equals));
        assert_ne!(toml("started = 2", Of::Same), toml("started = 9", Of::Same));
        let pgn = |text: &str| exact("games.pgn", text, Of::Equals);
        assert_eq!(
            pgn("[Event \"x\"]\n1. e4 {+1/2 0.100s 5n}\n"),
            pgn("[Event \"x\"]\n1. e4\n{+1/2 10.2s 5n}\n")
        );
        assert_ne!(
            pgn("[Event \"x\"]\n1. e4 {+1/2 0.1s 5n}\n"),
            pgn("[Event \"x\"]\n1. e4 {+1/2 0.1s 6n}\n")
        );
    }

    #[test]
    fn a_difference_is_named() {
        let record = |text: &str| Exact(BTreeMap::from([("a.csv".to_owned(), vec![text.to_owned()])]));
        assert_eq!(record("x").differs(&record("x")), None);
        assert_eq!(record("x").differs(&record("y")).unwrap(), "a.csv: `y` instead of `x`");
    }
}
