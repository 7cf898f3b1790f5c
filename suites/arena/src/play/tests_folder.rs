//! The folder of a match: whatever happens to a file is refused or mended, and never believed; and shards of a match, merged, are the
//! match in one piece: the same games, in any order, any of them, again and again.

use super::folder::Folder;
use super::tests::{job, play, settings, timeless, transcripts};
use super::{Ended, GameRow, Job, Limit, MatchSettings, PlayFile, SETTINGS, run};
use secateur_record::archive::pack;
use secateur_record::play::record;
use secateur_suites::Error;
use secateur_suites::shards::matches::{cut, merge};
use secateur_suites::shards::pack::archive;
use secateur_suites::shards::shard::Shard;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::tempdir;

/// Enough pairs that one is planted in two shards.
fn asked() -> MatchSettings {
    MatchSettings { limit: Limit::Depth(1), ..settings("othello", "mpc", "none", 138) }
}

/// Plays a shard until there are so many games.
fn shard_until(settings: &MatchSettings, dir: &Path, (number, count): (u32, u32), games: usize) -> Ended {
    let stop = Arc::new(AtomicBool::new(false));
    let part = Some(cut(settings, Shard { number, of: count }).unwrap());
    let job = Job { jobs: 2, part, ..job(settings, dir, &stop) };
    run(&job, &mut |rows| stop.store(rows.len() >= games, Ordering::SeqCst)).unwrap()
}

fn shards(settings: &MatchSettings, dir: &Path, count: u32) -> Vec<PathBuf> {
    let shard = |number| {
        let folder = dir.join(format!("{number}-of-{count}"));
        assert!(shard_until(settings, &folder, (number, count), usize::MAX).file.complete);
        folder
    };
    (1..=count).map(shard).collect()
}

fn files(dir: &Path) -> Vec<Vec<u8>> {
    [SETTINGS, "openings.csv", "games.csv", "games.pgn"].map(|name| fs::read(dir.join(name)).unwrap()).into()
}

/// What the file of a match says but for when, where and in how many pieces it was played.
fn what(dir: &Path) -> PlayFile {
    let file = PlayFile::read(dir).unwrap();
    PlayFile { started: String::new(), session: Vec::new(), part: None, ..file }
}

/// What must be the same of two folders of a match.
fn assert_same(one: &Path, other: &Path) {
    let rows = |dir: &Path| timeless(&Ended::read(dir).unwrap().rows);
    assert_eq!(rows(one), rows(other));
    assert_eq!(transcripts(one), transcripts(other));
    assert!(files(one)[1] == files(other)[1], "openings.csv");
    assert_eq!(what(one), what(other));
}

#[test]
fn shards_merged_are_the_match_in_one_piece() {
    let (dir, asked) = (tempdir().unwrap(), asked());
    let whole = dir.path().join("whole");
    play(&asked, &whole, 2);
    for many in [1, 2, 5] {
        let shards = shards(&asked, dir.path(), many);
        let out = dir.path().join(format!("merged-{many}"));
        let merged = merge(&out, &shards).unwrap();
        assert_eq!((merged.cells, merged.part.lacks()), (138, None));
        assert_same(&out, &whole);
        let played: usize = shards.iter().map(|shard| Ended::read(shard).unwrap().rows.len()).sum();
        assert_eq!((merged.agreed > 0, played), (many > 1, 138 + 2 * merged.agreed), "planted doubles alone");
    }
}

/// A shard in an archive, and a match that goes on from one.
#[test]
fn archived_matches_are_merged_and_gone_on_with() {
    let dir = tempdir().unwrap();
    let asked = MatchSettings { limit: Limit::Depth(1), ..settings("einstein", "none", "lmr", 12) };
    let whole = dir.path().join("whole");
    play(&asked, &whole, 1);
    let shards = shards(&asked, dir.path(), 2);
    let packed = dir.path().join("packed");
    fs::create_dir(&packed).unwrap();
    archive(&packed.join("1"), &shards[0], &[]).unwrap();
    assert!(!packed.join("1/games.csv").exists());
    let out = dir.path().join("merged");
    assert!(merge(&out, &[packed.join("1")]).unwrap().part.lacks().is_some());
    pack(&out, &out).unwrap();
    // The rest is played here.
    assert!(play(&asked, &out, 1).file.complete);
    assert_same(&out, &whole);
}

/// Throws go by the pair and not by the shard.
#[test]
fn shards_of_a_match_with_dice_are_the_match_in_one_piece() {
    let dir = tempdir().unwrap();
    let asked = MatchSettings { limit: Limit::Depth(1), ..settings("einstein", "none", "lmr", 12) };
    let whole = dir.path().join("whole");
    play(&asked, &whole, 1);
    let out = dir.path().join("merged");
    assert_eq!(merge(&out, &shards(&asked, dir.path(), 3)).unwrap().part.lacks(), None);
    assert_same(&out, &whole);
}

#[test]
fn neither_order_nor_repetition_changes_a_byte_and_what_is_missing_is_played_here() {
    let (dir, asked) = (tempdir().unwrap(), asked());
    let mut shards = shards(&asked, dir.path(), 3);
    let whole = dir.path().join("whole");
    play(&asked, &whole, 2);
    let out = |way: &str| dir.path().join(way);
    merge(&out("a"), &shards).unwrap();
    for shard in shards.iter().rev() {
        merge(&out("b"), std::slice::from_ref(shard)).unwrap();
    }
    shards.rotate_left(1);
    merge(&out("a2"), &[&shards[..], &shards[1..]].concat()).unwrap();
    let expected = files(&out("a"));
    assert!(files(&out("b")) == expected, "one by one");
    assert!(files(&out("a2")) == expected, "another order, some twice");
    merge(&out("a"), &shards).unwrap();
    assert!(files(&out("a")) == expected, "again");
    // A second search of everything.
    assert_eq!(merge(&out("a"), std::slice::from_ref(&whole)).unwrap().agreed, 69);
    let part = merge(&out("c"), &shards[..2]).unwrap().part;
    assert!(part.lacks().unwrap().contains("1 shard is missing: 1/3"), "{:?}", part.lacks());
    let ended = play(&asked, &out("c"), 2);
    assert!(ended.file.complete && ended.file.part.is_none());
    assert_same(&out("c"), &whole);
}

