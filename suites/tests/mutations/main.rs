//! Broken copies of the methods, and which check catches which.
//!
//! A check that never fails is worth nothing, so each fault that programs are known to have had (Pettersson 2007 on
//! futility pruning; the logs of Crafty and Stockfish on the null move) is built in on purpose. The table is data:
//! it is what docs/METHODOLOGY.md shows, and any change in it fails.

mod before;
mod below;
mod checks;
mod due;
mod games;
mod given_up;
mod late;
mod methods;
mod modern;
mod roots;
mod small;
mod subjects;
mod tabled;
mod theorems;
mod today;
mod watch;

use checks::{CHECKS, Subject, passed, row, small};
use games::Twist;
use methods::{Fault, Setting};
use secateur_core::prune::{Baselines, Calibration, Fit, Methods, equip};
use secateur_core::search::{Budget, Options, Search};
use secateur_core::{Evaluation, Notation};
use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_suites::setups::setup::Setup;
use subjects::*;

fn written(method: &str, fault: &str, row: &[Option<bool>]) -> String {
    let cells = row.iter().map(|cell| match cell {
        None => "",
        Some(true) => "x",
        Some(false) => ".",
    });
    let cells: Vec<&str> = cells.collect();
    format!("| {method} | {fault} | {} |", cells.join(" | "))
}

/// The lines of a method: the original, and its copy with each fault.
fn lines_of(
    lines: &mut Vec<String>,
    words: &str,
    name: &'static str,
    faults: &[(Fault, &str)],
    make: impl Fn(Fault, Setting) -> Methods + Copy + 'static,
) {
    let mut line = |said: &str, subject: &Subject| lines.push(written(words, said, &row(subject)));
    line("none", &original(name));
    for (fault, said) in faults {
        line(said, &subjects::subject(name, *fault, make));
    }
}

fn table() -> Vec<String> {
    let mut found = Vec::new();
    let lines = &mut found;
    lines_of(lines, "futility", "futility", FUTILITY, one(subjects::futility));
    lines_of(lines, "razoring", "razoring", RAZORING, one(subjects::razoring));
    lines_of(lines, "null move", "null-move", NULL_MOVE, one(subjects::null_move));
    lines_of(lines, "ProbCut", "probcut", PROBCUT, one(subjects::probcut));
    lines_of(
        lines,
        "reverse futility",
        "reverse-futility",
        REVERSE_FUTILITY,
        one(subjects::reverse_futility),
    );
    lines_of(lines, "late-move pruning", "lmp", LMP, one(subjects::lmp));
    lines_of(lines, "capture ProbCut", "capture-probcut", CAPTURE_PROBCUT, one(subjects::capture_probcut));
    lines_of(lines, "SEE pruning", "see-pruning", SEE_PRUNING, one(subjects::see_pruning));
    lines_of(lines, "history pruning", "history-pruning", HISTORY_PRUNING, one(subjects::history_pruning));
    lines_of(lines, "small ProbCut", "small-probcut", SMALL_PROBCUT, one(subjects::small_probcut));
    lines_of(lines, "internal iterative reduction", "iir", IIR, one(subjects::iir));
    lines_of(lines, "singular extension", "singular", SINGULAR, one(subjects::singular));
    lines_of(lines, "delta pruning", "delta", DELTA, one(subjects::delta));
    lines_of(lines, "late-move reductions", "lmr", LMR, one(subjects::lmr));
    lines_of(lines, "RankCut", "rankcut", RANKCUT, one(subjects::rankcut));
    lines_of(lines, "enhanced transposition cut-off", "etc", ETC, one(subjects::etc));
    lines_of(lines, "internal iterative deepening", "iid", IID, one(subjects::iid));
    lines_of(lines, "check extension", "check-extension", CHECK_EXTENSION, one(subjects::check_extension));
    lines_of(lines, "hindsight", subjects::HINDSIGHT_PAIR, HINDSIGHT, two(subjects::hindsight));
    lines_of(lines, "correction history", subjects::CORRECTION_PAIR, CORRECTION, two(subjects::correction));
    lines_of(lines, "Chinook's cut", "chinook", CHINOOK, one(subjects::chinook));
    lines_of(lines, "uncertainty cut-off", "uncertainty", UNCERTAINTY, one(subjects::uncertainty));
    lines_of(lines, "quiet exchange", "quiet-exchange", QUIET_EXCHANGE, one(subjects::quiet_exchange));
    lines_of(lines, "quiet count", "quiet-count", QUIET_COUNT, one(subjects::quiet_count));
    for (words, name) in [("MPC", "mpc"), ("Multi-Cut", "multi-cut")] {
        lines.push(written(words, "none", &row(&original(name))));
    }
    for (twist, words) in
        [(Twist::None, "none"), (Twist::StaleEnPassant, "en passant kept after a null move")]
    {
        let mut row = vec![None; CHECKS.len()];
        row[CHECKS.len() - 1] = Some(passed(twist));
        lines.push(written("game", words, &row));
    }
    for (resets, words) in [(true, "none"), (false, "no reset of the line before an early return")] {
        lines.push(written("searcher", words, &small(resets)));
    }
    found
}

