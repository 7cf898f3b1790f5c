//! Our own search as a subject, with its audit.

use super::{Found, Step, Subject, Task};
use crate::audit::audit;
use crate::instruments::pv;
use secateur_core::prune::Methods;
use secateur_core::search::{AnySearch, Counter, Iteration, Limits, Options, Searcher, Table};
use secateur_core::{AnyGame, Depth, Evaluation, Game, Moves, Notation, Score};
use secateur_record::record::{CounterRow, Sanity};
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
    #[must_use]
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
    #[must_use]
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
    fn audit(&mut self, searched: &mut Found) {
        let samples = self.search.take_samples();
        let (game, options, without) = (self.game, self.options, self.without);
        let auditors = self.auditors.get_or_insert_with(|| {
            let made = |(method, ready): (&&'static str, &'p Methods)| {
                (*method, game.clone().searcher(ready, options.clone()))
            };
            without.iter().map(made).collect()
        });
        audit(&samples, &mut searched.counters, auditors, self.promised, game.stages());
    }
}

impl Subject for Host<'_> {
    fn search(&mut self, task: &Task<'_>) -> Result<Found, String> {
        let mut search_result = self.with_table(|search| searched(search, task))?;
        if self.audit > 0 {
            self.audit(&mut search_result);
        }
        Ok(search_result)
    }

    fn reaches(&mut self, task: &Task<'_>, mv: &str, depth: Depth, bound: Score) -> Option<bool> {
        let mv = self.game.parse_move(task.root, mv).ok()?;
        let asked = || self.with_table(|search| search.move_reaches(task.root, mv, depth, bound));
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
