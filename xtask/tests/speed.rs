//! `speed`, and several programs next to each other (`bench --subject`), through the binary, with programs that are shell scripts.

use crate::common::{file, rows, xtask};
use std::path::Path;
use tempfile::tempdir;

const SET: &str =
    "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"one\";\n4k3/8/8/8/8/8/4P3/4K2R w K - bm e4; id \"two\";\n";
const GO: &str = "echo 'info depth 2 score cp 15 nodes 70 time 2 pv e2e4 e8d8'; echo 'bestmove e2e4'";

/// A subject file of a program that answers `go` so.
fn subject(dir: &Path, name: &str, go: &str) -> String {
    let script = format!(
        "while read -r line; do case \"$line\" in\n uci) echo 'id name Fake'; echo 'option name Prune type check default true'\n\
         echo uciok ;;\n isready) echo readyok ;;\n quit) exit ;;\n go*) {go} ;;\nesac; done\n"
    );
    let script = file(dir, name, &script);
    let text = format!(
        "[subject]\ngame = \"chess\"\ncommand = \"sh\"\nargs = [\"{}\"]\n[factor]\nall = \"Prune=false\"\n",
        script.display()
    );
    let name = format!("{name}.toml");
    file(dir, &name, &text);
    name
}

fn speed(dir: &Path, arguments: &[&str]) -> (i32, String, String) {
    let run = xtask(dir).arg("speed").args(arguments).assert();
    let output = run.get_output();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_comparison_is_searched_told_and_gone_on_with() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    file(dir, "set.epd", SET);
    let fake = subject(dir, "fake", GO);
    file(dir, "gone.toml", "[subject]\ngame = \"chess\"\ncommand = \"no-such-engine\"\n");
    let peers = format!("{fake},gone.toml");
    let common = [
        "--subject",
        &peers,
        "--positions",
        "set.epd",
        "--rounds",
        "2",
        "--depth",
        "2",
        "--time",
        "5ms",
        "--out",
        "out",
    ];
    let (code, out, error) = speed(dir, &common);
    assert_eq!(code, 0, "{error}");
    for words in ["gone: engine", "not found"] {
        assert!(error.contains(words), "{error}");
    }
    for words in [
        "nodes/s, full width to depth 2",
        "time, depth 2 with everything on",
        "both solve",
        "Next to the loop",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
    assert!(std::fs::read_to_string(dir.join("out/report.md")).unwrap().contains("Not compared with: gone"));
    // Three who search, two positions, two rounds.
    for part in ["chess-full-width", "chess-depth", "chess-solve"] {
        let records = rows(dir, &format!("out/{part}"), "records.csv");
        assert_eq!(records.len(), 3 * 2 * 2, "{part}");
        assert!(records.iter().all(|row| row["error"].is_empty()), "{records:?}");
    }
    // Half a row at the end, as after a kill.
    let path = dir.join("out/chess-depth/records.csv");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, &text[..text.len() - 90]).unwrap();
    assert_eq!(speed(dir, &["--resume", "out"]).0, 0);
    assert_eq!(rows(dir, "out/chess-depth", "records.csv").len(), 12);
    let shown = xtask(dir).args(["report", "out", "--markdown"]).assert().success();
    assert_eq!(shown.get_output().stdout, std::fs::read(dir.join("out/report.md")).unwrap());
    // A part goes on as any run does.
    std::fs::write(&path, &text[..text.len() - 90]).unwrap();
    xtask(dir).args(["bench", "--resume", "out/chess-depth"]).assert().success();
    assert_eq!(rows(dir, "out/chess-depth", "records.csv").len(), 12);
    let (code, _, error) = speed(dir, &["--measure", "depth", "--out", "out"]);
    assert!(code == 2 && error.contains("other settings"), "{error}");
}

