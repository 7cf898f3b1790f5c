//! Tests of cells: what a row says of a search, ours or another's, and of one that fails.

use super::*;
use crate::allowance::Allowance;
use crate::instruments::clock::thread_time;
use crate::setups::setup::Setup;
use crate::subject::Host;
use secateur_core::prune::MethodSet;
use secateur_core::search::minimax;
use secateur_core::{Game, Moves};
use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_positions::Provenance;
use std::collections::BTreeMap;

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

/// Searches a cell with our own methods, or with somebody else.
fn searched(
    game: &AnyGame,
    entry: &Entry,
    methods: &str,
    allowance: Allowance,
    other: Option<&mut dyn Subject>,
) -> Rows {
    let setup = Setup::embedded(game.name()).unwrap();
    let set: MethodSet = methods.parse().unwrap();
    let (ready, none) = (setup.methods(&set).unwrap(), BTreeMap::new());
    let mut host = Host::new((game, &setup.options), &ready, 0, &none, &NO_PROMISE);
    let key = CellKey {
        game: game.name().into(),
        suite: "t".into(),
        position: (&entry.id).into(),
        methods: set.to_string().into(),
        params: setup.id().into(),
        budget_kind: allowance.kind().to_owned(),
        budget: allowance.amount(),
        repeat: 0,
    };
    let root = &game.parse(&entry.position).unwrap();
    let task = Task { position: &entry.position, root, allowance, clock: thread_time, stop: None };
    let cell = Cell { run: "r", key: &key, entry };
    match other {
        Some(other) => run_cell(other, game, &cell, &task),
        None => run_cell(&mut host, game, &cell, &task),
    }
}

static NO_PROMISE: BTreeMap<&str, f64> = BTreeMap::new();

fn rows<G: Game>(game: &G, entry: &Entry, methods: &str, allowance: Allowance) -> Rows {
    searched(&AnyGame::of(game.clone()), entry, methods, allowance, None)
}

