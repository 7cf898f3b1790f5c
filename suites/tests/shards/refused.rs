//! What is not as it was written, or not of this run, or not what another machine found, is refused with its place.

use crate::{forged, part, plan, planned, rewritten, searched, shards};
use secateur_record::Blame;
use secateur_record::build::Build;
use secateur_record::manifest::FILE;
use secateur_record::record::Record;
use secateur_record::rows::row_of;
use secateur_record::store::{COUNTERS, ITERATIONS, RECORDS};
use secateur_suites::shards::Error;
use secateur_suites::shards::costs::Costs;
use secateur_suites::shards::merge::merge;
use secateur_suites::shards::shard::divide;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::tempdir;

fn refused(dir: &Path, shards: &[PathBuf]) -> Error {
    let out = dir.join("out");
    let error = merge(&out, shards).unwrap_err();
    assert!(!out.exists(), "nothing was merged");
    let left = fs::read_dir(dir)
        .unwrap()
        .filter(|file| file.as_ref().unwrap().file_name().to_string_lossy().contains(".tmp"));
    assert_eq!(left.count(), 0);
    error
}

/// A byte changed, a line gone, doubled or in another place, in each of the files.
#[test]
fn a_tampered_row_is_refused_with_its_place() {
    let (dir, plan) = (tempdir().unwrap(), plan());
    let shards = shards(&plan, dir.path(), 2);
    let mut places = 0;
    for name in [RECORDS, ITERATIONS, COUNTERS, FILE] {
        let path = shards[1].join(name);
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let without = [&lines[..4], &lines[5..]].concat().concat();
        let doubled = [&lines[..5], &lines[4..]].concat().concat();
        let swapped = [&lines[..4], &[lines[5], lines[4]], &lines[6..]].concat().concat();
        let at = text.len() * 2 / 3;
        let at = at + text[at..].find(|c: char| c.is_ascii_digit()).unwrap();
        let digit = if text.as_bytes()[at] == b'9' { "8" } else { "9" };
        let changed = format!("{}{digit}{}", &text[..at], &text[at + 1..]);
        for damaged in [without, doubled, swapped, changed] {
            fs::write(&path, &damaged).unwrap();
            let error = refused(dir.path(), &shards);
            assert_eq!(error.blame(), Blame::Input);
            places += usize::from(error.to_string().contains(".csv:"));
        }
        fs::write(&path, &text).unwrap();
    }
    assert_eq!(places, 12, "the manifest has a place of its own");
    merge(&dir.path().join("out"), &shards).unwrap();
}

#[test]
fn rows_that_disagree_are_named_with_their_builds() {
    let (dir, plan) = (tempdir().unwrap(), plan());
    let mut shards = shards(&plan, dir.path(), 2);
    let second = dir.path().join("again");
    searched(&part(&plan, 2, 5), &second);
    shards.push(second.clone());
    type Change = fn(&mut secateur_record::store::RunRows);
    let changes: [(&str, Change); 3] = [
        ("`nodes`", |rows| rows.records[3].nodes = Some(17)),
        ("`best_move`", |rows| rows.records[0].best_move = "a1".into()),
        ("`score` of iterations.csv", |rows| rows.iterations[1].score += 1),
    ];
    let before = fs::read(second.join(RECORDS)).unwrap();
    let iterations = fs::read(second.join(ITERATIONS)).unwrap();
    for (column, change) in changes {
        forged(&second, change, |build| build.id = "eeeeeeee".to_owned());
        let error = refused(dir.path(), &shards);
        assert!(matches!(error, Error::Disagree { .. }) && error.blame() == Blame::Incomparable);
        let message = error.to_string();
        for expected in [column, "again/records.csv:", "-of-2/records.csv:", "by eeeeeeee, binary "] {
            assert!(message.contains(expected), "{expected}: {message}");
        }
        fs::write(second.join(RECORDS), &before).unwrap();
        fs::write(second.join(ITERATIONS), &iterations).unwrap();
        let id = Record { ..common_first(&before) }.build;
        rewritten(&second, |manifest| manifest.build[0].id = id.to_string());
    }
    merge(&dir.path().join("out"), &shards).unwrap();
}

