//! Reading run folders, one or several, into one set of rows.
//!
//! A run that was killed may end in the middle of a row; that row is left out and the report says so. Everything else that
//! is not as it was written is an error with its line. What several builds measured is kept apart (`builds.rs`).

use crate::builds::{self, Origins};
use crate::metrics::SPANNED;
use crate::runs::Runs;
use csv::ByteRecord;
use secateur_base::number::either;
use secateur_record::archive::read_to_string;
use secateur_record::error::from_toml;
use secateur_record::label::Label;
use secateur_record::manifest::{GameEntry, Manifest};
use secateur_record::part::Part;
use secateur_record::record::{BudgetKind, CellKey, IterationRow, Record};
use secateur_record::rows::{row_of, rows_of};
use secateur_record::seal::unsealed_with;
use secateur_record::store::{RECORDS, RunRows};
use secateur_record::stream::{Cell, Columns, Found, Source};
use secateur_record::{Blame, Error};
use serde::de::DeserializeOwned;
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// Why a run cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A file or a run folder that cannot be read, is not as it was written, or is none.
    #[error(transparent)]
    Run(#[from] Error),
    /// The arms of a game are those of one program here and of another there.
    #[error("the arms of {game} are those of different programs; report their runs apart, or compare them")]
    Programs {
        /// The game.
        game: String,
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
    pub fn is_io(&self) -> bool {
        match self {
            ReadError::Run(error) => error.blame() == Blame::System,
            ReadError::Conflict { .. } | ReadError::Programs { .. } => false,
        }
    }
}

/// Reads run folders.
///
/// # Errors
/// A manifest or `records.csv` that is missing, a file that is unreadable or not as it was written, two rows of one cell
/// that disagree.
pub fn read(folders: &[PathBuf]) -> Result<Runs, ReadError> {
    let mut gathered = Gathered { is_alone: folders.len() == 1, ..Gathered::default() };
    for folder in folders {
        let run = Found::open(folder)?;
        let (rows, manifest, notes) =
            if is_large(&run) { streamed(run, None)? } else { RunRows::read(folder)? };
        gathered.runs.notes.extend(notes);
        gathered.add(folder, rows, manifest)?;
    }
    Ok(gathered.separated())
}

/// Bytes of rows from which on a run is large: in memory its iterations and counters would take twice as much.
const LARGE: u64 = 100 << 20;

/// Whether one of these runs is so large that it is not to be in memory whole, and all can be read as streams.
pub fn large(folders: &[PathBuf]) -> bool {
    let runs: Vec<Found> = folders.iter().filter_map(|folder| Found::open(folder).ok()).collect();
    runs.len() == folders.len()
        && runs.iter().any(is_large)
        && runs.into_iter().all(|run| run.is_ready() && Source::open(run).is_ok())
}

fn is_large(run: &Found) -> bool {
    run.is_ready() && run.size() > LARGE
}

/// Of a large run, what a comparison is made of at a time.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'w> {
    /// The arms.
    pub arms: &'w BTreeSet<String>,
    /// Whether iterations are asked for: at a budget of nodes or time a comparison looks at the depth.
    pub with_iterations: bool,
    /// Whether all rows were held against their seals before, by [`topics`] or with other arms.
    pub is_read_before: bool,
}

/// The records of a large run, read unit by unit. All of its rows are held against their seals, unless they were before, but the
/// lines of the searches and the rows of the other two files are not kept, but for the last iterations of `wanted` arms.
fn streamed(run: Found, wanted: Option<Wanted<'_>>) -> Result<(RunRows, Manifest, Vec<String>), ReadError> {
    let (path, manifest) = (run.path.clone(), run.manifest.clone());
    let left = if wanted.is_some() { "counters" } else { "iterations and counters" };
    let note = format!("is large: {left} were checked, and what rests on them is left out of this report");
    let note = format!("The run in {} {note}.", path.display());
    let mut source = match wanted {
        Some(Wanted { with_iterations, is_read_before: true, .. }) => Source::reopen(run, with_iterations)?,
        _ => Source::open(run)?,
    };
    let (mut records, mut iterations) = (Vec::new(), Vec::new());
    let key = Columns::of_records().key;
    while source.next()?.is_some() {
        for cell in source.unit()? {
            let [_, _, _, methods, ..] = key.fields(&cell.record);
            if wanted.is_some_and(|wanted| !wanted.arms.iter().any(|arm| arm.as_bytes() == methods)) {
                continue;
            }
            let record = cell.record(&path)?;
            if wanted.is_some_and(|wanted| wanted.with_iterations) && record.budget_kind != BudgetKind::Depth
            {
                iterations.extend(last_iterations(&cell, &record, &path)?);
            }
            records.push(Record { pv: "".into(), seal: "".into(), ..record });
        }
    }
    Ok((RunRows { records, iterations, ..RunRows::default() }, manifest, vec![note]))
}

