//! The gate's own test: broken methods are caught, each by the question that is about it, and what changes nothing
//! exact is let through.
//!
//! The counts that most tests judge are made up, so that they need no valgrind. The last ones count the extra loop for real: this test
//! program runs itself under callgrind, once for each search, which shows that a slowdown of nothing but time reaches the gate as
//! instructions, and that a search counted twice is counted the same.

use super::*;
use crate::instructions::callgrind::{self, start_instrumentation};
use crate::instructions::measured::measured_search;
use secateur_core::prune::{Asks, Depths, MethodSet, Methods, Place, Prune, SkipPlan, Verdict as Asked};
use secateur_core::search::{Node, Options, Search};
use secateur_core::{Notation, Rules, Score};
use secateur_games::chess::Chess;
use secateur_suites::setups::setup::Setup;
use std::collections::BTreeSet;
use std::io::Write;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};

const FENS: [&str; 2] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
];

/// What is wrong with a method.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// Nothing; as after a change of a comment.
    None,
    /// A loop that changes no value.
    Slow,
    /// One node too many, once.
    ExtraNode,
    /// The bound that futility claims, with the wrong sign.
    WrongSign,
    /// Nothing is ever cut.
    Silent,
}

/// A method with a fault.
struct Faulty<'a>(&'a dyn Prune<Chess>, Fault, AtomicBool);

impl Prune<Chess> for Faulty<'_> {
    fn asks(&self) -> Asks {
        Asks { enter: Depths::ALL, ..self.0.asks() }
    }

    fn enter(&self, search: &mut Search<'_, Chess>, place: Place, node: &Node<'_, Chess>) -> Asked {
        match self.1 {
            Fault::Silent => return Asked::Go,
            Fault::Slow => {
                std::hint::black_box((0..50).map(std::hint::black_box).sum::<u64>());
            }
            Fault::ExtraNode if !self.2.swap(true, Ordering::Relaxed) => search.tally.nodes += 1,
            _ => {}
        }
        if self.0.asks().enter.contains(node.depth) { self.0.enter(search, place, node) } else { Asked::Go }
    }

    fn plan(
        &self,
        search: &mut Search<'_, Chess>,
        place: Place,
        node: &Node<'_, Chess>,
        alpha: Score,
    ) -> SkipPlan {
        if self.1 == Fault::Silent { SkipPlan::NONE } else { self.0.plan(search, place, node, alpha) }
    }

    fn skip(
        &self,
        search: &mut Search<'_, Chess>,
        place: Place,
        node: &Node<'_, Chess>,
        alpha: Score,
        mv: <Chess as Rules>::Move,
        index: usize,
    ) -> Option<Score> {
        let claim = self.0.skip(search, place, node, alpha, mv, index);
        if self.1 == Fault::WrongSign { claim.map(|score| -score) } else { claim }
    }
}

/// What the gate measures of methods with a fault.
fn broken(methods: &Methods, options: &Options, fault: Fault) -> MeasuredArm {
    let game = Chess::default();
    let task = |(cell, fen): (usize, &&str)| (cell, fen.to_string(), game.parse(fen).unwrap(), 4);
    let tasks: Vec<_> = FENS.iter().enumerate().map(task).collect();
    let faulty = |method| Faulty(method, fault, AtomicBool::new(false));
    let faulty: Vec<Faulty<'_>> = methods.of::<Chess>().into_iter().map(faulty).collect();
    let asked: Vec<&dyn Prune<Chess>> = faulty.iter().map(|method| method as &dyn Prune<Chess>).collect();
    let (cells, cuts) = measure_arm(&mut Search::new(game, &asked, options.clone()), &tasks);
    MeasuredArm { game: "chess".to_owned(), cells, cuts, ..MeasuredArm::default() }
}