fn common_first(text: &[u8]) -> Record {
    row_of(&csv::Reader::from_reader(text).byte_records().next().unwrap().unwrap()).unwrap()
}

/// What makes the rows of a folder those of another program.
fn other_program(build: &mut Build) {
    (build.id, build.binary, build.compiled.source) = ("eeeeeeee".to_owned(), "0".repeat(16), "1".repeat(16));
}

/// Another program is taken where a unit that both searched shows that it searches the same, and not on its word.
#[test]
fn another_program_is_refused_until_it_is_shown_to_search_the_same() {
    // So few units that no double is planted among them.
    let text = "name = \"t\"\ndescription = \"d\"\n[[block]]\ngame = \"chess\"\npositions = [\"chess-games\"]\nlimit = 1\n\
                methods = [\"none\"]\nbudgets = [{ depth = 2 }]\n";
    let (dir, plan) = (tempdir().unwrap(), planned(text));
    assert!(divide(&plan, &Costs::default(), 2).unwrap().doubles.is_empty());
    let mut shards = shards(&plan, dir.path(), 2);
    forged(&shards[1], |_| (), other_program);
    let error = refused(dir.path(), &shards);
    assert!(matches!(error, Error::Unproven { .. }), "{error}");
    assert!(error.to_string().contains("eeeeeeee, binary 00000000"), "{error}");
    let both = dir.path().join("both");
    searched(&part(&plan, 1, 1), &both);
    shards.push(both);
    let merged = merge(&dir.path().join("out"), &shards).unwrap();
    assert_eq!((merged.agreed, merged.apart), (plan.units.len(), part(&plan, 2, 2).units.len()));
}

/// The planted double is enough to take another program that searches the same trees, and to catch one that does not.
#[test]
fn a_planted_double_tells_programs_with_other_trees() {
    let (dir, plan) = (tempdir().unwrap(), plan());
    assert_eq!(divide(&plan, &Costs::default(), 2).unwrap().doubles.len(), 1);
    let shards = shards(&plan, dir.path(), 2);
    forged(&shards[1], |rows| rows.records.iter_mut().for_each(|row| row.tt_hits += 1), other_program);
    let message = refused(dir.path(), &shards).to_string();
    assert!(message.contains("`tt_hits`") && message.contains("by eeeeeeee, binary 00000000"), "{message}");
    forged(&shards[1], |rows| rows.records.iter_mut().for_each(|row| row.tt_hits -= 1), other_program);
    let merged = merge(&dir.path().join("out"), &shards).unwrap();
    assert_eq!((merged.agreed, merged.apart), (1, 1));
}

#[test]
fn other_parameters_and_other_runs_are_refused_with_the_place() {
    let (dir, plan) = (tempdir().unwrap(), plan());
    let mut shards = shards(&plan, dir.path(), 2);
    let text = fs::read_to_string(shards[1].join(FILE)).unwrap();
    rewritten(&shards[1], |manifest| {
        manifest.game[0].arms.insert("futility".to_owned(), "0123456789abcdef".to_owned());
    });
    let message = refused(dir.path(), &shards).to_string();
    let place = text.lines().position(|line| line.starts_with("futility = ")).unwrap() + 1;
    assert!(message.contains(&format!("2-of-2/run.toml:{place}")), "{message}");
    assert!(message.contains("`futility` of othello has the parameters"), "{message}");
    fs::write(shards[1].join(FILE), text).unwrap();
    let other = planned(
        "name = \"t\"\ndescription = \"d\"\n[[block]]\ngame = \"othello\"\npositions = [\"othello-28\"]\nlimit = 4\n\
         methods = [\"none\", \"futility\"]\nbudgets = [{ depth = 3 }]\n",
    );
    shards[0] = dir.path().join("other");
    searched(&part(&other, 1, 2), &shards[0]);
    let error = refused(dir.path(), &shards);
    assert!(matches!(error, Error::Foreign { .. }), "{error}");
}