/// The originals, set up by their parameters as the copies are by theirs.
fn original(name: &'static str) -> Subject {
    subjects::subject(name, Fault::None, move |_, setting| {
        let mut params = Setup::embedded("chess").expect("the build's own numbers").params;
        subjects::originals(&mut params, setting);
        let ours = subjects::probcut(Fault::None, setting);
        let ((shallow, deep), (a, b)) = (ours.pair, ours.model);
        (params.probcut.shallow, params.probcut.deep) = ours.pair;
        params.probcut.t = if ours.margin.is_infinite() { ours.margin } else { 1.0 };
        params.mpc.pairs = vec![ours.pair];
        params.mpc.t = params.probcut.t;
        let multi_cut = &mut params.multi_cut;
        // One probe to the full depth is what the search would do first: C = 1, R = 0 is sound.
        (multi_cut.cuts, multi_cut.moves, multi_cut.reduction, multi_cut.min_depth) = match setting {
            Setting::Never => (3, 2, 2, 4),
            Setting::Sound => (1, 4, 0, 2),
            _ => (2, 4, 1, 3),
        };
        let fit = |stage| Fit { stage, shallow, deep, n: 1, a, b, sigma: ours.margin, r: 1.0 };
        let fits = (0..Othello::STAGES.len()).map(fit).collect();
        let baselines = Baselines { none: Calibration { fits, ..Calibration::default() }, null_move: None };
        equip(&name.parse().expect("a method"), &params, &baselines, Othello::STAGES.len()).expect("in range")
    })
}

/// Whether original and copy search the same tree.
fn same(name: &'static str, copy: impl Fn(Fault, Setting) -> Methods) {
    let game = Chess::default();
    let options = Options { table_mib: 1, ..Options::default() };
    let (one, two) = ((original(name).make)(Setting::Usual), copy(Fault::None, Setting::Usual));
    for pos in roots::positions(&game, roots::WILD, [4, 40], 4) {
        let run = |methods: &Methods| {
            let methods = methods.of::<Chess>();
            Search::new(game.clone(), &methods, options.clone()).run(&pos, &Budget::Depth(4)).iterations
        };
        assert_eq!(run(&one), run(&two), "{name} of {}", game.format(&pos));
    }
}

#[test]
fn a_copy_without_a_fault_is_the_original() {
    same("futility", one(subjects::futility));
    same("razoring", one(subjects::razoring));
    same("null-move", one(subjects::null_move));
    same("probcut", one(subjects::probcut));
    same("reverse-futility", one(subjects::reverse_futility));
    same("lmp", one(subjects::lmp));
    same("capture-probcut", one(subjects::capture_probcut));
    same("see-pruning", one(subjects::see_pruning));
    same("history-pruning", one(subjects::history_pruning));
    same("small-probcut", one(subjects::small_probcut));
    same("iir", one(subjects::iir));
    same("singular", one(subjects::singular));
    same("delta", one(subjects::delta));
    same("lmr", one(subjects::lmr));
    same("rankcut", one(subjects::rankcut));
    same("etc", one(subjects::etc));
    same("iid", one(subjects::iid));
    same("check-extension", one(subjects::check_extension));
    same(subjects::HINDSIGHT_PAIR, two(subjects::hindsight));
    same(subjects::CORRECTION_PAIR, two(subjects::correction));
    same("chinook", one(subjects::chinook));
    same("uncertainty", one(subjects::uncertainty));
    same("quiet-exchange", one(subjects::quiet_exchange));
    same("quiet-count", one(subjects::quiet_count));
}

#[test]
fn every_fault_is_caught_and_no_healthy_method() {
    let found = table();
    let wrong = |line: &&String| line.contains("| none |") == line.contains("| x ");
    let wrong: Vec<_> = found.iter().filter(wrong).collect();
    assert!(wrong.is_empty(), "a healthy method caught, or a fault that is not: {wrong:#?}");
    let head = format!("| in | fault | {} |\n|---|---|{}", CHECKS.join(" | "), "---|".repeat(CHECKS.len()));
    let written = format!("{head}\n{}\n", found.join("\n"));
    assert!(written == include_str!("table.md"), "the table is now:\n{written}");
    let shown = include_str!("../../../docs/METHODOLOGY.md");
    assert!(shown.contains(&written), "docs/METHODOLOGY.md shows another table than table.md");
}
