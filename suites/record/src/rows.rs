//! Rows in files: CSV in, with the line of whatever is no row, and CSV out.
//!
//! Left out: whether the rows are those that were written, which `check` says.

use crate::archive;
use crate::damage::Damage;
use crate::error::Error;
use crate::files::replaced_by;
use crate::row::{Row, header_of, row_of, text_of};
use ::csv::ByteRecord;
use secateur_base::fault;
use serde::{Serialize, de::DeserializeOwned};
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

/// What a file of rows gave.
#[derive(Debug)]
pub(crate) struct Scan<T> {
    /// Rows with their lines.
    pub(crate) rows: Vec<(usize, T)>,
    /// Lines that are no rows.
    pub(crate) damages: Vec<Damage>,
    /// Whether the file is there.
    pub(crate) exists: bool,
    /// Whether its last line had no end, and was left out.
    pub(crate) is_torn: bool,
}

/// Reads what rows a file has, of which no more than a few lines are in memory as text.
///
/// # Errors
/// The file system; a header of something else.
pub(crate) fn scan<T: Row>(path: &Path) -> Result<Scan<T>, Error> {
    let mut found = Scan { rows: Vec::new(), damages: Vec::new(), exists: true, is_torn: false };
    let failed = |source| Error::Io { path: path.to_owned(), source };
    let file = match archive::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Scan { exists: false, ..found }),
        Err(source) => return Err(failed(source)),
    };
    let mut lines = WholeLines::new(file);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let damage = |line, what| Damage { file: name.clone().into_owned(), line, what };
    let mut reader = ::csv::ReaderBuilder::new().has_headers(false).from_reader(&mut lines);
    let line_of = |position: Option<&::csv::Position>| position.map_or(0, |at| at.line() as usize);
    let (mut header, mut row) = (ByteRecord::new(), ByteRecord::new());
    loop {
        match reader.read_byte_record(&mut row) {
            Ok(false) => break,
            Err(error) if error.is_io_error() => return Err(failed(error.into())),
            Err(error) => found.damages.push(damage(line_of(error.position()), error.to_string())),
            Ok(true) if header.is_empty() => {
                header = row.clone();
                let text = header.iter().map(String::from_utf8_lossy).collect::<Vec<_>>().join(",");
                is_header_of(&header, T::COLUMNS).map_err(|what| fault(path, &text, 0, what))?;
            }
            Ok(true) => match row_of(&row) {
                Ok(value) => found.rows.push((line_of(row.position()), value)),
                Err(what) => found.damages.push(damage(line_of(row.position()), what)),
            },
        }
    }
    drop(reader);
    found.is_torn = lines.is_torn();
    if header.is_empty() {
        found.damages.push(damage(0, "found no header: the file was emptied".to_owned()));
    }
    Ok(found)
}

/// A file up to its last line end: what an interruption cut off stays behind.
struct WholeLines<R> {
    file: R,
    /// What was read: the bytes from `given` to `whole` may be given, those behind have no line end yet.
    buffer: Vec<u8>,
    given: usize,
    whole: usize,
}

impl<R: Read> WholeLines<R> {
    fn new(file: R) -> WholeLines<R> {
        WholeLines { file, buffer: Vec::new(), given: 0, whole: 0 }
    }

    /// Whether the last line has no end; known once everything was read.
    fn is_torn(&self) -> bool {
        self.whole < self.buffer.len()
    }
}

impl<R: Read> Read for WholeLines<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        const CHUNK: usize = 1 << 16;
        while self.given == self.whole {
            self.buffer.drain(..self.given);
            (self.given, self.whole) = (0, 0);
            let before = self.buffer.len();
            self.buffer.resize(before + CHUNK, 0);
            let read = self.file.read(&mut self.buffer[before..]);
            self.buffer.truncate(before + *read.as_ref().unwrap_or(&0));
            if read? == 0 {
                return Ok(0);
            }
            let end = self.buffer[before..].iter().rposition(|&byte| byte == b'\n');
            self.whole = end.map_or(0, |at| before + at + 1);
        }
        let count = into.len().min(self.whole - self.given);
        into[..count].copy_from_slice(&self.buffer[self.given..][..count]);
        self.given += count;
        Ok(count)
    }
}

