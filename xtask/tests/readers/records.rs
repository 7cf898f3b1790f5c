//! Readers of run and match folders: one file of a good folder is mutated at a time.

use super::{Check, Reaction, Target, scratch};
use csv::{ByteRecord, ReaderBuilder};
use secateur_arena::play::{Adjudication, Ended, Job, Limit, MatchSettings, PlayerSpec, run as play};
use secateur_positions::Reading;
use secateur_record::manifest::{FILE, Manifest};
use secateur_record::record::CellId;
use secateur_record::seal::sealed;
use secateur_record::store::{COUNTERS, ITERATIONS, RECORDS, RunRows, Store, seal_of};
use secateur_record::stream::row::push;
use secateur_record::stream::{Columns, Row};
use secateur_reports::full;
use secateur_reports::page::html;
use secateur_stats::read;
use secateur_suites::instruments::machine::current;
use secateur_suites::manifest::{of_plan, suite};
use secateur_suites::matrix::Plan;
use secateur_suites::run::run;
use secateur_suites::suite::Suite;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

const SUITE: &str = "name = \"tiny\"\ndescription = \"d\"\naudit = 4\n[[block]]\ngame = \"chess\"\npositions = [\"bratko-kopec\"]\nlimit = 1\n\
    methods = [\"null-move\"]\nbudgets = [{ depth = 3 }]\nrepeats = 1\n";

const WORDS: &[&str] = &[
    "none",
    "null-move",
    "chess",
    "othello",
    "depth",
    "nodes",
    "time",
    "exact",
    "lower",
    "ok",
    "ok:pruned",
    "short",
    "true",
    "false",
    "1",
    "\"",
    "e2e4",
    "complete = true",
    "schema",
    "white",
    "1-0",
    "1/2-1/2",
    "0.5",
    "checkmate",
];

#[test]
fn runs_and_matches() {
    let home = scratch();
    let (bench, played) = (home.path().join("run"), home.path().join("match"));
    made(&bench).expect("a small run");
    contested(&played).expect("a small match");
    let home = Arc::new(home);
    let target = |name, folder: &Path, file: &'static str, look: fn(&Path) -> Reaction| {
        let text = fs::read(folder.join(file)).unwrap_or_default();
        let (home, folder) = (Arc::clone(&home), folder.to_owned());
        Target { name, corpus: vec![text], tokens: WORDS.to_vec(), check: watch(home, folder, file, look) }
    };
    let all = vec![
        target("run.toml", &bench, "run.toml", folder),
        target("records.csv", &bench, "records.csv", folder),
        target("iterations.csv", &bench, "iterations.csv", folder),
        target("counters.csv", &bench, "counters.csv", folder),
        target("play.toml", &played, "play.toml", matched),
        target("games.csv", &played, "games.csv", matched),
    ];
    all.into_iter().for_each(Target::watch);
}

/// Puts an input in the place of a file of a copy of the folder.
fn watch(home: Arc<TempDir>, folder: PathBuf, file: &'static str, look: fn(&Path) -> Reaction) -> Check {
    let room = scratch();
    for file in fs::read_dir(&folder).into_iter().flatten().flatten() {
        // A file that is missing makes the valid text fail, which is reported.
        let _ = fs::copy(file.path(), room.path().join(file.file_name()));
    }
    let whole = fs::read(folder.join(file)).unwrap_or_default();
    Box::new(move |input| {
        let _kept = &home;
        let mut bytes = input.to_vec();
        if file.ends_with(".toml") && input != whole {
            // With its old seal nothing would get past the first look.
            let text = String::from_utf8_lossy(input);
            let body = text.strip_prefix("seal = \"").and_then(|rest| rest.split_once("\"\n"));
            if let Some((_, body)) = body {
                bytes = sealed(body).into_bytes();
            }
        }
        fs::write(room.path().join(file), bytes).map_err(|error| error.to_string())?;
        if SIDES.contains(&file) || file == RECORDS {
            seal_again(&folder, room.path()).map_err(|error| error.to_string())?;
        }
        look(room.path())
    })
}

