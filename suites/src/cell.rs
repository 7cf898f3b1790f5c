//! One cell: one search, and the rows it leaves.
//!
//! Nothing here depends on what was searched before or beside it: the searcher is cleared by every run, and
//! the tie question is asked from a cleared state too.

use crate::clock::thread_time;
use crate::pv;
use crate::record::{Bound, BudgetKind, CellKey, CounterRow, Failure, IterationRow, Record, SCHEMA, Sanity};
use crate::suite::Allowance;
use secateur_core::search::{AnySearch, Iteration, Limits, Outcome};
use secateur_core::{Depth, Game, Score};
use secateur_positions::Entry;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub use secateur_record::record::Rows;

/// What is to be searched.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    /// Run that the row will name.
    pub run: &'a str,
    /// The cell.
    pub key: &'a CellKey,
    /// Its position.
    pub entry: &'a Entry,
    /// Its budget.
    pub allowance: Allowance,
}

impl Cell<'_> {
    /// A row with the columns that are known before the search.
    pub(crate) fn blank(&self) -> Record {
        let key = self.key.clone();
        Record {
            schema: SCHEMA,
            run: self.run.to_owned(),
            game: key.game,
            suite: key.suite,
            position: key.position,
            cluster: self.entry.cluster.clone(),
            stage: self.entry.stage.clone(),
            methods: key.methods,
            params: key.params,
            budget_kind: key.budget_kind,
            budget: key.budget,
            repeat: key.repeat,
            ..Record::default()
        }
    }

    /// The row of a cell that gave no result. `reason` is brought to one line: rows are lines.
    #[must_use]
    pub fn failed(&self, reason: &str) -> Rows {
        let error = Some(Failure::new(reason));
        Rows { record: Record { error, ..self.blank() }, ..Rows::default() }
    }
}

/// Runs one search. A panic becomes a row with an error; the searcher must not be used after that.
pub fn run_cell<G: Game>(search: &mut dyn AnySearch<G>, cell: &Cell<'_>, root: &G::Position) -> Rows {
    run_cell_by(search, cell, root, thread_time, None)
}

/// The same by another monotonic clock, which a time budget is counted on too, and until `stop` is set: what the search
/// then has is cut short, and no result.
pub(crate) fn run_cell_by<G: Game>(
    search: &mut dyn AnySearch<G>,
    cell: &Cell<'_>,
    root: &G::Position,
    clock: fn() -> Duration,
    stop: Option<&Arc<AtomicBool>>,
) -> Rows {
    let attempt = catch_unwind(AssertUnwindSafe(|| searched(search, cell, root, clock, stop)));
    attempt.unwrap_or_else(|panic| cell.failed(&format!("panic: {}", said(&*panic))))
}

