//! Runs that are known to be better, worse, the same, or not comparable.

use super::*;
use crate::pair::tests::row;
use crate::read::Runs;
use crate::read::tests::manifest as filled;
use secateur_record::machine::Build;
use secateur_record::maker::Maker;
use secateur_record::manifest::Manifest;
use secateur_record::record::Failure;

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
        let mut own = row(&position, "28", "mpc", nodes(i));
        if i < lost {
            own.best_move = "a1".into();
            own.move_tied = Some(false);
        }
        records.push(own);
    }
    let build = Build { rustc: "1".to_owned(), ..Build::default() };
    let makers = vec![Maker { build, ..Maker::default() }];
    Runs { manifests: vec![manifest("p", "h", true)], makers, records, ..Runs::default() }
}

fn side<'a>(name: &'a str, runs: &'a Runs) -> Side<'a> {
    Side { name, runs, methods: None }
}

fn verdict_of(first: &Runs, second: &Runs) -> (String, Verdict) {
    let found = pair_up(side("a", first), side("b", second), false).expect("comparable");
    let Judgement { report, line, verdict, worse } = judge(&found);
    assert!(crate::render::markdown(&report).contains(&line));
    assert_eq!(worse.is_empty(), !matches!(verdict, Verdict::Worse | Verdict::Trade));
    (line, verdict)
}

#[test]
fn a_run_against_itself_is_not_shown_to_differ() {
    let one = run(|i| 100 + i, 2);
    let (line, verdict) = verdict_of(&one, &one.clone());
    assert_eq!(verdict, Verdict::NotShown);
    assert!(line.contains("node for node"), "{line}");
}

#[test]
fn more_nodes_are_worse_and_fewer_better_and_noise_is_neither() {
    let old = run(|i| 100 + i, 0);
    let (line, verdict) = verdict_of(&old, &run(|i| 150 + 2 * i, 0));
    let words = "Worse in nodes x 1.53 [1.52, 1.54] (othello, depth 12: mpc); nothing is shown to be better.";
    assert_eq!((verdict, line.as_str()), (Verdict::Worse, words));
    assert_eq!(verdict_of(&run(|i| 150 + 2 * i, 0), &old).1, Verdict::Better);
    let noise = run(|i| if i % 2 == 0 { 95 + i } else { 105 + i }, 0);
    let (line, verdict) = verdict_of(&old, &noise);
    assert_eq!(verdict, Verdict::NotShown);
    assert!(line.contains("In 80 of 100 such samples this would have been shown: nodes x 1.0"), "{line}");
}

/// Ten lost moves against half the nodes: neither hides the other.
#[test]
fn lost_moves_for_saved_nodes_are_a_trade() {
    let (line, verdict) = verdict_of(&run(|i| 100 + i, 0), &run(|i| 50 + i, 10));
    assert_eq!(verdict, Verdict::Trade);
    assert!(
        line.starts_with("Trade: better in nodes x 0.5") && line.contains("for worse moves 12 -> 2 of 12"),
        "{line}"
    );
}

/// Margins of 60 and 90 against the usual ones: 11 of 60 values are no longer those of `none`, and no other is.
#[test]
fn recklessness_does_not_pass_as_a_saving() {
    let futility = |off: u64, nodes: u64| {
        let mut records = Vec::new();
        for i in 0..60 {
            let base = row(&format!("p{i}"), "28", "none", 1_000 + i);
            let own = row(&format!("p{i}"), "28", "futility", nodes + i);
            records.extend([base, Record { score: if i < off { 40 } else { 0 }, ..own }]);
        }
        Runs { manifests: vec![manifest("p", "h", true)], records, ..Runs::default() }
    };
    let (old, new) = (futility(0, 500), futility(11, 300));
    let found = pair_up(side("a", &old), side("b", &new), false).unwrap();
    let judged = judge(&found);
    assert_eq!(judged.verdict, Verdict::Trade);
    assert_eq!(judged.worse.into_iter().collect::<Vec<_>>(), [What::Values, What::Dv]);
    assert!(judged.line.contains("values 60 -> 49 of 60"), "{}", judged.line);
}

/// The committed runs of Table 2: the usual MPC against the careful one keeps fewer moves and takes fewer nodes.
#[test]
fn the_two_mpc_of_table_2_are_a_trade() {
    let read = |name: &str| {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/runs").join(name);
        crate::read::read(&[folder]).unwrap()
    };
    let (usual, strict) = (read("table2"), read("table2-strict"));
    let of = |name, runs| Side { name, runs, methods: Some("mpc") };
    let found = pair_up(of("usual", &usual), of("strict", &strict), true).unwrap();
    let judged = judge(&found);
    assert_eq!(judged.verdict, Verdict::Trade);
    assert_eq!(judged.worse.into_iter().collect::<Vec<_>>(), [What::Nodes]);
    let text = crate::render::markdown(&judged.report);
    assert!(text.contains("+44 / -4"), "{text}");
    assert!(judged.line.contains("better in moves") && judged.line.contains("values"), "{}", judged.line);
}

