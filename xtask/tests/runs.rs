//! Runs through the binary: the same rows for any number of jobs and after any interruption.

use crate::common::{CELLS, SUITE, assert_same, bench, file, rows, xtask};
use secateur_record::manifest::Manifest;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use tempfile::tempdir;

#[test]
fn any_number_of_jobs_leaves_the_same_rows() {
    let dir = tempdir().unwrap();
    bench(dir.path(), "one", "1");
    bench(dir.path(), "two", "2");
    bench(dir.path(), "many", "7");
    assert_same(dir.path(), "one", "two");
    assert_same(dir.path(), "one", "many");
}

#[test]
fn a_run_is_complete_sane_and_repeats_its_baseline() {
    let dir = tempdir().unwrap();
    bench(dir.path(), "out", "2");
    let records = rows(dir.path(), "out", "records.csv");
    assert_eq!(records.len(), CELLS);
    assert!(records.iter().all(|row| row["error"].is_empty() && row["pv_ok"].starts_with("ok")));
    let cell = |row: &BTreeMap<String, String>| {
        ["game", "position", "methods", "budget_kind"].map(|column| row[column].clone())
    };
    for again in records.iter().filter(|row| row["repeat"] == "1") {
        assert_eq!(again["methods"], "none");
        let first = records.iter().find(|row| row["repeat"] == "0" && cell(row) == cell(again)).unwrap();
        let mut first = first.clone();
        // A repeat is a cell of its own.
        assert_ne!(first["cell"], again["cell"]);
        first.extend(["repeat", "cell"].map(|column| (column.to_owned(), again[column].clone())));
        assert_eq!(&first, again);
    }
    for row in records.iter().filter(|row| row["budget_kind"] == "depth") {
        assert_eq!(row["depth"], row["budget"]);
    }
    let report = fs::read_to_string(dir.path().join("out/report.md")).unwrap();
    assert!(report.contains("null-move"), "{report}");
    let manifest = fs::read_to_string(dir.path().join("out/run.toml")).unwrap();
    for part in ["complete = true", "rustc 1.", "[[session]]", "evaluation = \""] {
        assert!(manifest.contains(part), "{manifest}");
    }
}

#[test]
fn a_torn_run_is_mended_and_finished() {
    let dir = tempdir().unwrap();
    bench(dir.path(), "whole", "1");
    bench(dir.path(), "torn", "1");
    let torn = dir.path().join("torn");
    let text = fs::read_to_string(torn.join("records.csv")).unwrap();
    let third = text.match_indices('\n').nth(CELLS / 3).unwrap().0;
    // Half a row; the other files keep the rows of cells that have no record any more.
    fs::write(torn.join("records.csv"), &text[..third + 40]).unwrap();
    let manifest = Manifest { complete: false, ..Manifest::read(&torn).unwrap() };
    fs::write(torn.join("run.toml"), manifest.text()).unwrap();
    xtask(dir.path()).args(["bench", "--resume", "torn", "--jobs", "2"]).assert().success();
    assert_same(dir.path(), "whole", "torn");
    let manifest = fs::read_to_string(torn.join("run.toml")).unwrap();
    assert_eq!(manifest.matches("[[session]]").count(), 2, "{manifest}");
}

#[test]
fn a_finished_cell_is_never_searched_again() {
    let dir = tempdir().unwrap();
    bench(dir.path(), "out", "1");
    let times = |dir: &Path| fs::read_to_string(dir.join("out/records.csv")).unwrap();
    let before = times(dir.path());
    bench(dir.path(), "out", "2");
    assert_eq!(times(dir.path()), before, "times too: nothing was searched");
}

#[test]
fn another_run_is_not_mixed_in() {
    let dir = tempdir().unwrap();
    bench(dir.path(), "out", "1");
    let before = fs::read_to_string(dir.path().join("out/records.csv")).unwrap();
    for (change, part) in [("--nodes=2000", "cells"), ("--limit=1", "cells")] {
        let run = xtask(dir.path()).args(["bench", "tiny.toml", "--out", "out", change]).assert().code(4);
        let error = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(error.contains("not be comparable") && error.contains(part), "{error}");
    }
    let mut manifest = Manifest::read(&dir.path().join("out")).unwrap();
    manifest.game[0].arms.insert("none".to_owned(), "0".repeat(16));
    file(dir.path(), "out/run.toml", &manifest.text());
    let run = xtask(dir.path()).args(["bench", "tiny.toml", "--out", "out"]).assert().code(4);
    assert!(String::from_utf8_lossy(&run.get_output().stderr).contains("parameters"));
    assert_eq!(fs::read_to_string(dir.path().join("out/records.csv")).unwrap(), before);
}

/// Positions and parameters of one's own lie next to the suite, not in the folder of the run.
#[test]
fn a_run_of_files_of_ones_own_goes_on_from_anywhere() {
    let dir = tempdir().unwrap();
    fs::create_dir(dir.path().join("mine")).unwrap();
    file(&dir.path().join("mine"), "my.epd", "8/8/8/3k4/8/3P4/3K4/8 w - -\n8/5pk1/8/8/8/3P4/3K4/8 b - -\n");
    file(&dir.path().join("mine"), "numbers.toml", "[methods.null-move]\nreduction = 3\n");
    let suite = "name = \"own\"\ndescription = \"d\"\n[params]\nchess = \"numbers.toml\"\n[[block]]\ngame = \"chess\"\n\
                 positions = [\"my.epd\"]\nmethods = [\"none\", \"futility\"]\nbudgets = [{ depth = 4 }]\n";
    file(&dir.path().join("mine"), "own.toml", suite);
    let out = dir.path().join("out");
    xtask(dir.path()).args(["bench", "mine/own.toml", "--out", "out"]).assert().success();
    xtask(&out).args(["bench", "--resume", "."]).assert().success();
}

