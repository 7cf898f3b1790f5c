//! What the tests of the commands share: the binary, a small suite, and files without their clocks.

#![allow(dead_code, reason = "each test crate uses its own part")]

pub(crate) mod fake;
pub(crate) mod printed;

use assert_cmd::Command;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Both games, two budgets that read no clock, an A/A row, methods that cut at small depths.
pub(crate) const SUITE: &str = r#"name = "tiny"
description = "A suite for tests"

[[block]]
game = "othello"
positions = ["othello-28"]
limit = 5
methods = ["none", "null-move", "futility+razoring"]
budgets = [{ depth = 5 }, { nodes = 3000 }]
repeats = 1

[[block]]
game = "chess"
positions = ["chess-games"]
limit = 2
methods = ["null-move", "futility"]
budgets = [{ depth = 4 }]
repeats = 1
"#;

/// Cells of [`SUITE`]: positions x budgets x (method sets with the baseline, and its repetition).
pub(crate) const CELLS: usize = 4 * 2 * 4 + 6 * 4;

/// The columns that a clock or the name of the run decides, and the seal over them.
const CLOCKED: [&str; 3] = ["run", "time_ns", "seal"];

/// The command, in a folder of its own.
pub(crate) fn xtask(dir: &Path) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("xtask"));
    command.current_dir(dir);
    command
}

/// Writes a file into a folder.
pub(crate) fn file(dir: &Path, name: &str, text: &str) -> PathBuf {
    let path = dir.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// The unpacked package of npm in a folder; `None` where there is no npm, or it does not have it.
pub(crate) fn from_npm(dir: &Path, name: &str, version: &str) -> Option<PathBuf> {
    let (package, file) = (format!("{name}@{version}"), format!("{name}-{version}.tgz"));
    let pack = ["pack", &package, "--silent", "--fetch-retries=0", "--fetch-timeout=10000"];
    let run = |program: &str, args: &[&str]| {
        let mut command = std::process::Command::new(program);
        let done = command.args(args).current_dir(dir).stdin(std::process::Stdio::null()).output();
        done.is_ok_and(|out| out.status.success())
    };
    (run("npm", &pack) && run("tar", &["-xzf", &file])).then(|| dir.join("package"))
}

/// Runs `bench` on [`SUITE`] into `dir/out`, to the end.
pub(crate) fn bench(dir: &Path, out: &str, jobs: &str) {
    file(dir, "tiny.toml", SUITE);
    xtask(dir).args(["bench", "tiny.toml", "--out", out, "--jobs", jobs]).assert().success();
}

/// The rows of a CSV file of a run in their order, without the columns of the clock.
pub(crate) fn rows(dir: &Path, out: &str, name: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(dir.join(out).join(name)).unwrap();
    let mut rows: Vec<BTreeMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    for row in &mut rows {
        row.retain(|column, _| !CLOCKED.contains(&column.as_str()));
    }
    rows
}

/// Whether two runs left the same files but for the clock.
pub(crate) fn assert_same(dir: &Path, one: &str, two: &str) {
    for name in ["records.csv", "iterations.csv", "counters.csv"] {
        let (one, two) = (rows(dir, one, name), rows(dir, two, name));
        assert!(!one.is_empty(), "{name}");
        assert_eq!(one, two, "{name}");
    }
}

/// So many pairs of games as cutechess writes them: a program `name` as it is wins one game of each against itself without a method,
/// and draws the other.
pub(crate) fn games_elsewhere(name: &str, method: &str, pairs: usize) -> String {
    let game = |pair: usize, [white, black]: [&str; 2], result: &str| {
        let (rank, file) = (pair / 8 % 5, pair % 8);
        let row: String = (0..8).map(|square| if square == file { 'P' } else { '1' }).collect();
        let rows: Vec<&str> = (0..5).map(|at| if at == rank { row.as_str() } else { "8" }).collect();
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n[SetUp \"1\"]\n\
             [FEN \"4k3/{}/8/4K3 w - - 0 {}\"]\n[TimeControl \"8+0.08\"]\n\n1. Kd1 {{+0.12/9 0.11s}} {result}\n\n",
            rows.join("/"),
            1 + pair / 40
        )
    };
    let less = format!("{name} no-{method}");
    let pair = |pair: usize| {
        game(pair, [name, &less], "1-0")
            + &game(pair, [&less, name], if pair.is_multiple_of(4) { "1-0" } else { "1/2-1/2" })
    };
    (0..pairs).map(pair).collect()
}
