//! Bad input through the binary: one clear error, the right exit code, and nothing written.

use crate::common::{SUITE, bench, file, rows, xtask};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

/// Runs a command that must fail with `code`, say all `parts`, and leave the folder as it was.
fn refused(dir: &Path, arguments: &[&str], code: i32, parts: &[&str]) {
    let before = listing(dir);
    let run = xtask(dir).args(arguments).assert().code(code);
    let error = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    for word in parts {
        assert!(error.contains(word), "{arguments:?} lacks {word:?}:\n{error}");
    }
    let errors = error.lines().filter(|line| line.starts_with("error:")).count();
    assert_eq!(errors, 1, "{error}");
    assert_eq!(listing(dir), before, "{arguments:?} wrote something");
}

fn listing(dir: &Path) -> Vec<String> {
    let files = fs::read_dir(dir).unwrap();
    let mut names: Vec<String> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn unknown_names_get_those_that_exist() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    refused(dir, &["bench", "quik"], 2, &["unknown suite `quik`", "table2", "did you mean `quick`?"]);
    let parts = ["unknown method `nul-move`", "multi-cut", "did you mean `null-move`?"];
    refused(dir, &["bench", "--methods", "none,nul-move"], 2, &parts);
    refused(dir, &["bench", "--methods", "mpc+"], 2, &["unknown method", "null-move"]);
    refused(dir, &["bench", "--game", "ches"], 2, &["unknown game `ches`", "othello, chess", "`chess`?"]);
    refused(dir, &["bench", "--positions", "othelo-12"], 2, &["unknown position set", "othello-12"]);
    refused(dir, &["bench", "--positions", "games.txt"], 2, &["games.txt", ".epd", ".pgn", ".obf"]);
    refused(dir, &["bench", "table2", "--game", "chess"], 2, &["table2", "only for othello"]);
    refused(dir, &["bench", "--positions", "zugzwang", "--game", "othello"], 2, &["expected othello"]);
    refused(dir, &["fit", "go"], 2, &["go", "othello"]);
    refused(dir, &["bench", "--subject", "togo2", "--depth", "2"], 2, &["did you mean `toga2`?"]);
    refused(dir, &["train", "go"], 2, &["go", "othello", "chess"]);
    refused(dir, &["positions", "check", "bratko-kopek"], 2, &["did you mean \"bratko-kopec\"?"]);
}

#[test]
fn values_out_of_range_are_refused() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    refused(dir, &["bench", "--depth", "0"], 2, &["--depth", "1 to 64"]);
    refused(dir, &["bench", "--depth", "-2"], 2, &["found depth -2", "1 to 64"]);
    refused(dir, &["cluster", "prepare", "quick", "--shards", "0", "--dir", "f"], 2, &["found 0 shards"]);
    let big = ["bench", "--game", "chess", "--methods", "null-move[reduction=big]"];
    refused(dir, &big, 2, &["`reduction=big`", "expected a whole number"]);
    refused(dir, &["bench", "--depth", "deep"], 2, &["--depth"]);
    refused(dir, &["bench", "--nodes", "0"], 2, &["--nodes", "at least 1"]);
    refused(dir, &["bench", "--time", "500"], 2, &["--time", "500ms"]);
    refused(dir, &["bench", "--time", "-5ms"], 2, &["--time: found time `-5ms`", "above 0"]);
    let clock = ["play", "--first", "none", "--second", "mpc", "--tc", "-1+0.1"];
    refused(dir, &clock, 2, &["--tc `-1+0.1`: expected seconds"]);
    let odd = ["play", "--first", "none", "--second", "mpc", "--games", "1"];
    refused(dir, &odd, 2, &["1 game: expected an even number"]);
    refused(dir, &["bench", "--depth", "4", "--time", "1s"], 2, &["--depth", "cannot be used with"]);
    refused(dir, &["bench", "--jobs", "0"], 2, &["--jobs", "at least 1"]);
    refused(dir, &["bench", "--factorial", "mpc"], 2, &["--factorial mpc", "expected 2 to 8 arms"]);
    let both = ["bench", "--factorial", "mpc,futility", "--methods", "mpc"];
    refused(dir, &both, 2, &["--factorial", "cannot be used with"]);
    refused(dir, &["bench", "--limit", "0"], 2, &["--limit"]);
    refused(dir, &["bench", "--limits", "3"], 2, &["--limits", "--limit"]);
    refused(dir, &["report"], 2, &["RUNS"]);
    refused(dir, &["benhc"], 2, &["benhc", "bench"]);
}

