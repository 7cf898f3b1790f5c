//! `play` through the binary: reports, shards, matches that are resumed, faults, and what is refused.

use crate::common::fake::{SHOGI, output_of};
use crate::common::{file, rows, xtask};
use std::collections::BTreeMap;
use std::path::Path;
use tempfile::tempdir;

const SMALL: [&str; 6] = ["--nodes", "200", "--games", "4", "--hash", "1"];

fn play(dir: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = xtask(dir).arg("play").args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn shards_of_a_match_are_played_merged_and_reported() {
    let dir = tempdir().unwrap();
    let players = ["--game", "othello", "--first", "mpc", "--second", "none"];
    let shard = |number: &str, more: &[&str]| {
        play(dir.path(), &[&players[..], &SMALL, &["--shard", number], more].concat())
    };
    for number in ["1/2", "2/2"] {
        let (code, report, error) = shard(number, &[]);
        assert_eq!(code, 0, "{error}");
        assert!(report.contains("2 of 4 games are there"), "{report}");
    }
    let (code, _, _) = play(dir.path(), &["--resume", "runs/play-1-of-2"]);
    assert_eq!(code, 0);
    let merge = |shards: &[&str]| xtask(dir.path()).args(["merge", "m"]).args(shards).assert();
    let error =
        String::from_utf8_lossy(&merge(&["runs/play-2-of-2"]).code(4).get_output().stderr).into_owned();
    assert!(error.contains("2 of 4 games in 1 of 2 pairs") && error.contains("missing: 1/2"), "{error}");
    merge(&["runs/play-1-of-2"]).success();
    let (code, ..) = play(dir.path(), &[&players[..], &SMALL, &["--out", "whole"]].concat());
    assert_eq!(code, 0);
    let games = |out: &str| {
        let mut rows = crate::common::rows(dir.path(), out, "games.csv");
        let timed = ["first_time_ns", "second_time_ns", "transcript"];
        rows.iter_mut().for_each(|row| row.retain(|column, _| !timed.contains(&column.as_str())));
        rows
    };
    assert_eq!(games("m"), games("whole"));
    xtask(dir.path()).args(["report", "m"]).assert().success();
    for (more, part) in [
        (["--sprt=0,5"], "a sequential test ends a match by the games so far and cannot be cut"),
        (["--shard=1/3"], "no more shards than pairs"),
    ] {
        let number = if more[0].starts_with("--shard") { &[][..] } else { &["--shard", "1/2"] };
        let (code, _, error) = play(dir.path(), &[&players[..], &SMALL, number, &more].concat());
        assert!(code == 2 && error.contains(part), "{error}");
    }
}

#[test]
fn a_match_is_reported_and_goes_on_where_it_was() {
    let dir = tempdir().unwrap();
    for game in ["chess", "othello", "einstein"] {
        let players = ["--game", game, "--first", "none", "--second", "none", "--out", game, "--sprt=-5,5"];
        let (code, report, error) = play(dir.path(), &[&players[..], &SMALL].concat());
        assert_eq!(code, 0, "{error}");
        for word in
            ["none against none #2", "[0, 0, 2, 0, 0]", "+0.0 (no interval", "not defined", "2 distinct"]
        {
            assert!(report.contains(word), "{word} is not in\n{report}");
        }
        assert!(!report.contains("NaN"), "{report}");
        for file in ["play.toml", "openings.csv", "games.csv", "games.pgn"] {
            assert!(dir.path().join(game).join(file).exists(), "{file}");
        }
        let (code, again, _) = play(dir.path(), &["--resume", game]);
        assert_eq!((code, again), (0, report));
        for (form, part) in [
            ("--markdown", "# none against none #2"),
            ("--csv", "none x none #2,all,score,2,0.5"),
            ("--json", "\"measure\": \"elo\""),
            ("--latex", "\\begin{"),
        ] {
            let output = xtask(dir.path()).args(["report", game, form]).output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && text.contains(part), "{form}: {text}");
        }
        let other = ["--game", game, "--first", "none", "--second", "razoring", "--out", game, "--sprt=-5,5"];
        let (code, _, error) = play(dir.path(), &[&other[..], &SMALL].concat());
        assert_eq!(code, 4);
        assert!(error.contains("second player"), "{error}");
    }
}

