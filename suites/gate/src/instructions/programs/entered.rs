//! The book-keeping of counts of programs: what is still to be counted, and what is entered where.
//!
//! Rows and manifest are written after every process. A kill between the two leaves a row with a count, and at most second
//! counts and reasons that are found again.

use super::{Counted, compiler, library, tool};
use crate::instructions::{Source, is_counted};
use secateur_record::build::{Again, Counting, Odd};
use secateur_record::files::replace;
use secateur_record::manifest::{FILE, Manifest};
use secateur_record::record::{CellKey, Record};
use secateur_record::rows::write_all;
use secateur_record::store::{RECORDS, RunRows, Seals, seal_all};
use secateur_suites::Error;
use secateur_suites::matrix::{Plan, Unit};
use secateur_suites::program::ProgramArm;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Positions and budgets of one process: enough to pay for its start, few enough to be lost.
const UNITS: usize = 8;

/// Searches that one process counts.
pub(super) struct Task<'p> {
    /// Index in [`Plan::games`].
    pub(super) game: usize,
    pub(super) arm: &'p ProgramArm,
    name: &'p str,
    /// As in the record; one more than the last for the second count.
    repeat: u32,
    /// Whether it is the second count.
    again: bool,
    /// Index of the unit, and of the row of the search.
    pub(super) cells: Vec<(usize, usize)>,
}

/// A run whose counts are being filled in.
pub(super) struct Book {
    pub(super) rows: RunRows,
    manifest: Manifest,
    dir: PathBuf,
    /// Whether our own search is counted in this run too, and so has its own word on the binary.
    is_mixed: bool,
}

impl Book {
    /// The run in `dir`. Counts that were made otherwise than they would be now are forgotten.
    pub(super) fn open(plan: &Plan, dir: &Path, retry: bool) -> Result<Book, Error> {
        let (rows, manifest, _) = RunRows::read(dir)?;
        let counts = |unit: &&Unit| unit.instructions;
        let is_mixed = plan.units.iter().filter(counts).any(|unit| plan.games[unit.game].program.is_none());
        let mut book = Book { rows, manifest, dir: dir.to_owned(), is_mixed };
        let mut forgotten = BTreeSet::new();
        for game in &plan.games {
            let Some(arm) = game.arms.iter().find_map(|arm| arm.program()) else { continue };
            let now = Counting {
                tool: tool(),
                compiler: compiler(&arm.spec.command, &arm.counted.compiler),
                library: library(),
                symbol: arm.counted.symbol.clone(),
                ..Counting::default()
            };
            let Some(entry) = book.manifest.game.iter_mut().find(|entry| entry.name == game.name) else {
                continue;
            };
            match &mut entry.counting {
                Some(known) if !known.differs(&now) => known.odd.retain(|odd| odd.entered || !retry),
                kept => {
                    if kept.replace(now).is_some() {
                        forgotten.insert(game.name.as_str());
                    }
                }
            }
        }
        if !forgotten.is_empty() {
            let is_of_them = |row: &&mut Record| forgotten.contains(row.game.as_str());
            book.rows.records.iter_mut().filter(is_of_them).for_each(|row| row.instructions = None);
            seal_all(&mut book.rows);
        }
        Ok(book)
    }

