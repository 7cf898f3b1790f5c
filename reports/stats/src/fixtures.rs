//! Rows, manifests and files of pairs for tests, in this package and in those that make forms of its numbers.
//!
//! Not part of the library: compiled for tests, and behind a feature for the tests of others.

use crate::predict::stage_of;
use secateur_base::{Calibration, Fit, Options};
use secateur_record::manifest::{GameEntry, Manifest};
use secateur_record::observations::Origin;
use secateur_record::record::{Bound, BudgetKind, Record, SCHEMA, Sanity};
use secateur_record::seal::sealed_with;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// A good row at depth 12.
pub fn row(position: &str, stage: &str, methods: &str, nodes: u64) -> Record {
    Record {
        schema: SCHEMA,
        game: "othello".into(),
        suite: "table2".into(),
        position: position.into(),
        cluster: position.into(),
        stage: stage.into(),
        methods: methods.into(),
        budget_kind: BudgetKind::Depth,
        budget: 12,
        depth: Some(12),
        nodes: Some(nodes),
        score: Some(0),
        best_move: "d3".into(),
        bound: Some(Bound::Exact),
        pv_ok: Sanity::Ok,
        time_ns: 1_000,
        ..Record::default()
    }
}

/// A manifest of which only this text matters.
///
/// # Panics
/// A text that is no manifest.
pub fn manifest(text: &str) -> Manifest {
    let fill = |table: &mut Table, blank: Table| {
        for (key, value) in blank {
            table.entry(key).or_insert(value);
        }
    };
    let mut table: Table = text.parse().unwrap();
    fill(&mut table, Table::try_from(Manifest::default()).unwrap());
    for game in table["game"].as_array_mut().unwrap() {
        let Value::Table(game) = game else { panic!("a game is a table") };
        fill(game, Table::try_from(GameEntry::default()).unwrap());
    }
    table.try_into().unwrap()
}

/// Records of every combination of `a`, `b` and `c` at `positions` positions; `nodes` by the bits.
pub fn combined(positions: u64, nodes: impl Fn(u64, usize) -> u64) -> Vec<Record> {
    let mut records = Vec::new();
    for position in 0..positions {
        for bits in 0..8 {
            let names: Vec<&str> = ["a", "b", "c"]
                .into_iter()
                .enumerate()
                .filter(|(i, _)| bits >> i & 1 == 1)
                .map(|n| n.1)
                .collect();
            let methods = if bits == 0 { "none".to_owned() } else { names.join("+") };
            records.push(row(&format!("p{position}"), "28", &methods, nodes(position, bits)));
        }
    }
    records
}

/// Some of the stages of Othello.
pub const STAGES: &[&str] = &["d24-27", "d28-31", "d32-35"];

/// A fit of the pairs of [`pairs_file`] with this spread.
///
/// # Panics
/// Never: the stage is one of [`STAGES`].
pub fn model(sigma: f64) -> Calibration {
    let stage = stage_of(STAGES, "28").unwrap();
    let fit = Fit { stage, shallow: 4, deep: 8, n: 60, a: 1.0, b: 0.0, sigma, r: 0.9 };
    Calibration { fits: vec![fit], ..Calibration::default() }
}

fn origin() -> Origin {
    let text = |text: &str| text.to_owned();
    Origin {
        game: text("othello"),
        evaluation: text("0123456789abcdef"),
        command: text("cargo xtask pairs"),
        date: text("2000-01-01"),
        seed: 1,
        methods: text("none"),
        range: None,
        out_of_range: 0,
        positions: text("tiny"),
        positions_hash: text("00"),
        positions_count: 5,
        play_on: 2,
        plies: 6,
        shallow: 4,
        deep: 8,
        pairs: 60,
        repeated: 0,
        decisive: 0,
        ended: 0,
        host: Options::default(),
    }
}

/// A file of pairs on v = v' but for errors of 0 and of ±2 discs, with where they come from next to it.
///
/// # Panics
/// A folder that cannot be written.
pub fn pairs_file(dir: &Path) -> PathBuf {
    let mut text = String::from("source,cluster,stage,shallow,deep\n");
    for i in 0..60_i32 {
        let (v1, error) = (100 * (i - 30), [0, 0, 200, 0, 0, -200][i as usize % 6]);
        let _ = writeln!(text, "p{i},game/{},28,{v1},{}", i / 6, v1 + error);
    }
    let path = dir.join("pairs.csv");
    put_pairs(&path, &text);
    path
}

/// Writes a file of pairs of this text, with where they come from next to it.
///
/// # Panics
/// A folder that cannot be written.
pub fn put_pairs(path: &Path, table: &str) {
    let origin = toml::to_string(&origin()).unwrap();
    std::fs::write(path, table).unwrap();
    std::fs::write(path.with_extension("toml"), sealed_with(&origin, table.as_bytes())).unwrap();
}
