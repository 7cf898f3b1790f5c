//! Every damage of a run folder is found or mended.

use crate::error::Error;
use crate::instruments::machine::current;
use crate::manifest::of_plan;
use crate::matrix::Plan;
use crate::run::{Ended, run};
use crate::setups::games;
use crate::shards::pack::archive;
use crate::suite::Suite;
use secateur_record::archive::ARCHIVE;
use secateur_record::manifest::{FILE, Manifest};
use secateur_record::record::Failure;
use secateur_record::rows::write_all;
use secateur_record::store::*;
use secateur_record::stream::{Found, Source};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn plan() -> Plan {
    let text = "name = \"t\"\ndescription = \"d\"\n[[block]]\ngame = \"othello\"\npositions = [\"othello-28\"]\n\
                methods = [\"mpc[t=1.0]\"]\nbudgets = [{ depth = 4 }]\nlimit = 2\nexpect-silent = [\"mpc\"]\n";
    assert!(games::names().contains(&"othello"));
    Plan::new(Suite::parse(Path::new("t.toml"), text).unwrap()).unwrap()
}

fn manifest(plan: &Plan) -> Manifest {
    of_plan("r", plan, vec!["bench".to_owned()], 1)
}

fn finish(plan: &Plan, store: Store) -> RunRows {
    match run(plan, store, 1, None, &Arc::new(AtomicBool::new(false)), &mut |_| ()).unwrap() {
        Ended::Complete(rows) => rows,
        Ended::Stopped { .. } => panic!("it was not stopped"),
    }
}

/// The rows without what differs between two searches of the same cell: times, and the seals over them.
fn exact(rows: &RunRows) -> RunRows {
    let mut rows = rows.clone();
    for record in &mut rows.records {
        (record.time_ns, record.seal, record.build) = Default::default();
    }
    rows.iterations.iter_mut().for_each(|row| row.time_ns = 0);
    rows
}

/// A complete run in a folder, and its rows.
fn whole() -> (tempfile::TempDir, Plan, RunRows) {
    let (dir, plan) = (tempfile::tempdir().unwrap(), plan());
    let rows = finish(&plan, Store::open(dir.path(), manifest(&plan), current()).unwrap());
    assert_eq!(RunRows::read(dir.path()).unwrap().0, rows);
    (dir, plan, rows)
}

/// Damages of a text: every byte changed, every line gone, doubled, swapped with the next or cut, and the whole emptied.
fn damages(text: &[u8], step: usize) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = (0..text.len())
        .step_by(step)
        .map(|at| {
            let mut bytes = text.to_vec();
            bytes[at] ^= 1 << (at % 7);
            bytes
        })
        .collect();
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    for at in 0..lines.len() {
        let without =
            |from: usize| lines[..at].iter().chain(&lines[from..]).copied().collect::<Vec<_>>().concat();
        all.push(without(at + 1));
        all.push([&lines[..=at].concat()[..], lines[at], &lines[at + 1..].concat()].concat());
        let cut = lines[..at].concat().len() + lines[at].len() / 2;
        all.push(text[..cut].to_vec());
        if at > 0 && at + 1 < lines.len() {
            let (a, b) = (lines[at], lines[at + 1]);
            all.push([&lines[..at].concat()[..], b, a, &lines[at + 2..].concat()].concat());
        }
    }
    all.push(Vec::new());
    all.retain(|damaged| damaged != text);
    all
}

