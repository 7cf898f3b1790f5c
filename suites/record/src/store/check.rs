//! Whether the rows of a run are those that were written.
//!
//! A record's seal covers its own row and all rows of its cell in the other two files, so that the three files vouch for
//! each other; the hash of the cells in run.toml says which records there must be once the run is complete, and in what
//! order. Whatever does not fit is damage: reports refuse it, and the store searches the cells concerned again.

use super::rows::{Scan, csv, scan};
use super::{COUNTERS, ITERATIONS, RECORDS, RunRows};
use crate::damage::Damage;
use crate::error::Error;
use crate::manifest::Manifest;
use crate::record::{CellId, CellKey, CounterRow, IterationRow, Record, SCHEMA, cells_hash};
use secateur_base::Fnv;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The rows of one cell outside records.csv.
#[derive(Clone, Debug, Default)]
pub(super) struct Sides<'r> {
    iterations: Vec<&'r IterationRow>,
    counters: Vec<&'r CounterRow>,
}

impl Sides<'_> {
    /// The seal of a record with these rows.
    fn seal(&self, record: &Record) -> String {
        let bare = csv(&[Record { seal: String::new(), ..record.clone() }], false);
        seal_of(&bare, &csv(&self.iterations, false), &csv(&self.counters, false))
    }
}

/// The seal over these texts of a cell: its record without a seal, and its rows in the other two files.
#[must_use]
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
    #[must_use]
    pub fn new(iterations: &'r [IterationRow], counters: &'r [CounterRow]) -> Seals<'r> {
        Seals(by_cell(iterations, counters))
    }

    /// Seals a record anew.
    pub fn seal(&self, record: &mut Record) {
        record.seal = self.0.get(&record.cell).unwrap_or(&Sides::default()).seal(record);
    }
}

/// Names all rows by their keys, and gives all records new seals, after a column was emptied or a file was left out.
pub fn seal_all(rows: &mut RunRows) {
    rows.records.iter_mut().for_each(|record| record.cell = record.key().id());
    for row in rows.iterations.iter_mut().filter(|row| row.cell.is_none()) {
        row.cell = row.key().id();
    }
    for row in rows.counters.iter_mut().filter(|row| row.cell.is_none()) {
        row.cell = row.key().id();
    }
    let seals = Seals::new(&rows.iterations, &rows.counters);
    rows.records.iter_mut().for_each(|record| seals.seal(record));
}

fn by_cell<'r>(
    iterations: impl IntoIterator<Item = &'r IterationRow>,
    counters: impl IntoIterator<Item = &'r CounterRow>,
) -> BTreeMap<CellId, Sides<'r>> {
    let mut sides: BTreeMap<CellId, Sides<'_>> = BTreeMap::new();
    for row in iterations {
        sides.entry(row.cell).or_default().iterations.push(row);
    }
    for row in counters {
        sides.entry(row.cell).or_default().counters.push(row);
    }
    sides
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
    let mut found = Found::default();
    let files = [
        (RECORDS, records.exists, records.is_torn, &records.damages),
        (ITERATIONS, iterations.exists, iterations.is_torn, &iterations.damages),
        (COUNTERS, counters.exists, counters.is_torn, &counters.damages),
    ];
    for (name, exists, is_torn, damages) in files {
        let dropped = manifest.dropped.iter().any(|dropped| dropped == name);
        let whole = |what: &str| Damage { file: name.to_owned(), line: 0, what: what.to_owned() };
        match (exists, manifest.complete && !dropped) {
            (true, _) if dropped => {
                found.damages.push(whole("the file is there, though run.toml says that it was left out"))
            }
            (false, true) => found.damages.push(whole("the file is missing")),
            (true, true) if is_torn => found.damages.push(whole("the last line is cut off")),
            (true, _) if is_torn => found.torn.push(name.to_owned()),
            _ => {}
        }
        found.damages.extend(damages.iter().cloned());
    }
    let keys = records.rows.iter().map(|(_, record)| record.key()).map(|key| (key.id(), key)).collect();
    let iterations: Vec<_> = iterations.rows.into_iter().map(|(_, row)| row.placed(&keys)).collect();
    let counters: Vec<_> = counters.rows.into_iter().map(|(_, row)| row.placed(&keys)).collect();
    found.judge(manifest, records.rows, &iterations, &counters);
    Ok(found)
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
        iterations: &[IterationRow],
        counters: &[CounterRow],
    ) {
        let sides = by_cell(iterations, counters);
        let builds: BTreeSet<&str> = manifest.build.iter().map(|build| build.id.as_str()).collect();
        let none = Sides::default();
        let mut seen: BTreeSet<CellKey> = BTreeSet::new();
        for (line, record) in records {
            let key = record.key();
            if record.schema != SCHEMA {
                self.damage(RECORDS, line, format!("found schema `{}`, expected {SCHEMA}", record.schema));
            } else if sides.get(&record.cell).unwrap_or(&none).seal(&record) != record.seal {
                self.damage(RECORDS, line, format!("{key}: its rows are not those that were sealed"));
            } else if record.cell != key.id() {
                self.damage(
                    RECORDS,
                    line,
                    format!("{key}: found the cell `{}`, expected `{}`", record.cell, key.id()),
                );
            } else if !builds.contains(record.build.as_str()) {
                self.damage(RECORDS, line, format!("{key}: run.toml does not know its build"));
            } else if !seen.insert(key.clone()) {
                self.damage(RECORDS, line, format!("{key}: recorded twice"));
            } else {
                self.rows.records.push(record);
            }
        }
        // In the order of the records: between cells the order of rows means nothing.
        for own in self.rows.records.iter().filter_map(|record| sides.get(&record.cell)) {
            self.rows.iterations.extend(own.iterations.iter().copied().cloned());
            self.rows.counters.extend(own.counters.iter().copied().cloned());
        }
        if manifest.complete {
            self.judge_whole(manifest, iterations.len(), counters.len());
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
