//! `solve`, `analyse` and `play` through the binary: what they print, their exit codes, what goes on, and what is refused. Tactical sets:
//! best moves and moves to avoid in a position file lead to solved counts in the report, which then needs the file no more.

use crate::common::{file, xtask};
use std::path::Path;
use tempfile::tempdir;

/// Exit code, standard output and standard error.
fn ran(dir: &Path, arguments: &[&str]) -> (i32, String, String) {
    let run = xtask(dir).args(arguments).assert();
    let output = run.get_output();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

/// The first two positions of the endgame test.
const ENDS: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; g8:+18; % id=one\n\
                    -XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X; a4:+10; % id=two\n";

#[test]
fn ends_are_solved_kept_and_held_against_their_file() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    file(dir, "ends.obf", ENDS);
    let (code, out, error) = ran(dir, &["solve", "ends.obf", "--out", "solved.csv", "--jobs", "2"]);
    assert_eq!(code, 0, "{error}");
    assert!(out.contains("+18") && out.contains("+10") && out.contains("2 of 2 as the file says"), "{out}");
    assert!(out.lines().all(|line| line.chars().count() <= 100), "{out}");
    let kept = std::fs::read_to_string(dir.join("solved.csv")).unwrap();
    assert_eq!(kept.lines().count(), 3);
    assert_eq!(ran(dir, &["solve", "ends.obf", "--out", "solved.csv"]).1, out, "the rows that were kept");
    assert_eq!(std::fs::read_to_string(dir.join("solved.csv")).unwrap(), kept);

    file(dir, "wrong.obf", &ENDS.replace("+10", "+12"));
    let (code, out, error) = ran(dir, &["solve", "wrong.obf"]);
    assert_eq!(code, 3);
    assert!(
        out.contains("+10 (!)") && error.contains("1 of 2 values differ from what the file says"),
        "{out}{error}"
    );

    file(
        dir,
        "open.epd",
        "4k3/8/8/8/8/8/4P3/4K3 w - - id \"pawn\";\n6k1/5ppp/8/8/8/8/8/R3K3 w - - dm 1; id \"mate\";\n",
    );
    let (code, out, error) = ran(dir, &["solve", "open.epd", "--depth", "3"]);
    assert_eq!(code, 4);
    assert!(out.contains("#1") && error.contains("1 of 2 positions are open"), "{out}{error}");
    assert_eq!(ran(dir, &["solve", "open.epd:2"]).0, 0);
}

#[test]
fn a_position_is_shown_with_the_values_of_its_moves() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    let board = "---------------------------OX------XO--------------------------- X";
    let (code, out, error) = ran(dir, &["analyse", board, "--depth", "4"]);
    assert_eq!(code, 0, "{error}");
    for part in ["to move", "  4  . . . O X . . .", "     a b c d e f g h", "depth 4", "methods: none"] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let moves = out
        .lines()
        .filter(|line| ["d3", "c4", "f5", "e6"].iter().any(|mv| line.contains(&format!("│ {mv} "))));
    assert_eq!(moves.count(), 4, "{out}");
    let (code, out, error) = ran(dir, &["analyse", "kaufman:3", "--nodes", "20000", "--lines", "2"]);
    assert_eq!(code, 0, "{error}");
    assert!(out.contains("  8  ") && out.contains("2 of "), "{out}");
    // Below the moves, what each method does by itself, `none` first.
    let each = out.split("What each method does here").nth(1).unwrap_or_else(|| panic!("{out}"));
    let at = |name: &str| each.find(&format!("│ {name} ")).unwrap_or_else(|| panic!("{name}: {out}"));
    assert!(at("none") < at("null-move") && each.contains("x "), "{out}");
    let bare = ran(dir, &["analyse", "kaufman:3", "--nodes", "20000", "--moves-only"]).1;
    assert!(!bare.contains("What each method does here"), "{bare}");
    assert!(out.lines().all(|line| line.chars().count() <= 100), "{out}");
    let mate = "6k1/5ppp/8/8/8/8/8/R3K3 w - -";
    let (_, out, _) = ran(
        dir,
        &["analyse", mate, "--depth", "2", "--lines", "1", "--methods", "all", "--params", "strong"],
    );
    assert!(out.contains("Ra8#") && out.contains("#1"), "{out}");
}

#[test]
fn what_is_no_position_costs_one_error_with_its_place() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    file(dir, "ends.obf", &(ENDS.to_owned() + "what?\n"));
    file(dir, "mine.csv", "mine\n");
    file(dir, "fine.obf", ENDS);
    for (arguments, part) in [
        (&["solve", "ends.obf"][..], "ends.obf:3:1"),
        (&["solve", "gone.obf"], "expected a position"),
        (&["solve", "fine.obf", "--out", "mine.csv"], "mine.csv:1"),
        (&["analyse", "4k3/8/8/8/8/8/9/4K3 w - - 0 1"], "position:1:"),
        (&["analyse", "start"], "--game"),
        (&["analyse", "fine.obf:9"], "expected the line of a position"),
        (&["analyse", "fine.obf:1", "--methods", "nul-move"], "did you mean `null-move`?"),
        (&["analyse", "fine.obf:1", "--depth", "0"], "--depth"),
        (&["analyse", "fine.obf:1", "--time", "5"], "--time"),
    ] {
        let (code, _, error) = ran(dir, arguments);
        assert_eq!(code, 2, "{arguments:?}: {error}");
        assert!(error.contains(part), "{arguments:?}: {error}");
        assert_eq!(error.matches("error: ").count(), 1, "{error}");
    }
    assert_eq!(std::fs::read_to_string(dir.join("mine.csv")).unwrap(), "mine\n");
}

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
