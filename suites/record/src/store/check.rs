//! Whether the rows of a run are those that were written.
//!
//! A record's seal covers its own row and all rows of its cell in the other two files, so that the three files vouch for
//! each other; the hash of the cells in run.toml says which records there must be once the run is complete, and in what
//! order. Whatever does not fit is damage: reports refuse it, and the store searches the cells concerned again.

use super::{COUNTERS, ITERATIONS, RECORDS, RunRows};
use crate::error::{Damage, Error};
use crate::manifest::Manifest;
use crate::record::{CellId, CellKey, CounterRow, IterationRow, Record, SCHEMA, cells_hash};
use crate::rows::{Scan, scan, text_of, unsealed_of};
use secateur_base::Fnv;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::iter::repeat_n;
use std::path::Path;

/// The rows of one cell outside records.csv.
#[derive(Clone, Debug, Default)]
struct Sides<'r> {
    iterations: Vec<&'r IterationRow>,
    counters: Vec<&'r CounterRow>,
}

/// The seal of a record with these rows of its cell in the other two files.
fn seal_with<'r>(
    record: &Record,
    iterations: impl IntoIterator<Item = &'r IterationRow>,
    counters: impl IntoIterator<Item = &'r CounterRow>,
) -> String {
    seal_of(&unsealed_of(record), &text_of(iterations), &text_of(counters))
}

/// The seal over these texts of a cell: its record without a seal, and its rows in the other two files.
pub fn seal_of(record: &[u8], iterations: &[u8], counters: &[u8]) -> String {
    let mut fnv = Fnv::default();
    fnv.bytes(record).bytes(&[0xff]).bytes(iterations).bytes(&[0xff]).bytes(counters);
    fnv.hex()
}

/// The rows of all cells outside records.csv, for whoever changes records and must seal them again.
#[derive(Debug)]
pub struct Seals<'r>(BTreeMap<CellId, Sides<'r>>);

impl<'r> Seals<'r> {
    /// The rows outside records.csv, by cell.
    pub fn new(iterations: &'r [IterationRow], counters: &'r [CounterRow]) -> Seals<'r> {
        let mut sides: BTreeMap<CellId, Sides<'_>> = BTreeMap::new();
        for row in iterations {
            sides.entry(row.cell).or_default().iterations.push(row);
        }
        for row in counters {
            sides.entry(row.cell).or_default().counters.push(row);
        }
        Seals(sides)
    }

    /// Seals a record anew.
    pub fn seal(&self, record: &mut Record) {
        let none = Sides::default();
        let Sides { iterations, counters } = self.0.get(&record.cell).unwrap_or(&none);
        record.seal = seal_with(record, iterations.iter().copied(), counters.iter().copied()).into();
    }
}

/// Names all rows by their keys, and gives all records new seals, after a column was emptied or a file was left out.
pub fn seal_all(rows: &mut RunRows) {
    rows.records.iter_mut().for_each(|record| record.cell = record.id());
    rows.iterations.iter_mut().filter(|row| row.cell.is_none()).for_each(|row| row.cell = row.id());
    rows.counters.iter_mut().filter(|row| row.cell.is_none()).for_each(|row| row.cell = row.id());
    let seals = Seals::new(&rows.iterations, &rows.counters);
    rows.records.iter_mut().for_each(|record| seals.seal(record));
}

/// What a run folder holds.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The rows of sound cells.
    pub(super) rows: RunRows,
    /// What is not as it was written.
    pub(super) damages: Vec<Damage>,
    /// Names of files whose last line has no end: what a kill leaves.
    pub(super) torn: Vec<String>,
}

/// Reads a run folder and checks every cell.
///
/// # Errors
/// The file system; a header of another file.
pub(super) fn load(dir: &Path, manifest: &Manifest) -> Result<Found, Error> {
    let records: Scan<Record> = scan(&dir.join(RECORDS))?;
    let iterations: Scan<IterationRow> = scan(&dir.join(ITERATIONS))?;
    let counters: Scan<CounterRow> = scan(&dir.join(COUNTERS))?;
    let mut loaded = Found::default();
    let files = [
        (RECORDS, records.exists, records.is_torn, &records.damages),
        (ITERATIONS, iterations.exists, iterations.is_torn, &iterations.damages),
        (COUNTERS, counters.exists, counters.is_torn, &counters.damages),
    ];
    for (name, exists, is_torn, damages) in files {
        let dropped = manifest.drops(name);
        let whole = |what: &str| Damage { file: name.to_owned(), line: 0, what: what.to_owned() };
        match (exists, manifest.complete && !dropped) {
            (true, _) if dropped => {
                loaded.damages.push(whole("the file is there, though run.toml says that it was left out"))
            }
            (false, true) => loaded.damages.push(whole("the file is missing")),
            (true, true) if is_torn => loaded.damages.push(whole("the last line is cut off")),
            (true, _) if is_torn => loaded.torn.push(name.to_owned()),
            _ => {}
        }
        loaded.damages.extend(damages.iter().cloned());
    }
    loaded.judge(manifest, records.rows, iterations.rows, counters.rows);
    Ok(loaded)
}

