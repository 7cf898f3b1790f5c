//! Our own search as a subject, with its audit.
//!
//! An audit searches sampled claims again: each is decided by the same arm without the method that made it, to the full depth of the
//! node. The search that made the claims is the same node for node with an audit or without.

use super::{Found, Step, Subject, Task};
use crate::instruments::pv;
use secateur_core::prune::Methods;
use secateur_core::search::{
    AnySearch, Counter, Iteration, Limits, Options, Sample, Searcher, Table, Verdict,
};
use secateur_core::{AnyGame, Depth, Evaluation, Game, Moves, Notation, Score};
use secateur_record::record::{CounterRow, Sanity};
use statrs::distribution::{ContinuousCDF, Normal};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Our search with the methods of one arm.
pub struct Host<'p> {
    search: Searcher<'p, AnyGame>,
    /// One cut in so many is audited; 0 is none.
    audit: u64,
    game: &'p AnyGame,
    options: &'p Options,
    /// What decides the claims of each method: the arm without it.
    without: &'p BTreeMap<&'static str, Methods>,
    /// The same, made when first asked for, because each holds a table.
    auditors: Option<BTreeMap<&'static str, Searcher<'p, AnyGame>>>,
    promised: &'p BTreeMap<&'static str, f64>,
    /// The table of all arms that search in turn; without it the search has its own.
    shared: Option<SharedTable>,
}

/// A table for several searchers of one thread, each of which forgets what the one before it left.
pub(crate) type SharedTable = Arc<Mutex<Table>>;

/// The memory of [`SharedTable`], there and then: no search is to wait for it while its time is taken.
pub(crate) fn shared_table(options: &Options) -> SharedTable {
    Arc::new(Mutex::new(Table::warmed(options.table_mib, options.drafts)))
}

impl<'p> Host<'p> {
    /// A search of `game` with these methods and host options. Audited is one cut in `audit`, by the arm without its method.
    pub fn new(
        (game, options): (&'p AnyGame, &'p Options),
        ready: &'p Methods,
        audit: u64,
        without: &'p BTreeMap<&'static str, Methods>,
        promised: &'p BTreeMap<&'static str, f64>,
    ) -> Host<'p> {
        let mut search = game.clone().searcher(ready, options.clone());
        search.audit_every(audit);
        Host { search, audit, game, options, without, auditors: None, promised, shared: None }
    }

    /// The same with a table that others of the thread use as well.
    pub(crate) fn sharing(self, table: SharedTable) -> Host<'p> {
        Host { shared: Some(table), ..self }
    }

    /// Searches with the table that is shared, if one is. A search that panics leaves the two tables exchanged, which are alike.
    fn with_table<T>(&mut self, run: impl FnOnce(&mut dyn AnySearch<AnyGame>) -> T) -> T {
        let shared = self.shared.clone();
        let mut table = shared.as_ref().map(|table| table.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(table) = &mut table {
            self.search.swap_table(table);
        }
        let result = run(self.search.as_mut());
        if let Some(table) = &mut table {
            self.search.swap_table(table);
        }
        result
    }

    /// Settles the claims of the last search.
    fn audit(&mut self, task: &Task<'_>, searched: &mut Found) {
        let samples = self.search.take_samples();
        let (game, options, without) = (self.game, self.options, self.without);
        let auditors = self.auditors.get_or_insert_with(|| {
            let made = |(method, ready): (&&'static str, &'p Methods)| {
                (*method, game.clone().searcher(ready, options.clone()))
            };
            without.iter().map(made).collect()
        });
        for auditor in auditors.values_mut() {
            auditor.heed(task.stop.cloned());
        }
        audit(&samples, &mut searched.counters, auditors, self.promised, game.stages());
    }
}

impl Subject for Host<'_> {
    fn search(&mut self, task: &Task<'_>) -> Result<Found, String> {
        let mut search_result = self.with_table(|search| searched(search, task))?;
        if self.audit > 0 {
            self.audit(task, &mut search_result);
        }
        Ok(search_result)
    }

    fn reaches(&mut self, task: &Task<'_>, mv: &str, depth: Depth, bound: Score) -> Option<bool> {
        let mv = self.game.parse_move(task.root, mv).ok()?;
        let asked = || {
            self.with_table(|search| {
                search.heed(task.stop.cloned());
                search.move_reaches(task.root, mv, depth, bound)
            })
        };
        // A search that panics leaves the question open, as any other that decides nothing.
        catch_unwind(AssertUnwindSafe(asked)).ok()
    }
}