/// The gate's measurement of `none` and of futility with a fault, with these instructions of futility.
fn measured(fault: Fault, instructions: u64) -> Measured {
    let setup = Setup::embedded("chess").unwrap();
    let arm = |methods: &str, fault| {
        let set: MethodSet = methods.parse().unwrap();
        let measured_arm = broken(&setup.methods(&set).unwrap(), &setup.options, fault);
        MeasuredArm { methods: methods.to_owned(), ..measured_arm }
    };
    let cost = Cost { cells: FENS.len() as u64, instructions };
    let others = METHODS.iter().filter(|name| **name != "futility");
    Measured {
        arms: vec![arm("none", Fault::None), arm("futility", fault)],
        minimax: BTreeMap::from([("chess".to_owned(), (2, Vec::new()))]),
        silent: others.map(|name| ("chess".to_owned(), (*name).to_owned())).collect(),
        instructions: Some(BTreeMap::from([(FUTILITY.to_owned(), cost)])),
        uncounted: None,
    }
}

/// Instructions of the baseline, and counts inside and outside the tolerance.
const INSTRUCTIONS: u64 = 1_000_000;
const WITHIN: u64 = INSTRUCTIONS + 4_000;
const BEYOND: u64 = INSTRUCTIONS + 6_000;

/// The key of the arm with a fault.
const FUTILITY: &str = "chess futility";

fn baseline() -> Baseline {
    measured(Fault::None, INSTRUCTIONS).exact()
}

/// What is breached by a measurement, as (question, subject).
fn breaches(measured: &Measured) -> Vec<(&'static str, String)> {
    let checks = judge(measured, &baseline());
    let bad = checks.into_iter().filter(|check| check.verdict != Answer::Ok);
    bad.map(|check| (check.what, check.subject)).collect()
}

#[test]
fn what_changes_nothing_passes() {
    assert_eq!(breaches(&measured(Fault::None, WITHIN)), []);
}

#[test]
fn each_fault_is_caught_by_its_question() {
    let futility = || "chess futility".to_owned();
    assert_eq!(
        breaches(&measured(Fault::Slow, BEYOND)),
        [("instructions", futility())],
        "the tree is the same"
    );
    assert_eq!(breaches(&measured(Fault::ExtraNode, WITHIN)), [("signature", futility())]);
    for (fault, what) in
        [(Fault::WrongSign, "signature"), (Fault::Silent, "signature"), (Fault::Silent, "fires")]
    {
        let breached = breaches(&measured(fault, WITHIN));
        assert!(breached.contains(&(what, futility())), "{fault:?}: {breached:?}");
        assert!(breached.iter().all(|(_, subject)| *subject == futility()), "{breached:?}");
    }
}

#[test]
fn a_search_that_is_not_minimax_or_not_switched_off_or_has_no_line_is_caught() {
    let mut wrong = measured(Fault::None, WITHIN);
    wrong.minimax.insert("chess".to_owned(), (2, vec!["a".to_owned(), "b".to_owned()]));
    wrong.arms[0].silent_differs.push("a".to_owned());
    wrong.arms[1].cells[0].pv = "short";
    let expected = [("none = minimax", "chess"), ("off = absent", "chess none"), ("pv", "chess futility")];
    assert_eq!(breaches(&wrong), expected.map(|(what, subject)| (what, subject.to_owned())));
}

#[test]
fn worse_accuracy_is_a_breach_and_better_is_not() {
    let right = measured(Fault::None, WITHIN);
    let asked = |edit: fn(&mut Accuracy)| {
        let mut baseline = baseline();
        edit(baseline.arm.get_mut(FUTILITY).unwrap().accuracy.as_mut().unwrap());
        let checks = judge(&right, &baseline);
        checks.into_iter().filter(|check| check.what == "accuracy").map(|check| check.verdict).next().unwrap()
    };
    assert_eq!(asked(|_| ()), Answer::Ok);
    assert_eq!(asked(|arm| arm.same_move += 1), Answer::Regression);
    assert_eq!(asked(|arm| arm.same_value += 1), Answer::Regression);
    assert_eq!(asked(|arm| arm.error += 9), Answer::Ok);
}