/// The rows of a file beside the records, those of the same cell next to each other and in the order of the records.
struct Beside<T> {
    rows: Vec<T>,
    /// Where the rows of each record begin; those of no record stand behind all others.
    begins: Vec<usize>,
}

impl<T> Beside<T> {
    /// `cell` names the cell of a row, `places` the record of a cell, of so many.
    fn new(
        rows: Vec<(usize, T)>,
        cell: fn(&T) -> CellId,
        places: &HashMap<CellId, usize>,
        records: usize,
    ) -> Beside<T> {
        let place = |row: &T| places.get(&cell(row)).copied().unwrap_or(records);
        let mut rows: Vec<T> = rows.into_iter().map(|(_, row)| row).collect();
        let mut begins = vec![0; records + 1];
        rows.iter().map(place).filter(|&at| at < records).for_each(|at| begins[at + 1] += 1);
        (1..=records).for_each(|at| begins[at] += begins[at - 1]);
        // A finished run has them in their order, which is seen in one pass.
        rows.sort_by_cached_key(place);
        Beside { rows, begins }
    }

    fn of(&self, record: usize) -> &[T] {
        &self.rows[self.begins[record]..self.begins[record + 1]]
    }

    /// The rows of the records that are kept, each `named` by its record.
    fn kept(self, kept: &[bool], records: &[(usize, Record)], named: fn(T, &CellKey, CellId) -> T) -> Vec<T> {
        let Beside { rows, begins } = self;
        let counts = begins.windows(2).map(|pair| pair[1] - pair[0]).zip(records);
        let owners = counts.enumerate().flat_map(|(at, (count, (_, owner)))| repeat_n((at, owner), count));
        let sound = rows.into_iter().zip(owners).filter(|(_, (at, _))| kept[*at]);
        sound.map(|(row, (_, owner))| named(row, &owner.key(), owner.cell)).collect()
    }
}

impl Found {
    fn damage(&mut self, file: &str, line: usize, what: impl Into<String>) {
        self.damages.push(Damage { file: file.to_owned(), line, what: what.into() });
    }

    /// Keeps the sound cells and names the others.
    fn judge(
        &mut self,
        manifest: &Manifest,
        records: Vec<(usize, Record)>,
        iterations: Vec<(usize, IterationRow)>,
        counters: Vec<(usize, CounterRow)>,
    ) {
        let (all, counts) = (records.len(), (iterations.len(), counters.len()));
        let mut places = HashMap::with_capacity(all);
        for (at, (_, record)) in records.iter().enumerate() {
            places.entry(record.id()).or_insert(at);
        }
        let iterations = Beside::new(iterations, |row| row.cell, &places, all);
        let counters = Beside::new(counters, |row| row.cell, &places, all);
        let builds: BTreeSet<&str> = manifest.build.iter().map(|build| build.id.as_str()).collect();
        let mut kept = vec![false; all];
        for (at, (line, record)) in records.iter().enumerate() {
            let named = places.get(&record.cell);
            let (steps, counts): (&[IterationRow], &[CounterRow]) =
                named.map_or((&[], &[]), |&at| (iterations.of(at), counters.of(at)));
            let id = record.id();
            let what = if record.schema != SCHEMA {
                format!("found schema `{}`, expected {SCHEMA}", record.schema)
            } else if *seal_with(record, steps, counts) != *record.seal {
                format!("{}: its rows are not those that were sealed", record.key())
            } else if record.cell != id {
                format!("{}: found the cell `{}`, expected `{id}`", record.key(), record.cell)
            } else if !builds.contains(record.build.as_str()) {
                format!("{}: run.toml does not know its build", record.key())
            } else if named.is_some_and(|&first| kept[first]) {
                format!("{}: recorded twice", record.key())
            } else {
                kept[at] = true;
                continue;
            };
            self.damage(RECORDS, *line, what);
        }
        self.rows.iterations = iterations.kept(&kept, &records, IterationRow::named);
        self.rows.counters = counters.kept(&kept, &records, CounterRow::named);
        let sound = records.into_iter().zip(kept).filter(|(_, kept)| *kept);
        self.rows.records = sound.map(|((_, record), _)| record).collect();
        if manifest.complete {
            self.judge_whole(manifest, counts.0, counts.1);
        }
    }

    /// A complete run has all its cells in their order, and no rows of others.
    fn judge_whole(&mut self, manifest: &Manifest, iterations: usize, counters: usize) {
        if !self.damages.is_empty() {
            return;
        }
        if cells_hash(self.rows.records.iter().map(Record::key)) != manifest.cells {
            self.damage(RECORDS, 0, "cells are missing, or rows are out of order");
        }
        for (file, read, kept) in [
            (ITERATIONS, iterations, self.rows.iterations.len()),
            (COUNTERS, counters, self.rows.counters.len()),
        ] {
            if read != kept {
                self.damage(file, 0, "has rows of cells that are not in records.csv");
            }
        }
    }
}