/// Whether a file is one of such rows: any other header is of another file.
fn is_header_of(found: &ByteRecord, expected: &[&str]) -> Result<(), String> {
    let count = found.len().max(expected.len());
    let differs = |at: &usize| found.get(*at) != expected.get(*at).map(|name| name.as_bytes());
    let Some(at) = (0..count).find(differs) else { return Ok(()) };
    let named =
        |name: Option<&str>| name.map_or("no more columns".to_owned(), |name| format!("the column `{name}`"));
    let own = found.get(at).map(String::from_utf8_lossy);
    let (found, expected) = (named(own.as_deref()), named(expected.get(at).copied()));
    Err(format!("found {found}, expected {expected} (docs/RECORD.md)"))
}

/// What is wrong with a row, by the name of its column where that is known.
fn explained(error: &::csv::Error, header: &ByteRecord) -> String {
    let ::csv::ErrorKind::Deserialize { err, .. } = error.kind() else { return error.to_string() };
    match err.field().and_then(|index| header.get(index as usize)) {
        Some(name) => format!("column `{}`: {}", String::from_utf8_lossy(name), err.kind()),
        None => err.kind().to_string(),
    }
}

/// Reads the rows of a file; one that is not there has none. A last line without an end, left by an interruption, is left
/// out.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, Error> {
    let text = archive::text(path)?.unwrap_or_default();
    rows_of(path, text.rfind('\n').map_or("", |end| &text[..=end]))
}

/// The rows of a text; `path` is for messages.
pub fn rows_of<T: DeserializeOwned>(path: &Path, text: &str) -> Result<Vec<T>, Error> {
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().cloned().unwrap_or_default();
    let rows = reader.deserialize().collect::<Result<Vec<T>, _>>();
    rows.map_err(|error| {
        let offset = error.position().map_or(0, |position| position.byte() as usize);
        fault(path, text, offset, explained(&error, header.as_byte_record())).into()
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
pub fn header<T: Serialize + Default>() -> String {
    let text = String::from_utf8(csv(&[T::default()], true)).expect("CSV of text is text");
    text.split_inclusive('\n').next().unwrap_or_default().to_owned()
}

/// Writes a file of rows, whole or not at all.
///
/// # Errors
/// The file system.
pub fn write_all<T: Row>(path: &Path, rows: &[T]) -> Result<(), Error> {
    let write = |file: &mut File| {
        file.write_all(header_of::<T>().as_bytes())?;
        // As many rows at a time as fill a few pages.
        rows.chunks(1 << 9).try_for_each(|rows| file.write_all(&text_of(rows)))
    };
    replaced_by(path, &write).map_err(Error::io(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that gives a few bytes at a time, and what comes out of it.
    #[test]
    fn whole_lines_end_where_the_last_line_does() {
        struct Slow<'t>(&'t [u8], usize);
        impl Read for Slow<'_> {
            fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
                let count = self.1.min(self.0.len()).min(into.len());
                into[..count].copy_from_slice(&self.0[..count]);
                self.0 = &self.0[count..];
                Ok(count)
            }
        }
        for (text, expected) in
            [("a\nbc\n", "a\nbc\n"), ("a\nbc", "a\n"), ("abc", ""), ("", ""), ("\n\nx", "\n\n")]
        {
            for step in 1..8 {
                let mut lines = WholeLines::new(Slow(text.as_bytes(), step));
                let mut whole = String::new();
                lines.read_to_string(&mut whole).unwrap();
                assert_eq!(
                    (whole.as_str(), lines.is_torn()),
                    (expected, expected != text),
                    "{text:?} by {step}"
                );
            }
        }
    }
}