#[test]
fn a_program_that_fails_costs_its_own_searches() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    file(dir, "set.epd", SET);
    let bad = subject(dir, "bad", "echo 'info depth 2 score cp 1 nodes 3'; echo 'bestmove e2e5'");
    let common = [
        "--subject",
        &bad,
        "--positions",
        "set.epd",
        "--measure",
        "depth",
        "--depth",
        "2",
        "--rounds",
        "1",
        "--out",
        "out",
    ];
    let (code, _, error) = speed(dir, &common);
    assert_eq!(code, 4);
    assert!(error.contains("2 searches failed"), "{error}");
    let records = rows(dir, "out/chess-depth", "records.csv");
    assert_eq!(
        records.iter().filter(|row| row["methods"] == "secateur" && row["error"].is_empty()).count(),
        2
    );
}

#[test]
fn what_cannot_be_asked_leaves_nothing() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    file(dir, "set.epd", SET);
    for (arguments, words) in [
        (&["--game", "go"][..], "unknown game to compare `go`"),
        (&["--positions", "gone", "--measure", "depth"], "gone"),
        (&["--time", "5"], "--time"),
        (&["--resume", "gone"], "gone"),
        (&["--positions", "set.epd", "--measure", "endgame"], "no game has such a measure"),
    ] {
        let out = if arguments[0].starts_with("--resume") { &[][..] } else { &["--out", "out"] };
        let (code, _, error) = speed(dir, &[arguments, out].concat());
        assert_eq!(code, 2, "{arguments:?}: {error}");
        assert!(error.contains(words), "{arguments:?}: {error}");
        assert!(!dir.join("out").exists(), "{arguments:?}");
    }
}

const POSITIONS: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - id \"one\";\n4k3/8/8/8/8/8/4P3/4K2R w K - id \"two\";\n";

/// Writes an engine that answers `go` like this; `$n` counts its searches, of which the
/// first is to warm it up.
fn engine(dir: &Path, name: &str, go: &str) -> String {
    let text = format!(
        "n=0\nwhile read -r line; do case \"$line\" in\n\
         uci) echo 'id name Fake'; echo 'option name Null Move type check default true'; echo uciok ;;\n\
         isready) echo readyok ;;\n quit) exit ;;\n go*) n=$((n+1)); {go} ;;\nesac; done\n"
    );
    format!("sh {}", file(dir, name, &text).display())
}

const GOOD: &str = "echo 'info depth 3 score cp 15 nodes 70 time 2 pv e2e4 e8d8 e4e5'; echo 'bestmove e2e4'";

#[test]
fn shards_of_a_comparison_are_merged() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    file(dir, "set.epd", POSITIONS);
    let good = engine(dir, "good", GOOD);
    let flags = ["bench", "--positions", "set.epd", "--depth", "3", "--hash", "2", "--subject", &good];
    let flags = [&flags[..], &["--methods", "none,null-move"]].concat();
    xtask(dir).args(&flags).args(["--out", "whole"]).assert().success();
    for shard in ["1/2", "2/2"] {
        xtask(dir).args(&flags).args(["--shard", shard, "--publish", "packs"]).assert().success();
    }
    xtask(dir).args(["bench", "--resume", "runs/peers-1-of-2"]).assert().success();
    xtask(dir).args(["merge", "merged", "packs/2-of-2.tar"]).assert().code(4);
    xtask(dir).args(["merge", "merged", "packs/1-of-2.tar", "packs/2-of-2.tar"]).assert().success();
    assert_eq!(
        crate::common::rows(dir, "merged", "records.csv"),
        crate::common::rows(dir, "whole", "records.csv")
    );
    xtask(dir).args(["report", "merged"]).assert().success();
}