#[test]
fn broken_position_files_show_the_place() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let cases = [
        ("broken.epd", format!("{board} id \"a\";\n{board} bm e5;\n"), "broken.epd:2:"),
        ("no-king.epd", "8/8/8/8/8/8/8/4K3 w - - id \"x\";\n".to_owned(), "no-king.epd:1:1"),
        ("check.epd", "4k3/8/8/8/8/8/4R3/4K3 w - - id \"x\";\n".to_owned(), "check.epd:1:"),
        ("short.obf", "---XO X;\n".to_owned(), "short.obf:1:"),
        ("both.obf", format!("{}Z X;\n", "-".repeat(63)), "both.obf:1:64"),
        ("over.obf", format!("{} X;\n", "X".repeat(64)), "over.obf:1:1"),
        ("empty.epd", "# nothing\n".to_owned(), "empty.epd:1:1"),
    ];
    for (name, text, place) in &cases {
        file(dir, name, text);
        for verb in [["bench", "--positions", name], ["positions", "check", name]] {
            refused(dir, &verb, 2, &[place]);
        }
    }
}

#[test]
fn broken_suites_show_the_place() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    let cases = [
        ("budgets", "budget", "broken.toml:9:1", "unknown field `budget`, expected one of"),
        ("nodes = 3000", "nodes = -1", "broken.toml:9:", "expected at least 1"),
        ("nodes = 3000", "nodes = 3000, depth = 3", "broken.toml:9:", "found several keys, expected one"),
        ("null-move", "null", "broken.toml:8:20", "unknown method `null`"),
        ("othello-28", "othello-29", "broken.toml:6:14", "unknown position set"),
        ("\"othello\"", "othello", "broken.toml:5:8", "^"),
    ];
    for (from, to, place, part) in cases {
        file(dir, "broken.toml", &SUITE.replacen(from, to, 1));
        refused(dir, &["bench", "broken.toml"], 2, &[place, part, "^"]);
    }
    refused(dir, &["bench", "absent.toml"], 2, &["absent.toml"]);
    file(dir, "broken.toml", SUITE);
    refused(dir, &["paper", "broken.toml"], 2, &["broken.toml:4:", "unknown field `block`", "^"]);
    fs::write(dir.join("bytes.toml"), b"# \xc3\xa9\nname = \"\xff\"\n").unwrap();
    refused(dir, &["bench", "bytes.toml"], 2, &["bytes.toml:2:9: found the byte 0xff", "^"]);
    refused(dir, &["worth", "bytes.toml"], 2, &["bytes.toml:2:9: found the byte 0xff", "^"]);
}

#[test]
fn a_folder_that_cannot_be_written_is_the_systems_fault() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    file(dir, "file", "");
    let small = ["bench", "--game", "chess", "--depth", "1", "--limit", "1", "--out"];
    refused(dir, &[&small[..], &["file/run"]].concat(), 1, &["file/run"]);
}

#[test]
fn what_is_not_there_is_a_wrong_argument() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    for arguments in [
        &["bench", "--resume", "nowhere"][..],
        &["play", "--resume", "nowhere"],
        &["report", "nowhere"],
        &["compare", "nowhere", "nowhere"],
        &["tune", "nowhere.toml"],
        &["bench", "nowhere.toml"],
        &["worth", "nowhere.toml"],
        &["worth", "toga2", "--games-from", "nowhere.pgn"],
        &["solve", "nowhere.obf"],
        &["analyse", "nowhere.epd"],
        &["speed", "--resume", "nowhere"],
        &["history", "show", "nowhere"],
        &["merge", "x", "nowhere"],
        &["cluster", "status", "nowhere"],
        &["subjects", "show", "nowhere.toml"],
        &["subjects", "check", "nowhere.toml"],
        &["gate", "--suite", "nowhere.toml", "--baseline", "b.toml"],
        &[
            "play",
            "--first",
            "none",
            "--second",
            "null-move",
            "--nodes",
            "99",
            "--games",
            "2",
            "--openings",
            "nowhere.epd",
        ],
        &["bench", "--positions", "nowhere.epd"],
        &["bench", "--game", "chess", "--params", "nowhere.toml"],
        &["positions", "check", "nowhere.pgn"],
        &["positions", "import", "nowhere.wtb", "--out", "a.obf"],
        &["fit", "othello", "--positions", "nowhere.obf"],
    ] {
        refused(dir, arguments, 2, &["nowhere"]);
    }
    let parts = ["`nosuch`", "jiang, jiang-strict, modern, plain, strong (chess), or a .toml file"];
    refused(dir, &["bench", "--game", "chess", "--params", "nosuch"], 2, &parts);
}

