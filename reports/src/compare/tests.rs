//! Runs that are known to be better, worse, the same, or not comparable.

use super::*;
use crate::render;
use secateur_record::build::{Build, Compilation};
use secateur_record::manifest::Manifest;
use secateur_record::record::{BudgetKind, IterationRow, Record};
use secateur_stats::compare::{Comparison, Finding, Side, side_by_side, weigh};
use secateur_stats::fixtures::{manifest as filled, row};
use secateur_stats::measure::MOVES;
use secateur_stats::read::read;
use secateur_stats::runs::Runs;

fn manifest(params: &str, hash: &str, complete: bool) -> Manifest {
    filled(&format!(
        "run = \"r\"\ncomplete = {complete}\n[[game]]\nname = \"othello\"\nparams = \"{params}\"\nevaluation = \"e\"\n\
         [game.sets]\nothello-28 = \"{hash}\"\n"
    ))
}

/// Twelve positions of `none` and `mpc`; the nodes of `mpc` as given, its move lost on the first `lost`.
fn run(nodes: impl Fn(u64) -> u64, lost: u64) -> Runs {
    let mut records = Vec::new();
    for i in 0..12 {
        let position = format!("p{i}");
        records.push(row(&position, "28", "none", 1_000 + i));
        let mut record = row(&position, "28", "mpc", nodes(i));
        if i < lost {
            record.best_move = "a1".into();
            record.move_tied = Some(false);
        }
        records.push(record);
    }
    let compiled = Compilation { rustc: "1".to_owned(), ..Compilation::default() };
    let builds = vec![Build { compiled, ..Build::default() }];
    Runs { manifests: vec![manifest("p", "h", true)], builds, records, ..Runs::default() }
}

fn side<'a>(name: &'a str, runs: &'a Runs) -> Side<'a> {
    Side { name, runs, methods: None }
}

fn outcome_of(first: &Runs, second: &Runs) -> (String, Comparison) {
    let sides = side_by_side(side("a", first), side("b", second), false).expect("comparable");
    let Conclusion { report, line, comparison, worse } = conclude(&sides);
    assert!(render::markdown(&report).contains(&line));
    assert_eq!(worse.is_empty(), !matches!(comparison, Comparison::Worse | Comparison::Trade));
    (line, comparison)
}

#[test]
fn a_run_against_itself_is_not_shown_to_differ() {
    let one = run(|i| 100 + i, 2);
    let (line, comparison) = outcome_of(&one, &one.clone());
    assert_eq!(comparison, Comparison::NotShown);
    assert!(line.contains("node for node"), "{line}");
}

#[test]
fn more_nodes_are_worse_and_fewer_better_and_noise_is_neither() {
    let old = run(|i| 100 + i, 0);
    let (line, comparison) = outcome_of(&old, &run(|i| 150 + 2 * i, 0));
    let worse = "Worse in nodes x 1.53 [1.52, 1.54] (othello, depth 12: mpc); nothing is shown to be better.";
    assert_eq!((comparison, line.as_str()), (Comparison::Worse, worse));
    assert_eq!(outcome_of(&run(|i| 150 + 2 * i, 0), &old).1, Comparison::Better);
    let noise = run(|i| if i % 2 == 0 { 95 + i } else { 105 + i }, 0);
    let (line, comparison) = outcome_of(&old, &noise);
    assert_eq!(comparison, Comparison::NotShown);
    assert!(line.contains("In 80 of 100 such samples this would have been shown: nodes x 1.0"), "{line}");
}

/// Ten lost moves against half the nodes: neither hides the other.
#[test]
fn lost_moves_for_saved_nodes_are_a_trade() {
    let (line, comparison) = outcome_of(&run(|i| 100 + i, 0), &run(|i| 50 + i, 10));
    assert_eq!(comparison, Comparison::Trade);
    assert!(
        line.starts_with("Trade: better in nodes x 0.5") && line.contains("for worse moves 12 -> 2 of 12"),
        "{line}"
    );
}

/// A move that was not compared with the baseline's is neither kept nor lost: its position is left out and counted. A run without
/// such comparisons has no such moves.
#[test]
fn undecided_moves_are_left_out_and_counted() {
    let with = |open: u64| {
        let mut runs = run(|i| 100 + i, 10);
        for row in runs.records.iter_mut().filter(|row| row.best_move == "a1") {
            row.move_tied = row.move_tied.filter(|_| row.position[1..].parse().is_ok_and(|i: u64| i >= open));
        }
        runs
    };
    let old = run(|i| 100 + i, 0);
    for (open, kept, note) in [(8, [4.0, 2.0], true), (10, [12.0, 2.0], false)] {
        let second = with(open);
        let sides = side_by_side(side("a", &old), side("b", &second), false).expect("comparable");
        let weighed = weigh(&sides);
        let is_moves = |finding: &&Finding| *finding.measure == MOVES;
        assert_eq!(weighed.duels[1].findings.iter().find(is_moves).unwrap().sides, kept);
        let text = render::markdown(&conclude(&sides).report);
        let noted =
            "no search decided whether another move is as good: 8 positions (othello, depth 12: mpc).";
        assert_eq!(text.contains(noted), note, "{text}");
    }
}

