//! Instruction counts: a second pass over a finished run that fills the column `instructions`.
//!
//! A count must not depend on the clock, on other threads or on which cells were searched before, so it is made
//! apart from the timed searches: the program `cell` searches the same cells again, many a process, under
//! callgrind (or a counter of the processor), in the search compiled for their one method. It must visit the same
//! nodes as the recorded search, or nothing is filled in. Cells with a time budget are left out.
//!
//! A process costs start-up, so small cells share one; a large run must not be lost with one, so a chunk of cells is bounded. Chunks
//! depend on the matrix and on the recorded nodes alone: any number of jobs and any interruption give the same processes, and so the
//! same counts to the last instruction.

mod again;
pub(crate) mod callgrind;
pub(crate) mod measured;
mod program;
mod programs;

use secateur_record::archive::lock;
use secateur_record::files::replace;
use secateur_record::manifest::{FILE, Manifest};
use secateur_record::record::{CellKey, Record};
use secateur_record::rows::write_all;
use secateur_record::store::{RECORDS, RunRows, Seals, seal_all};
use secateur_suites::Error;
use secateur_suites::allowance::Allowance;
use secateur_suites::instruments::machine::hash_of_file;
use secateur_suites::matrix::{Plan, Unit};
use secateur_suites::pool::each;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

pub use self::measured::Counter as HardwareCounter;
pub use again::counted;
pub use measured::measure;
pub use program::{SOURCES, cell};
pub use programs::{Manner, check_programs, fill_programs, has_programs};

/// Who counts. Counts of different sources are never compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// valgrind's callgrind: exact, about 20 times slower than the search itself.
    Callgrind,
    /// A counter of the processor: the speed of the search itself; not there in many virtual machines.
    Hardware,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Callgrind => "callgrind",
            Source::Hardware => "hardware",
        })
    }
}

impl FromStr for Source {
    type Err = String;
    fn from_str(text: &str) -> Result<Source, String> {
        match text {
            "callgrind" => Ok(Source::Callgrind),
            "hardware" => Ok(Source::Hardware),
            _ => Err(format!("found `{text}`, expected `callgrind` or `hardware`")),
        }
    }
}

impl Source {
    /// Whether this machine can count so; if not, what is missing and how to mend it, on one line.
    ///
    /// # Errors
    /// That line.
    pub fn check(self) -> Result<(), String> {
        match self {
            Source::Callgrind => callgrind::available(),
            Source::Hardware => measured::available(),
        }
    }
}

/// Whether searches of ours can be counted here: the program that does it is there, or cargo called us and builds it.
///
/// # Errors
/// A sentence that says what is missing, and how it comes about.
pub fn check_own() -> Result<(), String> {
    program::available()
}

/// What one cell cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Index of the cell in the order of [`Plan::keys`].
    pub cell: usize,
    /// Nodes of its search.
    pub nodes: u64,
    /// Instructions of its search.
    pub instructions: u64,
}

fn count_by(program: &Path, suite: &str, cells: &[usize], source: Source) -> Result<Vec<Count>, Error> {
    let counts = match source {
        Source::Callgrind => callgrind::count(program, suite, cells),
        Source::Hardware => measured::count(program, suite, cells),
    };
    counts.map_err(Error::Count)
}