/// A row that solves nothing against one that does, at a budget of nodes; one position is settled by a mate.
#[test]
fn at_a_budget_depth_and_solutions_are_weighed() {
    let of = |depth: u32, right: usize| {
        let at = |i: usize| {
            let own = row(&format!("p{i}"), "28", "none", 1_000);
            let best_move = if i < right { "d3" } else { "f5" };
            let (score, depth) = if i == 0 { (29_990, 64) } else { (5, depth + i as u32 % 2) };
            Record {
                game: "chess".into(),
                run: "r".into(),
                best_move: best_move.into(),
                budget_kind: BudgetKind::Nodes,
                budget: 1_000,
                score,
                depth,
                ..own
            }
        };
        let solutions: String =
            (0..30).map(|i| format!("[game.solutions.p{i}]\nbest = [\"d3\"]\n")).collect();
        let text = format!("run = \"r\"\ncomplete = true\n[[game]]\nname = \"chess\"\n{solutions}");
        Runs { manifests: vec![filled(&text)], records: (0..30).map(at).collect(), ..Runs::default() }
    };
    let (old, new) = (of(8, 25), of(10, 10));
    let found = pair_up(side("a", &old), side("b", &new), false).unwrap();
    let judged = judge(&found);
    assert_eq!(judged.verdict, Verdict::Trade, "{}", judged.line);
    assert!(judged.line.contains("better in depth +2.00"), "{}", judged.line);
    assert!(judged.line.contains("worse solved 25 -> 10 of 30"), "{}", judged.line);
}

#[test]
fn method_sets_of_one_run_are_compared() {
    let runs = run(|i| 100 + i, 0);
    let of = |methods| Side { name: "r", runs: &runs, methods: Some(methods) };
    let found = pair_up(of("none"), of("mpc"), false).unwrap();
    assert_eq!(found.duels.len(), 1);
    assert_eq!(found.duels[0].words(), "othello, depth 12: mpc against none");
    assert_eq!(judge(&found).verdict, Verdict::Better);
    let error = pair_up(of("none"), of("mcp"), false).unwrap_err().to_string();
    assert_eq!(error, "r has no records of `mcp`; it has mpc, none");
}

#[test]
fn what_is_not_the_same_experiment_is_refused() {
    let old = run(|i| 100 + i, 0);
    let refuse = |change: fn(&mut Runs), across: bool| {
        let mut new = run(|i| 100 + i, 0);
        change(&mut new);
        pair_up(side("a", &old), side("b", &new), across).map(|found| found.notes)
    };
    let partial = refuse(|new| new.manifests = vec![manifest("p", "h", false)], true);
    assert!(matches!(partial, Err(Incomparable::Incomplete { .. })), "{partial:?}");
    let positions = refuse(|new| new.manifests = vec![manifest("p", "other", true)], true);
    assert!(matches!(positions, Err(Incomparable::Positions { .. })), "{positions:?}");
    let params = |new: &mut Runs| new.manifests = vec![manifest("q", "h", true)];
    assert!(matches!(refuse(params, false), Err(Incomparable::Setup { what: "parameters", .. })));
    assert_eq!(refuse(params, true).unwrap(), ["The parameters of othello differ: p and q."]);
    let budget = refuse(|new| new.records.iter_mut().for_each(|row| row.budget = 9), true).unwrap_err();
    let words = budget.to_string();
    assert!(words.contains("othello at depth 12") && words.contains("othello at depth 9"), "{words}");
}

#[test]
fn only_positions_of_both_sides_count() {
    let old = run(|i| 100 + i, 0);
    let mut new = run(|i| 100 + i, 0);
    new.records.retain(|row| row.position != "p3");
    new.records
        .iter_mut()
        .filter(|row| row.position == "p4")
        .for_each(|row| row.error = Some(Failure::new("panic")));
    let found = pair_up(side("a", &old), side("b", &new), false).unwrap();
    assert!(found.duels.iter().all(|duel| (duel.pairs.len(), duel.left_out) == (10, 2)));
    new.makers[0].machine.cores = 64;
    let found = pair_up(side("a", &old), side("b", &new), false).unwrap();
    assert!(!found.same_machine && found.notes.iter().any(|note| note.contains("not compared")));
}
