//! A finished run, or a part of one, as a stream: from a folder or a pack, unit by unit, every row held against its seal.
//!
//! No more than a few rows of it are in memory, and no file of it is open between two reads. Of a source that is put to
//! rest ([`Source::rest`]) even the buffers are gone: a thousand parts are merged at once. Left out: what other parts say.

pub mod row;

pub use row::Row;

use self::row::{Key, Table, in_words};
use crate::archive;
use crate::error::Error;
use crate::manifest::{FILE, Manifest, text_of};
use crate::part::Take;
use crate::record::{CellId, CellsHash, CounterRow, IterationRow, Record, SCHEMA};
use crate::rows::{Row as _, header_of, row_of};
use crate::store::{COUNTERS, ITERATIONS, RECORDS, seal_of};
use csv::ByteRecord;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A stretch of a file, which is open only while it is read, or what was compressed in an archive.
#[derive(Clone, Debug)]
struct Stretch {
    path: PathBuf,
    at: u64,
    end: u64,
    inflated: Option<Arc<[u8]>>,
}

impl Read for Stretch {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(usize::try_from(self.end - self.at).unwrap_or(usize::MAX));
        if most == 0 {
            return Ok(0);
        }
        if let Some(bytes) = &self.inflated {
            // A stretch ends where the bytes do, which are in memory.
            buffer[..most].copy_from_slice(&bytes[self.at as usize..][..most]);
            self.at += most as u64;
            return Ok(most);
        }
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(self.at))?;
        let read = file.read(&mut buffer[..most])?;
        self.at += read as u64;
        Ok(read)
    }
}

/// A finished part before its rows are read.
#[derive(Clone, Debug)]
pub struct Found {
    /// The folder or the pack.
    pub path: PathBuf,
    /// Its manifest.
    pub manifest: Manifest,
    /// The text of that.
    pub text: String,
    /// records.csv, iterations.csv and counters.csv; a file that was left out is absent.
    files: [Option<Stretch>; 3],
}

impl Found {
    /// Opens a run folder, or a pack of one.
    ///
    /// # Errors
    /// The file system; a manifest that is not as it was written.
    pub fn open(path: &Path) -> Result<Found, Error> {
        let (text, files) = if path.is_file() { pack(path)? } else { folder(path)? };
        let manifest = Manifest::parse(&path.join(FILE), &text)?;
        Ok(Found { path: path.to_owned(), manifest, text, files })
    }

    /// Whether all of its rows are there, unit behind unit.
    pub fn is_ready(&self) -> bool {
        let is_merged = self.manifest.part.as_ref().is_some_and(|part| part.shard.is_empty());
        self.manifest.complete || is_merged
    }

    /// Hash of the cells of the whole run.
    pub fn whole(&self) -> &str {
        self.manifest.part.as_ref().map_or(&self.manifest.cells, |part| &part.whole)
    }

    /// Bytes of its rows.
    pub fn size(&self) -> u64 {
        self.files.iter().flatten().map(|stretch| stretch.end - stretch.at).sum()
    }

    /// The line of the manifest in which a text stands first, as a place.
    pub fn place(&self, text: &str) -> String {
        let file = self.path.join(FILE).display().to_string();
        match self.text.lines().position(|line| line.contains(text)) {
            Some(at) => format!("{file}:{}", at + 1),
            None => file,
        }
    }
}

type Files = (String, [Option<Stretch>; 3]);

fn folder(dir: &Path) -> Result<Files, Error> {
    let path = dir.join(FILE);
    let file = archive::open(&path).map_err(Error::unreadable(&path))?;
    let text = text_of(&path, file).map_err(Error::unreadable(&path))?;
    let mut files = [None, None, None];
    for (name, file) in [RECORDS, ITERATIONS, COUNTERS].into_iter().zip(&mut files) {
        let path = dir.join(name);
        *file = if let Ok(data) = path.metadata() {
            Some(Stretch { path, at: 0, end: data.len(), inflated: None })
        } else if archive::is_file(&path) {
            let bytes: Arc<[u8]> = archive::read(&path).map_err(Error::unreadable(&path))?.into();
            Some(Stretch { path, at: 0, end: bytes.len() as u64, inflated: Some(bytes) })
        } else {
            None
        };
    }
    Ok((text, files))
}

fn pack(path: &Path) -> Result<Files, Error> {
    let unreadable = || Error::unreadable(path);
    let damaged = |error: io::Error| {
        Error::place(
            path,
            format!("found no pack of a shard, expected one, or the folder of a run ({error})"),
        )
    };
    let file = File::open(path).map_err(unreadable())?;
    let mut archive = tar::Archive::new(file);
    let mut text = String::new();
    let mut files = [None, None, None];
    for entry in archive.entries_with_seek().map_err(damaged)? {
        let entry = entry.map_err(damaged)?;
        let name = entry.path().map_err(damaged)?.to_string_lossy().into_owned();
        let at = entry.raw_file_position();
        let stretch =
            Stretch { path: path.to_owned(), at, end: at.saturating_add(entry.size()), inflated: None };
        match [RECORDS, ITERATIONS, COUNTERS].iter().position(|file| *file == name) {
            Some(index) => files[index] = Some(stretch),
            None if name == FILE => {
                text = text_of(&path.join(FILE), entry).map_err(damaged)?;
            }
            None => {}
        }
    }
    Ok((text, files))
}

