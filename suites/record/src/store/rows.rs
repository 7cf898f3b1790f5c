//! Rows in files: CSV in, with the line of whatever is no row, and CSV out.
//!
//! Left out: whether the rows are those that were written, which `check` says.

use crate::archive;
use crate::damage::Damage;
use crate::error::Error;
use crate::files::replace;
use secateur_base::fault;
use serde::{Serialize, de::DeserializeOwned};
use std::path::Path;

/// What a file of rows gave.
#[derive(Debug)]
pub(super) struct Scan<T> {
    /// Rows with their lines.
    pub(super) rows: Vec<(usize, T)>,
    /// Lines that are no rows.
    pub(super) damages: Vec<Damage>,
    /// Whether the file is there.
    pub(super) exists: bool,
    /// Whether its last line had no end, and was left out.
    pub(super) is_torn: bool,
}

/// Reads what rows a file has.
///
/// # Errors
/// The file system; a header of something else.
pub(super) fn scan<T: Serialize + DeserializeOwned + Default>(path: &Path) -> Result<Scan<T>, Error> {
    let mut found = Scan { rows: Vec::new(), damages: Vec::new(), exists: true, is_torn: false };
    let Some(bytes) = slurp(path)? else { return Ok(Scan { exists: false, ..found }) };
    let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    found.is_torn = end < bytes.len();
    let text = String::from_utf8_lossy(&bytes[..end]);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let damage = |line, what| Damage { file: name.clone().into_owned(), line, what };
    if text.is_empty() {
        found.damages.push(damage(0, "found no header: the file was emptied".to_owned()));
        return Ok(found);
    }
    let mut reader = ::csv::ReaderBuilder::new().from_reader(text.as_bytes());
    let header = reader.headers().cloned().unwrap_or_default();
    is_header_of::<T>(&header).map_err(|what| fault(path, &text, 0, what))?;
    for row in reader.records() {
        let line_of = |position: Option<&::csv::Position>| position.map_or(0, |at| at.line() as usize);
        match row {
            Err(error) => found.damages.push(damage(line_of(error.position()), error.to_string())),
            Ok(row) => {
                let line = line_of(row.position());
                match row.deserialize(Some(&header)) {
                    Ok(value) => found.rows.push((line, value)),
                    Err(error) => found.damages.push(damage(line, explained(&error, &header))),
                }
            }
        }
    }
    Ok(found)
}

fn slurp(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    match archive::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Error::Io { path: path.to_owned(), source }),
    }
}

/// Whether a file is one of such rows: any other header is of another file.
fn is_header_of<T: Serialize + Default>(found: &::csv::StringRecord) -> Result<(), String> {
    let text = String::from_utf8(header::<T>()).expect("column names are ASCII");
    let expected: Vec<&str> = text.trim_end().split(',').collect();
    let count = found.len().max(expected.len());
    let Some(at) = (0..count).find(|at| found.get(*at) != expected.get(*at).copied()) else { return Ok(()) };
    let named =
        |name: Option<&str>| name.map_or("no more columns".to_owned(), |name| format!("the column `{name}`"));
    let (found, expected) = (named(found.get(at)), named(expected.get(at).copied()));
    Err(format!("found {found}, expected {expected} (docs/RECORD.md)"))
}

/// What is wrong with a row, by the name of its column where that is known.
fn explained(error: &::csv::Error, header: &::csv::StringRecord) -> String {
    let ::csv::ErrorKind::Deserialize { err, .. } = error.kind() else { return error.to_string() };
    match err.field().and_then(|index| header.get(index as usize)) {
        Some(name) => format!("column `{name}`: {}", err.kind()),
        None => err.kind().to_string(),
    }
}

/// Reads the rows of a file; one that is not there has none. A last line without an end, left by an interruption, is left
/// out.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, Error> {
    let Some(bytes) = slurp(path)? else { return Ok(Vec::new()) };
    let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let text = String::from_utf8_lossy(&bytes[..end]);
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().cloned().unwrap_or_default();
    let rows = reader.deserialize().collect::<Result<Vec<T>, _>>();
    rows.map_err(|error| {
        let offset = error.position().map_or(0, |position| position.byte() as usize);
        fault(path, &text, offset, explained(&error, &header)).into()
    })
}

/// The rows as CSV text.
pub fn csv<T: Serialize>(rows: &[T], header: bool) -> Vec<u8> {
    let mut writer = ::csv::WriterBuilder::new().has_headers(header).from_writer(Vec::new());
    for row in rows {
        // Rows are flat structs of numbers and texts, and memory does not fail to be written.
        writer.serialize(row).expect("a row has a CSV form");
    }
    writer.into_inner().expect("written to memory")
}

/// The first line of a file of such rows.
#[must_use]
pub fn header<T: Serialize + Default>() -> Vec<u8> {
    let mut text = csv(&[T::default()], true);
    text.truncate(text.iter().position(|&byte| byte == b'\n').map_or(0, |at| at + 1));
    text
}

/// Writes a file of rows, whole or not at all.
pub fn write_all<T: Serialize + Default>(path: &Path, rows: &[T]) -> Result<(), Error> {
    // The header comes with the first row; a file without rows takes it from a row that is cut off.
    replace(path, &if rows.is_empty() { header::<T>() } else { csv(rows, true) })
}
