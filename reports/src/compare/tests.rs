//! Runs that are known to be better, worse, the same, or not comparable.

use super::*;
use crate::pair::tests::row;
use crate::read::Runs;

fn manifest(params: &str, hash: &str, complete: bool) -> toml::Table {
    format!(
        "run = \"r\"\ncomplete = {complete}\n[machine]\ncpu = \"x\"\n[build]\nrustc = \"1\"\nrustflags = \"\"\n\
         profile = \"release\"\n[[game]]\nname = \"othello\"\nparams = \"{params}\"\nevaluation = \"e\"\n\
         [game.sets]\nothello-28 = \"{hash}\"\n"
    )
    .parse()
    .expect("a manifest")
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
            own.move_tied = "0".into();
        }
        records.push(own);
    }
    Runs { manifests: vec![manifest("p", "h", true)], records, ..Runs::default() }
}

fn side<'a>(name: &'a str, runs: &'a Runs) -> Side<'a> {
    Side { name, runs, methods: None }
}

fn verdict_of(first: &Runs, second: &Runs) -> (String, Verdict) {
    let found = pair_up(side("a", first), side("b", second), false).expect("comparable");
    let (report, line, verdict) = judge(&found);
    assert!(crate::render::markdown(&report).contains(&line));
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
    assert_eq!((verdict, line.as_str()), (Verdict::Worse, "Worse in nodes (othello, depth 12: mpc)."));
    assert_eq!(verdict_of(&run(|i| 150 + 2 * i, 0), &old).1, Verdict::Better);
    let noise = run(|i| if i % 2 == 0 { 95 + i } else { 105 + i }, 0);
    let (line, verdict) = verdict_of(&old, &noise);
    assert_eq!((verdict, line.as_str()), (Verdict::NotShown, "Not shown to differ."));
}

#[test]
fn lost_moves_are_worse_even_where_nodes_are_saved() {
    let (line, verdict) = verdict_of(&run(|i| 100 + i, 0), &run(|i| 50 + i, 10));
    assert_eq!(verdict, Verdict::Worse);
    assert!(line.starts_with("Worse in moves kept") && line.contains("better in nodes"), "{line}");
}

#[test]
fn method_sets_of_one_run_are_compared() {
    let runs = run(|i| 100 + i, 0);
    let of = |methods| Side { name: "r", runs: &runs, methods: Some(methods) };
    let found = pair_up(of("none"), of("mpc"), false).unwrap();
    assert_eq!(found.duels.len(), 1);
    assert_eq!(found.duels[0].words(), "othello, depth 12: mpc against none");
    assert_eq!(judge(&found).2, Verdict::Better);
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
    new.records.iter_mut().filter(|row| row.position == "p4").for_each(|row| row.error = "panic".into());
    let found = pair_up(side("a", &old), side("b", &new), false).unwrap();
    assert!(found.duels.iter().all(|duel| (duel.pairs.len(), duel.left_out) == (10, 2)));
    new.manifests[0].remove("machine");
    let found = pair_up(side("a", &old), side("b", &new), false).unwrap();
    assert!(!found.same_machine && found.notes.iter().any(|note| note.contains("not compared")));
}
