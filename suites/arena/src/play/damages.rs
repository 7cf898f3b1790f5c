//! Damages of a match folder: whatever happens to a file is refused or mended, and never believed.

use super::file::SETTINGS;
use super::folder::Folder;
use super::run::run;
use super::tests::{job, play, settings, timeless, transcripts};
use super::{Ended, GameRow, PlayFile};
use secateur_suites::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tempfile::tempdir;

const FILES: [&str; 4] = [SETTINGS, "openings.csv", "games.csv", "games.pgn"];

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for name in FILES {
        std::fs::copy(from.join(name), to.join(name)).unwrap();
    }
}

/// Every way in which a file of these bytes is damaged here: cut, doubled or removed at each line, emptied, and one bit
/// flipped in every `step`-th byte.
fn damages(bytes: &[u8], step: usize) -> Vec<Vec<u8>> {
    let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    let without = |at: usize| [&lines[..at], &lines[at + 1..]].concat().concat();
    let twice = |at: usize| [&lines[..=at], &lines[at..]].concat().concat();
    let mut all: Vec<Vec<u8>> =
        (0..lines.len()).flat_map(|at| [without(at), twice(at), lines[..at].concat()]).collect();
    for at in (0..bytes.len()).step_by(step) {
        let mut flipped = bytes.to_vec();
        flipped[at] ^= 1 << (at % 8);
        all.push(flipped);
    }
    all.push(bytes[..bytes.len() - 1].to_vec());
    all
}

/// Opens a folder as a match that goes on does, and gives what is kept.
fn opened(dir: &Path, whole: &PlayFile, openings: &Path) -> Result<(bool, Vec<GameRow>), Error> {
    let draw =
        |_| Ok((secateur_record::store::read(openings)?, whole.distinct_openings, whole.openings.clone()));
    let folder = Folder::open(dir, whole.clone(), false, draw)?;
    assert_eq!(std::fs::read(dir.join("openings.csv")).unwrap(), std::fs::read(openings).unwrap());
    Ok((folder.file.complete, folder.rows))
}

#[test]
fn no_damage_of_a_finished_match_is_believed() {
    let dir = tempdir().unwrap();
    let (good, bad) = (dir.path().join("good"), dir.path().join("bad"));
    let ended = play(&settings("othello", "none", "mpc", 2), &good, 2);
    let whole = Ended::read(&good).unwrap();
    assert_eq!(whole.rows, ended.rows);
    for name in FILES {
        copy(&good, &bad);
        let bytes = std::fs::read(good.join(name)).unwrap();
        // One transcript is like another, and there is much of them.
        let damages = damages(&bytes, if name == "games.pgn" { 11 } else { 1 });
        for damage in &damages {
            std::fs::write(bad.join(name), damage).unwrap();
            let told = format!("{name}: {}", String::from_utf8_lossy(damage));
            match Ended::read(&bad) {
                // What was doubled or cut may be nothing that counts.
                Ok(read) => assert_eq!((&read.file, &read.rows), (&whole.file, &whole.rows), "{told}"),
                Err(error) => assert!(error.to_string().contains(name), "{error}\n{told}"),
            }
        }
        // Opening writes and syncs, which takes its time.
        for damage in damages.iter().step_by(if name == "games.csv" { 7 } else { 31 }) {
            copy(&good, &bad);
            std::fs::write(bad.join(name), damage).unwrap();
            let told = format!("{name}: {}", String::from_utf8_lossy(damage));
            if let Ok((complete, rows)) = opened(&bad, &whole.file, &good.join("openings.csv")) {
                assert!(rows.iter().all(|row| whole.rows.contains(row)), "{told}");
                assert_eq!(complete, rows.len() == whole.rows.len(), "{told}");
                // What is kept is now again as it was written.
                let again = Ended::read(&bad).unwrap();
                assert_eq!((again.file.complete, &again.rows), (complete, &rows), "{told}");
            }
        }
        copy(&good, &bad);
        std::fs::remove_file(bad.join(name)).unwrap();
        let read = Ended::read(&bad).map(|read| read.rows);
        assert!(if name == "games.pgn" { read.unwrap() == whole.rows } else { read.is_err() }, "{name}");
        let mended = opened(&bad, &whole.file, &good.join("openings.csv"));
        assert_eq!(mended.is_ok(), name == "openings.csv", "{name}: {mended:?}");
    }
}

