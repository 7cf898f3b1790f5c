//! What grows with its input and should grow no faster: by criterion, each time of twice the size of the one before.
//!
//! Reading of position files, in bytes a second; that every reader's time grows as the file does is a test of what readers look
//! at (`positions/src/games.rs`), and this is what it costs. Rows of a run, in rows a second: completing a run, reading it, and
//! the page of it.

use criterion::{
    BatchSize, BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use secateur_core::{AnyGame, Moves, Notation, Rules};
use secateur_positions::{Kind, Provenance, Reading, parse_as};
use secateur_record::build::Build;
use secateur_record::manifest::{GameEntry, Manifest};
use secateur_record::record::{Bound, IterationRow, Record, Rows, SCHEMA, Sanity, cells_hash};
use secateur_record::store::{RunRows, Sealed, Store};
use secateur_reports::page::html;
use secateur_stats::read::from_rows;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// How often the smallest is doubled.
const DOUBLINGS: u32 = 4;
/// Games of the smallest file.
const GAMES: usize = 250;
/// Plies of a game, and from one of its positions to the next.
const PLIES: usize = 40;
const EVERY: usize = 8;

/// Games in text with tags, comments and variations, no two alike for long; as lines of positions where the format has them.
fn text(game: &AnyGame, kind: Kind, games: usize) -> String {
    let start = game.start().expect("games of a notation begin somewhere");
    let mut text = String::new();
    for number in 0..games {
        let mut position = game.parse(&start).expect("a position");
        let is_record = matches!(kind, Kind::Pgn | Kind::Pdn);
        if is_record {
            let _ = writeln!(text, "[Event \"{number}\"]\n[Result \"*\"]\n");
        }
        for ply in 0..PLIES {
            let mut moves = Moves::<AnyGame>::new();
            game.moves(&position, &mut moves);
            if moves.is_empty() {
                break;
            }
            let mv = moves[(number / (ply + 1) + ply * 7 + number % 5) % moves.len()].mv;
            if is_record {
                let word = game.format_move(&position, mv);
                let _ = write!(text, "{}. {word} {{a comment}} ({word} (x) y) ", ply / 2 + 1);
            } else if ply % EVERY == 0 {
                let _ = writeln!(text, "{}", game.format(&position));
            }
            position = game.play(&position, mv);
        }
        if is_record {
            text.push_str("*\n\n");
        }
    }
    text
}

fn readers(criterion: &mut Criterion) {
    let kinds = [
        ("chess", Kind::Pgn),
        ("draughts", Kind::Pdn),
        ("chess", Kind::Epd),
        ("othello", Kind::Obf),
        ("shogi", Kind::Sfen),
    ];
    for (game, kind) in kinds {
        let game = secateur_games::named(game).expect("a game here");
        let mut group = criterion.benchmark_group(format!("reading .{}", kind.ending()));
        group.sample_size(10).sampling_mode(SamplingMode::Flat);
        group.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
        for games in (0..DOUBLINGS).map(|doubling| GAMES << doubling) {
            let text = text(&game, kind, games);
            let reading = Reading { every: EVERY, ..Reading::default() };
            let path = Path::new("bench");
            let read = || {
                let set = parse_as(&game, kind, "bench", path, &text, Provenance::default(), reading);
                set.expect("positions").entries.len()
            };
            group.throughput(Throughput::Bytes(text.len() as u64));
            group.bench_function(BenchmarkId::from_parameter(games), |bencher| bencher.iter(read));
        }
        group.finish();
    }
}

/// Positions of the smallest run.
const POSITIONS: usize = 250;
/// Method sets of a position.
const ARMS: [&str; 4] = ["none", "a", "b", "a+b"];

/// The cells of a run of so many positions, with numbers that look like those of a search.
fn cells(positions: usize) -> Vec<Rows> {
    let cell = |position: usize, at: usize, arm: &str| {
        let nodes = (20_000 + (position as u64 * 7_919) % 60_000) / (1 + at as u64);
        let record = Record {
            schema: SCHEMA,
            run: "grown".into(),
            game: "g".into(),
            suite: "grown".into(),
            position: format!("grown#{position:07}").into(),
            cluster: format!("game/{:06}", position / 4).into(),
            stage: ["x", "y", "z"][position % 3].into(),
            methods: arm.into(),
            params: format!("{at:016x}").into(),
            budget: 8,
            depth: Some(8),
            nodes: Some(nodes),
            score: Some((position * 31 % 600) as i32 - 300),
            bound: Some(Bound::Exact),
            best_move: ["d3", "c5", "f6"][(position + at) % 3].into(),
            pv: "d3 c5 f6 f5 e6".into(),
            pv_ok: Sanity::Ok,
            time_ns: nodes * 300,
            ..Record::default()
        };
        let key = record.key();
        let iterations = vec![IterationRow { depth: 8, nodes, ..IterationRow::of(&key) }];
        Rows { record: record.at(&key), iterations, counters: Vec::new() }
    };
    let units =
        (0..positions).flat_map(|position| ARMS.iter().enumerate().map(move |(at, arm)| (position, at, arm)));
    units.map(|(position, at, arm)| cell(position, at, arm)).collect()
}

fn build() -> Build {
    Build { id: "00000000".to_owned(), ..Build::default() }
}

/// A folder with all cells appended, the last first, as threads that outrun each other leave them.
fn begun(dir: &Path, cells: &[Rows]) -> Store {
    let keys = cells.iter().map(|rows| rows.record.key());
    let game = GameEntry { name: "g".to_owned(), ..GameEntry::default() };
    let manifest =
        Manifest { schema: SCHEMA, cells: cells_hash(keys), game: vec![game], ..Manifest::default() };
    let mut store = Store::open(dir, manifest, build()).expect("a new folder");
    let sealer = store.sealer();
    let sealed: Vec<Sealed> = cells.iter().rev().map(|rows| sealer.seal(rows.clone())).collect();
    store.append(&sealed).expect("a folder that takes rows");
    store
}

fn rows(criterion: &mut Criterion) {
    for positions in (0..DOUBLINGS).map(|doubling| POSITIONS << doubling) {
        let cells = cells(positions);
        let mut group = criterion.benchmark_group("rows");
        group
            .sample_size(10)
            .sampling_mode(SamplingMode::Flat)
            .throughput(Throughput::Elements(cells.len() as u64));
        group.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
        let keys = || cells.iter().map(|rows| rows.record.key());
        group.bench_function(BenchmarkId::new("complete", cells.len()), |bencher| {
            let folder = || {
                let dir = tempfile::tempdir().expect("a folder");
                let store = begun(dir.path(), &cells);
                (dir, store)
            };
            bencher.iter_batched(
                folder,
                |(dir, store)| (dir, store.complete(keys()).expect("a whole run")),
                BatchSize::PerIteration,
            );
        });
        let dir = tempfile::tempdir().expect("a folder");
        begun(dir.path(), &cells).complete(keys()).expect("a whole run");
        group.bench_function(BenchmarkId::new("read", cells.len()), |bencher| {
            bencher.iter(|| RunRows::read(dir.path()).expect("a run").0.records.len());
        });
        let (rows, manifest, _) = RunRows::read(dir.path()).expect("a run");
        let runs = from_rows(dir.path(), rows, manifest).expect("one run");
        group.bench_function(BenchmarkId::new("page", cells.len()), |bencher| {
            bencher.iter(|| html::page(&runs, html::Extras::default()).len());
        });
        group.finish();
    }
}

criterion_group!(benches, readers, rows);
criterion_main!(benches);
