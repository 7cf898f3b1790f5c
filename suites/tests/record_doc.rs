//! docs/MEASURES.md names every column of every file, in order, and no other.

use secateur_record::record::{CounterRow, IterationRow, Record};
use serde::Serialize;

const DOC: &str = include_str!("../../docs/MEASURES.md");

/// Column names as the csv crate writes them.
fn header(row: impl Serialize) -> Vec<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.serialize(row).expect("rows serialize");
    let text = String::from_utf8(writer.into_inner().expect("a vector cannot fail")).expect("UTF-8");
    text.lines().next().expect("a header").split(',').map(str::to_owned).collect()
}

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
    assert_eq!(documented("records.csv"), header(Record::default()));
    assert_eq!(documented("iterations.csv"), header(IterationRow::default()));
    assert_eq!(documented("counters.csv"), header(CounterRow::default()));
}
