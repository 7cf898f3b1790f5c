//! Every column of the CSV files that leave the program: `data/columns.toml`, which docs/MEASURES.md and the data packages of run
//! folders are made from.

use serde::Deserialize;
use std::sync::LazyLock;

/// A CSV file, or the command that writes one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CsvTable {
    /// `records.csv`, `report --csv`.
    pub file: String,
    /// What a row is.
    pub about: String,
    /// Its columns, in order.
    pub columns: Vec<Column>,
}

/// A column.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// Its name in the header.
    pub name: String,
    /// `integer`, `number` or `string`, as Frictionless has them.
    #[serde(rename = "type")]
    pub kind: String,
    /// What a number is in; empty where it is in nothing.
    #[serde(default)]
    pub unit: String,
    /// What it is.
    pub about: String,
}

/// All tables.
pub static TABLES: LazyLock<Vec<CsvTable>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    struct File {
        table: Vec<CsvTable>,
    }
    let file: File = toml::from_str(include_str!("../data/columns.toml")).expect("a file of this program");
    file.table
});

/// The table of this file.
pub fn of(file: &str) -> Option<&'static CsvTable> {
    TABLES.iter().find(|table| table.file == file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::MeasureRow;
    use secateur_record::observations::PairRow;
    use secateur_record::play::{GameRow, OpeningRow};
    use secateur_record::record::{CounterRow, IterationRow, Record};
    use secateur_record::rows::Row;
    use serde::Serialize;

    /// Column names as the csv crate writes them.
    fn header(row: impl Serialize) -> Vec<String> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.serialize(row).unwrap();
        let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        text.lines().next().unwrap().split(',').map(str::to_owned).collect()
    }

    fn columns_of<T: Row>() -> Vec<String> {
        T::COLUMNS.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn the_columns_are_those_that_are_written() {
        let text = String::new;
        let pair = PairRow { source: text(), cluster: text(), stage: text(), shallow: 0, deep: 0 };
        for (file, written) in [
            ("records.csv", columns_of::<Record>()),
            ("iterations.csv", columns_of::<IterationRow>()),
            ("counters.csv", columns_of::<CounterRow>()),
            ("games.csv", header(GameRow::default())),
            ("openings.csv", header(OpeningRow::default())),
            ("report --csv", header(MeasureRow::default())),
            ("pairs --out", header(pair)),
        ] {
            let names: Vec<&str> = of(file).unwrap().columns.iter().map(|column| &*column.name).collect();
            assert_eq!(names, written, "{file}");
        }
    }

    /// What is a number has a unit, or counts things, or names something by a number; what is a text has none.
    #[test]
    fn types_are_those_of_frictionless_and_texts_have_no_unit() {
        for column in TABLES.iter().flat_map(|table| &table.columns) {
            assert!(["integer", "number", "string"].contains(&&*column.kind), "{column:?}");
            assert!(column.kind != "string" || column.unit.is_empty(), "{column:?}");
            assert!(column.about.ends_with('.') && !column.about.contains('|'), "{column:?}");
        }
    }
}
