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
use games::{Bent, POSITIONAL, Twist};
use methods::{Fault, Futility, NullMove, ProbCut, Razoring, Setting};
use secateur_core::prune::{Baselines, Calibration, Fit, Prune, Reach, Roster, roster};
use secateur_core::search::{Budget, Options, Search};
use secateur_core::{Evaluation, Notation, Score};
use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_suites::setup::Setup;
use theorems::Theorem;

const INFINITE: i32 = Score::INFINITE.0;

fn futility(fault: Fault) -> Subject<Futility> {
    let make = move |setting| {
        let margins = match setting {
            Setting::Never => [INFINITE; 2],
            Setting::Sound => [POSITIONAL, INFINITE],
            _ => [300, 550],
        };
        Futility { margins, fault }
    };
    Subject {
        name: "futility",
        bit: 0,
        theorem: Theorem::Margin,
        few: false,
        healthy: fault == Fault::None,
        make: Box::new(make),
    }
}

fn razoring(fault: Fault) -> Subject<Razoring> {
    let make = move |setting| {
        let margin = match setting {
            Setting::Never => INFINITE,
            Setting::Sound => POSITIONAL,
            _ => 100,
        };
        Razoring { margin, fault }
    };
    Subject {
        name: "razoring",
        bit: 0,
        theorem: Theorem::Endgame,
        few: false,
        healthy: fault == Fault::None,
        make: Box::new(make),
    }
}

fn null_move(fault: Fault) -> Subject<NullMove> {
    let make = move |setting| {
        let (reduction, min_depth) = match setting {
            Setting::Never => (2, 60),
            Setting::Sound => (0, 1),
            _ => (1, 2),
        };
        NullMove { reduction, min_depth, needs_evaluation: fault == Fault::WrongSide, fault }
    };
    Subject {
        name: "null-move",
        bit: 0,
        theorem: Theorem::FreePass,
        few: false,
        healthy: fault == Fault::None,
        make: Box::new(make),
    }
}

fn probcut(fault: Fault) -> Subject<ProbCut> {
    let make = move |setting| {
        let (pair, model, margin) = match setting {
            Setting::Never => ((1, 3), (1.0, 0.0), f64::INFINITY),
            Setting::Sound => ((3, 4), (1.0, 0.0), 0.0),
            Setting::Usual => ((1, 3), (1.0, 0.0), 50.0),
            Setting::Fit(a, b, sigma) => ((0, 1), (a, b), sigma),
        };
        ProbCut { pair, model, margin, fault }
    };
    Subject {
        name: "probcut",
        bit: 1,
        theorem: Theorem::Endgame,
        few: false,
        healthy: fault == Fault::None,
        make: Box::new(make),
    }
}

