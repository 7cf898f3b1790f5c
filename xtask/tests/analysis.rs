//! `solve` and `analyse` through the binary: what they print, their exit codes, what goes on, and what is refused.

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
        out.contains("+10 (!)") && error.contains("1 of 2 values differs from what the file says"),
        "{out}{error}"
    );

    file(
        dir,
        "open.epd",
        "4k3/8/8/8/8/8/4P3/4K3 w - - id \"pawn\";\n6k1/5ppp/8/8/8/8/8/R3K3 w - - dm 1; id \"mate\";\n",
    );
    let (code, out, error) = ran(dir, &["solve", "open.epd", "--depth", "3"]);
    assert_eq!(code, 4);
    assert!(out.contains("#1") && error.contains("1 of 2 positions is open"), "{out}{error}");
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