#[test]
fn a_stopped_shard_is_left_out_and_goes_on_as_itself() {
    let (dir, asked) = (tempdir().unwrap(), asked());
    let folder = dir.path().join("shard");
    assert!(!shard_until(&asked, &folder, (1, 2), 3).file.complete);
    assert!(merge(&dir.path().join("out"), std::slice::from_ref(&folder)).is_err(), "nothing is finished");
    let stop = Arc::new(AtomicBool::new(false));
    let job = job(&asked, &folder, &stop);
    let error = run(&job, &mut |_| ()).unwrap_err().to_string();
    assert!(error.contains("shard"), "{error}");
    let ended = shard_until(&asked, &folder, (1, 2), usize::MAX);
    assert!(ended.file.complete && ended.rows.len() == ended.file.games_here().len());
}

/// Rewrites the rows of a folder, sealed again, as a program that is wrong would have written them.
fn forged(dir: &Path, change: impl Fn(&mut GameRow)) {
    let path = dir.join("games.csv");
    let Ended { file, mut rows, .. } = Ended::read(dir).unwrap();
    let texts = fs::read_to_string(dir.join("games.pgn")).unwrap();
    let texts = record::transcripts(&texts);
    for row in &mut rows {
        change(row);
        let text = texts[&row.transcript];
        *row = record::sealed(row.clone(), text, &file.identity());
    }
    fs::write(path, record::table(&rows)).unwrap();
}

#[test]
fn what_is_not_as_it_was_written_or_not_of_this_match_is_refused_with_its_place() {
    let (dir, asked) = (tempdir().unwrap(), asked());
    let shards = shards(&asked, dir.path(), 2);
    let out = dir.path().join("out");
    let refused = |shards: &[PathBuf]| {
        let error = merge(&out, shards).unwrap_err().to_string();
        assert!(!out.exists(), "nothing was merged");
        error
    };
    let rows = fs::read_to_string(shards[1].join("games.csv")).unwrap();
    fs::write(shards[1].join("games.csv"), rows.replacen(",mpc", ",mpd", 1).replacen(",1.0,", ",0.5,", 1))
        .unwrap();
    let error = refused(&shards);
    assert!(error.contains("2-of-2/games.csv:") && error.contains("not as it was written"), "{error}");
    fs::write(shards[1].join("games.csv"), &rows).unwrap();
    let other = dir.path().join("other");
    shard_until(&MatchSettings { seed: 2, ..asked.clone() }, &other, (2, 2), usize::MAX);
    let error = refused(&[shards[0].clone(), other]);
    assert!(error.contains("are not parts of one run: seed"), "{error}");
    let other = dir.path().join("numbers");
    let first = super::PlayerSpec::read("mpc", Some("strict"), &[]).unwrap();
    shard_until(&MatchSettings { first, ..asked.clone() }, &other, (2, 2), usize::MAX);
    let error = refused(&[shards[0].clone(), other]);
    assert!(error.contains("first player"), "{error}");
    forged(&shards[1], |row| row.second_nodes += 1);
    let error = refused(&shards);
    let places = ["1-of-2/games.csv:", "2-of-2/games.csv:"].iter().all(|place| error.contains(place));
    assert!(places && error.contains("`second_nodes`"), "{error}");
}

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
        |_| Ok((secateur_record::rows::read(openings)?, whole.distinct_openings, whole.openings.clone()));
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
            let case = format!("{name}: {}", String::from_utf8_lossy(damage));
            match Ended::read(&bad) {
                // What was doubled or cut may be nothing that counts.
                Ok(read) => assert_eq!((&read.file, &read.rows), (&whole.file, &whole.rows), "{case}"),
                Err(error) => assert!(error.to_string().contains(name), "{error}\n{case}"),
            }
        }
        // Opening writes and syncs, which takes its time.
        for damage in damages.iter().step_by(if name == "games.csv" { 7 } else { 31 }) {
            copy(&good, &bad);
            std::fs::write(bad.join(name), damage).unwrap();
            let case = format!("{name}: {}", String::from_utf8_lossy(damage));
            if let Ok((complete, rows)) = opened(&bad, &whole.file, &good.join("openings.csv")) {
                assert!(rows.iter().all(|row| whole.rows.contains(row)), "{case}");
                assert_eq!(complete, rows.len() == whole.rows.len(), "{case}");
                // What is kept is now again as it was written.
                let reread = Ended::read(&bad).unwrap();
                assert_eq!((reread.file.complete, &reread.rows), (complete, &rows), "{case}");
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
        let replayed = play(&asked, &bad, 1);
        assert!(replayed.file.complete && !replayed.mended.is_empty(), "{name}");
        assert!(replayed.mended[0].contains(name), "{:?}", replayed.mended);
        assert_eq!(timeless(&replayed.rows), timeless(&whole.rows), "{name}");
        assert_eq!(transcripts(&bad), transcripts(&good), "{name}");
        assert_eq!(Ended::read(&bad).unwrap().rows, replayed.rows);
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
