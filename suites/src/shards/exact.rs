//! Whether two searches of one unit agree in everything that no clock, no machine and no name decides.
//!
//! What a clock decides is left out, and so are searches with a budget of time, counted instructions, which belong to a
//! binary, and cells that failed, which are searched again.

use crate::shards::error::Error;
use csv::ByteRecord;
use secateur_record::record::{CounterRow, IterationRow, Record};
use secateur_record::row::Row;
use secateur_record::store::{COUNTERS, ITERATIONS};
use secateur_record::stream::text::words;
use secateur_record::stream::{Cell, Columns};
use std::path::Path;

/// Columns of any file that two good searches of one cell may differ in.
pub(crate) const LOOSE: [&str; 8] =
    ["run", "time_ns", "instructions", "build", "seal", "first_time_ns", "second_time_ns", "transcript"];

/// One copy of a unit, and where it is from.
#[derive(Clone, Copy)]
pub(crate) struct Copy<'c> {
    /// The folder or the pack.
    pub(crate) path: &'c Path,
    /// Its cells.
    pub(crate) cells: &'c [Cell],
}

/// Compares two copies of a unit; `build` puts the id of a build in words.
///
/// # Errors
/// The first difference, with both rows and their builds.
pub(crate) fn agree(one: Copy<'_>, other: Copy<'_>, build: &dyn Fn(&str) -> String) -> Result<(), Error> {
    let columns = Columns::of_records();
    let side = |copy: Copy<'_>, cell: &Cell, value: &str| {
        let id = String::from_utf8_lossy(&cell.record[columns.build]).into_owned();
        let file = copy.path.join("records.csv");
        format!("{}:{}: `{value}` by {id}, {}", file.display(), cell.line, build(&id))
    };
    if one.cells.len() != other.cells.len() {
        let name = |copy: Copy<'_>| format!("{} with {} cells", copy.path.display(), copy.cells.len());
        let what = "one unit has other cells".to_owned();
        return Err(Error::Foreign { one: name(one), other: name(other), what });
    }
    for (a, b) in one.cells.iter().zip(other.cells) {
        if let Some((column, [x, y])) = difference(&columns, a, b) {
            let cell = words(columns.key.fields(&a.record));
            return Err(Error::Disagree { cell, column, one: side(one, a, &x), other: side(other, b, &y) });
        }
    }
    Ok(())
}

/// The first column in which two rows of a cell differ that must not, and both values.
fn difference(columns: &Columns, one: &Cell, other: &Cell) -> Option<(String, [String; 2])> {
    let failed = |cell: &Cell| !cell.record[columns.error].is_empty();
    let is_timed = columns.key.fields(&one.record)[5] == b"time";
    if failed(one) || failed(other) || is_timed {
        return None;
    }
    let row = |cell: &Cell| vec![cell.record.iter().collect::<ByteRecord>()];
    let of_iterations = || [&one.iterations, &other.iterations].map(|text| rows(text));
    let of_counters = || [&one.counters, &other.counters].map(|text| rows(text));
    differs("", Record::COLUMNS, [row(one), row(other)])
        .or_else(|| differs(ITERATIONS, IterationRow::COLUMNS, of_iterations()))
        .or_else(|| differs(COUNTERS, CounterRow::COLUMNS, of_counters()))
}

pub(crate) fn rows(text: &[u8]) -> Vec<ByteRecord> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text);
    // A text that was made of rows has rows.
    reader.byte_records().filter_map(Result::ok).collect()
}

/// The first exact column in which rows of a file differ, and both values.
pub(crate) fn differs(
    file: &str,
    columns: &[&str],
    [one, other]: [Vec<ByteRecord>; 2],
) -> Option<(String, [String; 2])> {
    let at = if file.is_empty() { String::new() } else { format!(" of {file}") };
    if one.len() != other.len() {
        return Some((format!("the number of rows{at}"), [one, other].map(|rows| rows.len().to_string())));
    }
    for (a, b) in one.iter().zip(&other) {
        let columns = columns.iter().zip(a.iter().zip(b));
        let mut exact = columns.filter(|(name, _)| !LOOSE.contains(*name));
        if let Some((name, (x, y))) = exact.find(|(_, (x, y))| x != y) {
            let text = |field: &[u8]| String::from_utf8_lossy(field).into_owned();
            return Some((format!("`{name}`{at}"), [text(x), text(y)]));
        }
    }
    None
}