/// The last iterations of a search, as many as its fractional depth needs; what else they say is left out.
fn last_iterations(cell: &Cell, record: &Record, folder: &Path) -> Result<Vec<IterationRow>, ReadError> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(cell.iterations.as_slice());
    let read = |row: csv::Result<ByteRecord>| row_of(&row.map_err(|error| error.to_string())?);
    let rows: Vec<IterationRow> =
        reader.byte_records().map(read).collect::<Result<_, _>>().map_err(|error| Error::Place {
            place: format!("{}:{}", folder.join(RECORDS).display(), cell.line),
            what: format!("iterations of this cell: {error}"),
        })?;
    let last = rows.into_iter().rev().take(SPANNED).rev();
    let bare = |row: IterationRow| IterationRow {
        depth: row.depth,
        nodes: row.nodes,
        ..IterationRow::of(&record.key())
    };
    Ok(last.map(bare).collect())
}

/// The rows of some arms of a large run, without what no comparison needs.
///
/// # Errors
/// Those of [`read`].
pub fn read_arms(folder: &Path, wanted: Wanted<'_>) -> Result<Runs, ReadError> {
    let (rows, manifest, notes) = streamed(Found::open(folder)?, Some(wanted))?;
    let mut gathered = Gathered { is_alone: true, ..Gathered::default() };
    gathered.runs.notes.extend(notes);
    gathered.add(folder, rows, manifest)?;
    Ok(gathered.separated())
}

/// A game, what its budget counts, the budget, and the arm that was searched.
pub type Topic = (Label, BudgetKind, u64, Label);

/// What was searched in a large run, in the order of its records, and how many rows it has.
///
/// # Errors
/// Those of [`read`].
pub fn topics(folder: &Path) -> Result<(Vec<Topic>, u64), ReadError> {
    let mut source = Source::open(Found::open(folder)?)?;
    let columns = Columns::of_records();
    let (mut seen, mut all, mut rows) = (BTreeSet::new(), Vec::new(), 0);
    while source.next()?.is_some() {
        for cell in source.unit()? {
            rows += 1;
            let [game, _, _, methods, _, kind, budget, _] = columns.key.fields(&cell.record);
            let text = [game, methods, kind, budget].join(&b'\n');
            if !seen.contains(&text) {
                seen.insert(text);
                let Record { game, budget_kind, budget, methods, .. } = cell.record(folder)?;
                all.push((game, budget_kind, budget, methods));
            }
        }
    }
    Ok((all, rows))
}

/// One run whose rows are in hand, as [`read`] would give it; `folder` is for words.
///
/// # Errors
/// Two rows of one cell that disagree.
pub fn from_rows(folder: &Path, rows: RunRows, manifest: Manifest) -> Result<Runs, ReadError> {
    let mut gathered = Gathered { is_alone: true, ..Gathered::default() };
    gathered.add(folder, rows, manifest)?;
    Ok(gathered.separated())
}

/// Runs that are being put together.
#[derive(Default)]
struct Gathered {
    runs: Runs,
    /// Where the record of a cell is.
    seen: HashMap<CellKey, usize>,
    /// There is one run, whose cells are known to be different.
    is_alone: bool,
    origins: Origins,
}

