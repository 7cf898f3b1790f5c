//! `history` through the binary: two commits of which the second is dearer, and what a user gets wrong.

use crate::common::{bench, xtask};
use secateur_suites::store::RunRows;
use tempfile::tempdir;

#[test]
fn the_commit_of_a_step_is_named() {
    let dir = tempdir().unwrap();
    bench(dir.path(), "out", "2");
    let (mut rows, manifest, _) = RunRows::read(&dir.path().join("out")).unwrap();
    let slower = |row: &mut secateur_record::record::Record| row.nodes = row.nodes.map(|nodes| nodes + 1);
    rows.records.iter_mut().filter(|row| row.methods == "null-move").for_each(slower);
    rows.write(&dir.path().join("dear"), &manifest).unwrap();
    let run = |arguments: &[&str], code: i32| {
        let done = xtask(dir.path()).arg("history").args(arguments).assert().code(code);
        let output = done.get_output();
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    };
    let at = |commit, date| ["--commit", commit, "--date", date];
    let (first, second) = (at("aaaa1111", "2026-01-01T00:00:00Z"), at("bbbb2222", "2026-01-02T00:00:00Z"));
    run(&[["add", "kept", "out"].as_slice(), &first].concat(), 0);
    assert!(run(&["show", "kept"], 0).contains("No quantity has stepped"));
    run(&[["add", "kept", "dear"].as_slice(), &second].concat(), 0);
    let text = run(&["show", "kept", "--markdown"], 0);
    assert!(text.contains("last at bbbb2222") && text.contains("null-move | nodes |"), "{text}");
    assert!(!text.contains("futility | nodes |"), "what did not change is no step: {text}");
    assert!(run(&["show", "kept", "--html"], 0).contains("<polyline"));
    assert!(run(&["show", "kept", "--csv"], 0).starts_with("commit,date,suite"));
    // Another number of the same commit, a date that is none, a folder that is not there.
    assert!(run(&[["add", "kept", "dear"].as_slice(), &first].concat(), 2).contains("do not change"));
    assert!(
        run(&[["add", "kept", "out"].as_slice(), &at("c", "today")].concat(), 2)
            .contains("expected a time in UTC")
    );
    assert!(run(&["show", "gone"], 2).contains("gone"));
}
