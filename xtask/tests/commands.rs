//! Every command through the binary: help with an example, plans, reports and checks; the gate and the doctor. What the gate compares is
//! tested where it is written.

use crate::common::{CELLS, SUITE, bench, file, xtask};
use std::path::Path;
use tempfile::tempdir;

fn output(dir: &Path, arguments: &[&str]) -> String {
    let run = xtask(dir).args(arguments).assert().success();
    String::from_utf8_lossy(&run.get_output().stdout).into_owned()
}

#[test]
fn every_command_explains_itself_with_an_example() {
    let dir = tempdir().unwrap();
    for verb in [
        "bench",
        "report",
        "speed",
        "analyse",
        "solve",
        "play",
        "fit",
        "pairs",
        "train",
        "tune",
        "positions",
        "docs",
        "ci",
    ] {
        let help = output(dir.path(), &[verb, "--help"]);
        assert!(help.contains(&format!("cargo xtask {verb}")), "{help}");
        assert!(help.contains("Example") && !help.contains("  secateur "), "{help}");
    }
}

#[test]
fn a_plan_is_shown_and_nothing_is_searched() {
    let dir = tempdir().unwrap();
    file(dir.path(), "tiny.toml", SUITE);
    let plan = output(dir.path(), &["bench", "tiny.toml", "--list"]);
    for part in ["othello, depth 5: 4 positions (28: 4)", "chess, depth 4", "razoring+futility", "opening: 2"]
    {
        assert!(plan.contains(part), "{plan}");
    }
    assert!(plan.contains(&format!("{CELLS} cells")), "{plan}");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "only the suite is there");
    let plan =
        output(dir.path(), &["bench", "tiny.toml", "--list", "--factorial", "mpc[t=1,nesting=1],null-move"]);
    assert!(
        plan.contains("none, mpc[t=1,nesting=1], null-move, null-move+mpc[t=1,nesting=1]; baseline"),
        "{plan}"
    );
    let plan = output(dir.path(), &["bench", "--list", "--positions", "bratko-kopec", "--nodes", "99"]);
    assert!(plan.contains("chess, nodes 99: 24 positions") && !plan.contains("othello"), "{plan}");
    let one = ["bench", "--list", "--positions", "kaufman:kaufman.03", "--methods", "none", "--depth", "2"];
    let plan = output(dir.path(), &one);
    assert!(plan.contains("depth 2: 1 position ("), "{plan}");
}

#[test]
fn built_in_suites_can_be_planned() {
    let dir = tempdir().unwrap();
    for suite in secateur_suites::suite::Suite::names() {
        assert!(output(dir.path(), &["bench", suite, "--list"]).contains("cells"));
    }
    assert!(output(dir.path(), &["bench", "table2", "--list"]).contains("2,820 cells"));
}

#[test]
fn a_report_needs_only_the_files() {
    let dir = tempdir().unwrap();
    bench(dir.path(), "out", "2");
    let before = std::fs::read_to_string(dir.path().join("out/records.csv")).unwrap();
    let markdown = output(dir.path(), &["report", "out", "--markdown"]);
    assert_eq!(markdown, std::fs::read_to_string(dir.path().join("out/report.md")).unwrap());
    assert!(output(dir.path(), &["report", "out", "--table2"]).contains("28"));
    assert_eq!(std::fs::read_to_string(dir.path().join("out/records.csv")).unwrap(), before);
}

#[test]
fn position_sets_are_listed_and_checked() {
    let dir = tempdir().unwrap();
    let list = output(dir.path(), &["positions", "list"]);
    for set in secateur_positions::names().unwrap() {
        assert!(list.contains(&set), "{list}");
        assert!(output(dir.path(), &["positions", "check", &set]).contains("hash"));
    }
}

#[test]
fn the_gate_says_where_it_runs() {
    let dir = tempdir().unwrap();
    let run = xtask(dir.path()).arg("gate").assert().code(2);
    let error = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(
        error.contains("git clone") && error.contains("gate --subject SUBJECT --baseline FILE"),
        "{error}"
    );
}

#[test]
fn a_broken_baseline_is_pointed_at_and_kept() {
    let dir = tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join("suites/gate")).unwrap();
    let path = file(dir.path(), "suites/gate/baseline.toml", "[arm.\"chess none\"]\nnodes = \"many\"\n");
    for arguments in [&["gate"][..], &["gate", "--update-baseline"]] {
        let run = xtask(dir.path()).args(arguments).assert().code(2);
        let error = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(error.contains("baseline.toml:2:9"), "{error}");
        assert!(std::fs::read_to_string(&path).unwrap().contains("many"));
    }
}

#[test]
fn the_doctor_looks_at_what_measuring_needs() {
    let dir = tempdir().unwrap();
    let run = xtask(dir.path()).arg("doctor").assert().success();
    let out = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    for what in ["processor", "target-cpu", "governor", "load", "memory", "callgrind", "instruction counter"]
    {
        assert!(out.contains(what), "{out}");
    }
}