/// One line of the table.
fn line<M: Prune<Bent<Chess>> + Prune<Bent<Othello>>>(
    method: &str,
    fault: &str,
    subject: &Subject<M>,
) -> String {
    written(method, fault, &row(subject))
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

/// The lines of a method of today.
fn lines_of<M: Prune<Bent<Chess>> + Prune<Bent<Othello>> + 'static>(
    lines: &mut Vec<String>,
    words: &str,
    (name, bit): (&'static str, u32),
    faults: &[(Fault, &str)],
    make: fn(Fault, Setting) -> M,
) {
    lines.push(line(words, "none", &original(name, bit, subjects::theorem(name))));
    for (fault, said) in faults {
        lines.push(line(words, said, &subjects::subject(name, bit, *fault, make)));
    }
}

/// The methods of today, whose moments are not only those of the older ones.
fn of_today(lines: &mut Vec<String>) {
    use subjects::{
        CAPTURE_PROBCUT, DELTA, HISTORY_PRUNING, IIR, LMP, LMR, RANKCUT, REVERSE_FUTILITY, SEE_PRUNING,
        SINGULAR, SMALL_PROBCUT,
    };
    let name = ("reverse-futility", 0);
    lines_of(lines, "reverse futility", name, REVERSE_FUTILITY, subjects::reverse_futility);
    lines_of(lines, "late-move pruning", ("lmp", 0), LMP, subjects::lmp);
    lines_of(lines, "capture ProbCut", ("capture-probcut", 1), CAPTURE_PROBCUT, subjects::capture_probcut);
    lines_of(lines, "SEE pruning", ("see-pruning", 0), SEE_PRUNING, subjects::see_pruning);
    lines_of(lines, "history pruning", ("history-pruning", 0), HISTORY_PRUNING, subjects::history_pruning);
    lines_of(lines, "small ProbCut", ("small-probcut", 0), SMALL_PROBCUT, subjects::small_probcut);
    lines_of(lines, "internal iterative reduction", ("iir", 0), IIR, subjects::iir);
    lines_of(lines, "singular extension", ("singular", 1), SINGULAR, subjects::singular);
    lines_of(lines, "delta pruning", ("delta", 0), DELTA, subjects::delta);
    lines_of(lines, "late-move reductions", ("lmr", 0), LMR, subjects::lmr);
    lines_of(lines, "RankCut", ("rankcut", 0), RANKCUT, subjects::rankcut);
    in_company(lines);
}

/// Those that change no value by themselves, or whose moments are before a node and below the horizon.
fn in_company(lines: &mut Vec<String>) {
    use subjects::{
        CHECK_EXTENSION, CHINOOK, CORRECTION, ETC, HINDSIGHT, IID, QUIET_COUNT, QUIET_EXCHANGE, UNCERTAINTY,
    };
    lines_of(lines, "enhanced transposition cut-off", ("etc", 0), ETC, subjects::etc);
    lines_of(lines, "internal iterative deepening", ("iid", 0), IID, subjects::iid);
    lines_of(lines, "check extension", ("check-extension", 0), CHECK_EXTENSION, subjects::check_extension);
    lines_of(lines, "hindsight", (subjects::HINDSIGHT_PAIR, 0), HINDSIGHT, subjects::hindsight);
    lines_of(lines, "correction history", (subjects::CORRECTION_PAIR, 0), CORRECTION, subjects::correction);
    lines_of(lines, "Chinook's cut", ("chinook", 1), CHINOOK, subjects::chinook);
    lines_of(lines, "uncertainty cut-off", ("uncertainty", 0), UNCERTAINTY, subjects::uncertainty);
    lines_of(lines, "quiet exchange", ("quiet-exchange", 0), QUIET_EXCHANGE, subjects::quiet_exchange);
    lines_of(lines, "quiet count", ("quiet-count", 0), QUIET_COUNT, subjects::quiet_count);
}

fn table() -> Vec<String> {
    let mut lines = Vec::new();
    lines.push(line("futility", "none", &original("futility", 0, Theorem::Margin)));
    for (fault, words) in FUTILITY {
        lines.push(line("futility", words, &futility(fault)));
    }
    lines.push(line("razoring", "none", &original("razoring", 0, Theorem::Endgame)));
    for (fault, words) in RAZORING {
        lines.push(line("razoring", words, &razoring(fault)));
    }
    lines.push(line("null move", "none", &original("null-move", 0, Theorem::FreePass)));
    for (fault, words) in NULL_MOVE {
        lines.push(line("null move", words, &null_move(fault)));
    }
    lines.push(line("ProbCut", "none", &original("probcut", 1, Theorem::Endgame)));
    for (fault, words) in PROBCUT {
        lines.push(line("ProbCut", words, &probcut(fault)));
    }
    of_today(&mut lines);
    lines.push(line("MPC", "none", &original("mpc", 1, Theorem::Endgame)));
    lines.push(line("Multi-Cut", "none", &original("multi-cut", 1, Theorem::Endgame)));
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
    lines
}

const FUTILITY: [(Fault, &str); 9] = [
    (Fault::WrongSign, "wrong sign"),
    (Fault::WrongSide, "White's view of the balance"),
    (Fault::MarginSign, "margin taken off"),
    (Fault::StaticValue, "node returns its static value"),
    (Fault::TightClaim, "bound of a move too strong"),
    (Fault::NoFirstMove, "first move left out too"),
    (Fault::NoChecksSpared, "moves that give check left out too"),
    (Fault::OffByOne, "bound off by one"),
    (Fault::InCheck, "in check"),
];
const RAZORING: [(Fault, &str); 7] = [
    (Fault::WrongSign, "wrong sign"),
    (Fault::WrongSide, "White's view of the balance"),
    (Fault::StaticValue, "node returns its static value"),
    (Fault::TooShort, "two plies taken off"),
    (Fault::OffByOne, "bound off by one"),
    (Fault::InCheck, "in check"),
    (Fault::OpenWindow, "in an open window"),
];
const NULL_MOVE: [(Fault, &str); 8] = [
    (Fault::WrongSign, "wrong sign"),
    (Fault::WrongSide, "White's view of the evaluation"),
    (Fault::StaticValue, "node returns its static value"),
    (Fault::OffByOne, "bound off by one"),
    (Fault::UnprovenMate, "unproven mate returned"),
    (Fault::TwiceInARow, "twice in a row"),
    (Fault::Zugzwang, "with pawns only"),
    (Fault::OpenWindow, "in an open window"),
];
const PROBCUT: [(Fault, &str); 8] = [
    (Fault::WrongSign, "wrong sign"),
    (Fault::WrongSide, "White's view of the check"),
    (Fault::StaticValue, "static value instead of a search"),
    (Fault::OffByOne, "bound off by one"),
    (Fault::OffsetSign, "wrong sign of the offset b"),
    (Fault::LowSide, "wrong side of the margin at alpha"),
    (Fault::InCheck, "in check"),
    (Fault::OpenWindow, "in an open window"),
];

/// The originals, set up by their parameters as the copies are by theirs.
fn original(name: &'static str, bit: u32, theorem: Theorem) -> Subject<Roster> {
    let make = move |setting| {
        let mut params = Setup::embedded("chess").expect("the build's own numbers").params;
        let ours = (futility(Fault::None).make)(setting).margins;
        params.futility.frontier = Reach::Fixed(ours[0]);
        params.futility.extended = Reach::Fixed(ours[1]);
        params.razoring.margin = Reach::Fixed((razoring(Fault::None).make)(setting).margin);
        let ours = (null_move(Fault::None).make)(setting);
        params.null_move.reduction = ours.reduction;
        params.null_move.min_depth = ours.min_depth;
        subjects::originals(&mut params, setting);
        let ours = (probcut(Fault::None).make)(setting);
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
        roster(name.parse().expect("a method"), &params, &baselines, Othello::STAGES.len()).expect("in range")
    };
    Subject { name, bit, theorem, few: subjects::few(name), healthy: true, make: Box::new(make) }
}

/// Whether original and copy search the same tree of one position.
fn same<M: Prune<Chess>>(original: &Subject<Roster>, copy: &Subject<M>) {
    let game = Chess::default();
    let options = Options { table_mib: 1, ..Options::default() };
    let (one, two) = ((original.make)(Setting::Usual), (copy.make)(Setting::Usual));
    for pos in roots::positions(&game, roots::WILD, [4, 40], 4) {
        let left = Search::new(game.clone(), &one, options.clone()).run(&pos, &Budget::Depth(4));
        let right = Search::new(game.clone(), &two, options.clone()).run(&pos, &Budget::Depth(4));
        assert_eq!(left.iterations, right.iterations, "{} of {}", copy.name, game.format(&pos));
    }
}

fn same_today<M: Prune<Chess> + 'static>(name: &'static str, bit: u32, make: fn(Fault, Setting) -> M) {
    same(&original(name, bit, Theorem::Nothing), &subjects::subject(name, bit, Fault::None, make));
}