/// Bad parameters, and a path that is no text, end in one sentence.
#[test]
fn no_argument_panics() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    for (text, part) in [
        ("[[x]]", "line 1, column 3"),
        ("[methods.mpc]\nt = 18446744073709551616", "`methods.mpc.t`"),
        ("[methods.mpc]\npairs = [[1, 18446744073709551615]]", "`methods.mpc.pairs`"),
        ("[host]\ntable-mib = 99999999", "found 99999999, expected 0 to 65536"),
    ] {
        file(dir, "own.toml", text);
        refused(dir, &["bench", "--game", "chess", "--params", "own.toml"], 2, &[part]);
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let odd = std::ffi::OsStr::from_bytes(b"a\xff\x1bb");
        let small =
            ["bench", "--game", "chess", "--depth", "1", "--limit", "1", "--methods", "none", "--out"];
        let run = xtask(dir).args(small).arg(odd).assert().code(0);
        let err = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(!err.contains('\u{1b}') && dir.join(odd).join("records.csv").is_file(), "{err}");
    }
}

/// Wrong lines are told together, and can be left out; how many is recorded.
#[test]
fn wrong_lines_can_be_left_out() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    let text =
        "4k3/8/8/8/8/8/8/R3K3 w - - ; bm Ra8\n8/8/8/3kK3/8/8/8/8 w - -\n4k3/8/8/8/8/8/8/R3K3 w Q - bm a9;\n";
    file(dir, "own.epd", text);
    let run = ["bench", "--positions", "own.epd", "--nodes", "1e2", "--methods", "none", "--out", "out"];
    refused(dir, &run, 2, &["own.epd:2:1: found kings side by side", "own.epd:3:"]);
    refused(dir, &["positions", "check", "own.epd"], 2, &["own.epd:2:1", "own.epd:3:"]);
    xtask(dir).args(["positions", "check", "own.epd", "--skip-bad"]).assert().code(0);
    let done = xtask(dir).args(run).arg("--skip-bad").assert().code(0);
    assert!(String::from_utf8_lossy(&done.get_output().stderr).contains("own: 2 wrong lines left out"));
    let manifest = fs::read_to_string(dir.join("out/run.toml")).unwrap();
    assert!(manifest.contains("[game.skipped]") && manifest.contains("own.epd\" = 2"), "{manifest}");
    xtask(dir).args(["bench", "--resume", "out"]).assert().code(0);
}

/// Like faults, and pairs of equal positions, take a line together; what was read and left out is said.
#[test]
fn many_like_faults_take_one_line() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    file(dir, "same.epd", &"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\n".repeat(2000));
    let run = xtask(dir).args(["positions", "check", "same.epd"]).assert().code(2);
    let err = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(err.contains("1,999 pairs are each one position") && err.contains("and 1,996 more"), "{err}");
    assert!(err.lines().all(|line| line.len() < 200), "{err}");
    let open = "[Event \"a\"]\n\n1. e4 (1. d4 e5 *\n\n".repeat(500);
    file(dir, "open.pgn", &format!("{open}[Event \"b\"]\n\n1. e4 e5 *\n"));
    let check = ["positions", "check", "open.pgn", "--every", "2"];
    refused(dir, &check, 2, &["open.pgn:3:7: found a variation without end", "and 497 more"]);
    let run = xtask(dir).args(check).arg("--skip-bad").assert().code(0);
    let stdout = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(
        stdout.contains("read 501 games in 2,003 lines, left out 500 wrong games; took 1 position"),
        "{stdout}"
    );
}

#[test]
fn a_folder_with_other_files_is_left_alone() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    fs::create_dir(dir.join("photos")).unwrap();
    file(dir, "photos/cat.jpg", "meow");
    refused(dir, &["bench", "--depth", "1", "--out", "photos"], 2, &["photos", "expected a run folder"]);
    assert_eq!(listing(&dir.join("photos")), ["cat.jpg"]);
}

#[test]
fn damaged_records_are_refused_mended_and_kept_aside() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    bench(dir, "out", "1");
    let before = rows(dir, "out", "records.csv");
    let path = dir.join("out/records.csv");
    let good = fs::read_to_string(&path).unwrap();
    let bad = good.replacen("\n3,out,", "\nthree,out,", 3);
    fs::write(&path, &bad).unwrap();
    refused(dir, &["report", "out"], 2, &["out/records.csv:2: column `schema`", "--resume out"]);
    let mended = xtask(dir).args(["bench", "--resume", "out"]).assert().success();
    let err = String::from_utf8_lossy(&mended.get_output().stderr).into_owned();
    assert!(err.contains("records.csv:2: column `schema`") && err.contains("searched again"), "{err}");
    assert_eq!(rows(dir, "out", "records.csv"), before);
    assert_eq!(fs::read_to_string(dir.join("out/records.csv.damaged")).unwrap(), bad);
    fs::remove_file(&path).unwrap();
    refused(dir, &["report", "out"], 2, &["out/records.csv: No such file"]);
    // An archive without its end is named itself.
    fs::write(dir.join("out/rows.zip"), "PK").unwrap();
    refused(dir, &["report", "out"], 2, &["out/rows.zip is not as it was written"]);
}
