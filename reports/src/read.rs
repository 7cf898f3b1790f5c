//! Reading run folders: `records.csv`, `iterations.csv`, `counters.csv` and `run.toml`.
//!
//! A run that was killed may end in the middle of a row; that row is left out and the report says so.
//! Everything else that is wrong with a file is an error with its line.

use secateur_suites::record::{CellKey, CounterRow, IterationRow, Record, SCHEMA};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Everything that was recorded.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    /// The `run.toml` of every folder.
    pub manifests: Vec<toml::Table>,
    /// Rows of `records.csv`, in file order.
    pub records: Vec<Record>,
    /// Rows of `iterations.csv`.
    pub iterations: Vec<IterationRow>,
    /// Rows of `counters.csv`.
    pub counters: Vec<CounterRow>,
    /// What a reader of the report must know.
    pub notes: Vec<String>,
}

/// Why a run cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// A row is not a row.
    #[error("{}:{line}: {message}", path.display())]
    Row {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u64,
        /// What was found and what was expected.
        message: String,
    },
    /// Two rows of one cell disagree.
    #[error("the cell {key} is recorded twice with different results; report its runs apart")]
    Conflict {
        /// The cell in words.
        key: String,
    },
}

impl ReadError {
    /// Whether the file system failed, rather than the content.
    #[must_use]
    pub fn is_io(&self) -> bool {
        matches!(self, ReadError::Io { .. })
    }
}

/// Reads run folders.
///
/// # Errors
/// A manifest or `records.csv` that is missing, a file that is unreadable, a row that is not one of this
/// schema, two rows of one cell that disagree.
pub fn read(folders: &[PathBuf]) -> Result<Runs, ReadError> {
    let mut runs = Runs::default();
    let mut seen = BTreeMap::<CellKey, Record>::new();
    for folder in folders {
        let manifest = folder.join("run.toml");
        let text = slurp(&manifest)?;
        let table = text.parse::<toml::Table>().map_err(|error| ReadError::Row {
            path: manifest,
            line: error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count() as u64),
            message: error.message().to_owned(),
        })?;
        if table.get("complete").and_then(toml::Value::as_bool) == Some(false) {
            runs.notes.push(format!("The run in {} is not complete.", folder.display()));
        }
        runs.manifests.push(table);
        for record in rows::<Record>(&folder.join("records.csv"), &mut runs.notes)? {
            match seen.get(&record.key()) {
                None => {
                    seen.insert(record.key(), record.clone());
                    runs.records.push(record);
                }
                Some(first) if same_result(first, &record) => {}
                Some(_) => {
                    let key = record.key();
                    let key = format!("{} {} {}", key.position, key.methods, key.budget_kind);
                    return Err(ReadError::Conflict { key });
                }
            }
        }
        runs.iterations
            .extend(rows_if_kept::<IterationRow>(&folder.join("iterations.csv"), &mut runs.notes)?);
        runs.counters.extend(rows_if_kept::<CounterRow>(&folder.join("counters.csv"), &mut runs.notes)?);
    }
    Ok(runs)
}

/// Time budgets do not repeat; two such rows of one cell always conflict.
fn same_result(a: &Record, b: &Record) -> bool {
    a.budget_kind != "time" && (a.nodes, a.score, &a.best_move) == (b.nodes, b.score, &b.best_move)
}

pub(crate) fn slurp(path: &Path) -> Result<String, ReadError> {
    fs::read_to_string(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })
}