    /// What is still to be counted. Every arm has the same processes, whatever was counted before.
    pub(super) fn tasks<'p>(&self, plan: &'p Plan) -> Vec<Task<'p>> {
        let rows = &self.rows.records;
        let at: BTreeMap<CellKey, usize> =
            rows.iter().enumerate().map(|(row, record)| (record.key(), row)).collect();
        let mut all: Vec<Task<'p>> = Vec::new();
        for (game, of) in plan.games.iter().enumerate() {
            let counts = |unit: &&(usize, &Unit)| unit.1.game == game && is_counted(unit.1);
            let units: Vec<(usize, &Unit)> =
                plan.units.iter().enumerate().filter(|unit| counts(&unit)).collect();
            for chunk in units.chunks(UNITS) {
                let mut streams: BTreeMap<(usize, u32, bool), Vec<(usize, usize)>> = BTreeMap::new();
                for &(index, unit) in chunk {
                    let second = (unit.methods[0], unit.repeats + 1);
                    for (cell, second_count) in unit.cells().map(|cell| (cell, false)).chain([(second, true)])
                    {
                        let key = plan.key(unit, if second_count { (cell.0, 0) } else { cell });
                        let row = at.get(&key).filter(|&&row| rows[row].error.is_none());
                        let stream = streams.entry((cell.0, cell.1, second_count)).or_default();
                        stream.extend(row.map(|&row| (index, row)));
                    }
                }
                all.extend(streams.into_iter().filter_map(|((arm, repeat, second_count), cells)| {
                    let arm = &of.arms[arm];
                    Some(Task {
                        game,
                        arm: arm.program()?,
                        name: &arm.name,
                        repeat,
                        again: second_count,
                        cells,
                    })
                }));
            }
        }
        all.retain(|task| task.cells.iter().any(|&(_, row)| !self.is_settled(plan, task, row)));
        all
    }

    /// Whether it is counted, or known why not.
    fn is_settled(&self, plan: &Plan, task: &Task<'_>, row: usize) -> bool {
        let record = &self.rows.records[row];
        let counting =
            self.manifest.game(&plan.games[task.game].name).and_then(|game| game.counting.as_ref());
        let is_known = |counting: &Counting| {
            counting.odd.iter().any(|odd| is_odd(odd, task, record))
                || task.again && counting.again.iter().any(|count| is_again(count, record))
        };
        !task.again && record.instructions.is_some() || counting.is_some_and(is_known)
    }

    /// Says in the manifest who counts. The run is not complete until everything is counted.
    pub(super) fn begin(&mut self) -> Result<(), Error> {
        self.manifest.instructions = Source::Callgrind.to_string();
        if !self.is_mixed {
            let binaries = self.manifest.game.iter().filter_map(|game| game.program.as_ref());
            self.manifest.counted_binary = binaries.map(|program| program.binary.as_str()).collect();
        }
        self.manifest.complete = false;
        self.write()
    }

    /// Enters what one process counted.
    pub(super) fn enter(&mut self, plan: &Plan, task: &Task<'_>, counts: &[Counted]) -> Result<(), Error> {
        let name = &plan.games[task.game].name;
        let seals = Seals::new(&self.rows.iterations, &self.rows.counters);
        let entry = self.manifest.game.iter_mut().find(|game| game.name == *name);
        let Some(counting) = entry.and_then(|entry| entry.counting.as_mut()) else {
            return Err(Error::Count(format!("{name} is not in the manifest of the run")));
        };
        for (&(_, row), counted) in task.cells.iter().zip(counts) {
            let record = &mut self.rows.records[row];
            counting.odd.retain(|odd| !is_odd(odd, task, record));
            let entered = match judged(record.nodes.unwrap_or(0), counted, task.arm.counted.within) {
                Ok(count) => Some(count),
                Err((count, why)) => {
                    counting.odd.push(odd(task, record, why, count.is_some()));
                    count
                }
            };
            if task.again {
                counting.again.retain(|count| !is_again(count, record));
                counting.again.extend(entered.map(|count| second_count(record, count)));
            } else {
                record.instructions = entered;
                seals.seal(record);
            }
        }
        self.write()
    }

    /// Everything is counted that can be.
    pub(super) fn complete(&mut self) -> Result<(), Error> {
        self.manifest.complete = true;
        self.write()
    }

    fn write(&self) -> Result<(), Error> {
        write_all(&self.dir.join(RECORDS), &self.rows.records)?;
        Ok(replace(&self.dir.join(FILE), self.manifest.text().as_bytes())?)
    }
}

/// The count to be entered; or what is wrong with it, with the count where the subject file allows that.
fn judged(recorded: u64, counted: &Counted, within: f64) -> Result<u64, (Option<u64>, String)> {
    let &(nodes, count) = counted.as_ref().map_err(|why| (None, why.clone()))?;
    if nodes == recorded {
        return Ok(count);
    }
    let off = nodes.abs_diff(recorded) as f64 / recorded.max(1) as f64;
    let why = format!("the counted search visited {nodes} nodes, the recorded one {recorded}");
    Err((Some(count).filter(|_| off <= within), why))
}

fn is_odd(odd: &Odd, task: &Task<'_>, record: &Record) -> bool {
    (&*odd.position, &*odd.methods, odd.repeat) == (&*record.position, task.name, task.repeat)
        && (odd.budget_kind, odd.budget) == (record.budget_kind, record.budget)
}

fn odd(task: &Task<'_>, record: &Record, why: String, entered: bool) -> Odd {
    Odd {
        position: record.position.to_string(),
        methods: task.name.to_owned(),
        budget_kind: record.budget_kind,
        budget: record.budget,
        repeat: task.repeat,
        why,
        entered,
    }
}

fn is_again(count: &Again, record: &Record) -> bool {
    (&*count.position, &*count.methods) == (&*record.position, &*record.methods)
        && (count.budget_kind, count.budget) == (record.budget_kind, record.budget)
}

