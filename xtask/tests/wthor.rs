//! Real games through the binary: WTHOR files that the tests write, import, and what is refused.

use crate::common::{file, xtask};
use secateur_base::hash::SplitMix;
use secateur_core::Notation;
use secateur_games::othello::{Othello, Position, squares};
use secateur_suites::sample::reserved;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::{TempDir, tempdir};

const HEADER: usize = 16;
const GAME: usize = 68;

/// A database of `count` games of random legal moves, made of the format's description alone.
fn database(count: u32, year: u16, seed: u64) -> Vec<u8> {
    let mut random = SplitMix(seed);
    let mut bytes = vec![20, 24, 6, 30];
    bytes.extend(count.to_le_bytes());
    bytes.extend([0, 0]);
    bytes.extend(year.to_le_bytes());
    bytes.extend([8, 0, 22, 0]);
    for _ in 0..count {
        let mut position = Position::start();
        let mut codes = Vec::new();
        loop {
            let moves = position.board().moves();
            if moves == 0 && position.board().replies() == 0 {
                break;
            }
            if moves == 0 {
                position = position.passed();
                continue;
            }
            let square = squares(moves).nth(random.below(moves.count_ones() as usize)).unwrap();
            codes.push((10 * (square.index() / 8 + 1) + square.index() % 8 + 1) as u8);
            position = position.play(square);
        }
        let result = position.board().result();
        let black = if position.x_to_move() { result } else { -result };
        codes.resize(60, 0);
        bytes.extend([1, 0, 2, 0, 3, 0, ((black + 64) / 2) as u8, 32]);
        bytes.extend(codes);
    }
    bytes
}

/// A folder with two databases, `a.wtb` of 40 games and `b.wtb` of 20.
fn folder() -> TempDir {
    let dir = tempdir().unwrap();
    write(dir.path(), "a.wtb", &database(40, 2019, 1));
    write(dir.path(), "b.wtb", &database(20, 2020, 2));
    dir
}

fn write(dir: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = dir.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// Output and messages of a command that must succeed.
fn done(dir: &Path, arguments: &str) -> (String, String) {
    let run = xtask(dir).args(arguments.split(' ')).assert().success();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&run.get_output().stdout), text(&run.get_output().stderr))
}

/// Runs a command that must fail with `code`, say all `parts` in one line, and leave the folder as it was.
fn refused(dir: &Path, arguments: &str, code: i32, parts: &[&str]) {
    let listing = || {
        let mut files: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        files.into_iter().map(|path| (fs::read(&path).unwrap_or_default(), path)).collect::<Vec<_>>()
    };
    let before = listing();
    let run = xtask(dir).args(arguments.split(' ')).assert().code(code);
    let error = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    let lines: Vec<&str> = error.lines().filter(|line| line.starts_with("error:")).collect();
    assert_eq!(lines.len(), 1, "{error}");
    for word in parts {
        assert!(error.contains(word), "{arguments} lacks {word:?}:\n{error}");
    }
    assert!(listing() == before, "{arguments} wrote something");
}

