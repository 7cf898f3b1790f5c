//! The checks that a pruning method has to pass: the methods as they ship, one test each, and broken copies that must not.
//!
//! A check that never fails is worth nothing. That the checks catch faults in the code that ships is shown by mutants of it
//! (`cargo mutants`, docs/developers/TESTS.md). What no change of a few characters makes is built into copies: faults that programs
//! are known to have had (Pettersson 2007 on futility pruning; the logs of Crafty and Stockfish on the null move), and those of a
//! game and of a searcher. Their table is data: it is what docs/developers/TESTS.md shows, and any change in it fails.

mod checks;
mod copies;
mod games;
mod setup;
mod theorems;
mod watch;

use checks::{CHECKS, Subject, passed, row, small};
use copies::{Fault, Setting};
use games::Twist;
use secateur_core::Notation;
use secateur_core::prune::Methods;
use secateur_core::search::{Budget, Options, Search};
use secateur_games::chess::Chess;
use setup::{FUTILITY, NULL_MOVE, PROBCUT, RAZORING, copied, original};

macro_rules! originals {
    ($($test:ident: $name:expr;)+) => {
        /// A test each, so that one method is tried alone.
        mod original {
            $(#[test]
            fn $test() {
                super::passes($name);
            })+
        }
    };
}

originals! {
    futility: "futility";
    razoring: "razoring";
    null_move: "null-move";
    probcut: "probcut";
    mpc: "mpc";
    multi_cut: "multi-cut";
    reverse_futility: "reverse-futility";
    lmp: "lmp";
    capture_probcut: "capture-probcut";
    see_pruning: "see-pruning";
    history_pruning: "history-pruning";
    small_probcut: "small-probcut";
    iir: "iir";
    singular: "singular";
    delta: "delta";
    lmr: "lmr";
    rankcut: "rankcut";
    etc: "etc";
    iid: "iid";
    check_extension: "check-extension";
    hindsight: crate::setup::HINDSIGHT_PAIR;
    correction_history: crate::setup::CORRECTION_PAIR;
    chinook: "chinook";
    uncertainty: "uncertainty";
    quiet_exchange: "quiet-exchange";
    quiet_count: "quiet-count";
}

/// A method as it ships gives no check anything to catch.
fn passes(name: &'static str) {
    let row = row(&original(name));
    let failed: Vec<_> = CHECKS.iter().zip(&row).filter(|(_, caught)| **caught == Some(true)).collect();
    assert!(failed.is_empty(), "{name} fails {failed:?}");
}

fn written(method: &str, fault: &str, row: &[Option<bool>]) -> String {
    let cells = row.iter().map(|cell| match cell {
        None => "",
        Some(true) => "x",
        Some(false) => ".",
    });
    let cells: Vec<&str> = cells.collect();
    format!("| {method} | {fault} | {} |", cells.join(" | "))
}

/// The lines of a method's copy: one each fault.
fn lines_of(
    lines: &mut Vec<String>,
    title: &str,
    name: &'static str,
    faults: &[(Fault, &str)],
    make: impl Fn(Fault, Setting) -> Methods + Copy + 'static,
) {
    for &(fault, described) in faults {
        let subject: Subject = setup::subject(name, false, move |setting| make(fault, setting));
        lines.push(written(title, described, &row(&subject)));
    }
}

fn table() -> Vec<String> {
    let mut table = Vec::new();
    let lines = &mut table;
    lines_of(lines, "futility", "futility", FUTILITY, |fault, set| copied(setup::futility(fault, set)));
    lines_of(lines, "razoring", "razoring", RAZORING, |fault, set| copied(setup::razoring(fault, set)));
    lines_of(lines, "null move", "null-move", NULL_MOVE, |fault, set| copied(setup::null_move(fault, set)));
    lines_of(lines, "ProbCut", "probcut", PROBCUT, |fault, set| copied(setup::probcut(fault, set)));
    let mut row = vec![None; CHECKS.len()];
    row[CHECKS.len() - 1] = Some(passed(Twist::StaleEnPassant));
    lines.push(written("game", "en passant kept after a null move", &row));
    lines.push(written("searcher", "no reset of the line before an early return", &small(false)));
    table
}

/// Whether original and copy search the same tree.
fn same(name: &'static str, copy: impl Fn(Setting) -> Methods) {
    let game = Chess::default();
    let options = Options { table_mib: 1, ..Options::default() };
    let (one, two) = ((original(name).make)(Setting::Usual), copy(Setting::Usual));
    for pos in checks::positions(&game, checks::WILD, [4, 40], 4) {
        let run = |methods: &Methods| {
            let methods = methods.of::<Chess>();
            Search::new(game.clone(), &methods, options.clone()).run(&pos, &Budget::Depth(4)).iterations
        };
        assert_eq!(run(&one), run(&two), "{name} of {}", game.format(&pos));
    }
}

#[test]
fn a_copy_without_a_fault_is_the_original() {
    same("futility", |set| copied(setup::futility(Fault::None, set)));
    same("razoring", |set| copied(setup::razoring(Fault::None, set)));
    same("null-move", |set| copied(setup::null_move(Fault::None, set)));
    same("probcut", |set| copied(setup::probcut(Fault::None, set)));
}

/// What is broken on purpose below is whole as it ships.
#[test]
fn the_game_and_the_small_searcher_pass() {
    assert!(!passed(Twist::None));
    assert!(small(true).iter().all(|caught| *caught != Some(true)));
}

#[test]
fn every_fault_is_caught_and_every_check_catches_one() {
    let rows = table();
    let missed: Vec<_> = rows.iter().filter(|line| !line.contains("| x ")).collect();
    assert!(missed.is_empty(), "nothing catches {missed:#?}");
    let catches = |column: usize| rows.iter().any(|line| line.split('|').nth(column + 3) == Some(" x "));
    let idle: Vec<_> = (0..CHECKS.len()).filter(|&at| !catches(at)).map(|at| CHECKS[at]).collect();
    assert!(idle.is_empty(), "these checks catch nothing: {idle:?}");
    let head = format!("| in | fault | {} |\n|---|---|{}", CHECKS.join(" | "), "---|".repeat(CHECKS.len()));
    let written = format!("{head}\n{}\n", rows.join("\n"));
    let shown = include_str!("../../../docs/developers/TESTS.md");
    assert!(shown.contains(&written), "docs/developers/TESTS.md shows another table than this:\n{written}");
}
