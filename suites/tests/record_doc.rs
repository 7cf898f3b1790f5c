//! docs/MEASURES.md names every column of every file, in order, and no other.

use secateur_record::record::{CounterRow, IterationRow, Record};
use secateur_record::rows::Row;

const DOC: &str = include_str!("../../docs/MEASURES.md");

/// First cells of the table below the heading of `file`.
fn documented(file: &str) -> Vec<String> {
    let (_, section) = DOC.split_once(&format!("## {file}\n")).expect("a section for the file");
    let section = section.split("\n## ").next().expect("split gives a first part");
    section
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(name, _)| name.to_owned())
        .collect()
}

#[test]
fn every_column_is_documented_in_order() {
    assert_eq!(documented("records.csv"), Record::COLUMNS);
    assert_eq!(documented("iterations.csv"), IterationRow::COLUMNS);
    assert_eq!(documented("counters.csv"), CounterRow::COLUMNS);
}
