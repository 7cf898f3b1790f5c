//! Shards of a match, merged, are the match in one piece: the same games, in any order, any of them, again and again.

use super::tests::{job, play, settings, timeless, transcripts};
use super::{Ended, GameRow, Job, Limit, MatchSettings, PlayFile, SETTINGS, run};
use secateur_record::archive::pack;
use secateur_record::play::ledger;
use secateur_suites::shards::archive::archive;
use secateur_suites::shards::matches::{cut, merge};
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
    assert!(part.lacks().unwrap().contains("1 shards are missing: 1/3"), "{:?}", part.lacks());
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
    let texts = ledger::transcripts(&texts);
    for row in &mut rows {
        change(row);
        let text = texts[&row.transcript];
        *row = ledger::sealed(row.clone(), text, &file.identity());
    }
    fs::write(path, ledger::table(&rows)).unwrap();
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