/// A run of [`SUITE`] that is long enough to be interrupted.
fn slow(dir: &Path, out: &str) -> Child {
    file(dir, "slow.toml", &slow_suite());
    begun(dir, &format!("slow.toml --jobs 2 --out {out}"))
}

/// A run under way.
fn begun(dir: &Path, arguments: &str) -> Child {
    std::process::Command::new(assert_cmd::cargo::cargo_bin!("xtask"))
        .arg("bench")
        .args(arguments.split(' '))
        .current_dir(dir)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn slow_suite() -> String {
    SUITE.replace("depth = 5", "depth = 8").replace("limit = 5", "limit = 8").replace("tiny", "slow")
}

/// Waits until a few records are written. Whether the run is still going on then.
fn under_way(child: &mut Child, dir: &Path, out: &str) -> bool {
    let patience = Instant::now() + Duration::from_secs(60);
    loop {
        let text = fs::read_to_string(dir.join(out).join("records.csv")).unwrap_or_default();
        if text.lines().count() > 4 || Instant::now() > patience {
            return child.try_wait().unwrap().is_none();
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn finished_elsewhere(dir: &Path) {
    assert!(slow(dir, "whole").wait().unwrap().success());
}

#[test]
fn a_killed_run_goes_on() {
    let dir = tempdir().unwrap();
    finished_elsewhere(dir.path());
    let mut child = slow(dir.path(), "killed");
    let alive = under_way(&mut child, dir.path(), "killed");
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().success(), !alive);
    xtask(dir.path()).args(["bench", "--resume", "killed"]).assert().success();
    assert_same(dir.path(), "whole", "killed");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_how_to_go_on() {
    let dir = tempdir().unwrap();
    finished_elsewhere(dir.path());
    let mut child = slow(dir.path(), "stopped");
    let alive = under_way(&mut child, dir.path(), "stopped");
    secateur::cli::interrupt(&child);
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    // A machine that is done before it can be interrupted proves nothing, but nothing is wrong then.
    if alive && output.status.code() != Some(0) {
        assert_eq!(output.status.code(), Some(4), "{error}");
        assert!(error.contains("cargo xtask bench --resume stopped"), "{error}");
    }
    xtask(dir.path()).args(["bench", "--resume", "stopped"]).assert().success();
    assert_same(dir.path(), "whole", "stopped");
}

/// No search to this depth comes to an end: whoever stops the run does not wait for it.
#[cfg(unix)]
#[test]
fn a_search_under_way_is_given_up() {
    let dir = tempdir().unwrap();
    let mut child = begun(dir.path(), "--game chess --limit 1 --methods none --depth 60 --out deep");
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut error = String::new();
    // From then on the run listens.
    said.read_line(&mut error).unwrap();
    assert!(error.contains("into deep"), "{error}");
    secateur::cli::interrupt(&child);
    let patience = Instant::now() + Duration::from_secs(60);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > patience {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    said.read_to_string(&mut error).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(4), "{error}");
    assert!(error.contains("cargo xtask bench --resume deep"), "{error}");
}

#[test]
fn two_runs_do_not_write_into_one_folder() {
    let dir = tempdir().unwrap();
    let mut child = slow(dir.path(), "out");
    if under_way(&mut child, dir.path(), "out") {
        let second = xtask(dir.path()).args(["bench", "slow.toml", "--out", "out"]).output().unwrap();
        let error = String::from_utf8_lossy(&second.stderr);
        assert!(second.status.success() || error.contains("another run is writing here"), "{error}");
        assert!(second.status.success() || second.status.code() == Some(4), "{error}");
    }
    let first = child.wait_with_output().unwrap();
    assert!(first.status.success(), "{}", String::from_utf8_lossy(&first.stderr));
}

#[test]
fn a_method_that_never_fires_in_a_suite_of_ones_own_is_a_note() {
    let dir = tempdir().unwrap();
    let silent =
        SUITE.replace("\"null-move\", \"futility\"]", "\"multi-cut\"]").replace("depth = 4", "depth = 2");
    file(dir.path(), "silent.toml", &silent);
    let run = xtask(dir.path()).args(["bench", "silent.toml", "--out", "a"]).assert().success();
    let note = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(note.contains("note: never fired") && note.contains("multi-cut in chess"), "{note}");
    file(
        dir.path(),
        "said.toml",
        &silent.replace("\"multi-cut\"]", "\"multi-cut\"]\nexpect-silent = [\"multi-cut\"]"),
    );
    let run = xtask(dir.path()).args(["bench", "said.toml", "--out", "b"]).assert().success();
    let silence = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(!silence.contains("never fired"), "{silence}");
    // Who names methods and positions asks a question; that one of them had nothing to do is the answer.
    let asked = [
        "bench",
        "--methods",
        "none,multi-cut",
        "--depth",
        "2",
        "--game",
        "chess",
        "--limit",
        "1",
        "--out",
        "c",
    ];
    let run = xtask(dir.path()).args(asked).assert().success();
    let note = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(note.contains("never fired") && note.contains("multi-cut in chess"), "{note}");
}
