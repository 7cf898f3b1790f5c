//! A run folder: appended crash-safely, resumed without loss, put in order when complete.
//!
//! A cell is finished when its row stands in `records.csv`. Its other rows are written and synced before, so
//! after a crash there may be rows too many in the other files, never too few; opening the folder drops them.

use crate::cell::Rows;
use crate::error::{Error, fault};
use crate::files::{add, append, lock, refuse_foreign, replace, sweep};
use crate::manifest::{self, Manifest};
use crate::record::{CellKey, CounterRow, IterationRow, Record};
use serde::{Serialize, de::DeserializeOwned};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Names of the three files.
pub(crate) const RECORDS: &str = "records.csv";
const ITERATIONS: &str = "iterations.csv";
const COUNTERS: &str = "counters.csv";

/// An open run folder with the one right to write in it.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    manifest: Manifest,
    finished: BTreeMap<CellKey, Record>,
    records: File,
    iterations: File,
    counters: File,
    /// Held, not used: closing it gives up the right to write.
    _lock: File,
}

impl Store {
    /// Begins the run of `manifest` in `dir`, or goes on with it if the folder holds the same run. What an
    /// interruption left half written is removed.
    ///
    /// # Errors
    /// The file system; a folder with another run, with other files, or in use; files that were damaged.
    pub fn open(dir: &Path, manifest: Manifest) -> Result<Store, Error> {
        let path = dir.join(manifest::FILE);
        let old = if path.exists() { Some(Manifest::read(dir)?) } else { None };
        match &old {
            Some(old) => old.same_as(&manifest, dir)?,
            None => refuse_foreign(dir)?,
        }
        fs::create_dir_all(dir).map_err(Error::io(dir))?;
        let lock = lock(dir)?;
        sweep(dir);
        let manifest = match old {
            Some(mut old) => {
                old.session.extend(manifest.session);
                old
            }
            None => manifest,
        };
        let records: Vec<Record> = read(&dir.join(RECORDS))?;
        let finished: BTreeMap<CellKey, Record> =
            records.iter().map(|row| (row.key(), row.clone())).collect();
        let mut iterations: Vec<IterationRow> = read(&dir.join(ITERATIONS))?;
        iterations.retain(|row| finished.contains_key(&row.key()));
        let mut counters: Vec<CounterRow> = read(&dir.join(COUNTERS))?;
        counters.retain(|row| finished.contains_key(&row.key()));

        replace(&path, manifest.text().as_bytes())?;
        write_all(&dir.join(ITERATIONS), &iterations)?;
        write_all(&dir.join(COUNTERS), &counters)?;
        write_all(&dir.join(RECORDS), &records)?;
        Ok(Store {
            records: append(&dir.join(RECORDS))?,
            iterations: append(&dir.join(ITERATIONS))?,
            counters: append(&dir.join(COUNTERS))?,
            dir: dir.to_owned(),
            manifest,
            finished,
            _lock: lock,
        })
    }

    /// Name of the run.
    #[must_use]
    pub fn run(&self) -> &str {
        &self.manifest.run
    }

    /// The rows that were there when the folder was opened.
    #[must_use]
    pub fn finished(&self) -> &BTreeMap<CellKey, Record> {
        &self.finished
    }

    /// Adds finished cells: when this returns they survive a crash.
    ///
    /// # Errors
    /// The file system.
    pub fn append(&mut self, cells: &[Rows]) -> Result<(), Error> {
        let iterations: Vec<_> = cells.iter().flat_map(|rows| &rows.iterations).collect();
        let counters: Vec<_> = cells.iter().flat_map(|rows| &rows.counters).collect();
        let records: Vec<_> = cells.iter().map(|rows| &rows.record).collect();
        let dir = &self.dir;
        add(&mut self.iterations, &csv(&iterations, false)).map_err(Error::io(&dir.join(ITERATIONS)))?;
        add(&mut self.counters, &csv(&counters, false)).map_err(Error::io(&dir.join(COUNTERS)))?;
        add(&mut self.records, &csv(&records, false)).map_err(Error::io(&dir.join(RECORDS)))
    }