#[test]
fn a_damaged_match_is_played_to_the_same_end_and_says_so() {
    let dir = tempdir().unwrap();
    let (good, bad) = (dir.path().join("good"), dir.path().join("bad"));
    let asked = settings("othello", "none", "mpc", 4);
    let whole = play(&asked, &good, 2);
    assert!(whole.mended.is_empty());
    for (name, from, to) in [
        ("games.csv", "\n3,", "\n7,"),
        ("games.pgn", "[Round \"2\"]", "[Round \"1\"]"),
        ("openings.csv", "o", "x"),
    ] {
        copy(&good, &bad);
        let text = std::fs::read_to_string(bad.join(name)).unwrap();
        std::fs::write(bad.join(name), text.replacen(from, to, 1)).unwrap();
        let again = play(&asked, &bad, 1);
        assert!(again.file.complete && !again.mended.is_empty(), "{name}");
        assert!(again.mended[0].contains(name), "{:?}", again.mended);
        assert_eq!(timeless(&again.rows), timeless(&whole.rows), "{name}");
        assert_eq!(transcripts(&bad), transcripts(&good), "{name}");
        assert_eq!(Ended::read(&bad).unwrap().rows, again.rows);
    }
}

#[test]
fn what_an_early_kill_leaves_is_taken_up_and_games_without_settings_are_not() {
    let asked = settings("othello", "none", "none", 2);
    for left in [&["lock", "play.toml.17.tmp"][..], &["lock", "openings.csv", "games.csv", "play.tmp"]] {
        let dir = tempdir().unwrap();
        left.iter().for_each(|name| std::fs::write(dir.path().join(name), "").unwrap());
        assert!(play(&asked, dir.path(), 1).file.complete, "{left:?}");
        std::fs::remove_file(dir.path().join(SETTINGS)).unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let job = job(&asked, dir.path(), &stop);
        let error = run(&job, &mut |_| ()).unwrap_err().to_string();
        assert!(error.contains("no play.toml"), "{error}");
    }
}

#[test]
fn a_match_of_an_older_version_is_refused_with_what_reads_it() {
    let dir = tempdir().unwrap();
    let asked = settings("othello", "none", "none", 2);
    play(&asked, dir.path(), 1);
    let older = PlayFile { schema: 2, ..PlayFile::read(dir.path()).unwrap() };
    std::fs::write(dir.path().join(SETTINGS), older.text()).unwrap();
    let before = FILES.map(|name| std::fs::read(dir.path().join(name)).unwrap());
    let stop = Arc::new(AtomicBool::new(false));
    let folder = dir.path();
    let job = job(&asked, folder, &stop);
    for error in
        [Ended::read(folder).unwrap_err().to_string(), run(&job, &mut |_| ()).unwrap_err().to_string()]
    {
        assert!(
            error.contains("play.toml:2:1: found schema 2, expected 3") && error.contains("commit"),
            "{error}"
        );
    }
    assert_eq!(FILES.map(|name| std::fs::read(folder.join(name)).unwrap()), before);
}

#[test]
fn games_under_the_settings_of_another_match_are_refused() {
    let dir = tempdir().unwrap();
    let [one, other] = ["one", "other"].map(|name| dir.path().join(name));
    let asked = settings("othello", "none", "none", 2);
    play(&asked, &one, 1);
    let players = settings("othello", "none", "mpc", 2);
    play(&players, &other, 1);
    // Players, budget and table decide a match, and none of them stands in a row; the openings are the same.
    let mixed = dir.path().join("mixed");
    copy(&one, &mixed);
    std::fs::copy(other.join(SETTINGS), mixed.join(SETTINGS)).unwrap();
    let before = FILES.map(|name| std::fs::read(mixed.join(name)).unwrap());
    let stop = Arc::new(AtomicBool::new(false));
    let job = job(&players, &mixed, &stop);
    for error in
        [Ended::read(&mixed).unwrap_err().to_string(), run(&job, &mut |_| ()).unwrap_err().to_string()]
    {
        assert!(error.contains("games.csv:2:1") && error.contains("of another folder"), "{error}");
    }
    assert_eq!(FILES.map(|name| std::fs::read(mixed.join(name)).unwrap()), before);
    let seals = Ended::read(&one).unwrap().rows.into_iter().map(|row| row.seal);
    let identity = PlayFile::read(&one).unwrap().identity();
    assert!(seals.into_iter().all(|seal| seal.starts_with(&format!("{identity}-"))));
}
