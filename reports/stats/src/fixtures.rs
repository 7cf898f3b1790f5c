//! Rows and manifests for tests, in this package and in those that make forms of its numbers.
//!
//! Not part of the library: compiled for tests, and behind a feature for the tests of others.

use secateur_record::manifest::{GameEntry, Manifest};
use secateur_record::record::{Bound, BudgetKind, Record, Sanity};
use toml::{Table, Value};

/// A good row at depth 12.
#[must_use]
pub fn row(position: &str, stage: &str, methods: &str, nodes: u64) -> Record {
    Record {
        schema: 1,
        game: "othello".into(),
        suite: "table2".into(),
        position: position.into(),
        cluster: position.into(),
        stage: stage.into(),
        methods: methods.into(),
        budget_kind: BudgetKind::Depth,
        budget: 12,
        depth: 12,
        nodes,
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
#[must_use]
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
