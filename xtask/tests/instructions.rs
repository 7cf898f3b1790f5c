//! Instruction counts through the binary: filled in where valgrind is, left out with a word where it is not.

mod common;

use common::{SUITE, file, rows, xtask};
use std::fs;
use std::io::Write;
use std::path::Path;
use tempfile::tempdir;

/// Cells of [`SUITE`] with one position of each stage: callgrind is slow, and every kind of cell is there.
const CELLS: usize = 2 * 4 + 3 * 4;

/// Runs `bench` on these into `dir/out`, to the end.
fn bench(dir: &Path, out: &str, jobs: &str) {
    let suite = SUITE.replace("limit = 5", "limit = 1").replace("limit = 2", "limit = 1");
    file(dir, "tiny.toml", &suite);
    xtask(dir).args(["bench", "tiny.toml", "--out", out, "--jobs", jobs]).assert().success();
}

/// Counts the run in `dir/out` again, with what is in `PATH`; what was said comes back.
fn count(dir: &Path, path: &str) -> String {
    let mut command = xtask(dir);
    // Cargo, which runs the tests, has it build the program that is counted.
    command.args(["bench", "tiny.toml", "--out", "out", "--jobs", "2", "--instructions"]);
    if !path.is_empty() {
        command.env("PATH", path);
    }
    let run = command.assert().success();
    String::from_utf8_lossy(&run.get_output().stderr).into_owned()
}

fn counts(dir: &Path) -> Vec<String> {
    rows(dir, "out", "records.csv").iter().map(|row| row["instructions"].clone()).collect()
}

#[test]
fn without_valgrind_the_column_stays_empty() {
    let dir = tempdir().unwrap();
    bench(dir.path(), "out", "2");
    let out = count(dir.path(), "/nonexistent");
    assert_eq!(out.matches("valgrind is not installed").count(), 1, "{out}");
    assert!(out.contains("apt install valgrind"), "{out}");
    assert!(counts(dir.path()).iter().all(String::is_empty));
}

#[test]
fn counts_repeat_and_change_nothing_else() {
    let valgrind = std::process::Command::new("valgrind").arg("--version").output().is_ok();
    if !valgrind {
        let _ = writeln!(std::io::stderr(), "skipped: needs valgrind");
        return;
    }
    let program = || fs::read(assert_cmd::cargo::cargo_bin!("xtask")).unwrap();
    let linked = program();
    let dir = tempdir().unwrap();
    bench(dir.path(), "plain", "2");
    bench(dir.path(), "out", "2");
    count(dir.path(), "");
    let cells = counts(dir.path());
    let filled: Vec<u64> = cells.iter().filter_map(|text| text.parse().ok()).collect();
    assert_eq!(filled.len(), CELLS);
    assert!(filled.iter().all(|&count| count > 10_000));
    // A repeated search costs what it cost, but for where the allocator finds room.
    let records = rows(dir.path(), "out", "records.csv");
    for again in records.iter().filter(|row| row["repeat"] == "1") {
        let same = |key: &str, row: &std::collections::BTreeMap<String, String>| row[key] == again[key];
        let first = records.iter().find(|row| {
            ["game", "position", "methods", "budget_kind"].iter().all(|key| same(key, row))
                && row["repeat"] == "0"
        });
        let [first, again] = [first.unwrap(), again].map(|row| row["instructions"].parse::<f64>().unwrap());
        assert!((first / again - 1.0).abs() < 0.001, "{first}, {again}");
    }
    // What is filled in is not counted again; without it the run is the run.
    let before = fs::read_to_string(dir.path().join("out/records.csv")).unwrap();
    count(dir.path(), "");
    assert_eq!(fs::read_to_string(dir.path().join("out/records.csv")).unwrap(), before);
    assert!(
        fs::read_to_string(dir.path().join("out/run.toml")).unwrap().contains("instructions = \"callgrind\"")
    );
    let report = fs::read_to_string(dir.path().join("out/report.md")).unwrap();
    assert!(report.contains("instructions saved (means)"), "{report}");
    let mut counted = rows(dir.path(), "out", "records.csv");
    fs::write(dir.path().join("out/records.csv"), before.replacen(&cells[0], "", 1)).unwrap();
    count(dir.path(), "");
    let mut recounted = rows(dir.path(), "out", "records.csv");
    // Cargo may link this program anew when it builds the one that is counted, with the features that the whole workspace has:
    // it is another build then, and only then.
    if program() != linked {
        counted.iter_mut().chain(&mut recounted).for_each(|row| drop(row.remove("build")));
    }
    assert_eq!(recounted, counted, "searched and counted as before");
    for name in ["iterations.csv", "counters.csv"] {
        assert_eq!(rows(dir.path(), "plain", name), rows(dir.path(), "out", name));
    }
}
