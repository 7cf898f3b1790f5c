//! A finished run, or a part of one, as a stream: from a folder or a pack, unit by unit, every row held against its seal.
//!
//! No more than a few rows of it are in memory, and no file of it is open between two reads: a thousand parts are merged at
//! once. Left out: what other parts say.

pub mod text;

use crate::error::Error;
use crate::manifest::{FILE, Manifest};
use crate::record::{CellsHash, CounterRow, IterationRow, Record};
use crate::store::{COUNTERS, ITERATIONS, RECORDS, header, seal_of};
use csv::ByteRecord;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use text::{Key, push, words};

/// Bytes that are read at once.
const CHUNK: usize = 1 << 16;

/// A stretch of a file, which is open only while it is read.
#[derive(Clone, Debug)]
struct Stretch {
    path: PathBuf,
    at: u64,
    end: u64,
}

impl Read for Stretch {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(usize::try_from(self.end - self.at).unwrap_or(usize::MAX));
        if most == 0 {
            return Ok(0);
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
        let (text, files) = if path.is_dir() { folder(path)? } else { pack(path)? };
        let manifest = Manifest::parse(&path.join(FILE), &text)?;
        Ok(Found { path: path.to_owned(), manifest, text, files })
    }

    /// Whether all of its rows are there, unit behind unit.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        let is_merged = self.manifest.part.as_ref().is_some_and(|part| part.shard.is_empty());
        self.manifest.is_sealed() && (self.manifest.complete || is_merged)
    }

    /// Hash of the cells of the whole run.
    #[must_use]
    pub fn whole(&self) -> &str {
        self.manifest.part.as_ref().map_or(&self.manifest.cells, |part| &part.whole)
    }

    /// Bytes of its rows.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.files.iter().flatten().map(|stretch| stretch.end - stretch.at).sum()
    }

    /// The line of the manifest in which a text stands first, as a place.
    #[must_use]
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
    let text = std::fs::read_to_string(&path).map_err(Error::unreadable(&path))?;
    let stretch = |name: &str| {
        let path = dir.join(name);
        let end = path.metadata().ok()?.len();
        Some(Stretch { path, at: 0, end })
    };
    Ok((text, [RECORDS, ITERATIONS, COUNTERS].map(stretch)))
}

fn pack(path: &Path) -> Result<Files, Error> {
    let unreadable = || Error::unreadable(path);
    let wounded = |error: io::Error| Error::Place {
        place: path.display().to_string(),
        what: format!("found no pack of a shard: {error}"),
    };
    let file = File::open(path).map_err(unreadable())?;
    let mut archive = tar::Archive::new(file);
    let mut text = String::new();
    let mut files = [None, None, None];
    for entry in archive.entries_with_seek().map_err(wounded)? {
        let mut entry = entry.map_err(wounded)?;
        let name = entry.path().map_err(wounded)?.to_string_lossy().into_owned();
        let at = entry.raw_file_position();
        let stretch = Stretch { path: path.to_owned(), at, end: at.saturating_add(entry.size()) };
        match [RECORDS, ITERATIONS, COUNTERS].iter().position(|known| *known == name) {
            Some(index) => files[index] = Some(stretch),
            None if name == FILE => {
                entry.read_to_string(&mut text).map_err(wounded)?;
            }
            None => {}
        }
    }
    Ok((text, files))
}

/// A file of rows with one row read ahead.
struct Table {
    reader: csv::Reader<Stretch>,
    /// For messages.
    name: String,
    key: Key,
    ahead: Option<ByteRecord>,
}

impl Table {
    fn open(part: &Path, name: &str, stretch: Stretch, expected: &[u8]) -> Result<Table, Error> {
        let name = part.join(name).display().to_string();
        let mut reader = csv::ReaderBuilder::new().buffer_capacity(CHUNK).from_reader(stretch);
        let mut found = Vec::new();
        let header = reader.byte_headers().map_err(|error| wounded(&name, 1, &error.to_string()))?.clone();
        push(header.iter(), &mut found);
        let other = || wounded(&name, 1, "found other columns than this version writes (docs/RECORD.md)");
        let key = Key::of(&header).filter(|_| found == expected).ok_or_else(other)?;
        let mut table = Table { reader, name, key, ahead: None };
        table.ahead = table.read()?;
        Ok(table)
    }

    fn read(&mut self) -> Result<Option<ByteRecord>, Error> {
        let mut row = ByteRecord::new();
        match self.reader.read_byte_record(&mut row) {
            Ok(true) => Ok(Some(row)),
            Ok(false) => Ok(None),
            Err(error) => {
                let line = error.position().map_or(0, csv::Position::line);
                Err(wounded(&self.name, line, &error.to_string()))
            }
        }
    }

    /// Adds the rows of a cell that come next to a text.
    fn rows_of(&mut self, cell: (&Key, &ByteRecord), text: &mut Vec<u8>) -> Result<(), Error> {
        while let Some(row) = self.ahead.take_if(|row| self.key.same(row, cell)) {
            push(row.iter(), text);
            self.ahead = self.read()?;
        }
        Ok(())
    }
}

fn wounded(file: &str, line: u64, what: &str) -> Error {
    Error::Place { place: format!("{file}:{line}"), what: what.to_owned() }
}

/// The rows of one cell as they were written.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The row of records.csv.
    pub record: ByteRecord,
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
    pub fn record(&self, header: &ByteRecord, path: &Path) -> Result<Record, Error> {
        let wound = |error: csv::Error| {
            wounded(&path.join(RECORDS).display().to_string(), self.line, &error.to_string())
        };
        self.record.deserialize(Some(header)).map_err(wound)
    }
}