#[test]
fn without_counts_instructions_are_skipped_and_the_old_ones_stay() {
    let uncounted = Measured { instructions: None, ..measured(Fault::None, WITHIN) };
    let checks = judge(&uncounted, &baseline());
    assert!(checks.iter().any(|check| check.verdict == Answer::Skipped));
    assert!(checks.iter().all(|check| check.verdict != Answer::Regression));
    assert_eq!(baseline().updated(&uncounted.exact()), baseline());
}

#[test]
fn a_method_set_that_is_gone_or_new_is_seen() {
    let mut fewer = measured(Fault::None, WITHIN);
    fewer.arms.pop();
    assert!(breaches(&fewer).contains(&("signature", "chess futility".to_owned())));
    let checks = judge(&measured(Fault::None, WITHIN), &Baseline::default());
    assert!(checks.iter().all(|check| check.verdict != Answer::Regression));
    assert!(checks.iter().any(|check| check.what == "signature" && check.verdict == Answer::NotInBaseline));
}

#[test]
fn a_baseline_is_read_as_written() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("baseline.toml");
    baseline().write(&path).unwrap();
    assert_eq!(Baseline::read(&path).unwrap(), baseline());
}

#[test]
fn the_suite_holds_every_method_in_every_game_and_counts_two() {
    let suite = suite().unwrap();
    for game in secateur_suites::setups::games::names() {
        let blocks: Vec<_> = suite.blocks.iter().filter(|block| block.game == game).collect();
        let block = blocks.first().unwrap_or_else(|| panic!("suites/data/gate.toml has no block of {game}"));
        let names: Vec<String> = block.methods.iter().map(ToString::to_string).collect();
        assert!(METHODS.iter().all(|method| names.iter().any(|name| name == method)), "{names:?}");
    }
    let counted: BTreeSet<&str> =
        suite.blocks.iter().filter(|block| block.instructions).map(|block| block.game.as_str()).collect();
    assert_eq!(counted, BTreeSet::from(["chess", "othello"]));
}

/// Tells the program under callgrind what to search.
const ASKED: &str = "SECATEUR_TEST_FAULT";

/// Not a test: what the program does under callgrind.
#[test]
#[ignore = "run by the test below, under callgrind"]
fn the_counted_program() {
    let fault = match std::env::var(ASKED).as_deref() {
        Ok("slow") => Fault::Slow,
        Ok("none") => Fault::None,
        _ => return,
    };
    let setup = Setup::embedded("chess").unwrap();
    let methods = setup.methods(&"futility".parse().unwrap()).unwrap();
    let mut nodes = 0;
    start_instrumentation();
    measured_search(&mut || {
        let measured_arm = broken(&methods, &setup.options, fault);
        nodes = measured_arm.cells.iter().map(|cell| cell.nodes).sum();
    });
    assert!(nodes > 1_000);
}

/// Instructions of a search with futility, as callgrind counts them.
fn counted(fault: &str) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("callgrind.out");
    let mut command = callgrind::command(&file, &std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "gate::tests::the_counted_program"]).env(ASKED, fault);
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(status.success(), "{status}");
    match callgrind::parts(&std::fs::read_to_string(&file).unwrap()).unwrap()[..] {
        [count] => count,
        ref parts => panic!("one search gave {} counts", parts.len()),
    }
}

#[test]
fn a_loop_that_costs_only_time_is_a_breach() {
    if let Err(missing) = callgrind::available() {
        // The judgement is tested without it.
        let _ = writeln!(std::io::stderr(), "not counted: {missing}");
        return;
    }
    let right = counted("none");
    // Where the system puts things moves a few instructions of the allocator.
    let second_count = counted("none");
    assert!(second_count.abs_diff(right) < right / 100_000, "a count repeats: {right} {second_count}");
    let verdict = |count: u64| {
        let checks = judge(&measured(Fault::None, count), &measured(Fault::None, right).exact());
        let checks: Vec<Question> = checks.into_iter().filter(|check| check.what == "instructions").collect();
        assert_eq!(checks.len(), 1);
        checks[0].verdict
    };
    let slow = counted("slow");
    assert_eq!((verdict(right), verdict(slow)), (Answer::Ok, Answer::Regression), "{right} {slow}");
}
