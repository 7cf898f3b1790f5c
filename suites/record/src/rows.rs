//! Rows of the three files of a run: CSV in, with the line of whatever is no row, and CSV out.
//!
//! A row is a list of fields, so that one reader and one writer serve all rows: its columns are the fields of its type, in their order
//! and by their names. Left out: whether the rows are those that were written, which `store` says.

use crate::archive;
use crate::columns::{Bound, BudgetKind, Failure, Sanity, Text};
use crate::error::{Damage, Error};
use crate::files::replaced_by;
use crate::label::Label;
use crate::record::{CellId, CounterRow, IterationRow, Record};
use csv::ByteRecord;
use secateur_base::fault;
use serde::Serialize;
use serde::de::DeserializeOwned;
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
    let mut scanned = Scan { rows: Vec::new(), damages: Vec::new(), exists: true, is_torn: false };
    let failed = |source| Error::Io { path: path.to_owned(), source };
    let file = match archive::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Scan { exists: false, ..scanned }),
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
            Err(error) => scanned.damages.push(damage(line_of(error.position()), error.to_string())),
            Ok(true) if header.is_empty() => {
                header = row.clone();
                let text = header.iter().map(String::from_utf8_lossy).collect::<Vec<_>>().join(",");
                is_header_of(&header, T::COLUMNS).map_err(|what| fault(path, &text, 0, what))?;
            }
            Ok(true) => match row_of(&row) {
                Ok(value) => scanned.rows.push((line_of(row.position()), value)),
                Err(what) => scanned.damages.push(damage(line_of(row.position()), what)),
            },
        }
    }
    drop(reader);
    scanned.is_torn = lines.is_torn();
    if header.is_empty() {
        scanned.damages.push(damage(0, "found no header: the file was emptied".to_owned()));
    }
    Ok(scanned)
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
    let found = found.get(at).map(String::from_utf8_lossy);
    let (found, expected) = (named(found.as_deref()), named(expected.get(at).copied()));
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

/// A value as it is written in a column.
pub trait Column {
    /// Adds its text.
    fn put(&self, text: &mut Vec<u8>);

    /// Becomes the value of a text.
    ///
    /// # Errors
    /// What was found and what was expected.
    fn take(&mut self, text: &str) -> Result<(), String>;
}

macro_rules! whole_numbers {
    ($($number:ty),+) => {$(
        impl Column for $number {
            fn put(&self, text: &mut Vec<u8>) {
                // Memory takes everything.
                let _ = write!(text, "{self}");
            }

            fn take(&mut self, text: &str) -> Result<(), String> {
                let wrong = |_| format!("found `{text}`, expected a whole number of at most {}", <$number>::MAX);
                *self = text.parse().map_err(wrong)?;
                Ok(())
            }
        }
    )+};
}
whole_numbers!(u32, u64, i32);

macro_rules! texts {
    ($($text:ty: $value:ident => $bytes:expr;)+) => {$(
        impl Column for $text {
            fn put(&self, text: &mut Vec<u8>) {
                let $value = self;
                text.extend_from_slice($bytes.as_bytes());
            }

            fn take(&mut self, text: &str) -> Result<(), String> {
                *self = <$text>::try_from(text).map_err(|error| error.to_string())?;
                Ok(())
            }
        }
    )+};
}
texts! {
    Label: label => label.as_str();
    Text: text => text;
    CellId: id => String::from(*id);
    BudgetKind: kind => kind.name();
    Bound: bound => bound.name();
    Sanity: sanity => sanity.name();
    Failure: failure => failure.reason();
}

/// `1` or `0`.
impl Column for bool {
    fn put(&self, text: &mut Vec<u8>) {
        text.push(if *self { b'1' } else { b'0' });
    }

    fn take(&mut self, text: &str) -> Result<(), String> {
        *self = match text {
            "1" => true,
            "0" => false,
            _ => return Err(format!("found `{text}`, expected `1` or `0`")),
        };
        Ok(())
    }
}

