//! Runs a plan: threads over a queue of units, one writer, rows as they come.
//!
//! A unit is searched by one thread from the baseline to the last method, so that its searches lie close in
//! time and its block stays complete. No row depends on which thread searched it, or after what.

use crate::cell::{Cell, Rows, Searcher, run_cell, settle_tie};
use crate::error::Error;
use crate::games::{Visitor, with_game};
use crate::matrix::{GamePlan, Plan, Unit};
use crate::record::{CellKey, CounterRow, Record};
use crate::store::{RunRows, Store};
use secateur_core::Game;
use secateur_core::prune::METHODS;
use secateur_core::search::Search;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Cells finished, those of earlier sessions included.
    pub finished: usize,
    /// Cells of earlier sessions.
    pub resumed: usize,
    /// All cells.
    pub total: usize,
    /// The last finished cell; absent at the start.
    pub last: Option<&'a Record>,
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
/// stopped run loses nothing: cells under way are finished and written.
///
/// # Errors
/// The file system.
pub fn run(
    plan: &Plan,
    mut store: Store,
    jobs: usize,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Ended, Error> {
    let done = store.finished().clone();
    let total = plan.len();
    let resumed = plan.keys().filter(|key| done.contains_key(key)).count();
    let mut finished = resumed;
    progress(Progress { finished, resumed, total, last: None });
    let name = store.run().to_owned();
    let halt = AtomicBool::new(false);
    let work = Work { plan, run: &name, done: &done, next: AtomicUsize::new(0), stop: [stop, &halt] };
    std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        for _ in 0..jobs.clamp(1, plan.units.len().max(1)) {
            let (sender, work) = (sender.clone(), &work);
            scope.spawn(move || work.serve(&sender));
        }
        drop(sender);
        while let Ok(first) = receiver.recv() {
            // Syncing is slow: everything that came meanwhile is written with it.
            let mut batch: Vec<Rows> = vec![first];
            batch.extend(receiver.try_iter());
            if let Err(error) = store.append(&batch) {
                halt.store(true, Ordering::Relaxed);
                return Err(error);
            }
            for rows in &batch {
                finished += 1;
                progress(Progress { finished, resumed, total, last: Some(&rows.record) });
            }
        }
        Ok(())
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
    next: AtomicUsize,
    stop: [&'p AtomicBool; 2],
}

impl<'p> Work<'p> {
    fn is_stopped(&self) -> bool {
        self.stop.iter().any(|stop| stop.load(Ordering::Relaxed))
    }

    /// Takes units from the queue until there are no more.
    fn serve(&'p self, sender: &Sender<Rows>) {
        let mut bench: Option<(usize, Box<dyn Bench + 'p>)> = None;
        while !self.is_stopped() {
            let Some(unit) = self.plan.units.get(self.next.fetch_add(1, Ordering::Relaxed)) else { return };
            if bench.as_ref().is_none_or(|(game, _)| *game != unit.game) {
                // The tables of the last game are given back before those of the next are made.
                drop(bench.take());
                let plan = &self.plan.games[unit.game];
                let made = with_game(&plan.name, Set(plan)).expect("a plan holds known games only");
                bench = Some((unit.game, made));
            }
            if let Some((_, bench)) = &mut bench {
                bench.search(self, unit, sender);
            }
        }
    }
}

/// The searchers of one thread for one game.
trait Bench {
    /// Searches the cells of a unit that are not done.
    fn search(&mut self, work: &Work<'_>, unit: &Unit, sender: &Sender<Rows>);
}

/// Makes a [`Bench`].
struct Set<'p>(&'p GamePlan);

impl<'p> Visitor for Set<'p> {
    type Output = Box<dyn Bench + 'p>;
    fn visit<G: Game>(self, game: G) -> Self::Output {
        let searchers = self.0.methods.iter().map(|_| None).collect();
        Box::new(GameBench { game, plan: self.0, searchers })
    }
}

struct GameBench<'p, G: Game> {
    game: G,
    plan: &'p GamePlan,
    /// Parallel to the method sets; made when first asked for, because each holds a table.
    searchers: Vec<Option<Searcher<'p, G>>>,
}

impl<'p, G: Game> GameBench<'p, G> {
    fn searcher(&mut self, methods: usize) -> &mut Searcher<'p, G> {
        let (game, plan) = (&self.game, self.plan);
        self.searchers[methods].get_or_insert_with(|| {
            Search::new(game.clone(), &plan.rosters[methods], plan.setup.options.clone())
        })
    }
}

impl<G: Game> Bench for GameBench<'_, G> {
    fn search(&mut self, work: &Work<'_>, unit: &Unit, sender: &Sender<Rows>) {
        let entry = &self.plan.entries[unit.entry];
        let mut baseline: Option<Record> = None;
        for (methods, repeat) in unit.cells() {
            let key = work.plan.key(unit, (methods, repeat));
            if let Some(row) = work.done.get(&key) {
                baseline.get_or_insert_with(|| row.clone());
                continue;
            }
            if work.is_stopped() {
                return;
            }
            let cell = Cell { run: work.run, key: &key, entry, allowance: unit.allowance };
            let mut rows = run_cell(self.searcher(methods), &cell);
            if !rows.record.error.is_empty() {
                self.searchers[methods] = None;
            }
            match &baseline {
                None => baseline = Some(rows.record.clone()),
                Some(best) => settle_tie(self.searcher(0), entry, best, &mut rows.record),
            }
            if sender.send(rows).is_err() {
                return;
            }
        }
    }
}

/// Methods that cut nothing in a whole game although the suite does not expect that, as (game, method).
#[must_use]
pub fn unexpectedly_silent(plan: &Plan, counters: &[CounterRow]) -> Vec<(String, &'static str)> {
    let mut silent = Vec::new();
    for game in &plan.games {
        for (index, method) in METHODS.iter().enumerate() {
            let asked = game.methods.iter().any(|set| set.contains(index));
            let cut = |row: &CounterRow| {
                row.game == game.name && row.method == *method && row.cuts_high + row.cuts_low > 0
            };
            if asked && !game.silent.contains(&index) && !counters.iter().any(cut) {
                silent.push((game.name.clone(), *method));
            }
        }
    }
    silent
}