fn second_count(record: &Record, instructions: u64) -> Again {
    Again {
        position: record.position.to_string(),
        methods: record.methods.to_string(),
        budget_kind: record.budget_kind,
        budget: record.budget,
        instructions,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_engines::Spec;
    use secateur_record::manifest::{GameEntry, ProgramEntry};
    use secateur_record::record::{Failure, SCHEMA};
    use secateur_suites::program::Counted as Manner;
    use secateur_suites::subject::Isolation;
    use secateur_suites::suite::Suite;
    use std::time::Duration;

    /// Ten positions under one budget, two arms of a program that is not started, a repetition of the first.
    fn plan(within: f64) -> Plan {
        let text = "name = \"t\"\ndescription = \"\"\n[[block]]\ngame = \"chess\"\npositions = [\"bratko-kopec\"]\n\
                    methods = [\"null-move\"]\nbudgets = [{ depth = 3 }, { time = \"1ms\" }]\nlimit = 10\nrepeats = 1\n\
                    instructions = true\n";
        let mut plan = Plan::new(Suite::parse(Path::new("t.toml"), text).unwrap()).unwrap();
        let arm = ProgramArm {
            spec: Spec { command: "/no/such/program".into(), ..Spec::default() },
            hash_mib: 16,
            patience: Duration::from_secs(1),
            mate: 30_000,
            isolation: Isolation::Run,
            level: Vec::new(),
            counted: Manner { within, ..Manner::default() },
            counts_cpu: true,
        };
        plan.games[0].arms.iter_mut().for_each(|arm_plan| {
            arm_plan.source = secateur_suites::matrix::Source::Program(Box::new(arm.clone()))
        });
        plan.games[0].program = Some(ProgramEntry::default());
        plan
    }

    fn book(plan: &Plan, dir: &Path) -> Book {
        let records = plan.keys().map(|key| Record { nodes: Some(1_000), ..Record::of(&key) }).collect();
        let rows = RunRows { records, ..RunRows::default() };
        let game = GameEntry {
            name: "chess".to_owned(),
            counting: Some(Counting::default()),
            ..GameEntry::default()
        };
        let manifest = Manifest { schema: SCHEMA, game: vec![game], ..Manifest::default() };
        Book { rows, manifest, dir: dir.to_owned(), is_mixed: false }
    }

    #[test]
    fn every_arm_has_the_same_processes_and_the_first_is_counted_twice() {
        let (plan, dir) = (plan(0.0), tempfile::tempdir().unwrap());
        let mut book = book(&plan, dir.path());
        let failed = book.rows.records.iter_mut().find(|row| row.methods == "null-move").unwrap();
        failed.error = Some(Failure::new("hangs"));
        let tasks = book.tasks(&plan);
        let shape: Vec<(&str, u32, bool, usize)> =
            tasks.iter().map(|task| (task.name, task.repeat, task.again, task.cells.len())).collect();
        let positions = plan.games[0].entries.len();
        let (first, last) = (UNITS, positions - UNITS);
        let expected = |of: usize, failed: usize| {
            [
                ("none", 0, false, of),
                ("none", 1, false, of),
                ("none", 2, true, of),
                ("null-move", 0, false, of - failed),
            ]
        };
        assert_eq!(shape, [expected(first, 1), expected(last, 0)].concat());
        // What is entered is not counted again, and one that is missing has its whole process made again.
        for task in &tasks {
            let counts: Vec<Counted> = task.cells.iter().map(|_| Ok((1_000, 77))).collect();
            book.enter(&plan, task, &counts).unwrap();
        }
        assert!(book.tasks(&plan).is_empty());
        assert_eq!(book.manifest.game[0].counting.as_ref().unwrap().again.len(), positions);
        let row = tasks[0].cells[0].1;
        book.rows.records[row].instructions = None;
        let left = book.tasks(&plan);
        assert_eq!((left.len(), left[0].cells.len()), (1, UNITS));
    }

    #[test]
    fn a_count_of_other_nodes_is_entered_only_where_that_is_allowed() {
        for (within, entered) in [(0.0, None), (0.01, Some(5))] {
            let (plan, dir) = (plan(within), tempfile::tempdir().unwrap());
            let mut book = book(&plan, dir.path());
            let tasks = book.tasks(&plan);
            let mut counts: Vec<Counted> = tasks[0].cells.iter().map(|_| Ok((1_000, 77))).collect();
            (counts[0], counts[1], counts[2]) = (Ok((1_004, 5)), Ok((2_000, 6)), Err("it died".to_owned()));
            book.enter(&plan, &tasks[0], &counts).unwrap();
            let counts: Vec<Option<u64>> =
                tasks[0].cells.iter().take(4).map(|&(_, row)| book.rows.records[row].instructions).collect();
            assert_eq!(counts, [entered, None, None, Some(77)]);
            let odd = &book.manifest.game[0].counting.as_ref().unwrap().odd;
            assert_eq!(odd.iter().map(|odd| odd.entered).collect::<Vec<_>>(), [within > 0.0, false, false]);
            assert!(
                odd[0].why.contains("visited 1004 nodes, the recorded one 1000") && odd[2].why == "it died"
            );
            // What is known not to have a count is not tried for ever.
            assert!(
                !book
                    .tasks(&plan)
                    .iter()
                    .any(|task| (task.name, task.repeat, task.cells[0].0) == ("none", 0, 0))
            );
            let written = Manifest::read(dir.path()).unwrap();
            assert_eq!(written.game[0].counting, book.manifest.game[0].counting);
        }
    }
}
