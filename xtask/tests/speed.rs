//! `speed` through the binary, with a program that is a shell script.

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