#[test]
fn a_copy_without_a_fault_is_the_original() {
    same(&original("futility", 0, Theorem::Margin), &futility(Fault::None));
    same(&original("razoring", 0, Theorem::Endgame), &razoring(Fault::None));
    same(&original("null-move", 0, Theorem::FreePass), &null_move(Fault::None));
    same(&original("probcut", 1, Theorem::Endgame), &probcut(Fault::None));
    same_today("reverse-futility", 0, subjects::reverse_futility);
    same_today("lmp", 0, subjects::lmp);
    same_today("capture-probcut", 1, subjects::capture_probcut);
    same_today("see-pruning", 0, subjects::see_pruning);
    same_today("history-pruning", 0, subjects::history_pruning);
    same_today("small-probcut", 0, subjects::small_probcut);
    same_today("iir", 0, subjects::iir);
    same_today("singular", 1, subjects::singular);
    same_today("delta", 0, subjects::delta);
    same_today("lmr", 0, subjects::lmr);
    same_today("rankcut", 0, subjects::rankcut);
    same_today("etc", 0, subjects::etc);
    same_today("iid", 0, subjects::iid);
    same_today("check-extension", 0, subjects::check_extension);
    same_today(subjects::HINDSIGHT_PAIR, 0, subjects::hindsight);
    same_today(subjects::CORRECTION_PAIR, 0, subjects::correction);
    same_today("chinook", 1, subjects::chinook);
    same_today("uncertainty", 0, subjects::uncertainty);
    same_today("quiet-exchange", 0, subjects::quiet_exchange);
    same_today("quiet-count", 0, subjects::quiet_count);
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