/// One search of our host: what it found, with everything that the record has of it.
///
/// # Errors
/// A level as the budget, which our own search has not.
pub fn searched(search: &mut dyn AnySearch<AnyGame>, task: &Task<'_>) -> Result<Found, String> {
    let (clock, root) = (task.clock, task.root);
    let mut times: Vec<Duration> = Vec::new();
    let budget = task.allowance.budget(clock).ok_or("our own search has no levels")?;
    // Clearing the table is no part of the search, as little as an engine's `ucinewgame`.
    search.forget();
    let start = clock();
    let limits = Limits { stop: task.stop.cloned(), ..(&budget).into() };
    let outcome = search.go(root, &[], &limits, &mut |_| {
        times.push(clock() - start);
        ControlFlow::Continue(())
    });
    let time = clock() - start;

    let (game, last, tally) = (search.game(), outcome.last(), &outcome.tally);
    let steps = outcome.iterations.iter().zip(times);
    let mut iterations: Vec<Step> = steps.map(|(done, time)| step(game, root, done, time)).collect();
    if let Some(step) = iterations.last_mut() {
        step.line = line(game, root, &last.pv);
    }
    let stages = game.stages();
    let counted = |(method, stage, depth, counter): (&str, usize, i32, Counter)| CounterRow {
        method: method.into(),
        depth: depth as u32,
        stage: stages[stage].into(),
        tries: counter.tries,
        cuts_high: counter.cuts_high,
        cuts_low: counter.cuts_low,
        probe_nodes: counter.probe_nodes,
        ..CounterRow::default()
    };
    Ok(Found {
        iterations,
        nodes: Some(tally.nodes),
        qnodes: outcome.meter.qnodes,
        probe_nodes: tally.probe_nodes,
        tt_hits: tally.tt_hits,
        seldepth: outcome.meter.seldepth,
        time: Some(time),
        counters: tally.active().map(counted).collect(),
        sanity: Some(sanity(search, root, last)),
        ..Found::default()
    })
}

fn step<G: Game>(game: &G, root: &G::Position, iteration: &Iteration<G::Move>, time: Duration) -> Step {
    Step {
        depth: iteration.depth as u32,
        nodes: iteration.nodes,
        qnodes: iteration.qnodes,
        score: iteration.score.0,
        best_move: iteration.best_move().map_or_else(String::new, |mv| game.format_move(root, mv)),
        line: String::new(),
        time,
    }
}

/// What the replay of the line says; where methods may cut open windows a line ends where one did.
fn sanity<G: Game>(search: &dyn AnySearch<G>, root: &G::Position, last: &Iteration<G::Move>) -> Sanity {
    match pv::sanity(search.game(), root, last, search.options(), search.asks()) {
        Sanity::Short | Sanity::Leaf if search.asks().cuts_open_windows => Sanity::Pruned,
        verdict => verdict,
    }
}

/// The moves of a line up to the first that cannot be written where it stands.
fn line<G: Game>(game: &G, root: &G::Position, line: &[G::Move]) -> String {
    let mut pos = root.clone();
    let mut names = Vec::new();
    for &mv in line {
        let mut moves = Moves::<G>::new();
        game.moves(&pos, &mut moves);
        if !moves.iter().any(|scored| scored.mv == mv) {
            break;
        }
        names.push(game.format_move(&pos, mv));
        pos = game.play(&pos, mv);
    }
    names.join(" ")
}

/// How near to its threshold a check comes that puts the promise itself to the test, standard deviations.
const NEAR: f64 = 0.25;

/// Settles the `samples` of a cell, one claim in `every`, with the searcher of the method that made it (by its name),
/// and enters the results in its counters, `rows`. `promises` are the probabilities that the methods promise. A claim
/// without such a searcher, or whose search panics, stays unsettled.
fn audit<G: Game>(
    (samples, every): &(Vec<Sample<G>>, u64),
    rows: &mut Vec<CounterRow>,
    auditors: &mut BTreeMap<&'static str, Searcher<'_, G>>,
    promises: &BTreeMap<&'static str, f64>,
    stages: &[&str],
) {
    // Expected numbers of broken claims by method, stage and depth, by the models that the methods rest on.
    let mut predicted: BTreeMap<(&str, usize, i32), f64> = BTreeMap::new();
    let mut last = None;
    let mut ordered: Vec<&Sample<G>> = samples.iter().collect();
    // One method after the other, so that one table at a time is in use; the order within stays that of the search.
    ordered.sort_by_key(|sample| sample.claimed.method);
    for Sample { claimed, pos } in ordered {
        let Some(search) = auditors.get_mut(claimed.method) else { continue };
        if last.replace(claimed.method) != Some(claimed.method) {
            search.forget();
        }
        let decided = catch_unwind(AssertUnwindSafe(|| search.decide(claimed, pos)));
        if let Ok(Verdict { held, nodes, distance }) = decided {
            let row = row_of(rows, claimed.method, stages[claimed.stage], claimed.depth as u32);
            row.audited += 1;
            row.broken += u64::from(!held);
            row.audit_nodes += nodes;
            if let (Some(distance), Some(promise)) = (distance, promises.get(claimed.method)) {
                let normal = Normal::standard();
                let is_near = distance < normal.inverse_cdf(*promise) + NEAR;
                row.near += u64::from(is_near);
                row.near_broken += u64::from(is_near && !held);
                let sum = predicted.entry((claimed.method, claimed.stage, claimed.depth)).or_default();
                *sum += normal.sf(distance);
            }
        }
    }
    for row in rows.iter_mut() {
        row.audit_every = *every;
    }
    for ((method, stage, depth), sum) in predicted {
        row_of(rows, method, stages[stage], depth as u32).foretold_ppm = (sum * 1e6).round() as u64;
    }
}

/// The counter row of a method, stage and depth, which a cut has made already.
fn row_of<'r>(rows: &'r mut Vec<CounterRow>, method: &str, stage: &str, depth: u32) -> &'r mut CounterRow {
    let is_it = |row: &CounterRow| row.method == method && row.stage == stage && row.depth == depth;
    let at = rows.iter().position(is_it).unwrap_or_else(|| {
        let (method, stage) = (method.into(), stage.into());
        rows.push(CounterRow { method, stage, depth, ..CounterRow::default() });
        rows.len() - 1
    });
    &mut rows[at]
}