fn damaged(file: &str, line: u64, what: &str) -> Error {
    Error::Place { place: format!("{file}:{line}"), what: what.to_owned() }
}

/// The rows of one cell as they were written.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The row of records.csv.
    pub record: Row,
    /// The rows of iterations.csv.
    pub iterations: Vec<u8>,
    /// The rows of counters.csv.
    pub counters: Vec<u8>,
    /// Line of the record.
    pub line: u64,
}

impl Cell {
    /// The row of records.csv with its numbers.
    ///
    /// # Errors
    /// A field that no record has.
    pub fn record(&self, path: &Path) -> Result<Record, Error> {
        let place = || path.join(RECORDS).display().to_string();
        row_of(self.record.iter()).map_err(|what| damaged(&place(), self.line, &what))
    }
}

/// Where the columns are in records.csv that a merge has to know.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    /// Those of the key.
    pub key: Key,
    /// The layout.
    pub schema: usize,
    /// Name of the cell.
    pub cell: usize,
    /// Name of the run.
    pub run: usize,
    /// Why there is no result.
    pub error: usize,
    /// Which build made it.
    pub build: usize,
    /// The seal, the last column.
    pub seal: usize,
}

impl Columns {
    /// Those of this version.
    pub fn of_records() -> Columns {
        let names = Record::COLUMNS;
        // The columns are those of the type.
        let at = |name: &str| names.iter().position(|column| *column == name).expect("a column");
        let key = Key::of(&ByteRecord::from(names)).expect("the columns of a key");
        let names = ["schema", "cell", "run", "error", "build", "seal"];
        let [schema, cell, run, error, build, seal] = names.map(at);
        Columns { key, schema, cell, run, error, build, seal }
    }
}

/// A finished part whose rows are being read.
pub struct Source {
    /// The folder or the pack.
    pub path: PathBuf,
    /// The units that its manifest names, if it names any.
    take: Option<Take>,
    /// Hash of its cells, if all must be there.
    whole: Option<String>,
    columns: Columns,
    builds: BTreeSet<String>,
    records: Table,
    sides: [Option<Table>; 2],
    ahead: Option<Cell>,
    units: usize,
    cells: CellsHash,
    /// Whether rows are held against their seals.
    is_checked: bool,
    /// Room for the text of a record without its seal.
    bare: Vec<u8>,
}

impl Source {
    /// Begins to read.
    ///
    /// # Errors
    /// The file system; a file that is missing or is of something else.
    pub fn open(part: Found) -> Result<Source, Error> {
        let Found { path, manifest, files, .. } = part;
        let [records, iterations, counters] = files;
        let missing = |name: &str| damaged(&path.join(name).display().to_string(), 0, "the file is missing");
        let records = records.ok_or_else(|| missing(RECORDS))?;
        let open = |name: &str, stretch, header: &str| match stretch {
            Some(stretch) => Table::open(&path, name, stretch, header).map(Some),
            None if manifest.drops(name) => Ok(None),
            None => Err(missing(name)),
        };
        let sides = [
            open(ITERATIONS, iterations, &header_of::<IterationRow>())?,
            open(COUNTERS, counters, &header_of::<CounterRow>())?,
        ];
        let records = Table::open(&path, RECORDS, records, &header_of::<Record>())?;
        let builds = manifest.build.into_iter().map(|build| build.id).collect();
        let (take, whole) =
            (manifest.part.map(|part| part.take), manifest.complete.then_some(manifest.cells));
        let mut source = Source {
            path,
            take,
            whole,
            columns: Columns::of_records(),
            builds,
            records,
            sides,
            ahead: None,
            units: 0,
            cells: CellsHash::default(),
            is_checked: true,
            bare: Vec::new(),
        };
        source.ahead = source.cell()?;
        if source.ahead.is_none() {
            source.end()?;
        }
        Ok(source)
    }

    /// Begins to read a run whose rows were all held against their seals before: they are not again. The counters are left out, and
    /// so are the iterations unless they are asked for.
    ///
    /// # Errors
    /// As of [`Source::open`].
    pub fn reopen(part: Found, with_iterations: bool) -> Result<Source, Error> {
        let mut source = Source::open(part)?;
        source.is_checked = false;
        source.sides[1] = None;
        if !with_iterations {
            source.sides[0] = None;
        }
        Ok(source)
    }

    /// Number of the unit that comes next, as the whole run counts them; `None` at the end.
    ///
    /// # Errors
    /// More units than the manifest names.
    pub fn next(&self) -> Result<Option<u32>, Error> {
        let Some(ahead) = &self.ahead else { return Ok(None) };
        match &self.take {
            Some(take) => match take.numbers().get(self.units) {
                Some(number) => Ok(Some(*number)),
                None => Err(damaged(&self.records.name, ahead.line, "found more units than run.toml names")),
            },
            None => Ok(u32::try_from(self.units).ok()),
        }
    }

