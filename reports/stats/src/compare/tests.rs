//! Runs that can, and that cannot, be compared.

use super::*;
use crate::fixtures::{manifest as filled, row};
use secateur_record::build::{Build, Compilation};
use secateur_record::manifest::Manifest;
use secateur_record::record::Failure;

fn manifest(params: &str, hash: &str, complete: bool) -> Manifest {
    filled(&format!(
        "run = \"r\"\ncomplete = {complete}\n[[game]]\nname = \"othello\"\narms = {{ none = \"{params}\" }}\nevaluation = \"e\"\n\
         [game.sets]\nothello-28 = \"{hash}\"\n"
    ))
}

/// Twelve positions of `none` and `mpc`.
fn run() -> Runs {
    let rows = |i: u64| {
        let position = format!("p{i}");
        [row(&position, "28", "none", 1_000 + i), row(&position, "28", "mpc", 100 + i)]
    };
    let compiled = Compilation { rustc: "1".to_owned(), ..Compilation::default() };
    let builds = vec![Build { compiled, ..Build::default() }];
    let records = (0..12).flat_map(rows).collect();
    Runs { manifests: vec![manifest("p", "h", true)], builds, records, ..Runs::default() }
}

fn side<'a>(name: &'a str, runs: &'a Runs) -> Side<'a> {
    Side { name, runs, methods: None }
}

#[test]
fn what_is_not_the_same_experiment_is_refused() {
    let old = run();
    let refuse = |change: fn(&mut Runs), across: bool| {
        let mut new = run();
        change(&mut new);
        side_by_side(side("a", &old), side("b", &new), across).map(|pairing| pairing.notes)
    };
    let partial = refuse(|new| new.manifests = vec![manifest("p", "h", false)], true);
    assert!(matches!(partial, Err(Incomparable::Incomplete { .. })), "{partial:?}");
    let positions = refuse(|new| new.manifests = vec![manifest("p", "other", true)], true);
    assert!(matches!(positions, Err(Incomparable::Positions { .. })), "{positions:?}");
    let params = |new: &mut Runs| new.manifests = vec![manifest("q", "h", true)];
    assert!(matches!(refuse(params, false), Err(Incomparable::Setup { what: "parameters", .. })));
    assert_eq!(
        refuse(params, true).unwrap(),
        ["The parameters of othello differ: p of `none` and q of `none`."]
    );
    let budget = refuse(|new| new.records.iter_mut().for_each(|row| row.budget = 9), true).unwrap_err();
    let message = budget.to_string();
    assert!(message.contains("othello at depth 12") && message.contains("othello at depth 9"), "{message}");
}

#[test]
fn only_positions_of_both_sides_count() {
    let old = run();
    let mut new = run();
    new.records.retain(|row| row.position != "p3");
    new.records
        .iter_mut()
        .filter(|row| row.position == "p4")
        .for_each(|row| row.error = Some(Failure::new("panic")));
    let pairing = side_by_side(side("a", &old), side("b", &new), false).unwrap();
    assert!(pairing.duels.iter().all(|duel| (duel.positions.len(), duel.left_out) == (10, 2)));
    new.builds[0].machine.cores = 64;
    let pairing = side_by_side(side("a", &old), side("b", &new), false).unwrap();
    let note = "What differs: numbers of cores; so times and instructions are not compared.";
    assert!(!pairing.same_machine && pairing.notes.iter().any(|other| other == note), "{:?}", pairing.notes);
}
