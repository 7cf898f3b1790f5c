//! `compare` through the binary: every documented exit code.

use crate::common::{bench, xtask};
use secateur_record::record::BudgetKind;
use secateur_suites::manifest::Manifest;
use secateur_suites::store::RunRows;
use std::path::Path;
use tempfile::tempdir;

/// A copy of run `out` under another name, changed and sealed again.
fn copy(dir: &Path, name: &str, change: impl Fn(&mut RunRows, &mut Manifest)) {
    let (mut rows, mut manifest, _) = RunRows::read(&dir.join("out")).unwrap();
    change(&mut rows, &mut manifest);
    rows.write(&dir.join(name), &manifest).unwrap();
}

/// Every method set but the baseline with three times the nodes to the same depth.
fn dearer(rows: &mut RunRows, _: &mut Manifest) {
    rows.records
        .iter_mut()
        .filter(|row| row.methods != "none" && row.budget_kind == BudgetKind::Depth)
        .for_each(|row| row.nodes = row.nodes.map(|nodes| 3 * nodes));
}

#[test]
fn every_exit_code_is_as_documented() {
    let dir = tempdir().unwrap();
    bench(dir.path(), "out", "2");
    copy(dir.path(), "same", |_, _| ());
    copy(dir.path(), "dear", dearer);
    copy(dir.path(), "torn", |_, manifest| manifest.complete = false);
    let run = |arguments: &[&str], code: i32| {
        let done = xtask(dir.path()).arg("compare").args(arguments).assert().code(code);
        let output = done.get_output();
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    };
    assert!(run(&["out", "same"], 0).contains("every search came out the same, node for node"));
    assert!(run(&["dear", "out", "--markdown"], 0).contains("**Better in nodes"));
    let verdict = run(&["out", "dear"], 3);
    assert!(verdict.contains("Worse in nodes") && !verdict.contains("error:"), "{verdict}");
    assert!(run(&["out", "torn"], 4).contains("torn is not complete"));
    assert!(
        run(&["out", "--methods", "none", "null-move", "--allow", "time"], 0)
            .contains("null-move against none")
    );
    assert!(run(&["out", "dear", "--allow", "nodes"], 0).contains("Worse in nodes"));
    assert!(run(&["out", "dear", "--allow", "node"], 2).contains("expected one of nodes, time"));
    assert!(run(&["out"], 2).contains("--methods"));
    assert!(run(&["out", "--methods", "none", "nul-move"], 2).contains("no records of `nul-move`"));
    assert!(run(&["out", "gone"], 2).contains("gone"));

    // A page is written whatever the verdict.
    let verdict = run(&["out", "dear", "--html", "--out", "page.html"], 3);
    assert!(verdict.contains("Worse in nodes") && !verdict.contains("error:"), "{verdict}");
    let page = std::fs::read_to_string(dir.path().join("page.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("Worse in nodes"));
    assert!(run(&["out", "same", "--html", "--markdown"], 2).contains("cannot be used with"));
}