#[test]
fn a_result_that_rests_on_faults_says_so_first() {
    let dir = tempdir().unwrap();
    let script = "while read -r line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; \
                  go*) echo bestmove;; quit) exit;; esac; done";
    let path = file(dir.path(), "mute", script);
    let engine = format!("engine:sh {}", path.display());
    let arguments = ["--first", "none", "--second", &engine, "--out", "m", "--depth", "1", "--games", "2"];
    let (code, report, error) = play(dir.path(), &arguments);
    assert_eq!(code, 4, "{error}");
    let first = report.lines().next().unwrap();
    assert!(first.contains("2 of 2 games ended by faults: 0 of none, 2 of sh"), "{report}");
    assert!(error.contains("play them again with: cargo xtask play --retry --resume m"), "{error}");
    let (code, _, error) = play(dir.path(), &["--resume", "m", "--retry"]);
    assert!(code == 4 && error.contains("2 games that a fault ended are replayed"), "{error}");
}

#[test]
fn what_cannot_be_played_is_said_in_one_line() {
    let dir = tempdir().unwrap();
    for (arguments, word) in [
        (vec!["--first", "non", "--second", "none"], "did you mean `none`?"),
        (vec!["--first", "none", "--second", "engine:no-such-engine"], "no-such-engine"),
        (vec!["--first", "none", "--second", "none", "--openings", "bratko-kopek"], "bratko-kopec"),
        (vec!["--first", "none", "--second", "none", "--openings", "no.epd"], "no.epd"),
        (vec!["--first", "none", "--second", "none", "--game", "ches"], "chess"),
        (vec!["--first", "none", "--second", "none", "--games", "3"], "even number"),
        (vec!["--first", "none", "--second", "none", "--tc", "2m"], "2+0.02"),
        (vec!["--first", "none", "--second", "none", "--resign", "400"], "3:400"),
        (vec!["--first", "none", "--second", "none", "--sprt", "5,0"], "0,5"),
        (vec!["--first", "none", "--second", "none", "--jobs", "0"], "for '--jobs"),
        (vec!["--first", "none", "--second", "none", "--first-option", "A=1"], "engine:NAME"),
        (
            vec!["--game", "othello", "--first", "none", "--second", "none", "--games", "1002"],
            "found 470 that differ (positions of othello-12), expected 501",
        ),
        (vec!["--first", "none"], "--second"),
    ] {
        let (code, _, error) = play(dir.path(), &arguments);
        assert_eq!(code, 2, "{arguments:?}: {error}");
        assert!(error.contains(word), "{arguments:?} lacks {word}: {error}");
        assert!(!error.contains(" at a time, into "), "nothing was begun: {error}");
        assert_eq!(error.lines().filter(|line| line.starts_with("error:")).count(), 1, "{error}");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "{arguments:?}");
    }
}

/// Without a row there is nothing to repair a complete match from, so the report names no command that would be refused.
#[test]
fn a_match_without_its_games_asks_for_the_file() {
    let dir = tempdir().unwrap();
    let players = ["--first", "none", "--second", "null-move", "--out", "m"];
    assert_eq!(play(dir.path(), &[&players[..], &SMALL].concat()).0, 0);
    std::fs::write(dir.path().join("m/games.csv"), "").unwrap();
    let report = xtask(dir.path()).args(["report", "m"]).assert().code(2);
    let error = String::from_utf8_lossy(&report.get_output().stderr).into_owned();
    assert!(error.contains("games.csv: empty or missing in a complete match; put it back"), "{error}");
    assert!(!error.contains("--resume"), "{error}");
}

/// A program of somebody else, where it is installed, plays ours, and both take the moves of the other for legal.
#[test]
#[allow(clippy::print_stderr)]
fn a_program_of_shogi_plays_a_match() {
    if secateur_engines::find(Path::new("fairy-stockfish")).is_err() {
        eprintln!("skipped: fairy-stockfish is not installed");
        return;
    }
    let dir = tempdir().unwrap();
    let dir = dir.path();
    file(dir, "set.pos", SHOGI);
    let players = ["play", "--game", "shogi", "--first", "none", "--second", "subject:fairy-stockfish"];
    let games =
        ["--nodes", "400", "--games", "4", "--openings", "set.pos", "--max-moves", "10", "--out", "m"];
    let report = output_of(&xtask(dir).args(players).args(games).assert().success());
    assert!(report.contains("fairy-stockfish full"), "{report}");
    let games = rows(dir, "m", "games.csv");
    let ended =
        |game: &BTreeMap<String, String>| ["max-moves", "checkmate"].contains(&game["reason"].as_str());
    assert!(games.len() == 4 && games.iter().all(ended), "{games:?}");
}
