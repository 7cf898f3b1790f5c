//! A synthetic run of any size, in shards, with which merges and reports are measured.
//!
//! `cargo run --release --manifest-path examples/studies/Cargo.toml --bin synthetic DIR SHARDS ROWS [sides]` writes
//! DIR/1-of-SHARDS and so on, with so many rows of records in all; with `sides` four iterations and one counter a row, as a
//! shallow search has them. Numbers are drawn from a hash of the cell, and every row is sealed. Left out: doubles.

use secateur_record::build::Build;
use secateur_record::manifest::{FILE, GameEntry, Manifest};
use secateur_record::part::{Part, Take};
use secateur_record::record::{Bound, CellsHash, CounterRow, IterationRow, Record, SCHEMA, Sanity};
use secateur_record::rows::{header_of, text_of};
use secateur_record::store::{COUNTERS, ITERATIONS, RECORDS, seal_of};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Method sets of a unit.
const ARMS: [&str; 8] =
    ["none", "mpc", "null-move", "futility", "mpc+futility", "null-move+mpc", "multi-cut", "razoring"];

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let usage = || io::Error::other("usage: synthetic DIR SHARDS ROWS [sides]");
    let [dir, shards, rows, ..] = args.as_slice() else { return Err(usage()) };
    let number = |text: &str| text.parse::<u32>().ok().filter(|number| *number > 0).ok_or_else(usage);
    made(Path::new(dir), number(shards)?, number(rows)?, args.len() > 3)
}

/// Writes the shards.
pub fn made(dir: &Path, shards: u32, rows: u32, sides: bool) -> io::Result<()> {
    let units = rows / ARMS.len() as u32;
    let mut whole = CellsHash::default();
    (0..units).for_each(|unit| add(&mut whole, unit));
    for shard in 1..=shards {
        let take = Take::of((0..units).filter(|unit| unit % shards == shard - 1).collect());
        let part = Part {
            shard: format!("{shard}/{shards}"),
            whole: whole.hex(),
            units,
            cells: u64::from(units) * ARMS.len() as u64,
            take,
            ..Part::default()
        };
        write(&dir.join(format!("{shard}-of-{shards}")), part, sides)?;
    }
    Ok(())
}

fn position(unit: u32) -> String {
    format!("synthetic#{unit:08}")
}

fn add(hash: &mut CellsHash, unit: u32) {
    for arm in ARMS {
        hash.add(["othello", "synthetic", &position(unit), arm, "depth"], 8, 0);
    }
}

fn write(dir: &Path, part: Part, sides: bool) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    let open = |name: &str, header: String| {
        let mut file = BufWriter::new(File::create(dir.join(name))?);
        file.write_all(header.as_bytes())?;
        io::Result::Ok(file)
    };
    let mut records = open(RECORDS, header_of::<Record>())?;
    let mut others = match sides {
        true => {
            Some((open(ITERATIONS, header_of::<IterationRow>())?, open(COUNTERS, header_of::<CounterRow>())?))
        }
        false => None,
    };
    let mut cells = CellsHash::default();
    for &unit in part.take.numbers() {
        add(&mut cells, unit);
        for (at, arm) in ARMS.iter().enumerate() {
            let mut record = record(unit, at, arm);
            let (mut iterations, mut counters) = (Vec::new(), Vec::new());
            if let Some(files) = &mut others {
                (iterations, counters) = rows_beside(&record);
                files.0.write_all(&iterations)?;
                files.1.write_all(&counters)?;
            }
            record.seal = seal_of(&text_of([&record]), &iterations, &counters).into();
            records.write_all(&text_of([&record]))?;
        }
    }
    records.flush()?;
    let dropped = if sides { Vec::new() } else { vec![ITERATIONS.to_owned(), COUNTERS.to_owned()] };
    let game = GameEntry { name: "othello".to_owned(), ..GameEntry::default() };
    let manifest = Manifest {
        run: "synthetic".to_owned(),
        schema: SCHEMA,
        complete: true,
        cells: cells.hex(),
        build: vec![Build { id: "00000000".to_owned(), binary: "0".repeat(16), ..Build::default() }],
        game: vec![game],
        part: Some(part),
        dropped,
        ..Manifest::default()
    };
    fs::write(dir.join(FILE), manifest.text())
}

/// A row with numbers that look like those of a search.
fn record(unit: u32, at: usize, arm: &str) -> Record {
    let hash =
        u64::from(unit).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (at as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let nodes = (20_000 + hash % 60_000) / (1 + at as u64);
    let record = Record {
        schema: SCHEMA,
        run: "synthetic".into(),
        game: "othello".into(),
        suite: "synthetic".into(),
        position: position(unit).into(),
        cluster: format!("game/{:07}", unit / 4).into(),
        stage: ["12", "28", "44"][unit as usize % 3].into(),
        methods: arm.into(),
        params: format!("{at:016x}").into(),
        budget: 8,
        depth: Some(8),
        seldepth: 12,
        nodes: Some(nodes),
        qnodes: nodes / 3,
        tt_hits: nodes / 20,
        score: Some((hash >> 40) as i32 % 600 - 300),
        bound: Some(Bound::Exact),
        best_move: ["d3", "c5", "f6"][(hash >> 20) as usize % 3].into(),
        pv: "d3 c5 f6 f5 e6 e3 c3 d6".into(),
        pv_ok: Sanity::Ok,
        time_ns: nodes * 300,
        build: "00000000".into(),
        ..Record::default()
    };
    Record { cell: record.key().id(), ..record }
}

/// Four iterations and a counter.
fn rows_beside(record: &Record) -> (Vec<u8>, Vec<u8>) {
    let nodes = record.nodes.unwrap_or_default();
    let step =
        |depth: u32| IterationRow { depth, nodes: nodes >> (8 - depth), ..IterationRow::of(&record.key()) };
    let steps: Vec<IterationRow> = (5..=8).map(step).collect();
    let counter =
        CounterRow { method: "mpc".into(), depth: 4, tries: nodes / 9, ..CounterRow::of(&record.key()) };
    (text_of(&steps), text_of([&counter]))
}
