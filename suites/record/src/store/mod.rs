//! A run folder: appended crash-safely, checked when it is opened, mended by searching again, in order when complete.
//!
//! A cell is finished when its row stands in `records.csv`, sealed together with its rows in the other files. Those are
//! written and synced before, so after a crash there may be rows too many in them, never too few; opening the folder
//! drops them.
//!
//! Writing a row as text and sealing it takes longer than a tiny search, so the threads that search do that ([`Sealer`]), and who writes
//! the files has nothing to do but to write.

mod check;

use crate::archive::{self, lock};
use crate::build::Build;
use crate::error::{Damage, Error};
use crate::files::{refuse_foreign, replace, sweep};
use crate::label::Label;
use crate::ledger::Ledger;
use crate::manifest::{self, Manifest};
use crate::record::{BudgetKind, CellId, CellKey, CounterRow, IterationRow, Record, Rows};
use crate::rows::{header_of, text_of, unsealed_of, write_all};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

pub use check::{Seals, seal_all, seal_of};

/// One row a cell.
pub const RECORDS: &str = "records.csv";
/// One row a completed iteration.
pub const ITERATIONS: &str = "iterations.csv";
/// One row a method, depth and stage of a cell.
pub const COUNTERS: &str = "counters.csv";

/// An open run folder with the one right to write in it.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    manifest: Manifest,
    /// Id of who adds rows now.
    build: String,
    finished: BTreeMap<CellKey, Record>,
    iterations_before: Vec<IterationRow>,
    damages: Vec<Damage>,
    retried: usize,
    records: Ledger,
    iterations: Ledger,
    counters: Ledger,
    /// Held, not used: closing it gives up the right to write.
    _lock: File,
}

/// What becomes of cells that ended with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failed {
    /// They are finished.
    Keep,
    /// They are searched again, with what could not be compared with them.
    Retry,
}

impl Store {
    /// [`Store::open_with`], failed cells being finished.
    ///
    /// # Errors
    /// Those of [`Store::open_with`].
    pub fn open(dir: &Path, manifest: Manifest, build: Build) -> Result<Store, Error> {
        Store::open_with(dir, manifest, Failed::Keep, build)
    }