#[test]
fn good_and_bad_engines_are_reported_beside_this_program() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    file(dir, "set.epd", POSITIONS);
    let good = engine(dir, "good", GOOD);
    let crash = engine(dir, "crash", &format!("[ $n = 3 ] && exit 3; {GOOD}"));
    engine(dir, "hang", "sleep 1000");
    let subject = "[subject]\ngame = \"chess\"\ncommand = \"sh\"\nargs = [\"hang\"]\npatience = \"1s\"\n";
    file(dir, "hang.toml", subject);
    let common = ["bench", "--positions", "set.epd", "--depth", "3", "--hash", "2"];
    let without = format!("{good};null move=false");
    let arms = ["--subject", &good, "--subject", &without, "--methods", "none,null-move"];
    xtask(dir).args(common).args(arms).args(["--out", "fine"]).assert().success();
    let records = rows(dir, "fine", "records.csv");
    let names: Vec<&str> = records.iter().take(4).map(|row| row["methods"].as_str()).collect();
    assert_eq!(names, ["sh", "sh[null move=false]", "secateur[none]", "secateur[null-move]"]);
    assert!(records.iter().all(|row| row["error"].is_empty() && row["depth"] == "3"));
    let report = std::fs::read_to_string(dir.join("fine/report.md")).unwrap();
    assert!(report.contains("Peers: depth 3") && report.contains("| sh[null move=false] | sh |"), "{report}");

    let arms = ["--methods", "none", "--subject", &crash, "--subject", "hang.toml"];
    let run = xtask(dir).args(common).args(arms).args(["--out", "bad"]).assert().code(4);
    let error = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(error.contains("3 of 6 cells failed"), "{error}");
    let records = rows(dir, "bad", "records.csv");
    let failed = records.iter().filter(|row| !row["error"].is_empty()).count();
    assert_eq!((records.len(), failed), (6, 3));

    assert!(error.contains("bench --resume bad --retry"), "{error}");
    let report = std::fs::read_to_string(dir.join("bad/report.md")).unwrap();
    assert!(report.contains("3 of 6 searches failed: 1 of sh, 2 of hang."), "{report}");
    // The engine that crashed does so only in its third search, which it is not asked for now.
    xtask(dir).args(["bench", "--resume", "bad", "--retry"]).assert().code(4);
    let failed = rows(dir, "bad", "records.csv").iter().filter(|row| !row["error"].is_empty()).count();
    assert_eq!(failed, 2);

    // Half a row at the end, as after a kill: the run goes on to the same cells.
    let path = dir.join("fine/records.csv");
    let text = std::fs::read_to_string(&path).unwrap();
    let before = rows(dir, "fine", "records.csv");
    std::fs::write(&path, &text[..text.len() - 90]).unwrap();
    xtask(dir).args(["bench", "--resume", "fine"]).assert().success();
    assert_eq!(rows(dir, "fine", "records.csv"), before);
    xtask(dir).args(["report", "fine"]).assert().success();
}

#[test]
fn bad_requests_get_one_error_and_leave_nothing() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    file(dir, "set.epd", POSITIONS);
    let good = engine(dir, "good", GOOD);
    let refused = |arguments: &[&str], part: &str| {
        let common = ["bench", "--positions", "set.epd", "--out", "out"];
        let run = xtask(dir).args(common).args(arguments).assert().code(2);
        let error = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(error.contains(part), "{arguments:?}: {error}");
        assert!(!dir.join("out").exists());
    };
    let with = |option: &str| format!("{good};{option}");
    refused(&["--subject", &good], "no budget");
    refused(&["--subject", "no-such-engine", "--depth", "2"], "not found in PATH and /usr/games");
    refused(&["--subject", &with("Nul Move=false"), "--depth", "2"], "did you mean `Null Move`?");
    refused(&["--subject", &with("Null Move=maybe"), "--depth", "2"], "expected one of true, false");
    refused(&["--subject", &with("Null Move"), "--depth", "2"], "expected NAME=VALUE");
    refused(&["--subject", "toga2:nul-move,glaurung", "--depth", "2"], "did you mean `null-move`?");
    refused(&["--subject", "toga2,edax", "--depth", "2"], "one game at a time");
    refused(&["--subject", &good, "--methods", "nul-move", "--depth", "2"], "did you mean `null-move`?");
    refused(&["--subject", &good, "--depth", "2", "--nodes", "3"], "cannot be used with");
    refused(&["--subject", "toga2", "--depth", "2", "--hash", "3"], "expected several programs");
}