/// Reading the folder refuses the damage, or gives the identical rows: then nothing was lost.
#[test]
fn no_damage_of_a_complete_run_is_accepted() {
    let (dir, _, rows) = whole();
    let mut tried = 0;
    for name in [FILE, RECORDS, ITERATIONS, COUNTERS] {
        let path = dir.path().join(name);
        let text = fs::read(&path).unwrap();
        for damaged in damages(&text, 7) {
            fs::write(&path, &damaged).unwrap();
            if let Ok((read_rows, ..)) = RunRows::read(dir.path()) {
                assert!(read_rows == rows, "{name}: {}", String::from_utf8_lossy(&damaged));
            }
            tried += 1;
        }
        fs::remove_file(&path).unwrap();
        assert!(RunRows::read(dir.path()).is_err(), "{name} is gone");
        fs::write(&path, &text).unwrap();
    }
    assert!(tried > 300, "{tried}");
    assert_eq!(RunRows::read(dir.path()).unwrap().0, rows);
}

/// Going on with a damaged run refuses it, or ends with the identical record.
#[test]
fn a_damaged_run_is_mended_to_the_identical_record() {
    let (dir, plan, rows) = whole();
    let (mut mended, mut refused) = (0, 0);
    for name in [FILE, RECORDS, ITERATIONS, COUNTERS] {
        let path = dir.path().join(name);
        let text = fs::read(&path).unwrap();
        let others = |file: &str| fs::read(dir.path().join(file)).unwrap();
        let before = [FILE, RECORDS, ITERATIONS, COUNTERS].map(|file| (file, others(file)));
        for damaged in damages(&text, 211).into_iter().step_by(2) {
            fs::write(&path, &damaged).unwrap();
            match Store::open(dir.path(), manifest(&plan), current()) {
                Err(_) => refused += 1,
                Ok(store) => {
                    mended += usize::from(!store.damages().is_empty());
                    let repaired = finish(&plan, store);
                    assert!(
                        exact(&repaired) == exact(&rows),
                        "{name}: {}",
                        String::from_utf8_lossy(&damaged)
                    );
                }
            }
            for (file, bytes) in &before {
                fs::write(dir.path().join(file), bytes).unwrap();
            }
        }
    }
    assert!(mended > 10 && refused > 3, "{mended} mended, {refused} refused");
}

#[test]
fn what_is_mended_is_said_and_kept_aside() {
    let (dir, plan, rows) = whole();
    let path = dir.path().join(ITERATIONS);
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    fs::write(&path, lines[..lines.len() - 1].join("\n") + "\n").unwrap();
    let error = RunRows::read(dir.path()).unwrap_err().to_string();
    assert!(error.contains("records.csv:") && error.contains("--resume"), "{error}");
    let store = Store::open(dir.path(), manifest(&plan), current()).unwrap();
    assert_eq!((store.damages().len(), store.finished().len()), (1, rows.records.len() - 1));
    assert!(!Manifest::read(dir.path()).unwrap().complete, "a kill now must leave no complete run");
    assert!(dir.path().join("records.csv.damaged").exists());
    assert_eq!(exact(&finish(&plan, store)), exact(&rows));
}

#[test]
fn failed_cells_are_tried_again_if_that_is_asked_for() {
    let (dir, plan, rows) = whole();
    let mut failed = rows.clone();
    failed.records[1].error = Some(Failure::new("the disk was full"));
    seal_all(&mut failed);
    write_all(&dir.path().join(RECORDS), &failed.records).unwrap();
    let kept = Store::open(dir.path(), manifest(&plan), current()).unwrap();
    assert_eq!(kept.finished().len(), rows.records.len());
    drop(kept);
    let store = Store::open_with(dir.path(), manifest(&plan), Failed::Retry, current()).unwrap();
    assert_eq!((store.retried(), store.finished().len()), (1, rows.records.len() - 1));
    assert_eq!(exact(&finish(&plan, store)), exact(&rows));
}