fn rows<T: DeserializeOwned>(path: &Path, notes: &mut Vec<String>) -> Result<Vec<T>, ReadError> {
    let text = slurp(path)?;
    let whole = match text.rfind('\n') {
        Some(end) if end + 1 < text.len() => {
            notes.push(format!("{}: the last line is cut off and was left out.", path.display()));
            &text[..=end]
        }
        _ => &text,
    };
    let mut reader = csv::Reader::from_reader(whole.as_bytes());
    let schema = reader.headers().is_ok_and(|headers| headers.get(0) == Some("schema") || headers.is_empty());
    if !schema {
        let message = "found another header, expected `schema,...` (see docs/RECORD.md)".to_owned();
        return Err(ReadError::Row { path: path.to_owned(), line: 1, message });
    }
    let mut found = Vec::new();
    let headers = reader.headers().cloned().unwrap_or_default();
    for row in reader.records() {
        let fail = |line: u64, message: String| ReadError::Row { path: path.to_owned(), line, message };
        let row = row.map_err(|e| fail(e.position().map_or(0, csv::Position::line), e.to_string()))?;
        let line = row.position().map_or(0, csv::Position::line);
        if row.get(0) != Some(SCHEMA.to_string().as_str()) {
            let schema = row.get(0).unwrap_or("");
            return Err(fail(line, format!("found schema `{schema}`, expected {SCHEMA}")));
        }
        found.push(row.deserialize(Some(&headers)).map_err(|e| fail(line, e.to_string()))?);
    }
    Ok(found)
}

/// The same, but none if there is no file: an archived run may keep its records alone.
fn rows_if_kept<T: DeserializeOwned>(path: &Path, notes: &mut Vec<String>) -> Result<Vec<T>, ReadError> {
    if path.exists() { rows(path, notes) } else { Ok(Vec::new()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::tests::row;

    /// A run folder with these rows of `records.csv`.
    fn folder(rows: &[Record]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("run.toml"), "run = \"r\"\ncomplete = true\n").unwrap();
        let mut writer = csv::Writer::from_path(dir.path().join("records.csv")).unwrap();
        rows.iter().for_each(|row| writer.serialize(row).unwrap());
        writer.flush().unwrap();
        dir
    }

    fn read_one(dir: &tempfile::TempDir) -> Result<Runs, ReadError> {
        read(&[dir.path().to_owned()])
    }

    #[test]
    fn rows_come_back_as_they_were_written() {
        let rows = [row("a", "28", "none", 7), row("a", "28", "mpc", 3)];
        let runs = read_one(&folder(&rows)).unwrap();
        assert_eq!(runs.records, rows);
        assert!(runs.notes.is_empty() && runs.iterations.is_empty());
    }

    #[test]
    fn a_row_cut_off_by_a_kill_is_left_out_with_a_note() {
        let dir = folder(&[row("a", "28", "none", 7), row("b", "28", "none", 3)]);
        let path = dir.path().join("records.csv");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, &text[..text.len() - 10]).unwrap();
        let runs = read_one(&dir).unwrap();
        assert_eq!(runs.records.len(), 1);
        assert!(runs.notes[0].contains("cut off"), "{:?}", runs.notes);
    }

    #[test]
    fn another_schema_and_a_broken_row_are_named_by_line() {
        let newer = Record { schema: 2, ..row("a", "28", "none", 7) };
        let error = read_one(&folder(&[newer])).unwrap_err();
        assert!(error.to_string().contains("records.csv:2: found schema `2`, expected 1"), "{error}");
        let dir = folder(&[row("a", "28", "none", 7)]);
        let path = dir.path().join("records.csv");
        let text = fs::read_to_string(&path).unwrap().replace(",12,", ",twelve,");
        fs::write(&path, text).unwrap();
        let error = read_one(&dir).unwrap_err();
        assert!(!error.is_io() && error.to_string().contains("records.csv:2"), "{error}");
    }

    #[test]
    fn a_missing_folder_is_the_systems_fault() {
        assert!(read(&[PathBuf::from("no/such/run")]).unwrap_err().is_io());
    }

    #[test]
    fn one_cell_with_two_results_is_refused_and_with_one_is_read_once() {
        let (one, two) = (row("a", "28", "none", 7), row("a", "28", "none", 8));
        let same = read_one(&folder(&[one.clone(), one.clone()])).unwrap();
        assert_eq!(same.records.len(), 1);
        assert!(matches!(read_one(&folder(&[one, two])).unwrap_err(), ReadError::Conflict { .. }));
    }
}