/// A search with a given answer.
struct Says(fn(&Task<'_>) -> Result<Found, String>);

impl Subject for Says {
    fn search(&mut self, task: &Task<'_>) -> Result<Found, String> {
        (self.0)(task)
    }
}

fn said_by(says: fn(&Task<'_>) -> Result<Found, String>) -> Rows {
    let game = Chess::default();
    let any = AnyGame::of(game.clone());
    searched(&any, &entry(&game, KIWIPETE), "none", Allowance::Depth(2), Some(&mut Says(says)))
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
        (Some(last.depth), Some(last.score), &last.best_move)
    );
    assert_eq!((record.nodes, record.qnodes), (Some(last.nodes), last.qnodes));
    assert!(record.time_ns >= last.time_ns);
    assert!(rows.iterations.is_sorted_by_key(|row| (row.depth, row.nodes, row.time_ns)));
    assert!(record.pv.starts_with(&*record.best_move) && record.pv_ok.is_sane());
    assert!(!rows.counters.is_empty() && rows.counters.iter().all(|row| row.method == "null-move"));
    let probes: u64 = rows.counters.iter().map(|row| row.probe_nodes).sum();
    assert!(
        probes >= record.probe_nodes && record.probe_nodes > 0 && record.nodes > Some(record.probe_nodes)
    );
    assert!(rows.counters.iter().all(|row| row.key() == record.key()));
    assert!(rows.iterations.iter().all(|row| row.key() == record.key()));
}

#[test]
fn a_node_budget_keeps_the_last_completed_iteration() {
    let game = Chess::default();
    let rows = rows(&game, &entry(&game, KIWIPETE), "none", Allowance::Nodes(20_000));
    let last = rows.iterations.last().unwrap();
    assert_eq!(rows.record.depth, Some(last.depth));
    assert!(Some(last.nodes) <= rows.record.nodes && rows.record.nodes < Some(21_000));
}

#[test]
fn a_panic_is_an_error_row_of_one_line() {
    let rows = said_by(|_| panic!("broken\nin two"));
    assert!(has_panicked(&rows));
    assert_eq!(rows.record.error.unwrap().reason(), "panic: broken in two");
    assert!(rows.iterations.is_empty());
    let panic = std::panic::catch_unwind(|| std::panic::panic_any("broken".to_owned())).unwrap_err();
    assert_eq!(panic_message(&*panic), "broken");
}

/// What another search says is taken as it is, if it can be true.
#[test]
fn what_a_subject_says_is_recorded_and_what_cannot_be_is_an_error() {
    let good = said_by(|task| {
        let mut answer = task.begin();
        while let Some(depth) = task.next(&answer) {
            answer.push(depth, 100 * depth as u64, 7, if depth == 2 { "O-O Rxh2" } else { "e1g1" });
        }
        answer.count("mine", 2, 5, (3, 1), 40);
        Ok(answer)
    });
    let record = &good.record;
    assert_eq!(
        (record.depth, record.nodes, record.score, &record.error),
        (Some(2), Some(200), Some(7), &None)
    );
    assert_eq!((record.best_move.as_str(), &*record.pv), ("e1g1", "O-O Rxh2"));
    assert_eq!(good.iterations.iter().map(|row| row.nodes).collect::<Vec<_>>(), [100, 200]);
    assert_eq!((good.counters[0].cuts_high, good.counters[0].stage.as_str()), (3, record.stage.as_str()));
    assert_eq!((good.counters[0].key(), record.pv_ok), (record.key(), Sanity::Illegal));
    let fails = |says| said_by(says).record.error.map(|error| error.reason().to_owned());
    let illegal = fails(|task| {
        let mut answer = task.begin();
        answer.push(1, 1, 0, "e1e5");
        Ok(answer)
    });
    assert_eq!(illegal.as_deref(), Some("illegal move e1e5"));
    assert_eq!(fails(|task| Ok(task.begin())).as_deref(), Some("no iteration was completed"));
    assert_eq!(fails(|_| Err("tired\nof it".to_owned())).as_deref(), Some("tired of it"));
}

/// A budget in nodes ends a search that cannot stop by itself after the iteration that spends it.
#[test]
fn a_task_says_when_to_begin_no_further_iteration() {
    let root = &AnyGame::of(Chess::default()).parse(KIWIPETE).unwrap();
    let clock: fn() -> Duration = || Duration::ZERO;
    let iterations = |allowance| {
        let task = Task { position: KIWIPETE, root, allowance, clock, stop: None };
        let mut answer = task.begin();
        while let Some(depth) = task.next(&answer) {
            answer.push(depth, 10_u64.pow(depth as u32), 0, "e1g1");
        }
        answer.iterations.len()
    };
    assert_eq!(iterations(Allowance::Depth(3)), 3);
    assert_eq!(iterations(Allowance::Nodes(1)), 1);
    assert_eq!(iterations(Allowance::Nodes(101)), 3);
}

/// The tie question is answered as plain minimax answers it, for every move.
fn ties_are_those_of_minimax<G: Game>(game: &G, text: &str, depth: i32) {
    let entry = entry(game, text);
    let root = game.parse(&entry.position).unwrap();
    let (any, setup) = (AnyGame::of(game.clone()), Setup::embedded(G::NAME).unwrap());
    let (ready, none) = (setup.methods(&MethodSet::NONE).unwrap(), BTreeMap::new());
    let mut baseline = Host::new((&any, &setup.options), &ready, 0, &none, &NO_PROMISE);
    let at = &any.parse(&entry.position).unwrap();
    let allowance = Allowance::Depth(depth as u32);
    let task = Task { position: &entry.position, root: at, allowance, clock: thread_time, stop: None };
    let best = rows(game, &entry, "none", Allowance::Depth(depth as u32)).record;
    let mut moves = Moves::<G>::new();
    game.moves(&root, &mut moves);
    let mut tied = 0;
    for scored in &moves {
        let mut other = best.clone();
        other.best_move = game.format_move(&root, scored.mv).into();
        settle_tie(&mut baseline, &task, &best, &mut other);
        let child = game.play(&root, scored.mv);
        let value = -minimax(game, &child, Depth(depth - 1));
        let expected = match (other.best_move == best.best_move, Some(value.0) == best.score) {
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

#[test]
fn a_move_without_a_search_counts_where_it_is_the_only_one() {
    let game = Chess::default();
    let any = AnyGame::of(game.clone());
    let at = |fen: &str, mv: &'static str| {
        let mut says = Moved(mv);
        searched(&any, &entry(&game, fen), "none", Allowance::Depth(2), Some(&mut says)).record
    };
    let forced = at("7k/8/8/8/8/8/r7/7K w - - 0 1", "h1g1");
    assert!(forced.error.is_none() && forced.is_unsearched(), "{forced:?}");
    assert_eq!(forced.best_move, "h1g1");
    let book = at(KIWIPETE, "e2a6");
    assert!(was_silent(&book), "{book:?}");
    assert!(book.error.is_some_and(|why| why.reason().contains("without a depth and a score")));
    assert!(!was_silent(&at(KIWIPETE, "e2e3")), "an illegal move is no silence");
    let wrong = at("7k/8/8/8/8/8/r7/7K w - - 0 1", "h1h2");
    assert!(wrong.error.is_some_and(|why| why.reason().contains("illegal move h1h2")));
}

/// A program that tells of its searches and makes none.
struct Moved(&'static str);

impl Subject for Moved {
    fn search(&mut self, _: &Task<'_>) -> Result<Found, String> {
        let mut answer = Found::default();
        (answer.best_move, answer.unsearched) = (Some(self.0.to_owned()), true);
        Ok(answer)
    }
}