/// Another binary goes on only where it searches the same trees.
#[test]
fn another_program_is_taken_by_its_trees() {
    let (dir, plan, mut rows) = whole();
    let mut manifest_there = Manifest::read(dir.path()).unwrap();
    manifest_there.build[0].binary = "0".repeat(16);
    manifest_there.build[0].id = "00000000".to_owned();
    fs::write(dir.path().join(FILE), manifest_there.text()).unwrap();
    rows.records.iter_mut().for_each(|row| row.build = "00000000".into());
    seal_all(&mut rows);
    write_all(&dir.path().join(RECORDS), &rows.records).unwrap();
    let store = Store::open(dir.path(), manifest(&plan), current()).unwrap();
    assert_eq!(store.foreign().len(), 1);
    assert_eq!(finish(&plan, store), rows);
    assert_eq!(Manifest::read(dir.path()).unwrap().build.len(), 2);

    rows.iterations.iter_mut().for_each(|row| row.nodes += 1);
    seal_all(&mut rows);
    write_all(&dir.path().join(RECORDS), &rows.records).unwrap();
    write_all(&dir.path().join(ITERATIONS), &rows.iterations).unwrap();
    let store = Store::open(dir.path(), manifest(&plan), current()).unwrap();
    let stopped = run(&plan, store, 1, None, &Arc::new(AtomicBool::new(false)), &mut |_| ());
    assert!(matches!(stopped, Err(Error::OtherTrees { .. })), "{stopped:?}");
}

#[test]
fn a_part_of_a_run_vouches_for_itself() {
    let (dir, _, rows) = whole();
    let copy = dir.path().join("archived");
    let mut manifest = Manifest::read(dir.path()).unwrap();
    manifest.dropped = vec![ITERATIONS.to_owned(), COUNTERS.to_owned()];
    rows.clone().write(&copy, &manifest).unwrap();
    let (copied, ..) = RunRows::read(&copy).unwrap();
    assert_eq!((copied.records.len(), copied.iterations.len()), (rows.records.len(), 0));
    let refused = Store::open(&copy, manifest.clone(), current()).unwrap_err();
    assert!(refused.to_string().contains("archived without iterations.csv and counters.csv"), "{refused}");
    assert!(RunRows::read(&copy).is_ok(), "and nothing was written");
    fs::copy(dir.path().join(ITERATIONS), copy.join(ITERATIONS)).unwrap();
    assert!(RunRows::read(&copy).is_err(), "what was left out cannot come back");
}

/// A run in an archive is read, streamed, refused and gone on with as the folder that it was.
#[test]
fn an_archived_run_is_the_run() {
    let (dir, plan, rows) = whole();
    let copy = dir.path().join("copy");
    archive(&copy, dir.path(), &[]).unwrap();
    assert!(!copy.join(RECORDS).exists() && copy.join(ARCHIVE).is_file());
    assert_eq!(RunRows::read(&copy).unwrap().0, rows);
    let cells = |dir: &Path| {
        let mut source = Source::open(Found::open(dir).unwrap()).unwrap();
        let mut cells = Vec::new();
        while source.next().unwrap().is_some() {
            cells.extend(
                source.unit().unwrap().into_iter().map(|cell| (cell.record, cell.iterations, cell.counters)),
            );
            source.rest();
        }
        cells
    };
    assert!(cells(&copy) == cells(dir.path()));
    let good = fs::read(copy.join(ARCHIVE)).unwrap();
    for at in (0..good.len()).step_by(good.len() / 40) {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        fs::write(copy.join(ARCHIVE), bytes).unwrap();
        assert!(
            RunRows::read(&copy).is_ok_and(|read| read.0 == rows) || RunRows::read(&copy).is_err(),
            "byte {at}"
        );
    }
    fs::write(copy.join(ARCHIVE), &good[..good.len() / 2]).unwrap();
    assert!(RunRows::read(&copy).is_err() && Store::open(&copy, manifest(&plan), current()).is_err());
    fs::write(copy.join(ARCHIVE), good).unwrap();
    let store = Store::open(&copy, manifest(&plan), current()).unwrap();
    assert_eq!((store.finished().len(), store.damages()), (rows.records.len(), &[][..]));
    assert_eq!(finish(&plan, store), rows);
    assert!(copy.join(RECORDS).is_file() && !copy.join(ARCHIVE).exists());
}