impl Gathered {
    fn add(&mut self, folder: &Path, rows: RunRows, manifest: Manifest) -> Result<(), ReadError> {
        let Gathered { runs, seen, origins, is_alone } = self;
        if !manifest.complete {
            let lacks = manifest.part.as_ref().and_then(Part::lacks);
            let lacks = lacks.map_or(String::new(), |lacks| format!(": {lacks}"));
            runs.notes.push(format!("The run in {} is not complete{lacks}.", folder.display()));
        } else if let Some(part) = manifest.part.as_ref().filter(|part| part.missing() > 0) {
            let (there, all) = (part.take.numbers().len(), part.units);
            let noun = either(all as usize, "unit", "units");
            let note = format!("is shard {}: {there} of {all} {noun}", part.shard);
            runs.notes.push(format!("The run in {} {note}.", folder.display()));
        }
        let cuts = manifest.cuts();
        let new: Vec<String> = cuts.into_iter().filter(|cut| !runs.notes.contains(cut)).collect();
        runs.notes.extend(new);
        let entry_of = |game: &str| runs.manifests.iter().find_map(|manifest| manifest.game(game));
        for game in &manifest.game {
            let is_other = |earlier: &GameEntry| match (&earlier.program, &game.program) {
                (Some(one), Some(other)) => !one.is_same(other),
                (one, other) => one.is_some() != other.is_some(),
            };
            if entry_of(&game.name).is_some_and(is_other) {
                return Err(ReadError::Programs { game: game.name.clone() });
            }
        }
        origins.add(&manifest);
        for build in &manifest.build {
            if !runs.builds.contains(build) {
                runs.builds.push(build.clone());
            }
        }
        if *is_alone {
            runs.records = rows.records;
            runs.iterations = rows.iterations;
            runs.counters = rows.counters;
            runs.manifests.push(manifest);
            return Ok(());
        }
        for record in rows.records {
            match seen.entry(record.key()) {
                Entry::Vacant(place) => {
                    place.insert(runs.records.len());
                    runs.records.push(record);
                }
                Entry::Occupied(place) if same_result(&runs.records[*place.get()], &record) => {}
                Entry::Occupied(place) => {
                    return Err(ReadError::Conflict { key: place.key().to_string() });
                }
            }
        }
        runs.iterations.extend(rows.iterations);
        runs.counters.extend(rows.counters);
        runs.manifests.push(manifest);
        Ok(())
    }

    /// The runs, with what several builds measured told apart.
    fn separated(mut self) -> Runs {
        builds::separate(&mut self.runs, &self.origins);
        self.runs
    }
}

/// Time budgets do not repeat; two such rows of one cell always conflict.
fn same_result(a: &Record, b: &Record) -> bool {
    a.budget_kind != BudgetKind::Time && (a.nodes, a.score, a.best_move) == (b.nodes, b.score, b.best_move)
}

