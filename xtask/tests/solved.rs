//! Tactical sets: best moves and moves to avoid in a position file lead to solved counts in the report, which then
//! needs the file no more.

use crate::common::{file, xtask};
use std::path::Path;

/// Two mates in two, a mate in one among losing checks, a stalemate to avoid, and one without a solution.
const EPD: &str = "6k1/8/8/8/8/8/R7/1R4K1 w - - bm Ra7 Rb7; id \"two rooks\";\n\
    7k/5p1p/5Q2/8/8/8/6PK/8 b - - bm Kg8; id \"only move\";\n\
    6k1/5ppp/8/8/8/8/1Q3PPP/4R1K1 w - - bm Re8# Qb8+; id \"back rank\";\n\
    7k/8/5KQ1/8/8/8/8/8 w - - am Kf7; id \"stalemate\";\n\
    4k3/8/8/8/8/8/4P3/4K3 w - - id \"no solution\";\n";

fn bench(dir: &Path, depth: &str) -> String {
    file(dir, "mates.epd", EPD);
    let args = ["--positions", "mates.epd", "--methods", "none,null-move", "--depth", depth, "--out", depth];
    // A method that had nothing to cut in so small a set breaches a gate after the report; that is another matter.
    let done = xtask(dir).arg("bench").args(args).output().unwrap();
    let out = String::from_utf8(done.stdout).unwrap();
    assert!(out.contains("solved of"), "{out}\n{}", String::from_utf8_lossy(&done.stderr));
    out
}

#[test]
fn solved_positions_are_counted_and_the_file_is_not_needed_again() {
    let dir = tempfile::tempdir().unwrap();
    let out = bench(dir.path(), "5");
    assert!(out.contains("solved of 4") && out.contains("Solved of 4: none 4."), "{out}");
    std::fs::remove_file(dir.path().join("mates.epd")).unwrap();
    let report = xtask(dir.path()).args(["report", "5", "--markdown"]).output().unwrap();
    let report = String::from_utf8(report.stdout).unwrap();
    let row =
        |id: &str| report.lines().find(|line| line.contains(id) && line.contains("d1 ")).map(str::to_owned);
    assert!(report.contains("4 positions with a known solution") && report.contains("4 of 4"), "{report}");
    assert!(report.contains("| a2a7 b2b7 |") || report.contains("a2a7 b1b7"), "{report}");
    assert!(report.contains("not f6f7"), "{report}");
    assert!(row("back rank").is_some(), "a mate in one is found at once: {report}");
    assert!(!report.contains("| no solution |"), "{report}");
}

#[test]
fn a_run_without_solutions_has_no_such_table() {
    let dir = tempfile::tempdir().unwrap();
    file(dir.path(), "plain.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - id \"no solution\";\n");
    let args =
        ["bench", "--positions", "plain.epd", "--methods", "none,futility", "--depth", "4", "--out", "r"];
    let done = xtask(dir.path()).args(args).output().unwrap();
    let out = String::from_utf8(done.stdout).unwrap();
    assert!(out.contains("In short") && !out.contains("olved"), "{out}");
}