/// Everybody who reads a run; whatever is taken in must also be fit to be reported.
fn folder(dir: &Path) -> Reaction {
    let manifest = Manifest::read(dir);
    if let Ok(manifest) = &manifest {
        let _ = suite(manifest, dir);
    }
    let _ = RunRows::read(dir);
    let Ok(runs) = read::read(&[dir.to_owned()]) else { return Ok(false) };
    // A page takes long: one in a few is made, chosen by what was read.
    let _ = full(&runs);
    if runs.records.iter().filter_map(|row| row.nodes).fold(0, u64::wrapping_add) % 8 == 3 {
        let _ = html::page(&runs, html::Extras::default());
    }
    Ok(true)
}

fn matched(dir: &Path) -> Reaction {
    let Ok(ended) = Ended::read(dir) else { return Ok(false) };
    let _ = secateur_reports::play::report(&ended);
    Ok(true)
}

/// A small run.
fn made(dir: &Path) -> Option<()> {
    let plan = Plan::new(Suite::parse(Path::new("tiny.toml"), SUITE).ok()?).ok()?;
    let store = Store::open(dir, of_plan("run", &plan, Vec::new(), 1), current()).ok()?;
    run(&plan, store, 1, None, &Arc::new(AtomicBool::new(false)), &mut |_| ()).ok().map(drop)
}

/// The files next to the records, which their seals cover too.
const SIDES: [&str; 2] = [ITERATIONS, COUNTERS];

/// Seals the rows of a room anew, whatever they say, so that a report meets any number at all, and calls the run unfinished, so
/// that no number of rows is expected. What is no row stays as it is.
fn seal_again(whole: &Path, room: &Path) -> std::io::Result<()> {
    // The records again as they were, with whatever happened to them; their seals may be those of the input before.
    if fs::read(room.join(FILE))? == fs::read(whole.join(FILE))? {
        let text = fs::read_to_string(room.join(FILE))?.replace("complete = true", "complete = false");
        let body = text.split_once('\n').map_or("", |(_, body)| body);
        fs::write(room.join(FILE), sealed(body))?;
    }
    let rows = |name: &str| -> std::io::Result<Vec<ByteRecord>> {
        let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_path(room.join(name))?;
        Ok(reader.byte_records().filter_map(Result::ok).collect())
    };
    let columns = Columns::of_records();
    let sides = [rows(ITERATIONS)?, rows(COUNTERS)?];
    let mut text = Vec::new();
    for (at, row) in rows(RECORDS)?.into_iter().enumerate() {
        let mut fields: Vec<Vec<u8>> = row.iter().map(<[u8]>::to_vec).collect();
        if at > 0 && fields.len() == columns.seal + 1 {
            fields[columns.cell] =
                String::from(CellId::of(columns.key.fields(&Row::from(row.clone())))).into_bytes();
            fields[columns.seal].clear();
            let mut bare = Vec::new();
            push(fields.iter().map(Vec::as_slice), &mut bare);
            let of_cell = |rows: &[ByteRecord]| {
                let mut text = Vec::new();
                let same = rows.iter().filter(|row| row.get(0) == Some(&fields[columns.cell]));
                same.for_each(|row| push(row.iter(), &mut text));
                text
            };
            fields[columns.seal] = seal_of(&bare, &of_cell(&sides[0]), &of_cell(&sides[1])).into_bytes();
        }
        push(fields.iter().map(Vec::as_slice), &mut text);
    }
    fs::write(room.join(RECORDS), text)
}

/// A small match.
fn contested(dir: &Path) -> Option<()> {
    let player = |methods: &str| PlayerSpec::Methods { methods: methods.to_owned(), params: None };
    let settings = MatchSettings {
        game: "othello".to_owned(),
        games: 4,
        seed: 1,
        limit: Limit::Depth(2),
        odds: None,
        margin_ms: 50,
        hash_mib: 1,
        openings: None,
        reading: Reading::default(),
        sprt: None,
        margins: None,
        shared: Vec::new(),
        adjudication: Adjudication::default(),
        first: player("none"),
        second: player("mpc"),
    };
    let stop = Arc::new(AtomicBool::new(false));
    play(
        &Job {
            settings: &settings,
            dir,
            argv: Vec::new(),
            jobs: 1,
            cores: &[],
            retry: false,
            part: None,
            lacking: &[],
            stop: &stop,
        },
        &mut |_| (),
    )
    .ok()
    .map(drop)
}