/// Where the columns are in records.csv that a merge has to know.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    /// Those of the key.
    pub key: Key,
    /// Name of the run.
    pub run: usize,
    /// Why there is no result.
    pub error: usize,
    /// Who made it.
    pub maker: usize,
    /// The seal, the last column.
    pub seal: usize,
}

impl Columns {
    /// Those of this version.
    #[must_use]
    pub fn of_records() -> Columns {
        let names = names();
        // The header is that of the type, whose columns these are.
        let at = |name: &str| names.iter().position(|found| found == name.as_bytes()).expect("a column");
        let key = Key::of(&names).expect("the columns of a key");
        Columns { key, run: at("run"), error: at("error"), maker: at("maker"), seal: at("seal") }
    }
}

/// The columns of records.csv.
#[must_use]
pub fn names() -> ByteRecord {
    let text = header::<Record>();
    text.trim_ascii_end().split(|&byte| byte == b',').collect::<Vec<_>>().into()
}

/// A finished part whose rows are being read.
pub struct Source {
    /// The folder or the pack.
    pub path: PathBuf,
    manifest: Manifest,
    columns: Columns,
    makers: BTreeSet<String>,
    records: Table,
    sides: [Option<Table>; 2],
    ahead: Option<Cell>,
    units: usize,
    cells: CellsHash,
}

impl Source {
    /// Begins to read.
    ///
    /// # Errors
    /// The file system; a file that is missing or is of something else.
    pub fn open(found: Found) -> Result<Source, Error> {
        let Found { path, manifest, files, .. } = found;
        let [records, iterations, counters] = files;
        let missing = |name: &str| wounded(&path.join(name).display().to_string(), 0, "the file is missing");
        let records = records.ok_or_else(|| missing(RECORDS))?;
        let open = |name: &str, stretch, header: &[u8]| match stretch {
            Some(stretch) => Table::open(&path, name, stretch, header).map(Some),
            None if manifest.dropped.iter().any(|dropped| dropped == name) => Ok(None),
            None => Err(missing(name)),
        };
        let sides = [
            open(ITERATIONS, iterations, &header::<IterationRow>())?,
            open(COUNTERS, counters, &header::<CounterRow>())?,
        ];
        let records = Table::open(&path, RECORDS, records, &header::<Record>())?;
        let makers = manifest.maker.iter().map(|maker| maker.id.clone()).collect();
        let (columns, cells) = (Columns::of_records(), CellsHash::default());
        let mut source =
            Source { path, manifest, columns, makers, records, sides, ahead: None, units: 0, cells };
        source.ahead = source.cell()?;
        if source.ahead.is_none() {
            source.end()?;
        }
        Ok(source)
    }

    /// Number of the unit that comes next, as the whole run counts them; `None` at the end.
    ///
    /// # Errors
    /// More units than the manifest names.
    pub fn next(&self) -> Result<Option<u32>, Error> {
        let Some(ahead) = &self.ahead else { return Ok(None) };
        match &self.manifest.part {
            Some(part) => match part.take.numbers().get(self.units) {
                Some(number) => Ok(Some(*number)),
                None => Err(wounded(&self.records.name, ahead.line, "found more units than run.toml names")),
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

    /// The next cell, held against its seal.
    fn cell(&mut self) -> Result<Option<Cell>, Error> {
        let Some(record) = self.records.ahead.take() else { return Ok(None) };
        self.records.ahead = self.records.read()?;
        let line = record.position().map_or(0, csv::Position::line);
        let key = self.records.key;
        let mut texts = [Vec::new(), Vec::new()];
        for (table, text) in self.sides.iter_mut().zip(&mut texts) {
            if let Some(table) = table {
                table.rows_of((&key, &record), text)?;
            }
        }
        let [iterations, counters] = texts;
        let mut bare = Vec::new();
        let seal = self.columns.seal;
        push(record.iter().enumerate().map(|(at, field)| if at == seal { &[] } else { field }), &mut bare);
        let fields = key.fields(&record);
        let wound = |what: &str| wounded(&self.records.name, line, &format!("{}: {what}", words(fields)));
        if seal_of(&bare, &iterations, &counters).as_bytes() != &record[seal] {
            return Err(wound("its rows are not those that were sealed"));
        }
        let text = |field| std::str::from_utf8(field).map_err(|_| wound("found bytes that are no text"));
        if !self.makers.contains(text(&record[self.columns.maker])?) {
            return Err(wound("run.toml does not know its maker"));
        }
        let mut texts = [""; 8];
        for (place, field) in texts.iter_mut().zip(fields) {
            *place = text(field)?;
        }
        let [game, suite, position, methods, _, kind, budget, repeat] = texts;
        let no_number = |_| wound("found a budget or a repeat that is no number");
        let budget = budget.parse().map_err(no_number)?;
        self.cells.add([game, suite, position, methods, kind], budget, repeat.parse().map_err(no_number)?);
        Ok(Some(Cell { record, iterations, counters, line }))
    }

    /// What must hold behind the last row.
    fn end(&self) -> Result<(), Error> {
        for table in self.sides.iter().flatten() {
            if let Some(row) = &table.ahead {
                let line = row.position().map_or(0, csv::Position::line);
                let what = format!("{}: found rows of no cell in their place", words(table.key.fields(row)));
                return Err(wounded(&table.name, line, &what));
            }
        }
        let expected = self.manifest.part.as_ref().map(|part| part.take.numbers().len());
        let has_all = !self.manifest.complete || self.cells.hex() == self.manifest.cells;
        if !has_all || expected.is_some_and(|expected| expected != self.units) {
            return Err(wounded(&self.records.name, 0, "cells are missing, or rows are out of order"));
        }
        Ok(())
    }
}