#[test]
fn imported_positions_are_accepted_and_named_by_their_game() {
    let dir = folder();
    let (out, notes) =
        done(dir.path(), "positions import a.wtb b.wtb --discs 20,12,40 --count 15 --out games.obf");
    for part in ["games.obf: 45 positions of 60 games, hash ", "  12: 15, ", "  20: 15, ", "  40: 15, "] {
        assert!(out.contains(part), "{out}");
    }
    assert_eq!(notes, "");
    let (checked, _) = done(dir.path(), "positions check games.obf");
    assert!(checked.contains("45 positions of othello") && checked.contains("  40: 15"), "{checked}");
    let text = fs::read_to_string(dir.path().join("games.obf")).unwrap();
    for part in [
        "% Command: cargo xtask positions import a.wtb b.wtb --discs 20,12,40 --count 15 --seed 1 --out ",
        "% Source: a.wtb, FNV-1a ",
        ", 40 games, year 2019",
        ", 20 games, year 2020",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let set = secateur_positions::file(&Othello::default(), &dir.path().join("games.obf")).unwrap();
    let games = |name: &str| set.entries.iter().filter(|entry| entry.cluster.starts_with(name)).count();
    assert_eq!(games("wthor-2019-") + games("wthor-2020-"), 45);
    assert!(games("wthor-2019-") > 9 && games("wthor-2020-") > 3, "drawn from one file only");
    let reserved = set
        .entries
        .iter()
        .filter(|entry| entry.stage == "40")
        .map(|entry| reserved(Othello::default().parse(&entry.position).unwrap().board()));
    let reserved: Vec<bool> = reserved.collect();
    assert!(reserved.is_sorted_by(|a, b| a >= b), "reserved positions come first: {reserved:?}");
    let count = reserved.iter().filter(|reserved| **reserved).count();
    assert!(out.contains(&format!("  40: 15, {count} of them reserved\n")), "{out}");
    assert!(set.entries.iter().all(|entry| entry.id == format!("{}-{}", entry.cluster, entry.stage)));
}

#[test]
fn imported_positions_can_be_searched_and_fitted_on() {
    let dir = folder();
    done(dir.path(), "positions import a.wtb --discs 28,44 --count 6 --out games.obf");
    let (plan, _) = done(dir.path(), "bench --positions games.obf --methods none,mpc --depth 4 --list");
    assert!(plan.contains("12 positions (28: 6, 44: 6)"), "{plan}");
    done(dir.path(), "bench --positions games.obf --methods none,futility --depth 4 --out run");
    let records = fs::read_to_string(dir.path().join("run/records.csv")).unwrap();
    assert!(records.contains("wthor-2019-"), "{records}");
    done(dir.path(), "positions import a.wtb --discs 48,52 --count 18 --out late.obf");
    let (fitted, _) = done(dir.path(), "fit othello --positions late.obf --out params");
    assert!(fitted.contains("written: params/othello.fit.toml"), "{fitted}");
}

#[test]
fn the_seed_decides_and_the_name_of_the_file_does_not() {
    let dir = folder();
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
    let command = "positions import a.wtb b.wtb --count 5";
    done(dir.path(), &format!("{command} --seed 4 --out one.obf"));
    done(dir.path(), &format!("{command} --seed 4 --out two.obf"));
    done(dir.path(), &format!("{command} --seed 5 --out other.obf"));
    assert_eq!(read("one.obf"), read("two.obf"));
    let positions = |name: &str| read(name).lines().filter(|l| !l.starts_with('%')).collect::<String>();
    assert_ne!(positions("one.obf"), positions("other.obf"));
    done(dir.path(), "positions import b.wtb a.wtb --count 5 --seed 4 --out turned.obf");
    assert_eq!(positions("one.obf"), positions("turned.obf"), "the order of the files does not matter");
}

#[test]
fn a_short_disc_count_is_said_and_a_file_is_not_overwritten() {
    let dir = folder();
    let import = "positions import b.wtb --discs 5,20 --count 10 --out games.obf";
    let (_, notes) = done(dir.path(), import);
    assert_eq!(notes, "note: 5 discs: found 1 of 10 positions in no built-in set\n");
    let text = fs::read_to_string(dir.path().join("games.obf")).unwrap();
    assert!(text.contains("% Short: 1 of 10 positions with 5 discs"), "{text}");
    refused(dir.path(), import, 2, &["games.obf: found a file there, expected none; --force replaces it"]);
    let other = import.replace("--discs 5,20", "--discs 30 --force");
    done(dir.path(), &other);
    assert_ne!(fs::read_to_string(dir.path().join("games.obf")).unwrap(), text);
}

/// Files that no command may take, and what is said about them.
fn broken(dir: &Path) -> Vec<(&'static str, i32, &'static str)> {
    let whole = database(3, 2019, 1);
    write(dir, "cut.wtb", &whole[..whole.len() - 30]);
    let mut illegal = whole.clone();
    illegal[HEADER + 2 * GAME + 8] = 11;
    write(dir, "illegal.wtb", &illegal);
    let mut large = whole;
    large[12] = 10;
    write(dir, "large.wtb", &large);
    write(dir, "picture.wtb", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\0\0\0\x02\0\x08\x06\0\0\0");
    file(dir, "text.wtb", "a text that is no database at all\n");
    file(dir, "none.wtb", "");
    vec![
        (
            "cut.wtb",
            2,
            "cut.wtb: byte 190: found 190 bytes, expected 220 for the 3 games of the header: the file is truncated",
        ),
        (
            "illegal.wtb",
            2,
            "illegal.wtb: byte 160: game 3, move 1: found a1, which is illegal for X, expected one of d3 c4 f5 e6",
        ),
        ("large.wtb", 2, "large.wtb: byte 12: found board size 10, expected 8"),
        ("picture.wtb", 2, "picture.wtb: byte 0: found \"\\x89PNG\", expected the date"),
        ("text.wtb", 2, "text.wtb: byte 0: found \"a te\", expected the date"),
        ("none.wtb", 2, "none.wtb: byte 0: found 0 bytes, expected a WTHOR header of 16 bytes"),
        ("absent.wtb", 2, "absent.wtb: "),
    ]
}

#[test]
fn broken_and_foreign_files_are_refused_and_nothing_is_written() {
    let dir = folder();
    for (name, code, part) in broken(dir.path()) {
        refused(dir.path(), &format!("positions import a.wtb {name} --out games.obf"), code, &[part]);
    }
    fs::copy(dir.path().join("a.wtb"), dir.path().join("c.wtb")).unwrap();
    let parts = ["c.wtb: found the same content as in a.wtb"];
    refused(dir.path(), "positions import a.wtb b.wtb c.wtb --out games.obf", 2, &parts);
    write(dir.path(), "empty.wtb", &database(0, 2019, 1));
    refused(dir.path(), "positions import empty.wtb --out games.obf", 2, &["no position", "0 games"]);
    refused(dir.path(), "positions import a.wtb --out games.epd", 2, &["games.epd", ".obf"]);
    refused(dir.path(), "positions import a.wtb", 2, &["--out"]);
    refused(dir.path(), "positions import --out games.obf", 2, &["FILE.wtb"]);
    refused(dir.path(), "positions import a.wtb --out games.obf --discs 70", 2, &["70", "--discs"]);
    refused(dir.path(), "positions import a.wtb --out games.obf --count 0", 2, &["--count"]);
}

#[test]
fn games_are_learnt_from_and_named_in_the_provenance() {
    let dir = folder();
    let train = "train othello --games a.wtb --games b.wtb --solve-empties 6 --out";
    let (text, _) = done(dir.path(), &format!("{train} one --jobs 1"));
    done(dir.path(), &format!("{train} two --jobs 3"));
    let read = |name: &str| fs::read(dir.path().join(name)).unwrap();
    assert_eq!(read("one/othello.weights"), read("two/othello.weights"));
    assert_eq!(String::from_utf8(read("one/othello.provenance.toml")).unwrap(), text);
    let provenance: toml::Table = text.parse().unwrap();
    let command = provenance["command"].as_str().unwrap();
    assert_eq!(command, "cargo xtask train othello --solve-empties 6 --games a.wtb --games b.wtb");
    assert_eq!(provenance["scheme"].as_str(), Some("no self-play"));
    let archive = provenance["archive"].as_table().unwrap();
    assert_eq!((archive["games"].as_integer(), archive["broken-off"].as_integer()), (Some(60), Some(0)));
    let [positions, validation, left_out] =
        ["positions", "validation", "left-out"].map(|name| archive[name].as_integer().unwrap());
    assert!(positions > 57 * 40 && validation > 3 * 40 && left_out > 60, "{text}");
    let files = archive["files"].as_array().unwrap();
    assert_eq!((files[1]["path"].as_str(), files[1]["games"].as_integer()), (Some("b.wtb"), Some(20)));
    assert_eq!(files[0]["hash"].as_str().map(str::len), Some(16));
    let generations = provenance["generations"].as_array().unwrap();
    assert_eq!((generations.len(), generations[0]["positions"].as_integer()), (1, Some(positions)));
}

#[test]
fn games_and_self_play_are_learnt_from_together() {
    let dir = folder();
    let small = "--generations 1 --depth 1 --solve-empties 4 --jobs 2 --out";
    let (both, _) = done(dir.path(), &format!("train othello --games 20 --games a.wtb b.wtb {small} both"));
    let (alone, _) = done(dir.path(), &format!("train othello --games 20 {small} alone"));
    assert!(both.contains("--games 20 --seed 1") && both.contains("--games a.wtb --games b.wtb"), "{both}");
    let positions = |text: &str| {
        text.parse::<toml::Table>().unwrap()["generations"][0]["positions"].as_integer().unwrap()
    };
    assert!(positions(&both) > positions(&alone) + 57 * 40);
    assert!(!alone.contains("[archive]"), "{alone}");
}

#[test]
fn nothing_is_learnt_from_what_is_broken() {
    let dir = folder();
    for (name, code, part) in broken(dir.path()) {
        refused(dir.path(), &format!("train othello --games a.wtb --games {name} --out w"), code, &[part]);
    }
    write(dir.path(), "few.wtb", &database(19, 2019, 1));
    let parts = ["found 19 games that reach a result, expected at least 20"];
    refused(dir.path(), "train othello --games few.wtb --out w", 2, &parts);
    refused(dir.path(), "train othello --games 3 --out w", 2, &["games is 3, expected 20"]);
    refused(dir.path(), "train othello --games 30 --games 40 --out w", 2, &["--games", "two numbers"]);
    refused(dir.path(), "train othello --games many --out w", 2, &["--games", "a number or a .wtb file"]);
}