/// Where the rows of the CSV file `path` come from, and the rows.
///
/// # Errors
/// A file that cannot be read or is not as it was written, or its first line that is no such thing.
pub fn read_sidecar<O: DeserializeOwned, R: DeserializeOwned>(path: &Path) -> Result<(O, Vec<R>), Error> {
    let sidecar = path.with_extension("toml");
    let read = |path: &Path| read_to_string(path).map_err(Error::io(path));
    let (whole, table) = (read(&sidecar)?, read(path)?);
    let text = unsealed_with(&sidecar, &whole, path, table.as_bytes())?;
    Ok((from_toml(&sidecar, &whole, text)?, rows_of(path, &table)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::row;
    use secateur_record::build::Build;
    use secateur_record::record::{SCHEMA, cells_hash};
    use std::fs;

    /// A run folder with these rows of `records.csv`, complete or not.
    fn folder_of(rows: &[Record], complete: bool) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let build = Build { id: "me".to_owned(), ..Build::default() };
        let cells = cells_hash(rows.iter().map(Record::key));
        let manifest =
            Manifest { schema: SCHEMA, complete, cells, build: vec![build], ..Manifest::default() };
        let records = rows.iter().map(|row| Record { build: "me".into(), ..row.clone() }).collect();
        let iterations = rows.iter().map(|row| IterationRow { nodes: 1, ..IterationRow::of(&row.key()) });
        let rows = RunRows { records, iterations: iterations.collect(), ..RunRows::default() };
        rows.write(dir.path(), &manifest).unwrap();
        dir
    }

    fn folder(rows: &[Record]) -> tempfile::TempDir {
        folder_of(rows, true)
    }

    fn read_one(dir: &tempfile::TempDir) -> Result<Runs, ReadError> {
        read(&[dir.path().to_owned()])
    }

    #[test]
    fn rows_come_back_as_they_were_written() {
        let rows = [row("a", "28", "none", 7), row("a", "28", "mpc", 3)];
        let runs = read_one(&folder(&rows)).unwrap();
        let bare = |row: &Record| Record { seal: "".into(), ..row.clone() };
        let named = |row: Record| Record { cell: row.key().id(), build: "me".into(), ..row };
        assert_eq!(runs.records.iter().map(bare).collect::<Vec<_>>(), rows.map(named));
        assert!(runs.notes.is_empty(), "{:?}", runs.notes);
    }

    #[test]
    fn rows_in_hand_are_reported_as_those_that_are_read() {
        let dir = folder(&[row("a", "28", "none", 7), row("a", "28", "mpc", 3)]);
        let (rows, manifest, _) = RunRows::read(dir.path()).unwrap();
        assert_eq!(from_rows(dir.path(), rows, manifest).unwrap(), read_one(&dir).unwrap());
    }

    #[test]
    fn a_row_cut_off_by_a_kill_is_left_out_with_a_note() {
        let rows = [row("a", "28", "none", 7), row("b", "28", "none", 3)];
        let cut_off = |complete| {
            let dir = folder_of(&rows, complete);
            let path = dir.path().join("records.csv");
            let text = fs::read_to_string(&path).unwrap();
            fs::write(&path, &text[..text.len() - 10]).unwrap();
            read_one(&dir)
        };
        let runs = cut_off(false).unwrap();
        assert_eq!(runs.records.len(), 1);
        assert!(runs.notes[0].contains("cut off"), "{:?}", runs.notes);
        assert!(cut_off(true).unwrap_err().to_string().contains("cut off"), "a finished run has no such row");
    }

    #[test]
    fn another_schema_and_a_broken_row_are_named_by_line() {
        let dir = folder(&[row("a", "28", "none", 7)]);
        let path = dir.path().join("records.csv");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("\n3,", "\n2,")).unwrap();
        let error = read_one(&dir).unwrap_err();
        assert!(error.to_string().contains("records.csv:2: found schema `2`, expected 3"), "{error}");
        fs::write(&path, text.replace(",12,", ",twelve,")).unwrap();
        let error = read_one(&dir).unwrap_err();
        assert!(!error.is_io() && error.to_string().contains("records.csv:2: column `"), "{error}");
    }

    #[test]
    fn one_cell_with_two_results_is_refused_and_with_one_is_read_once() {
        let (one, two) = (row("a", "28", "none", 7), row("a", "28", "none", 8));
        let first = folder(std::slice::from_ref(&one));
        let with = |other: &tempfile::TempDir| read(&[first.path().to_owned(), other.path().to_owned()]);
        assert_eq!(with(&folder(std::slice::from_ref(&one))).unwrap().records.len(), 1);
        assert!(matches!(with(&folder(&[two])).unwrap_err(), ReadError::Conflict { .. }));
        assert!(read_one(&folder(&[one.clone(), one])).is_err(), "a doubled row is damage");
    }

    #[test]
    fn a_stream_has_the_records_of_a_run_and_refuses_what_is_not_as_it_was_written() {
        let rows = [row("a", "28", "none", 7), row("a", "28", "mpc", 3), row("b", "28", "none", 9)];
        let dir = folder(&rows);
        let manifest = Manifest::read(dir.path()).unwrap();
        let (mut whole, ..) = RunRows::read(dir.path()).unwrap();
        whole.records.iter_mut().for_each(|row| (row.pv, row.seal) = Default::default());
        let (rows, read_manifest, notes) = streamed(Found::open(dir.path()).unwrap(), None).unwrap();
        assert_eq!((rows.records, read_manifest), (whole.records, manifest));
        assert!(rows.iterations.is_empty() && notes[0].contains("left out"), "{notes:?}");
        let path = dir.path().join("iterations.csv");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replacen(",1,", ",2,", 1)).unwrap();
        let error = streamed(Found::open(dir.path()).unwrap(), None).unwrap_err().to_string();
        assert!(error.contains("records.csv:"), "{error}");
    }

    #[test]
    fn a_missing_folder_is_no_run() {
        let error = read(&[PathBuf::from("no/such/run")]).unwrap_err().to_string();
        assert!(error.contains("no/such/run"), "{error}");
    }
}
