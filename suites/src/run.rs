//! Runs a plan: threads over a queue of units, one writer, rows in batches.
//!
//! A unit is searched by one thread from the baseline to the last method, so that its searches lie close in
//! time and its block stays complete. No row depends on which thread searched it, after what, or with what it is written.
//!
//! A program may go on with a run that another one began only if both search the same trees. The run itself is asked: of every arm that
//! the other program searched, one cell is searched again to a depth that it reached, and every iteration must have the same nodes, value
//! and move. That is a node signature over the run's own arms, numbers and positions; one over the gate's would say less about them.

mod batch_queue;

use crate::allowance::Allowance;
use crate::cell::{Cell, has_panicked, run_cell, settle_tie};
use crate::error::Error;
use crate::instruments::clock::thread_time;
use crate::matrix::{GamePlan, Judged, Plan, Source, Unit};
use crate::oracle::{Book, Judge, Judging, OtherJudge};
use crate::setups::methods;
use crate::subject::{EngineSubject, Host, SharedTable, Subject, Task, shared_table};
use batch_queue::BatchQueue;
use secateur_record::record::{CellKey, CounterRow, Failure, IterationRow, Record};
use secateur_record::store::{RunRows, Sealed, Sealer, Store};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Cells finished, those of earlier sessions included.
    pub finished: usize,
    /// Cells of earlier sessions.
    pub resumed: usize,
    /// All cells.
    pub total: usize,
    /// The cells that were written together just now; none at the start.
    pub written: &'a [Sealed],
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every cell is finished; these are the rows, in the order of the matrix.
    Complete(RunRows),
    /// Stopped with this many cells finished.
    Stopped {
        /// Cells finished.
        finished: usize,
    },
}

/// Searches every cell of `plan` that `store` does not have, with `jobs` threads, until `stop` is set. A
/// stopped run keeps every finished cell and gives up those under way. A plan with an oracle asks it through `book`.
/// A cell is written as soon as it is finished, or with others a twentieth of a second later, when `progress` hears of
/// them: syncing takes longer than thousands of tiny searches.
///
/// # Errors
/// The file system; finished rows of another program that searches other trees.
pub fn run(
    plan: &Plan,
    mut store: Store,
    jobs: usize,
    book: Option<&Book>,
    stop: &Arc<AtomicBool>,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Ended, Error> {
    if plan.manner.shown_only {
        return Err(Error::Usage("a plan that is to be looked at only cannot be run".to_owned()));
    }
    verify(plan, &store)?;
    let done = store.finished().clone();
    let total = plan.len();
    let resumed = plan.keys().filter(|key| done.contains_key(key)).count();
    let mut finished = resumed;
    progress(Progress { finished, resumed, total, written: &[] });
    let name = store.run().to_owned();
    let halt = AtomicBool::new(false);
    let next = AtomicUsize::new(0);
    let jobs = jobs.clamp(1, plan.units.len().max(1));
    let (sealer, queue) = (store.sealer(), BatchQueue::new(jobs));
    let work = Work { plan, run: &name, done: &done, book, next, stop, halt: &halt, sealer, queue: &queue };
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| work.serve());
        }
        let written = queue.each(|batch| {
            store.append(batch)?;
            finished += batch.len();
            progress(Progress { finished, resumed, total, written: batch });
            Ok(())
        });
        // Nothing more can be written: nothing more need be searched.
        halt.store(written.is_err(), Ordering::Relaxed);
        written
    })?;
    if finished < total {
        return Ok(Ended::Stopped { finished });
    }
    Ok(Ended::Complete(store.complete(plan.keys())?))
}

/// What the threads share.
struct Work<'p> {
    plan: &'p Plan,
    run: &'p str,
    done: &'p BTreeMap<CellKey, Record>,
    book: Option<&'p Book>,
    next: AtomicUsize,
    stop: &'p Arc<AtomicBool>,
    /// Set when nothing can be written any more.
    halt: &'p AtomicBool,
    sealer: Sealer,
    queue: &'p BatchQueue,
}

impl<'p> Work<'p> {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.halt.load(Ordering::Relaxed)
    }

    /// Takes units from the queue until there are no more.
    fn serve(&'p self) {
        // However it ends, a panic included, the writer must not wait for it.
        let _working = self.queue.working();
        let mut bench: Option<(usize, Bench<'p>)> = None;
        while !self.is_stopped() {
            let Some(unit) = self.plan.units.get(self.next.fetch_add(1, Ordering::Relaxed)) else { return };
            if bench.as_ref().is_none_or(|(game, _)| *game != unit.game) {
                // The tables of the last game are given back before those of the next are made.
                drop(bench.take());
                let plan = &self.plan.games[unit.game];
                bench = Some((unit.game, Bench::new(plan, self.plan.suite.audit, self.book)));
            }
            if let Some((_, bench)) = &mut bench {
                bench.search(self, unit);
            }
        }
    }
}