/// Fills `instructions` of the finished run of `plan` in `dir`, for the blocks of the suite that ask for it, with
/// `jobs` processes, until `stop` is set. What was filled before stays and is not counted again. `progress` hears
/// (cells counted, cells to count). Gives all rows back, and whether every cell is counted.
///
/// # Errors
/// The file system; counts of another source in the run; a search that could not be counted or that visited other
/// nodes than the recorded one.
pub fn fill(
    plan: &Plan,
    dir: &Path,
    source: Source,
    jobs: usize,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<(RunRows, bool), Error> {
    let manifest = dir.join(FILE).display().to_string();
    let by = || {
        let program = program::cell()?;
        let count = {
            let program = program.clone();
            move |cells: &[usize]| count_by(&program, &manifest, cells, source)
        };
        Ok((program, Box::new(count) as Counting))
    };
    fill_by(plan, (dir, source), by, jobs, stop, progress)
}

/// Counts cells, each by its index in the order of [`Plan::keys`].
type Counting = Box<dyn Fn(&[usize]) -> Result<Vec<Count>, Error> + Sync>;

/// The same with whoever counts, who is asked for when there is something to count: a program and what it does.
fn fill_by(
    plan: &Plan,
    (dir, source): (&Path, Source),
    by: impl FnOnce() -> Result<(PathBuf, Counting), Error>,
    jobs: usize,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<(RunRows, bool), Error> {
    let _lock = lock(dir)?;
    let (mut rows, mut kept, _) = RunRows::read(dir)?;
    if chunks(plan, &rows.records).is_empty() {
        return Ok((rows, true));
    }
    let (program, count) = by()?;
    begin(&mut kept, &mut rows, source, &program, dir)?;
    let todo = chunks(plan, &rows.records);
    let total = todo.iter().map(|chunk| chunk.cells.len()).sum();
    let seals = Seals::new(&rows.iterations, &rows.counters);
    let mut counted = 0;
    progress(counted, total);
    each(
        &todo,
        jobs,
        stop,
        |chunk| count(&chunk.cells),
        |at, counts| {
            enter(&mut rows.records, &seals, &todo[at], &counts?)?;
            write_all(&dir.join(RECORDS), &rows.records)?;
            counted += todo[at].cells.len();
            progress(counted, total);
            Ok(())
        },
    )?;
    if counted == total {
        kept.complete = true;
        replace(&dir.join(FILE), kept.text().as_bytes())?;
    }
    Ok((rows, counted == total))
}

/// Enters the counts of a chunk and seals its rows anew.
fn enter(records: &mut [Record], seals: &Seals<'_>, chunk: &Chunk, counts: &[Count]) -> Result<(), Error> {
    for (&row, count) in chunk.rows.iter().zip(counts) {
        let record = &mut records[row];
        if record.nodes != Some(count.nodes) {
            return Err(Error::Count(format!(
                "{} {} {}: the counted search visited {} nodes, the recorded one {}",
                record.game,
                record.position,
                record.methods,
                count.nodes,
                record.nodes.unwrap_or(0)
            )));
        }
        record.instructions = Some(count.instructions);
        seals.seal(record);
    }
    Ok(())
}

/// Writes who counts into the manifest of a run, which is not complete until everything is counted. A run has one source
/// of counts, and one binary: counts of another one are forgotten, and made again.
fn begin(
    manifest: &mut Manifest,
    rows: &mut RunRows,
    source: Source,
    program: &Path,
    dir: &Path,
) -> Result<(), Error> {
    let (found, expected) = (manifest.instructions.clone(), source.to_string());
    if !found.is_empty() && found != expected {
        let (dir, what) = (dir.to_owned(), "instructions of");
        return Err(secateur_record::Error::Differs { dir, what, found, expected }.into());
    }
    let binary = hash_of_file(program);
    if !manifest.counted_binary.is_empty() && manifest.counted_binary != binary {
        // Before the manifest names the new one: a kill in between must not leave counts of another program under its name.
        rows.records.iter_mut().for_each(|record| record.instructions = None);
        seal_all(rows);
        write_all(&dir.join(RECORDS), &rows.records)?;
    }
    (manifest.instructions, manifest.counted_binary, manifest.complete) = (expected, binary, false);
    Ok(replace(&dir.join(FILE), manifest.text().as_bytes())?)
}

/// Nodes after which a chunk ends: some seconds under callgrind.
const NODES: u64 = 3_000_000;

/// Cells of one process.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Chunk {
    /// Indices in the order of [`Plan::keys`].
    cells: Vec<usize>,
    /// Their rows in `records.csv`.
    rows: Vec<usize>,
}

/// The chunks of our own search that are not yet filled in. Cells that failed or whose budget is time have no count.
fn chunks(plan: &Plan, records: &[Record]) -> Vec<Chunk> {
    let at: BTreeMap<CellKey, usize> =
        records.iter().enumerate().map(|(row, record)| (record.key(), row)).collect();
    let mut all = Vec::new();
    let mut open = Chunk { cells: Vec::new(), rows: Vec::new() };
    let mut nodes = 0;
    let cells = plan.units.iter().flat_map(|unit| unit.cells().map(move |cell| (unit, cell)));
    for (index, (unit, cell)) in cells.enumerate() {
        let row = at.get(&plan.key(unit, cell)).copied();
        let is_ours = plan.games[unit.game].arms[cell.0].program().is_none();
        let Some(row) = row.filter(|&row| is_ours && is_counted(unit) && records[row].error.is_none()) else {
            continue;
        };
        open.cells.push(index);
        open.rows.push(row);
        nodes += records[row].nodes.unwrap_or(0);
        if nodes >= NODES {
            all.push(std::mem::replace(&mut open, Chunk { cells: Vec::new(), rows: Vec::new() }));
            nodes = 0;
        }
    }
    all.push(open);
    all.retain(|chunk| chunk.rows.iter().any(|&row| records[row].instructions.is_none()));
    all
}

/// Whether the searches of a unit are to be counted, and can be: what ends by a clock takes as many as it has time for.
fn is_counted(unit: &Unit) -> bool {
    unit.instructions && !matches!(unit.allowance, Allowance::Time(_) | Allowance::Level(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::record::{BudgetKind, Failure};
    use secateur_suites::suite::Suite;
    use std::path::Path;

    #[test]
    fn counts_of_another_search_are_refused() {
        let record = Record { nodes: Some(7), ..Record::default() };
        let (mut records, seals) = (vec![record], Seals::new(&[], &[]));
        let chunk = Chunk { cells: vec![0], rows: vec![0] };
        let count = |nodes| [Count { cell: 0, nodes, instructions: 99 }];
        let error = enter(&mut records, &seals, &chunk, &count(8)).unwrap_err().to_string();
        assert!(error.contains("visited 8 nodes, the recorded one 7"), "{error}");
        assert_eq!(records[0].instructions, None);
        enter(&mut records, &seals, &chunk, &count(7)).unwrap();
        assert_eq!(records[0].instructions, Some(99));
    }

    #[test]
    fn sources_are_read_as_written() {
        for source in [Source::Callgrind, Source::Hardware] {
            assert_eq!(source.to_string().parse(), Ok(source));
        }
        assert!("perf".parse::<Source>().unwrap_err().contains("expected `callgrind`"));
    }

    fn plan() -> Plan {
        let text = "name = \"t\"\ndescription = \"\"\n[[block]]\ngame = \"chess\"\npositions = [\"bratko-kopec\"]\n\
                    methods = [\"null-move\"]\nbudgets = [{ depth = 3 }, { time = \"1ms\" }]\nlimit = 2\n\
                    instructions = true\n[[block]]\ngame = \"chess\"\npositions = [\"bratko-kopec\"]\n\
                    methods = [\"null-move\"]\nbudgets = [{ nodes = 9 }]\nlimit = 2\n";
        Plan::new(Suite::parse(Path::new("t.toml"), text).unwrap()).unwrap()
    }

    fn records(plan: &Plan, nodes: u64) -> Vec<Record> {
        plan.keys().map(|key| Record { nodes: Some(nodes), ..Record::of(&key) }).collect()
    }

    #[test]
    fn each_cell_that_asks_for_a_count_is_in_one_chunk() {
        let plan = plan();
        for nodes in [1, 2_000_000, 9_000_000] {
            let records = records(&plan, nodes);
            let all_chunks = chunks(&plan, &records);
            let cells: Vec<usize> = all_chunks.iter().flat_map(|chunk| chunk.cells.clone()).collect();
            let keys: Vec<CellKey> = plan.keys().collect();
            let expected: Vec<usize> =
                (0..keys.len()).filter(|&i| keys[i].budget_kind == BudgetKind::Depth).collect();
            assert_eq!(cells, expected);
            let sizes = [(1, expected.len()), (2_000_000, 2), (9_000_000, 1)];
            assert!(sizes.contains(&(nodes, all_chunks[0].cells.len())), "{all_chunks:?}");
        }
    }

    #[test]
    fn what_is_filled_in_or_failed_is_left_out() {
        let plan = plan();
        let mut records = records(&plan, 2_000_000);
        let whole = chunks(&plan, &records);
        for &row in &whole[0].rows {
            records[row].instructions = Some(1);
        }
        assert_eq!(chunks(&plan, &records), whole[1..]);
        records[whole[1].rows[0]].error = Some(Failure::new("panic"));
        let cells: Vec<usize> = chunks(&plan, &records).into_iter().flat_map(|chunk| chunk.cells).collect();
        assert!(!cells.contains(&whole[1].cells[0]));
    }
}
