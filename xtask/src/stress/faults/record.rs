//! What a run or a match left on the disk, without what may differ between two good runs: clocks, builds, seals.
//!
//! It is read as text, not by the readers of the program: they are what is on trial.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

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