/// Margins of 60 and 90 against the usual ones: 11 of 60 values are no longer those of `none`, and no other is.
#[test]
fn recklessness_does_not_pass_as_a_saving() {
    let futility = |off: u64, nodes: u64| {
        let mut records = Vec::new();
        for i in 0..60 {
            let base = row(&format!("p{i}"), "28", "none", 1_000 + i);
            let record = row(&format!("p{i}"), "28", "futility", nodes + i);
            records.extend([base, Record { score: Some(if i < off { 40 } else { 0 }), ..record }]);
        }
        Runs { manifests: vec![manifest("p", "h", true)], records, ..Runs::default() }
    };
    let (old, new) = (futility(0, 500), futility(11, 300));
    let sides = side_by_side(side("a", &old), side("b", &new), false).unwrap();
    let judged = conclude(&sides);
    assert_eq!(judged.comparison, Comparison::Trade);
    assert_eq!(judged.worse.into_iter().collect::<Vec<_>>(), ["dv", "values"]);
    assert!(judged.line.contains("values 60 -> 49 of 60"), "{}", judged.line);
    // 11 of 60 values are 40 hundredths of a disc off.
    assert!(judged.line.contains("dv 0.00 discs -> 0.07 discs"), "{}", judged.line);
    let text = render::markdown(&judged.report);
    let row = text.lines().find(|line| line.contains("futility | dv |")).unwrap();
    assert!(
        row.contains("| 0.00 discs | 0.07 discs | +0.07 [") && row.matches("discs").count() == 4,
        "{row}"
    );
}

/// The committed runs of Table 2: the usual MPC against the careful one keeps fewer moves and takes fewer nodes.
#[test]
fn the_two_mpc_of_table_2_are_a_trade() {
    let of_docs = |name: &str| {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/runs").join(name);
        read(&[folder]).unwrap()
    };
    let (usual, strict) = (of_docs("table2"), of_docs("table2-strict"));
    let side_of = |name, runs| Side { name, runs, methods: Some("mpc") };
    let sides = side_by_side(side_of("usual", &usual), side_of("strict", &strict), true).unwrap();
    let judged = conclude(&sides);
    assert_eq!(judged.comparison, Comparison::Trade);
    assert_eq!(judged.worse.into_iter().collect::<Vec<_>>(), ["nodes"]);
    let text = render::markdown(&judged.report);
    assert!(text.contains("+46 / -4"), "{text}");
    assert!(judged.line.contains("better in moves") && judged.line.contains("values"), "{}", judged.line);
}

/// A row that solves nothing against one that does, at a budget of nodes; one position is finished by a mate. Depths are fractional: whose
/// last iteration took half of its nodes is nearly a ply deeper than who used them up.
#[test]
fn at_a_budget_depth_and_solutions_are_weighed() {
    let run_at = |depth: u32, right: usize, last: u64| {
        let at = |i: usize| {
            let record = row(&format!("p{i}"), "28", "none", 1_000);
            let best_move = if i < right { "d3" } else { "f5" };
            let (score, depth) = if i == 0 { (29_990, 64) } else { (5, depth + i as u32 % 2) };
            Record {
                game: "chess".into(),
                run: "r".into(),
                best_move: best_move.into(),
                budget_kind: BudgetKind::Nodes,
                budget: 1_000,
                score: Some(score),
                depth: Some(depth),
                ..record
            }
        };
        let solutions: String =
            (0..30).map(|i| format!("[game.solutions.p{i}]\nbest = [\"d3\"]\n")).collect();
        let text = format!("run = \"r\"\ncomplete = true\n[[game]]\nname = \"chess\"\n{solutions}");
        let records: Vec<Record> = (0..30).map(at).collect();
        let steps = |row: &Record| {
            let (key, deepest) = (row.key(), row.depth.unwrap());
            (1..=deepest).map(move |depth| {
                let nodes = (last >> (deepest - depth).min(9)).max(1);
                IterationRow { depth, nodes, ..IterationRow::of(&key) }
            })
        };
        let iterations = records.iter().flat_map(steps).collect();
        Runs { manifests: vec![filled(&text)], records, iterations, ..Runs::default() }
    };
    let (old, new) = (run_at(8, 25, 1_000), run_at(10, 10, 1_000));
    let sides = side_by_side(side("a", &old), side("b", &new), false).unwrap();
    let judged = conclude(&sides);
    assert_eq!(judged.comparison, Comparison::Trade, "{}", judged.line);
    assert!(judged.line.contains("better in depth +2.00 [+2.00, +2.00] plies for worse"), "{}", judged.line);
    assert!(judged.line.contains("worse solved 25 -> 10 of 30"), "{}", judged.line);
    let sooner = run_at(8, 25, 512);
    let sides = side_by_side(side("a", &old), side("b", &sooner), false).unwrap();
    let line = conclude(&sides).line;
    assert!(line.starts_with("Better in depth +0.97 [+0.97, +0.97] plies"), "{line}");
}

#[test]
fn method_sets_of_one_run_are_compared() {
    let runs = run(|i| 100 + i, 0);
    let side_of = |methods| Side { name: "r", runs: &runs, methods: Some(methods) };
    let sides = side_by_side(side_of("none"), side_of("mpc"), false).unwrap();
    assert_eq!(sides.duels.len(), 1);
    assert_eq!(sides.duels[0].label(), "othello, depth 12: mpc against none");
    assert_eq!(conclude(&sides).comparison, Comparison::Better);
    let error = side_by_side(side_of("none"), side_of("mcp"), false).unwrap_err().to_string();
    assert_eq!(error, "r has no records of `mcp`; it has mpc, none");
}