/// What a panic said.
pub(crate) fn said(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

fn searched<G: Game>(
    search: &mut dyn AnySearch<G>,
    cell: &Cell<'_>,
    root: &G::Position,
    clock: fn() -> Duration,
    stop: Option<&Arc<AtomicBool>>,
) -> Rows {
    let mut times: Vec<Duration> = Vec::new();
    let budget = cell.allowance.budget(clock);
    // Clearing the table is no part of the search, as little as an engine's `ucinewgame`.
    search.forget();
    let start = clock();
    let limits = Limits { stop: stop.cloned(), ..(&budget).into() };
    let outcome = search.go(root, &[], &limits, &mut |_| {
        times.push(clock() - start);
        ControlFlow::Continue(())
    });
    let time = clock() - start;

    let game = search.game();
    let (last, tally) = (outcome.last(), &outcome.tally);
    let record = Record {
        depth: last.depth as u32,
        seldepth: outcome.meter.seldepth,
        nodes: tally.nodes,
        qnodes: outcome.meter.qnodes,
        probe_nodes: tally.probe_nodes,
        tt_hits: tally.tt_hits,
        score: last.score.0,
        bound: Some(Bound::Exact),
        best_move: best_move(game, root, last),
        pv: pv_text(game, root, &last.pv),
        pv_ok: pv_ok(search, root, last),
        time_ns: nanos(time),
        ..cell.blank()
    };
    let rows = outcome.iterations.iter().zip(times);
    let iterations = rows.map(|(row, time)| iteration(game, root, cell.key, row, time)).collect();
    Rows { record, iterations, counters: counters(cell.key, &outcome, game.stages()) }
}

pub(crate) fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn best_move<G: Game>(game: &G, root: &G::Position, iteration: &Iteration<G::Move>) -> String {
    iteration.best_move().map_or_else(String::new, |mv| game.format_move(root, mv))
}

/// What the replay of the line says; where methods may cut open windows a line ends where one did.
fn pv_ok<G: Game>(search: &dyn AnySearch<G>, root: &G::Position, last: &Iteration<G::Move>) -> Sanity {
    match pv::sanity(search.game(), root, last, search.options()) {
        Sanity::Short | Sanity::Leaf if search.cuts_open_windows() => Sanity::Pruned,
        verdict => verdict,
    }
}

/// The moves of a line up to the first that cannot be written where it stands.
fn pv_text<G: Game>(game: &G, root: &G::Position, line: &[G::Move]) -> String {
    let mut pos = root.clone();
    let mut words = Vec::new();
    for &mv in line {
        let mut moves = secateur_core::Moves::<G>::new();
        game.moves(&pos, &mut moves);
        if !moves.iter().any(|scored| scored.mv == mv) {
            break;
        }
        words.push(game.format_move(&pos, mv));
        pos = game.play(&pos, mv);
    }
    words.join(" ")
}

fn iteration<G: Game>(
    game: &G,
    root: &G::Position,
    key: &CellKey,
    row: &Iteration<G::Move>,
    time: Duration,
) -> IterationRow {
    IterationRow {
        depth: row.depth as u32,
        nodes: row.nodes,
        qnodes: row.qnodes,
        score: row.score.0,
        best_move: best_move(game, root, row),
        time_ns: nanos(time),
        ..IterationRow::of(key.clone())
    }
}

fn counters<M>(key: &CellKey, outcome: &Outcome<M>, stages: &[&str]) -> Vec<CounterRow> {
    let active = outcome.tally.active();
    let row =
        |(method, stage, depth, counter): (&str, usize, i32, secateur_core::search::Counter)| CounterRow {
            method: method.to_owned(),
            depth: depth as u32,
            stage: stages[stage].to_owned(),
            tries: counter.tries,
            cuts_high: counter.cuts_high,
            cuts_low: counter.cuts_low,
            probe_nodes: counter.probe_nodes,
            ..CounterRow::of(key.clone())
        };
    active.map(row).collect()
}

/// Fills `move_tied`: whether the baseline values the move of `record` like its own best, at the same depth.
/// Left empty for the same move, and where the two rows do not have one depth to compare at.
pub fn settle_tie<G: Game>(
    baseline: &mut dyn AnySearch<G>,
    root: &G::Position,
    best: &Record,
    record: &mut Record,
) {
    let comparable = record.budget_kind == BudgetKind::Depth && record.depth == best.depth;
    if !comparable || record.best_move == best.best_move || !(record.error.is_none() && best.error.is_none())
    {
        return;
    }
    let Ok(mv) = baseline.game().parse_move(root, &record.best_move) else { return };
    let depth = Depth(record.depth as i32);
    let asked = || baseline.move_reaches(root, mv, depth, Score(best.score));
    // A search that panics leaves the question open, as any other that decides nothing.
    if let Ok(tied) = catch_unwind(AssertUnwindSafe(asked)) {
        record.move_tied = Some(tied);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::Setup;
    use secateur_core::game::chess::Chess;
    use secateur_core::game::othello::Othello;
    use secateur_core::prune::{MethodSet, Prune, Verdict};
    use secateur_core::search::{Node, Options, Search, minimax};
    use secateur_core::{Game, Moves};
    use secateur_positions::Provenance;

    fn entry<G: Game>(game: &G, text: &str) -> Entry {
        let pos = game.parse(text).unwrap();
        let entry = Entry {
            id: "x".to_owned(),
            position: game.format(&pos),
            cluster: "c".to_owned(),
            stage: game.label(&pos),
            operations: Vec::new(),
            line: 1,
        };
        secateur_positions::Set::new("s", G::NAME, vec![entry], Provenance::default()).entries.remove(0)
    }

    fn rows<G: Game>(game: &G, entry: &Entry, methods: &str, allowance: Allowance) -> Rows {
        let setup = Setup::embedded(G::NAME).unwrap();
        let set: MethodSet = methods.parse().unwrap();
        let roster = setup.roster(set).unwrap();
        let mut search = game.clone().searcher(roster.switched(), setup.options.clone());
        let key = CellKey {
            game: G::NAME.to_owned(),
            suite: "t".to_owned(),
            position: entry.id.clone(),
            methods: set.to_string(),
            params: setup.id(),
            budget_kind: allowance.kind().to_owned(),
            budget: allowance.amount(),
            repeat: 0,
        };
        let root = game.parse(&entry.position).unwrap();
        run_cell(search.as_mut(), &Cell { run: "r", key: &key, entry, allowance }, &root)
    }

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn rows_agree_with_each_other() {
        let game = Chess::default();
        let entry = entry(&game, KIWIPETE);
        let rows = rows(&game, &entry, "null-move", Allowance::Depth(5));
        let (record, last) = (&rows.record, rows.iterations.last().unwrap());
        assert_eq!(rows.iterations.len(), 5);
        assert_eq!(
            (record.depth, record.score, &record.best_move),
            (last.depth, last.score, &last.best_move)
        );
        assert_eq!((record.nodes, record.qnodes), (last.nodes, last.qnodes));
        assert!(record.time_ns >= last.time_ns);
        assert!(rows.iterations.is_sorted_by_key(|row| (row.depth, row.nodes, row.time_ns)));
        assert!(record.pv.starts_with(&record.best_move) && record.pv_ok.is_sane());
        assert!(!rows.counters.is_empty() && rows.counters.iter().all(|row| row.method == "null-move"));
        let probes: u64 = rows.counters.iter().map(|row| row.probe_nodes).sum();
        assert!(probes >= record.probe_nodes && record.probe_nodes > 0 && record.nodes > record.probe_nodes);
        assert!(rows.counters.iter().all(|row| row.key() == record.key()));
        assert!(rows.iterations.iter().all(|row| row.key() == record.key()));
    }

    #[test]
    fn a_node_budget_keeps_the_last_completed_iteration() {
        let game = Chess::default();
        let rows = rows(&game, &entry(&game, KIWIPETE), "none", Allowance::Nodes(20_000));
        let last = rows.iterations.last().unwrap();
        assert_eq!(rows.record.depth, last.depth);
        assert!(last.nodes <= rows.record.nodes && rows.record.nodes < 21_000);
    }

    #[test]
    fn a_panic_is_an_error_row_of_one_line() {
        let game = Chess::default();
        let entry = entry(&game, KIWIPETE);
        let mut search = Search::new(game.clone(), &Breaks, Options::default());
        let key = rows(&game, &entry, "none", Allowance::Depth(1)).record.key();
        let cell = Cell { run: "r", key: &key, entry: &entry, allowance: Allowance::Depth(2) };
        let rows = run_cell(&mut search, &cell, &game.parse(KIWIPETE).unwrap());
        assert_eq!(rows.record.error.unwrap().reason(), "panic: broken in two");
        assert!(rows.iterations.is_empty());
        let panic = std::panic::catch_unwind(|| std::panic::panic_any("broken".to_owned())).unwrap_err();
        assert_eq!(said(&*panic), "broken");
    }

    /// A method that ends the search in a way that no search should.
    struct Breaks;

    impl<G: Game> Prune<G> for Breaks {
        fn enter<P: Prune<G>>(&self, _: &mut Search<'_, G, P>, _: &Node<'_, G>) -> Verdict {
            panic!("broken\nin two")
        }
    }

    /// The tie question is answered as plain minimax answers it, for every move.
    fn ties_are_those_of_minimax<G: Game>(game: &G, text: &str, depth: i32) {
        let entry = entry(game, text);
        let root = game.parse(&entry.position).unwrap();
        let setup = Setup::embedded(G::NAME).unwrap();
        let roster = setup.roster(MethodSet::NONE).unwrap();
        let mut search = game.clone().searcher(roster.switched(), setup.options.clone());
        let best = rows(game, &entry, "none", Allowance::Depth(depth as u32)).record;
        let mut moves = Moves::<G>::new();
        game.moves(&root, &mut moves);
        let mut tied = 0;
        for scored in &moves {
            let mut other = best.clone();
            other.best_move = game.format_move(&root, scored.mv);
            settle_tie(search.as_mut(), &root, &best, &mut other);
            let child = game.play(&root, scored.mv);
            let value = -minimax(game, &child, Depth(depth - 1));
            let expected = match (other.best_move == best.best_move, value.0 == best.score) {
                (true, _) => None,
                (false, true) => Some(true),
                (false, false) => Some(false),
            };
            tied += usize::from(expected == Some(true));
            assert_eq!(other.move_tied, expected, "{} is worth {value:?}", other.best_move);
        }
        assert!(moves.len() > 1 && tied < moves.len());
    }

    #[test]
    fn ties_are_found_and_only_ties() {
        let start = "---------------------------OX------XO--------------------------- X";
        ties_are_those_of_minimax(&Othello::default(), start, 4);
        ties_are_those_of_minimax(&Chess::default(), "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1", 4);
    }
}
