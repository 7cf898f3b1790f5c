//! The gate for anybody's search: what differs is named, and instructions are compared with those of their toolchain alone.

use super::*;
use secateur_suites::Experiment;
use std::collections::BTreeMap;

#[test]
fn what_is_not_as_in_the_baseline_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("gate.toml");
    let searched = |depth, methods: &str| {
        let experiment = Experiment::of("othello").positions("othello-44").limit(1).depth(depth);
        experiment.arm("none").arm(methods).run().unwrap()
    };
    let first = searched(3, "futility");
    assert_eq!(gate(&first, &path).unwrap(), Vec::<String>::new());
    assert_eq!(gate(&searched(3, "futility"), &path).unwrap(), Vec::<String>::new());
    let deeper = gate(&searched(4, "futility"), &path).unwrap();
    assert_eq!(deeper.len(), 2, "{deeper:?}");
    assert!(
        deeper[0].starts_with("othello futility, signature: ") && deeper[0].contains(" %), expected "),
        "{deeper:?}"
    );
    assert!(hold(&first, &path).is_ok());
    let breached = hold(&searched(4, "futility"), &path).unwrap_err();
    assert_eq!(breached.downcast_ref(), Some(&Breached(deeper)));
    let other = gate(&searched(3, "razoring"), &path).unwrap();
    assert!(
        other[0].starts_with("othello razoring, signature: ")
            && other[0].ends_with("expected not in the baseline")
    );
    assert!(other[1].starts_with("othello futility, signature: not searched, expected "), "{other:?}");
    std::fs::write(&path, "arm = 3").unwrap();
    assert!(gate(&first, &path).unwrap_err().to_string().contains("gate.toml"));
}

/// An arm of four searches, of these nodes and with these instructions of each compiler.
fn baseline(nodes: u64, counts: &[(&str, u64)]) -> Baseline {
    let name = "chess full".to_owned();
    let arm = BaselineArm { cells: 4, nodes, signature: format!("{nodes:016x}"), ..BaselineArm::default() };
    let counted = counts.iter().map(|&(compiler, instructions)| Counted {
        toolchain: Toolchain { compiler: compiler.to_owned(), ..Toolchain::default() },
        spread: 0.01,
        instructions: BTreeMap::from([(name.clone(), Cost { cells: 4, instructions })]),
    });
    Baseline { arm: BTreeMap::from([(name.clone(), arm)]), counted: counted.collect() }
}

/// The question on instructions, if there is one.
fn asked(measured: &Baseline, expected: &Baseline) -> Option<Question> {
    judge(measured, expected, TOLERANCE, None).into_iter().find(|check| check.what == "instructions")
}

#[test]
fn instructions_are_held_to_those_of_their_own_toolchain() {
    let expected = baseline(7, &[("gcc 12", 1_000_000), ("clang 19", 500_000)]);
    for (compiler, count, verdict) in [
        ("gcc 12", 1_000_000, Answer::Ok),
        ("clang 19", 500_000, Answer::Ok),
        ("clang 19", 1_000_000, Answer::Regression),
        // Half a per cent, and what both counts wobble by.
        ("gcc 12", 1_024_000, Answer::Ok),
        ("gcc 12", 1_026_000, Answer::Regression),
        ("gcc 12", 970_000, Answer::Regression),
        ("gcc 13", 1_000_000, Answer::NotInBaseline),
    ] {
        let check = asked(&baseline(7, &[(compiler, count)]), &expected).unwrap();
        assert_eq!(check.verdict, verdict, "{compiler} {count}: {check:?}");
    }
    let wide = judge(&baseline(7, &[("gcc 12", 970_000)]), &expected, 0.03, None);
    assert!(wide.iter().all(|check| check.verdict == Answer::Ok), "{wide:?}");
    let unknown = asked(&baseline(7, &[("gcc 13", 1)]), &expected).unwrap();
    assert_eq!(unknown.expected, "gcc 12 or clang 19");
    assert!(
        unknown.found.contains("gcc 13") && unknown.found.contains("nothing was compared"),
        "{unknown:?}"
    );
    let mut fewer = baseline(7, &[("gcc 12", 700_000)]);
    fewer.counted[0].instructions.get_mut("chess full").unwrap().cells = 3;
    let check = asked(&fewer, &expected).unwrap();
    assert!(check.verdict == Answer::Skipped && check.found.contains("3 of 4"), "{check:?}");
    let uncounted = judge(&baseline(7, &[]), &expected, TOLERANCE, Some("no valgrind"));
    assert!(
        uncounted.iter().any(|check| check.verdict == Answer::Skipped && check.found.contains("no valgrind"))
    );
    assert_eq!(asked(&baseline(7, &[]), &expected).unwrap().verdict, Answer::Skipped);
    assert_eq!(asked(&baseline(7, &[]), &baseline(7, &[])), None);
}

#[test]
fn an_update_keeps_what_other_toolchains_count_of_the_same_trees() {
    let (dir, both) = (tempfile::tempdir().unwrap(), baseline(7, &[("gcc 12", 1_000), ("clang 19", 500)]));
    let path = dir.path().join("b.toml");
    both.write(&path).unwrap();
    assert_eq!(Baseline::read(&path).unwrap(), both);
    let faster = both.updated(&baseline(7, &[("gcc 12", 900)]));
    assert_eq!(faster, baseline(7, &[("gcc 12", 900), ("clang 19", 500)]));
    assert_eq!(both.updated(&baseline(7, &[])), both, "not counted now");
    assert_eq!(
        both.updated(&baseline(8, &[("gcc 12", 900)])),
        baseline(8, &[("gcc 12", 900)]),
        "other trees"
    );
    let third = both.updated(&baseline(7, &[("gcc 13", 1)]));
    assert_eq!(third.counted.len(), 3);
}

#[test]
fn a_switch_that_switches_nothing_is_accepted_only_if_a_user_says_so() {
    let mut measured = baseline(7, &[]);
    let same = BaselineArm { same_as: Some("full".to_owned()), ..measured.arm["chess full"].clone() };
    measured.arm.insert("chess full[-a]".to_owned(), same);
    let nothing = Baseline::default();
    assert_eq!(nothing.unsaid(&measured, &[]), ["`full` and `full[-a]` search the same trees"]);
    assert!(nothing.unsaid(&measured, &["full[-a]".to_owned()]).is_empty());
    assert!(measured.unsaid(&measured, &[]).is_empty(), "the file says so");
    // A baseline of before knows nothing of it.
    let mut before = measured.clone();
    before.arm.get_mut("chess full[-a]").unwrap().same_as = None;
    let checks = judge(&measured, &before, TOLERANCE, None);
    let breaches: Vec<&Question> =
        checks.iter().filter(|check| check.verdict == Answer::Regression).collect();
    assert!(
        matches!(breaches[..], [check] if check.what == "switch" && check.found.contains("`full`")),
        "{checks:?}"
    );
    assert!(judge(&measured, &measured, TOLERANCE, None).iter().all(|check| check.verdict == Answer::Ok));
}