/// Nothing where there is none.
impl<V: Column + Default> Column for Option<V> {
    fn put(&self, text: &mut Vec<u8>) {
        self.iter().for_each(|value| value.put(text));
    }

    fn take(&mut self, text: &str) -> Result<(), String> {
        *self = (!text.is_empty()).then(V::default);
        self.as_mut().map_or(Ok(()), |value| value.take(text))
    }
}

/// A row of a file.
pub trait Row: Default {
    /// The names of its columns, in their order. The last may hold the seal of the others.
    const COLUMNS: &'static [&'static str];

    /// How many of them, at the end, hold counts that are mostly 0, which is written as nothing.
    const BLANK: usize;

    /// Hands over its fields, one a column.
    fn put(&self, write: &mut dyn FnMut(&[&dyn Column]));

    /// Hands over its fields to be filled, one a column.
    fn take(&mut self, fill: &mut dyn FnMut(&mut [&mut dyn Column]));
}

/// The columns of rows are their fields, in this order.
macro_rules! rows {
    ($($row:ty { $($field:ident),+ $(; blank $($blank:ident),+)? })+) => {$(
        impl Row for $row {
            const COLUMNS: &'static [&'static str] =
                &[$(stringify!($field),)+ $($(stringify!($blank),)+)?];
            const BLANK: usize = <[&str]>::len(&[$($(stringify!($blank)),+)?]);

            fn put(&self, write: &mut dyn FnMut(&[&dyn Column])) {
                write(&[$(&self.$field,)+ $($(&self.$blank,)+)?]);
            }

            fn take(&mut self, fill: &mut dyn FnMut(&mut [&mut dyn Column])) {
                fill(&mut [$(&mut self.$field,)+ $($(&mut self.$blank,)+)?]);
            }
        }
    )+};
}
rows! {
    Record {
        schema, run, cell, game, suite, position, cluster, stage, methods, params, budget_kind, budget, repeat, depth, seldepth, nodes,
        qnodes, probe_nodes, tt_hits, score, bound, best_move, move_tied, pv, pv_ok, time_ns, instructions, regret, error, build, seal
    }
    IterationRow { cell, depth, nodes, qnodes, score, best_move, time_ns }
    CounterRow {
        cell, method, depth, stage, tries, cuts_high, cuts_low, probe_nodes;
        blank audited, broken, audit_every, audit_nodes, foretold_ppm, near, near_broken
    }
}

/// The first line of a file of such rows.
pub fn header_of<T: Row>() -> String {
    T::COLUMNS.join(",") + "\n"
}

/// The rows as lines, without a header.
pub fn text_of<'r, T: Row + 'r>(rows: impl IntoIterator<Item = &'r T>) -> Vec<u8> {
    let mut text = Vec::new();
    rows.into_iter().for_each(|row| row.put(&mut |fields| put_row::<T>(fields, &mut text)));
    text
}

/// The line of a row whose last column, which is to have its seal, is empty.
pub fn unsealed_of<T: Row>(row: &T) -> Vec<u8> {
    let mut text = Vec::new();
    row.put(&mut |fields| {
        put_row::<T>(&fields[..fields.len() - 1], &mut text);
        text.pop();
        text.extend_from_slice(b",\n");
    });
    text
}

fn put_row<T: Row>(fields: &[&dyn Column], text: &mut Vec<u8>) {
    put_line(fields.iter().enumerate(), text, |(at, field), text| {
        let begin = text.len();
        field.put(text);
        if at >= T::COLUMNS.len() - T::BLANK && text[begin..] == *b"0" {
            text.truncate(begin);
        }
    });
}

/// Adds a line of fields, quoted only where they must be; `put` adds the text of one.
pub(crate) fn put_line<F>(
    fields: impl IntoIterator<Item = F>,
    text: &mut Vec<u8>,
    put: impl Fn(F, &mut Vec<u8>),
) {
    for (at, field) in fields.into_iter().enumerate() {
        if at > 0 {
            text.push(b',');
        }
        let begin = text.len();
        put(field, text);
        quote(text, begin);
    }
    text.push(b'\n');
}