    /// Puts all rows into the order of `keys` and marks the run complete. Gives all rows back.
    ///
    /// # Errors
    /// The file system.
    pub fn complete(mut self, keys: impl Iterator<Item = CellKey>) -> Result<RunRows, Error> {
        let order: BTreeMap<CellKey, usize> = keys.enumerate().map(|(index, key)| (key, index)).collect();
        let mut rows = RunRows::read(&self.dir)?;
        let place = |key: CellKey| order.get(&key).copied().unwrap_or(usize::MAX);
        rows.records.sort_by_cached_key(|row| place(row.key()));
        rows.iterations.sort_by_cached_key(|row| place(row.key()));
        rows.counters.sort_by_cached_key(|row| place(row.key()));
        write_all(&self.dir.join(ITERATIONS), &rows.iterations)?;
        write_all(&self.dir.join(COUNTERS), &rows.counters)?;
        write_all(&self.dir.join(RECORDS), &rows.records)?;
        self.manifest.complete = true;
        replace(&self.dir.join(manifest::FILE), self.manifest.text().as_bytes())?;
        Ok(rows)
    }
}

/// All rows of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunRows {
    /// `records.csv`.
    pub records: Vec<Record>,
    /// `iterations.csv`.
    pub iterations: Vec<IterationRow>,
    /// `counters.csv`.
    pub counters: Vec<CounterRow>,
}

impl RunRows {
    /// Reads the files of a run folder. A last line without an end, left by an interruption, is left out.
    ///
    /// # Errors
    /// The file system, or the first line that is no row.
    pub fn read(dir: &Path) -> Result<RunRows, Error> {
        Ok(RunRows {
            records: read(&dir.join(RECORDS))?,
            iterations: read(&dir.join(ITERATIONS))?,
            counters: read(&dir.join(COUNTERS))?,
        })
    }
}

/// Reads the rows of a file; one that is not there has none.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, Error> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(Error::Io { path: path.to_owned(), source }),
    };
    let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let text = String::from_utf8_lossy(&bytes[..end]);
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    let rows = reader.deserialize().collect::<Result<Vec<T>, _>>();
    rows.map_err(|error| {
        let offset = error.position().map_or(0, |position| position.byte() as usize);
        fault(path, &text, offset, explained(&error, &text)).into()
    })
}

/// What is wrong with a row, by the name of its column where that is known.
fn explained(error: &::csv::Error, text: &str) -> String {
    let ::csv::ErrorKind::Deserialize { err, .. } = error.kind() else { return error.to_string() };
    let names = text.lines().next().unwrap_or_default();
    match err.field().and_then(|index| names.split(',').nth(index as usize)) {
        Some(name) => format!("column `{name}`: {}", err.kind()),
        None => err.kind().to_string(),
    }
}

/// The rows as CSV text.
pub(crate) fn csv<T: Serialize>(rows: &[T], header: bool) -> Vec<u8> {
    let mut writer = ::csv::WriterBuilder::new().has_headers(header).from_writer(Vec::new());
    for row in rows {
        // Rows are flat structs of numbers and texts, and memory does not fail to be written.
        writer.serialize(row).expect("a row has a CSV form");
    }
    writer.into_inner().expect("written to memory")
}

pub(crate) fn write_all<T: Serialize + Default>(path: &Path, rows: &[T]) -> Result<(), Error> {
    let text = if rows.is_empty() {
        // The header comes with the first row; a file without rows takes it from a row that is cut off.
        let mut text = csv(&[T::default()], true);
        text.truncate(text.iter().position(|&byte| byte == b'\n').map_or(0, |at| at + 1));
        text
    } else {
        csv(rows, true)
    };
    replace(path, &text)
}