    /// Begins the run of `manifest` in `dir`, whose rows `build` now makes, or goes on with it if the folder holds the same run. What an
    /// interruption left half written is removed; cells with rows that are not as they were written are forgotten, to be
    /// searched again, and so are failed ones if that is asked for.
    ///
    /// # Errors
    /// The file system; a folder with another run, with other files, or in use; a run that was archived without some of its files; a
    /// manifest that was damaged.
    pub fn open_with(dir: &Path, manifest: Manifest, failed: Failed, build: Build) -> Result<Store, Error> {
        let path = dir.join(manifest::FILE);
        if archive::is_file(&path) {
            let old = Manifest::read(dir)?;
            old.same_as(&manifest, dir)?;
            if !old.dropped.is_empty() {
                return Err(Error::Archived { dir: dir.to_owned(), files: old.dropped.join(" and ") });
            }
        } else {
            refuse_foreign(dir)?;
        }
        fs::create_dir_all(dir).map_err(Error::io(dir))?;
        let lock = lock(dir)?;
        sweep(dir);
        // Read under the lock: another process may have finished the run meanwhile.
        let old = if path.is_file() { Some(Manifest::read(dir)?) } else { None };
        let loaded = old.as_ref().map(|old| check::load(dir, old)).transpose()?.unwrap_or_default();
        let mut rows = loaded.rows;
        let retried = match failed {
            Failed::Keep => 0,
            Failed::Retry => forget_failed(&mut rows, &manifest),
        };
        let id = build.id.clone();
        let manifest = merged(old, manifest, build);
        keep_aside(dir, &loaded.damages)?;
        // Not complete from here on, whatever it was: a kill must leave nothing that claims to be whole.
        let manifest = Manifest { complete: false, ..manifest };
        replace(&path, manifest.text().as_bytes())?;
        rows.put(dir, &manifest)?;
        Ok(Store {
            records: Ledger::open(&dir.join(RECORDS), header_of::<Record>())?,
            iterations: Ledger::open(&dir.join(ITERATIONS), header_of::<IterationRow>())?,
            counters: Ledger::open(&dir.join(COUNTERS), header_of::<CounterRow>())?,
            finished: rows.records.into_iter().map(|row| (row.key(), row)).collect(),
            iterations_before: rows.iterations,
            damages: loaded.damages,
            retried,
            dir: dir.to_owned(),
            manifest,
            build: id,
            _lock: lock,
        })
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Name of the run.
    pub fn run(&self) -> &str {
        &self.manifest.run
    }

    /// The rows that were there when the folder was opened.
    pub fn finished(&self) -> &BTreeMap<CellKey, Record> {
        &self.finished
    }

    /// The iterations that were there when the folder was opened.
    pub fn iterations(&self) -> &[IterationRow] {
        &self.iterations_before
    }

    /// What was not as it was written; the cells concerned are searched again.
    pub fn damages(&self) -> &[Damage] {
        &self.damages
    }

    /// Failed cells that are searched again.
    pub fn retried(&self) -> usize {
        self.retried
    }

    /// Builds of the finished rows that are other programs than this one.
    pub fn foreign(&self) -> Vec<&Build> {
        let used: BTreeSet<&str> = self.finished.values().map(|row| row.build.as_str()).collect();
        let Some(current) = self.manifest.build.iter().find(|build| build.id == self.build) else {
            return Vec::new();
        };
        let others = self.manifest.build.iter().filter(|build| used.contains(build.id.as_str()));
        others.filter(|build| build.binary != current.binary).collect()
    }

    /// What makes rows ready for [`Store::append`], in whatever thread they were made.
    pub fn sealer(&self) -> Sealer {
        Sealer { build: (&self.build).into() }
    }

    /// Adds finished cells, as many as there are with one sync of each file: when this returns they survive a crash.
    ///
    /// # Errors
    /// The file system.
    pub fn append(&mut self, cells: &[Sealed]) -> Result<(), Error> {
        let all = |text: fn(&Sealed) -> &[u8]| cells.iter().map(text).collect::<Vec<_>>().concat();
        self.iterations.add(&all(|cell| &cell.iterations))?;
        self.counters.add(&all(|cell| &cell.counters))?;
        self.records.add(&all(|cell| &cell.row))
    }

    /// Puts all rows into the order of `keys` and marks the run complete. Gives all rows back.
    ///
    /// # Errors
    /// The file system; rows that are not as they were written.
    pub fn complete(mut self, keys: impl Iterator<Item = CellKey>) -> Result<RunRows, Error> {
        let order: HashMap<CellId, usize> = keys.enumerate().map(|(index, key)| (key.id(), index)).collect();
        let mut rows = RunRows::of(&self.dir, &self.manifest)?.0;
        let place = |cell: CellId| order.get(&cell).copied().unwrap_or(usize::MAX);
        // A place is looked up once a row, not once a comparison.
        rows.records.sort_by_cached_key(|row| place(row.cell));
        rows.iterations.sort_by_cached_key(|row| place(row.cell));
        rows.counters.sort_by_cached_key(|row| place(row.cell));
        rows.put(&self.dir, &self.manifest)?;
        self.manifest.complete = true;
        replace(&self.dir.join(manifest::FILE), self.manifest.text().as_bytes())?;
        Ok(rows)
    }
}

/// The manifest of the folder with what is new in this session.
fn merged(old: Option<Manifest>, new: Manifest, build: Build) -> Manifest {
    let mut manifest = match old {
        Some(mut old) => {
            old.session.extend(new.session);
            // What was merged becomes a run like any other when somebody goes on with it.
            old.part = new.part;
            old
        }
        None => new,
    };
    if !manifest.build.iter().any(|other| other.id == build.id) {
        manifest.build.push(build);
    }
    manifest
}

/// Drops the cells that ended with an error, and those that could not be compared with a baseline because of one, and says how
/// many.
fn forget_failed(rows: &mut RunRows, manifest: &Manifest) -> usize {
    let dropped: BTreeSet<CellId> = {
        let place = |row: &Record| (row.game, row.position, row.budget_kind, row.budget);
        let is_baseline = |row: &&Record| row.repeat == 0 && row.methods == manifest.baseline(&row.game);
        let baselines: BTreeMap<_, &Record> =
            rows.records.iter().filter(is_baseline).map(|row| (place(row), row)).collect();
        let is_open = |row: &Record| {
            let best = baselines.get(&place(row));
            best.is_some_and(|best| {
                best.error.is_some() && best.methods != row.methods || row.is_undecided(best)
            })
        };
        let failed =
            |row: &&Record| row.error.is_some() || row.budget_kind == BudgetKind::Depth && is_open(row);
        rows.records.iter().filter(failed).map(|row| row.cell).collect()
    };
    rows.records.retain(|row| !dropped.contains(&row.cell));
    rows.iterations.retain(|row| !dropped.contains(&row.cell));
    rows.counters.retain(|row| !dropped.contains(&row.cell));
    dropped.len()
}

/// Copies files with damages: mending must not destroy what somebody may want to look at.
fn keep_aside(dir: &Path, damages: &[Damage]) -> Result<(), Error> {
    let files: BTreeSet<&str> = damages.iter().map(|damage| damage.file.as_str()).collect();
    for file in files.into_iter().filter(|file| dir.join(file).exists()) {
        let aside = dir.join(format!("{file}.damaged"));
        fs::copy(dir.join(file), &aside).map_err(Error::io(&aside))?;
    }
    Ok(())
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
    /// Cells that ended with an error.
    pub fn failed(&self) -> usize {
        self.records.iter().filter(|record| record.error.is_some()).count()
    }

    /// Reads a run folder that is as it was written, with its manifest and words on what a kill left of it. A last line
    /// without an end and rows of cells that are not finished are left out.
    ///
    /// # Errors
    /// The file system; [`Error::Damaged`] for anything that is not as it was written.
    pub fn read(dir: &Path) -> Result<(RunRows, Manifest, Vec<String>), Error> {
        let manifest = Manifest::read(dir)?;
        let (rows, torn) = RunRows::of(dir, &manifest)?;
        let note = |file: String| {
            format!("{}: the last line is cut off and was left out.", dir.join(file).display())
        };
        Ok((rows, manifest, torn.into_iter().map(note).collect()))
    }

    /// The same with a manifest in hand; names of files that are cut off come with the rows.
    pub fn of(dir: &Path, manifest: &Manifest) -> Result<(RunRows, Vec<String>), Error> {
        let records = dir.join(RECORDS);
        if !archive::is_file(&records) {
            // Reading it says whether it is missing or its archive is torn.
            archive::read(&records).map_err(Error::unreadable(&records))?;
        }
        let loaded = check::load(dir, manifest)?;
        match loaded.damages.is_empty() {
            true => Ok((loaded.rows, loaded.torn)),
            false => Err(Error::Damaged { dir: dir.to_owned(), damages: loaded.damages }),
        }
    }

    /// Writes the files but for those that are dropped, the records last: a cell without its record is not finished.
    fn put(&self, dir: &Path, manifest: &Manifest) -> Result<(), Error> {
        if !manifest.drops(ITERATIONS) {
            write_all(&dir.join(ITERATIONS), &self.iterations)?;
        }
        if !manifest.drops(COUNTERS) {
            write_all(&dir.join(COUNTERS), &self.counters)?;
        }
        write_all(&dir.join(RECORDS), &self.records)
    }

    /// Writes a run folder of these rows with new seals: a copy, whole or in part. What `manifest` names as dropped is left
    /// out.
    ///
    /// # Errors
    /// The file system; a folder with other files.
    pub fn write(mut self, dir: &Path, manifest: &Manifest) -> Result<(), Error> {
        refuse_foreign(dir)?;
        fs::create_dir_all(dir).map_err(Error::io(dir))?;
        if manifest.drops(ITERATIONS) {
            self.iterations.clear();
        }
        if manifest.drops(COUNTERS) {
            self.counters.clear();
        }
        seal_all(&mut self);
        self.put(dir, manifest)?;
        replace(&dir.join(manifest::FILE), manifest.text().as_bytes())
    }
}

/// What turns the rows of a cell into texts with a seal.
#[derive(Clone, Debug)]
pub struct Sealer {
    build: Label,
}

/// A finished cell with its rows as texts.
#[derive(Clone, Debug)]
pub struct Sealed {
    record: Record,
    row: Vec<u8>,
    iterations: Vec<u8>,
    counters: Vec<u8>,
}

impl Sealer {
    /// The rows of a cell, sealed together.
    pub fn seal(&self, rows: Rows) -> Sealed {
        let mut record = Record { build: self.build, seal: "".into(), ..rows.record };
        let (iterations, counters) = (text_of(&rows.iterations), text_of(&rows.counters));
        let mut row = unsealed_of(&record);
        record.seal = seal_of(&row, &iterations, &counters).into();
        // The seal is the last column, and it is empty where it is not yet known.
        let end = row.pop();
        row.extend_from_slice(record.seal.as_bytes());
        row.extend(end);
        Sealed { record, row, iterations, counters }
    }
}

impl Sealed {
    /// The row of `records.csv`.
    pub fn record(&self) -> &Record {
        &self.record
    }
}

#[cfg(test)]
mod tests {
    use super::Seals;
    use super::*;
    use crate::record::{CounterRow, Failure, IterationRow};

    /// What is appended is what the writer of whole files would write, with the seal that a reader finds.
    #[test]
    fn a_sealed_text_is_the_row_with_its_seal() {
        let plain = Record { best_move: "d3".into(), pv: "d3 c5".into(), ..Record::default() };
        let quoted = Record { error: Some(Failure::new("said \"no\", twice")), ..plain.clone() };
        for record in [plain, quoted] {
            let iterations = vec![IterationRow { depth: 1, ..IterationRow::default() }; 2];
            let counters = vec![CounterRow { tries: 3, ..CounterRow::default() }];
            let rows = Rows { record, iterations, counters };
            let sealed = Sealer { build: "me".into() }.seal(rows.clone());
            let mut expected = Record { build: "me".into(), ..rows.record.clone() };
            Seals::new(&rows.iterations, &rows.counters).seal(&mut expected);
            assert_eq!(*sealed.record(), expected);
            assert_eq!(sealed.row, text_of([&expected]));
            assert_eq!(sealed.iterations, text_of(&rows.iterations));
            assert_eq!(sealed.counters, text_of(&rows.counters));
        }
    }
}