/// The subjects of one thread for one game.
struct Bench<'p> {
    plan: &'p GamePlan,
    /// Parallel to the arms; made when first asked for, because each may hold a table or a process.
    subjects: Vec<Option<Box<dyn Subject + 'p>>>,
    /// One cut in so many is audited; 0 is none.
    audit: u64,
    /// What the arms of our own search in turn use; made when the first is.
    table: Option<SharedTable>,
    book: Option<&'p Book>,
    /// Parallel to the judges of the game; made when first asked.
    judges: Vec<Option<Box<dyn Judging + 'p>>>,
}

impl<'p> Bench<'p> {
    fn new(plan: &'p GamePlan, audit: u64, book: Option<&'p Book>) -> Bench<'p> {
        let subjects = plan.arms.iter().map(|_| None).collect();
        let judges = plan.judges.iter().map(|_| None).collect();
        Bench { plan, subjects, audit, table: None, book, judges }
    }

    fn subject(&mut self, arm: usize) -> &mut (dyn Subject + 'p) {
        let (plan, audit) = (self.plan, self.audit);
        let table = &mut self.table;
        let made = || -> Box<dyn Subject + 'p> {
            match &plan.arms[arm].source {
                Source::Host(host) => {
                    let game_and_options = (&plan.game, &plan.setup.options);
                    let table = Arc::clone(table.get_or_insert_with(|| shared_table(game_and_options.1)));
                    let host = Host::new(game_and_options, &host.ready, audit, &host.without, &host.promised);
                    Box::new(host.sharing(table))
                }
                Source::Program(program) => {
                    Box::new(EngineSubject::new((**program).clone()).by_rules_of(&plan.game))
                }
                Source::Other(make) => (make.0)(),
            }
        };
        self.subjects[arm].get_or_insert_with(made).as_mut()
    }

    /// Has the oracle judge the move of a row. One that gives no answer costs this row, which can be searched again.
    fn judge(&mut self, oracle: Option<Judged>, task: &Task<'_>, record: &mut Record) {
        let (Some(book), Some(Judged { judge, allowance })) = (self.book, oracle) else { return };
        if record.error.is_some() {
            return;
        }
        let plan = self.plan;
        let judging = self.judges[judge].get_or_insert_with(|| match &plan.judges[judge] {
            None => Box::new(Judge::new(plan.game.clone(), &plan.setup.options, book)),
            Some(program) => Box::new(OtherJudge::new(program, &plan.game, book)),
        });
        match judging.judged(&Task { allowance, ..*task }, &record.best_move) {
            Ok(regret) => record.regret = regret,
            Err(why) => record.error = Some(Failure::new(&format!("oracle: {why}"))),
        }
    }

    /// Searches the cells of a unit that are not done.
    fn search(&mut self, work: &Work<'_>, unit: &Unit) {
        let manner = work.plan.manner;
        let entry = &self.plan.entries[unit.entry];
        let task = Task {
            position: &entry.position,
            root: &self.plan.roots[unit.entry],
            allowance: unit.allowance,
            clock: manner.clock,
            stop: Some(work.stop),
        };
        let mut baseline: Option<Record> = None;
        for (arm, repeat) in unit.order(manner) {
            let key = work.plan.key(unit, (arm, repeat));
            let is_baseline = arm == unit.methods[0];
            if let Some(row) = work.done.get(&key) {
                if is_baseline {
                    baseline.get_or_insert_with(|| row.clone());
                }
                continue;
            }
            if work.is_stopped() {
                return;
            }
            let cell = Cell { run: work.run, key: &key, entry };
            let game = &self.plan.game;
            let mut rows = run_cell(self.subject(arm), game, &cell, &task);
            if work.is_stopped() {
                // Nobody is asked about it any more.
                return;
            }
            if has_panicked(&rows) {
                self.subjects[arm] = None;
            }
            self.judge(unit.oracle, &task, &mut rows.record);
            match &baseline {
                None if is_baseline => baseline = Some(rows.record.clone()),
                None => {}
                Some(_) if manner.turns => {}
                Some(best) => settle_tie(self.subject(unit.methods[0]), &task, best, &mut rows.record),
            }
            if work.is_stopped() {
                // It may have been cut short, and what is cut short is no result.
                return;
            }
            work.queue.put(work.sealer.seal(rows));
        }
    }
}

