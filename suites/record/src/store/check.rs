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
use crate::record::{CellKey, CounterRow, IterationRow, Record, UNSEALED, cells_hash};
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
        let bare = Record { seal: String::new(), ..record.clone() };
        seal_of(&csv(&[bare], false), &csv(&self.iterations, false), &csv(&self.counters, false))
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
pub struct Seals<'r>(BTreeMap<CellKey, Sides<'r>>);

impl<'r> Seals<'r> {
    /// The rows outside records.csv, by cell.
    #[must_use]
    pub fn new(iterations: &'r [IterationRow], counters: &'r [CounterRow]) -> Seals<'r> {
        Seals(by_cell(iterations, counters))
    }

    /// Seals a record anew.
    pub fn seal(&self, record: &mut Record) {
        record.seal = self.0.get(&record.key()).unwrap_or(&Sides::default()).seal(record);
    }
}

/// Gives all records new seals, after a column was emptied or a file was left out.
pub fn seal_all(rows: &mut RunRows) {
    let seals = Seals::new(&rows.iterations, &rows.counters);
    rows.records.iter_mut().for_each(|record| seals.seal(record));
}

fn by_cell<'r>(
    iterations: impl IntoIterator<Item = &'r IterationRow>,
    counters: impl IntoIterator<Item = &'r CounterRow>,
) -> BTreeMap<CellKey, Sides<'r>> {
    let mut sides: BTreeMap<CellKey, Sides<'_>> = BTreeMap::new();
    for (key, rows) in together(iterations, IterationRow::is_of, IterationRow::key) {
        sides.entry(key).or_default().iterations.extend(rows);
    }
    for (key, rows) in together(counters, CounterRow::is_of, CounterRow::key) {
        sides.entry(key).or_default().counters.extend(rows);
    }
    sides
}

/// Rows of one cell that stand behind each other, which those of a cell mostly do: a name is made once for all of them.
fn together<'r, T>(
    rows: impl IntoIterator<Item = &'r T>,
    is_of: impl Fn(&T, &CellKey) -> bool,
    key: impl Fn(&T) -> CellKey,
) -> Vec<(CellKey, Vec<&'r T>)> {
    let mut groups: Vec<(CellKey, Vec<&T>)> = Vec::new();
    for row in rows {
        match groups.last_mut() {
            Some((last, rows)) if is_of(row, last) => rows.push(row),
            _ => groups.push((key(row), vec![row])),
        }
    }
    groups
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
        match (exists, manifest.complete && manifest.is_sealed() && !dropped) {
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
    found.judge(manifest, records.rows, &iterations.rows, &counters.rows);
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
        iterations: &[(usize, IterationRow)],
        counters: &[(usize, CounterRow)],
    ) {
        let sealed = manifest.is_sealed();
        let sides = by_cell(iterations.iter().map(|(_, row)| row), counters.iter().map(|(_, row)| row));
        let makers: BTreeSet<&str> = manifest.maker.iter().map(|maker| maker.id.as_str()).collect();
        let none = Sides::default();
        let mut seen: BTreeSet<CellKey> = BTreeSet::new();
        for (line, record) in records {
            let key = record.key();
            let own = sides.get(&key).unwrap_or(&none);
            if record.schema != manifest.schema {
                let what = format!("found schema `{}`, expected {}", record.schema, manifest.schema);
                self.damage(RECORDS, line, what);
            } else if sealed && own.seal(&record) != record.seal {
                self.damage(RECORDS, line, format!("{key}: its rows are not those that were sealed"));
            } else if sealed && !makers.contains(record.maker.as_str()) {
                self.damage(RECORDS, line, format!("{key}: run.toml does not know its maker"));
            } else if !seen.insert(key.clone()) {
                self.damage(RECORDS, line, format!("{key}: recorded twice"));
            } else {
                self.rows.records.push(record);
            }
        }
        // In the order of the records: between cells the order of rows means nothing.
        for own in self.rows.records.iter().filter_map(|record| sides.get(&record.key())) {
            self.rows.iterations.extend(own.iterations.iter().copied().cloned());
            self.rows.counters.extend(own.counters.iter().copied().cloned());
        }
        if manifest.complete && sealed {
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

impl Manifest {
    /// Whether the rows of the run have seals; those of older versions have none.
    #[must_use]
    pub fn is_sealed(&self) -> bool {
        self.schema > UNSEALED
    }
}