    /// The cells of the unit that comes next.
    ///
    /// # Errors
    /// The file system; a row that is not as it was written, with its place.
    pub fn unit(&mut self) -> Result<Vec<Cell>, Error> {
        let mut cells = Vec::new();
        let key = self.columns.key;
        while let Some(cell) = self.ahead.take_if(|cell| {
            cells.first().is_none_or(|first: &Cell| key.same_unit(&first.record, &cell.record))
        }) {
            cells.push(cell);
            self.ahead = self.cell()?;
        }
        self.units += 1;
        if self.ahead.is_none() {
            self.end()?;
        }
        Ok(cells)
    }

    /// Gives the buffers back until the next unit is asked for.
    pub fn rest(&mut self) {
        self.records.rest();
        self.sides.iter_mut().flatten().for_each(Table::rest);
    }

    /// The next cell, held against its seal.
    fn cell(&mut self) -> Result<Option<Cell>, Error> {
        let Some((line, record)) = self.records.next()? else { return Ok(None) };
        let Columns { key, schema, cell, seal, .. } = self.columns;
        if record[schema] != *SCHEMA.to_string().as_bytes() {
            let what =
                format!("found schema `{}`, expected {SCHEMA}", String::from_utf8_lossy(&record[schema]));
            return Err(damaged(&self.records.name, line, &what));
        }
        let mut texts = [Vec::new(), Vec::new()];
        for (table, text) in self.sides.iter_mut().zip(&mut texts) {
            if let Some(table) = table {
                table.rows_of(&record[cell], text)?;
            }
        }
        let [iterations, counters] = texts;
        if !self.is_checked {
            return Ok(Some(Cell { record, iterations, counters, line }));
        }
        let fields = key.fields(&record);
        let damage = |what: &str| damaged(&self.records.name, line, &format!("{}: {what}", in_words(fields)));
        record.with(&[(seal, b"")], &mut self.bare);
        if seal_of(&self.bare, &iterations, &counters).as_bytes() != &record[seal] {
            return Err(damage("its rows are not those that were sealed"));
        }
        if String::from(CellId::of(fields)).as_bytes() != &record[cell] {
            return Err(damage("found the name of another cell"));
        }
        let text = |field| std::str::from_utf8(field).map_err(|_| damage("found bytes that are no text"));
        if !self.builds.contains(text(&record[self.columns.build])?) {
            return Err(damage("run.toml does not know its build"));
        }
        let mut texts = [""; 8];
        for (place, field) in texts.iter_mut().zip(fields) {
            *place = text(field)?;
        }
        let [game, suite, position, methods, _, kind, budget, repeat] = texts;
        let no_number = |_| damage("found a budget or a repeat that is no number");
        let budget = budget.parse().map_err(no_number)?;
        self.cells.add([game, suite, position, methods, kind], budget, repeat.parse().map_err(no_number)?);
        Ok(Some(Cell { record, iterations, counters, line }))
    }

    /// What must hold behind the last row.
    fn end(&self) -> Result<(), Error> {
        if !self.is_checked {
            return Ok(());
        }
        for table in self.sides.iter().flatten() {
            if let Some((line, row)) = table.ahead() {
                let cell = String::from_utf8_lossy(row.get(0).unwrap_or_default());
                let what = format!("found rows of the cell `{cell}`, which is not in its place");
                return Err(damaged(&table.name, *line, &what));
            }
        }
        let expected = self.take.as_ref().map(|take| take.numbers().len());
        let has_all = self.whole.as_ref().is_none_or(|whole| self.cells.hex() == *whole);
        if !has_all || expected.is_some_and(|expected| expected != self.units) {
            return Err(damaged(&self.records.name, 0, "cells are missing, or rows are out of order"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both forms of a run whose manifest says that it has twenty gigabytes, of which the disk holds none.
    #[test]
    fn a_manifest_is_bounded_before_it_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let size = 20 << 30;
        let folder = dir.path().join("run");
        std::fs::create_dir(&folder).unwrap();
        File::create(folder.join(FILE)).unwrap().set_len(size).unwrap();
        let mut head = tar::Header::new_ustar();
        head.set_path(FILE).unwrap();
        head.set_size(size);
        head.set_cksum();
        let pack = dir.path().join("1-of-2.tar");
        std::fs::write(&pack, head.as_bytes()).unwrap();
        std::fs::OpenOptions::new().write(true).open(&pack).unwrap().set_len(512 + size).unwrap();
        for path in [&folder, &pack] {
            let error = Found::open(path).unwrap_err().to_string();
            assert!(error.contains("expected the manifest of a run"), "{error}");
        }
        let error = Manifest::read(&folder).unwrap_err().to_string();
        assert!(error.contains("expected the manifest of a run"), "{error}");
    }
}