/// Methods, each in the form that it has in its arms, that cut nothing in a whole game although the suite does not
/// expect that, as (game, method).
pub fn unexpectedly_silent(plan: &Plan, counters: &[CounterRow]) -> Vec<(String, String)> {
    let mut silent = Vec::new();
    for game in &plan.games {
        let mut cuts: BTreeMap<String, u64> = BTreeMap::new();
        for host in game.arms.iter().filter_map(|arm| arm.host_arm()) {
            let arm = &host.arm;
            for index in arm.set.indices().filter(|index| !game.silent.contains(index)) {
                let name = arm.to_string();
                let fits = |row: &&CounterRow| {
                    row.game == game.name && row.method == methods::name(index) && row.methods == name
                };
                let all = counters.iter().filter(fits).map(|row| row.cuts_high + row.cuts_low).sum::<u64>();
                *cuts.entry(arm.member(index)).or_default() += all;
            }
        }
        let none = cuts.into_iter().filter(|(_, cuts)| *cuts == 0);
        silent.extend(none.map(|(member, _)| (game.name.clone(), member)));
    }
    silent
}

/// Nodes that the search of an arm may take: a tenth of a second.
const NODES: u64 = 200_000;

/// What is searched again: a cell, and its iterations up to a depth.
struct Sample<'s> {
    unit: &'s Unit,
    methods: usize,
    recorded: Vec<&'s IterationRow>,
}

/// Compares what other programs recorded with what this one searches.
///
/// # Errors
/// [`Error::OtherTrees`] at the first search that comes out differently.
pub(crate) fn verify(plan: &Plan, store: &Store) -> Result<(), Error> {
    let foreign = store.foreign();
    let Some(build) = foreign.first() else { return Ok(()) };
    let ids: BTreeSet<&str> = foreign.iter().map(|build| build.id.as_str()).collect();
    for sample in samples(plan, store.finished(), store.iterations(), &ids) {
        if let Some(what) = searched_again(plan, &sample) {
            return Err(Error::OtherTrees { dir: store.dir().to_owned(), build: build.program(), what });
        }
    }
    Ok(())
}

/// For every arm the cell with the largest tree that is small enough.
fn samples<'s>(
    plan: &'s Plan,
    finished: &BTreeMap<CellKey, Record>,
    iterations: &'s [IterationRow],
    builds: &BTreeSet<&str>,
) -> Vec<Sample<'s>> {
    let mut by_cell: BTreeMap<CellKey, Vec<&IterationRow>> = BTreeMap::new();
    for row in iterations.iter().filter(|row| row.nodes <= NODES) {
        by_cell.entry(row.key()).or_default().push(row);
    }
    let mut best: BTreeMap<(usize, usize), Sample<'_>> = BTreeMap::new();
    for (unit, cell) in plan.units.iter().flat_map(|unit| unit.cells().map(move |cell| (unit, cell))) {
        let key = plan.key(unit, cell);
        if plan.games[unit.game].arms[cell.0].host_arm().is_none() {
            // Who searches by himself does so whoever asks him.
            continue;
        }
        let theirs = |row: &&Record| row.error.is_none() && builds.contains(row.build.as_str());
        let Some(recorded) = finished.get(&key).filter(theirs).and_then(|_| by_cell.get(&key)) else {
            continue;
        };
        let nodes = |rows: &[&IterationRow]| rows.last().map_or(0, |row| row.nodes);
        let most_nodes = best.get(&(unit.game, cell.0)).map_or(0, |sample| nodes(&sample.recorded));
        if nodes(recorded) > most_nodes {
            best.insert((unit.game, cell.0), Sample { unit, methods: cell.0, recorded: recorded.clone() });
        }
    }
    best.into_values().collect()
}

/// Searches a sample again; words on the first of its iterations that this program's search does not give.
fn searched_again(plan: &Plan, Sample { unit, methods, recorded }: &Sample<'_>) -> Option<String> {
    let game = &plan.games[unit.game];
    let arm = game.arms[*methods].host_arm()?;
    let none = BTreeMap::new();
    let mut search = Host::new((&game.game, &game.setup.options), &arm.ready, 0, &none, &arm.promised);
    let (key, entry) = (plan.key(unit, (*methods, 0)), &game.entries[unit.entry]);
    let task = Task {
        position: &entry.position,
        root: &game.roots[unit.entry],
        allowance: Allowance::Depth(recorded.last()?.depth),
        clock: thread_time,
        stop: None,
    };
    let rows = run_cell(&mut search, &game.game, &Cell { run: "", key: &key, entry }, &task);
    let searched: BTreeMap<u32, &IterationRow> = rows.iterations.iter().map(|row| (row.depth, row)).collect();
    let exact = |row: &IterationRow| (row.nodes, row.qnodes, row.score, row.best_move);
    let differs =
        |row: &&&IterationRow| searched.get(&row.depth).is_none_or(|other| exact(other) != exact(row));
    let row = recorded.iter().find(differs)?;
    let here = searched.get(&row.depth).map_or("no such iteration".to_owned(), |other| in_words(other));
    Some(format!("{} {}: {} plies gave {}, here {here}", row.position, row.methods, row.depth, in_words(row)))
}

fn in_words(row: &IterationRow) -> String {
    format!("{} nodes, value {}, move {}", row.nodes, row.score, row.best_move)
}

#[cfg(test)]
mod tests;