/// Quotes the field that begins there and ends with the text, if it must be quoted.
fn quote(text: &mut Vec<u8>, begin: usize) {
    if text[begin..].iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        let field = text.split_off(begin);
        text.push(b'"');
        for byte in field {
            text.push(byte);
            if byte == b'"' {
                text.push(byte);
            }
        }
        text.push(b'"');
    }
}

/// The row of these fields.
///
/// # Errors
/// The first column whose field is none of it, with what was found and what was expected.
pub fn row_of<'f, T: Row>(fields: impl IntoIterator<Item = &'f [u8]>) -> Result<T, String> {
    let (mut row, mut taken, mut fields) = (T::default(), Ok(()), fields.into_iter());
    row.take(&mut |into| taken = take_row(into, (T::COLUMNS, T::BLANK), &mut fields));
    taken.map(|()| row)
}

fn take_row(
    into: &mut [&mut dyn Column],
    (columns, blank): (&[&str], usize),
    fields: &mut dyn Iterator<Item = &[u8]>,
) -> Result<(), String> {
    for ((at, into), column) in into.iter_mut().enumerate().zip(columns) {
        let Some(field) = fields.next() else {
            return Err(format!("found {at} columns, expected {}", columns.len()));
        };
        let text = std::str::from_utf8(field).map_err(|_| "found bytes that are no text".to_owned());
        let is_blank = |text: &str| text.is_empty() && at >= columns.len() - blank;
        let taken = text.and_then(|text| if is_blank(text) { Ok(()) } else { into.take(text) });
        taken.map_err(|what| format!("column `{column}`: {what}"))?;
    }
    match fields.count() {
        0 => Ok(()),
        more => Err(format!("found {} columns, expected {}", columns.len() + more, columns.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use csv::ByteRecord;

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

    fn fields_of(line: &[u8]) -> ByteRecord {
        let mut fields = ByteRecord::new();
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line);
        assert!(reader.read_byte_record(&mut fields).unwrap());
        fields
    }

    #[test]
    fn a_row_is_read_as_it_was_written() {
        let record = Record {
            game: "a,\"b\"".into(),
            score: Some(-7),
            nodes: Some(u64::MAX),
            move_tied: Some(false),
            error: Some(Failure::new("said \"no\", twice")),
            ..Record::default()
        };
        assert_eq!(row_of(&fields_of(&text_of([&record]))), Ok(record.clone()));
        let sealed = Record { seal: "0".repeat(16).into(), ..record.clone() };
        assert_eq!(unsealed_of(&sealed), text_of([&record]));
        let counter = CounterRow { stage: "two\nlines\r".into(), tries: 3, near: 9, ..CounterRow::default() };
        let text = text_of([&counter]);
        assert!(text.ends_with(b"\",3,0,0,0,,,,,,9,\n"), "{}", String::from_utf8_lossy(&text));
        assert_eq!(row_of(&fields_of(&text)), Ok(counter));
    }

    #[test]
    fn what_is_no_row_is_named_by_its_column() {
        let whole = |texts: [&str; 7]| row_of::<IterationRow>(texts.map(str::as_bytes));
        let good = ["", "3", "40", "0", "-5", "d3", "9"];
        assert!(whole(good).is_ok());
        for (at, text, says) in [
            (1, "-1", "column `depth`: found `-1`, expected a whole number of at most 4294967295"),
            (2, "", "column `nodes`: found ``, expected a whole number"),
            (0, "g01", "column `cell`: found `g01`, expected the name of a cell"),
        ] {
            let mut texts = good;
            texts[at] = text;
            let error = whole(texts).unwrap_err();
            assert!(error.starts_with(says), "{error}");
        }
        let short = row_of::<IterationRow>(["", "3"].map(str::as_bytes)).unwrap_err();
        assert_eq!(short, "found 2 columns, expected 7");
        let mut bytes = good.map(str::as_bytes);
        bytes[5] = b"\xff";
        let error = row_of::<IterationRow>(bytes).unwrap_err();
        assert_eq!(error, "column `best_move`: found bytes that are no text");
    }
}
