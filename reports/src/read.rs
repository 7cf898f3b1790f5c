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
/// A file that is missing or unreadable, a row that is not one of this schema, two rows of one cell that
/// disagree.
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
        runs.iterations.extend(rows::<IterationRow>(&folder.join("iterations.csv"), &mut runs.notes)?);
        runs.counters.extend(rows::<CounterRow>(&folder.join("counters.csv"), &mut runs.notes)?);
    }
    Ok(runs)
}

/// Time budgets do not repeat; two such rows of one cell always conflict.
fn same_result(a: &Record, b: &Record) -> bool {
    a.budget_kind != "time" && (a.nodes, a.score, &a.best_move) == (b.nodes, b.score, &b.best_move)
}

fn slurp(path: &Path) -> Result<String, ReadError> {
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
