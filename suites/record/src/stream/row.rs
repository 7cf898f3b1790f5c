//! Files of rows read line by line with one row ahead, and a row: the text that the writer of records writes, and its fields.
//!
//! Nearly every row has neither a quote nor a carriage return, and its text is what stands in the file: nothing of it is parsed but the
//! places of its commas. Another row goes through the reader and the writer of CSV.
//!
//! Whoever only reads, compares and passes on need not make a number of a field and a text of the number again, which would take most of
//! the time. [`Key`] finds the columns that name a cell.

use super::{Stretch, damaged};
use crate::error::Error;
use crate::rows::put_line;
use csv::ByteRecord;
use std::io::{BufRead, BufReader};
use std::ops::Index;
use std::path::Path;

/// A row with its fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// As the writer of records writes it, with the end of the line.
    text: Vec<u8>,
    /// Where the fields end in the text, unless there are `parsed` ones.
    ends: Vec<usize>,
    parsed: Option<ByteRecord>,
}

impl Row {
    /// The bytes, to be filled with what stands in the file and then [`Row::split`].
    pub(super) fn begin(&mut self) -> &mut Vec<u8> {
        self.text.clear();
        self.more()
    }

    /// The same where the next line belongs to the row.
    pub(super) fn more(&mut self) -> &mut Vec<u8> {
        &mut self.text
    }

    /// Whether nothing stands in the line.
    pub(super) fn is_blank(&self) -> bool {
        matches!(self.text.as_slice(), b"\n" | b"\r\n" | b"\r")
    }

    /// Finds its fields; false where its text ends within quotes, so that the next line belongs to it.
    ///
    /// # Errors
    /// In words, if what it was filled with is no row.
    pub(super) fn split(&mut self) -> Result<bool, String> {
        self.parsed = None;
        if !self.text.contains(&b'"') && !self.text.contains(&b'\r') {
            if self.text.last() != Some(&b'\n') {
                self.text.push(b'\n');
            }
            self.ends.clear();
            self.ends.extend(memchr::memchr2_iter(b',', b'\n', &self.text));
            return Ok(true);
        }
        if self.text.iter().filter(|byte| **byte == b'"').count() % 2 == 1 {
            return Ok(false);
        }
        let mut reader =
            csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(self.text.as_slice());
        let mut rows = reader.byte_records();
        let (first, more) = (rows.next(), rows.next());
        let (Some(Ok(row)), None) = (first, more) else {
            return Err("found a quote or a line end where none belongs".to_owned());
        };
        self.text.clear();
        push(row.iter(), &mut self.text);
        self.parsed = Some(row);
        Ok(true)
    }

    /// The row as the writer of records writes it.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Number of fields.
    pub fn width(&self) -> usize {
        self.parsed.as_ref().map_or(self.ends.len(), ByteRecord::len)
    }

    /// The field at this place, if there is one.
    pub fn get(&self, at: usize) -> Option<&[u8]> {
        if let Some(row) = &self.parsed {
            return row.get(at);
        }
        let end = *self.ends.get(at)?;
        let begin = if at == 0 { 0 } else { self.ends[at - 1] + 1 };
        Some(&self.text[begin..end])
    }

    /// All fields.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.width()).map_while(|at| self.get(at))
    }

    /// The text of the row with other fields at some places, which are in order, into `text`.
    pub fn with(&self, others: &[(usize, &[u8])], text: &mut Vec<u8>) {
        text.clear();
        let is_plain = |(_, field): &(usize, &[u8])| !field.iter().any(|byte| b",\"\r\n".contains(byte));
        if self.parsed.is_some() || !others.iter().all(is_plain) {
            let other = |at: usize| others.iter().find(|(place, _)| *place == at).map(|(_, field)| *field);
            return push((0..self.width()).map(|at| other(at).unwrap_or(&self[at])), text);
        }
        let mut from = 0;
        for (at, field) in others {
            let begin = if *at == 0 { 0 } else { self.ends[at - 1] + 1 };
            text.extend_from_slice(&self.text[from..begin]);
            text.extend_from_slice(field);
            from = self.ends[*at];
        }
        text.extend_from_slice(&self.text[from..]);
    }
}

impl From<ByteRecord> for Row {
    fn from(row: ByteRecord) -> Row {
        let mut text = Vec::new();
        push(row.iter(), &mut text);
        Row { text, ends: Vec::new(), parsed: Some(row) }
    }
}

impl Index<usize> for Row {
    type Output = [u8];

    fn index(&self, at: usize) -> &[u8] {
        self.get(at).expect("a field of the row")
    }
}

/// Adds a row to a text, fields quoted only where they must be, as the writer of records does.
pub fn push<'f>(fields: impl IntoIterator<Item = &'f [u8]>, text: &mut Vec<u8>) {
    put_line(fields, text, |field, text| text.extend_from_slice(field));
}

/// The columns that name a cell, in the order of [`CellKey`](crate::record::CellKey).
pub(crate) const KEY: [&str; 8] =
    ["game", "suite", "position", "methods", "params", "budget_kind", "budget", "repeat"];

/// Where the columns of the key are in a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Key([usize; KEY.len()]);

impl Key {
    /// In a file with this header; absent if one is missing.
    pub fn of(header: &ByteRecord) -> Option<Key> {
        let mut at = [0; KEY.len()];
        for (place, name) in at.iter_mut().zip(KEY) {
            *place = header.iter().position(|column| column == name.as_bytes())?;
        }
        Some(Key(at))
    }

    /// The key of a row, field by field.
    pub fn fields<'r>(&self, row: &'r Row) -> [&'r [u8]; KEY.len()] {
        self.0.map(|at| row.get(at).unwrap_or_default())
    }

    /// Whether two rows of one file are of one unit: game, suite, position and budget.
    pub fn same_unit(&self, row: &Row, other: &Row) -> bool {
        [2, 6, 5, 0, 1].iter().all(|&at| row.get(self.0[at]) == other.get(self.0[at]))
    }
}

/// The cell of a row in words, as [`CellKey`](crate::record::CellKey) prints.
pub fn in_words(fields: [&[u8]; KEY.len()]) -> String {
    let [game, _, position, methods, _, kind, budget, repeat] = fields.map(String::from_utf8_lossy);
    let repeat = if repeat == "0" { String::new() } else { format!(" repeat {repeat}") };
    format!("{game} {position} {methods} {kind} {budget}{repeat}")
}

/// Bytes that are read at once.
const CHUNK: usize = 1 << 16;
/// The same of a source that was put to rest: it may read no more than a unit before it is again.
const SMALL: usize = 1 << 13;

/// A file of rows.
pub(super) struct Table {
    /// What is left to read behind the row ahead.
    rest: Stretch,
    /// None at rest.
    reader: Option<BufReader<Stretch>>,
    /// Lines that were read.
    lines: u64,
    buffer: usize,
    /// Columns of a row.
    width: usize,
    /// For messages.
    pub(super) name: String,
    /// The row that comes next with its line; none at the end.
    ahead: Option<(u64, Row)>,
}

impl Table {
    pub(super) fn open(part: &Path, name: &str, stretch: Stretch, expected: &str) -> Result<Table, Error> {
        let name = part.join(name).display().to_string();
        let mut table =
            Table { rest: stretch, reader: None, lines: 0, buffer: CHUNK, width: 0, name, ahead: None };
        let header = table.read(Row::default())?.map(|(_, header)| header).unwrap_or_default();
        if header.text() != expected.as_bytes() {
            let what = "found other columns than this version writes (docs/RECORD.md)";
            return Err(damaged(&table.name, 1, what));
        }
        table.width = header.width();
        table.ahead = table.read(header)?;
        Ok(table)
    }

    /// Takes the row that comes next, with its line.
    pub(super) fn next(&mut self) -> Result<Option<(u64, Row)>, Error> {
        let next = self.ahead.take();
        if next.is_some() {
            self.ahead = self.read(Row::default())?;
        }
        Ok(next)
    }

    /// The row that comes next, with its line.
    pub(super) fn ahead(&self) -> Option<&(u64, Row)> {
        self.ahead.as_ref()
    }

    /// Adds the rows of a cell, by its name, that come next to a text.
    pub(super) fn rows_of(&mut self, cell: &[u8], text: &mut Vec<u8>) -> Result<(), Error> {
        while let Some((_, row)) = self.ahead.take_if(|(_, row)| row.get(0) == Some(cell)) {
            text.extend_from_slice(row.text());
            self.ahead = self.read(row)?;
        }
        Ok(())
    }

    /// The next row with its line, in the room of another.
    fn read(&mut self, mut row: Row) -> Result<Option<(u64, Row)>, Error> {
        if !self.line(row.begin())? {
            return Ok(None);
        }
        while row.is_blank() {
            if !self.line(row.begin())? {
                return Ok(None);
            }
        }
        let first = self.lines;
        while !row.split().map_err(|what| damaged(&self.name, first, &what))? {
            if !self.line(row.more())? {
                return Err(damaged(&self.name, first, "found a quote that does not end"));
            }
        }
        if self.width != 0 && row.width() != self.width {
            let what = format!("found {} columns, expected {}", row.width(), self.width);
            return Err(damaged(&self.name, first, &what));
        }
        Ok(Some((first, row)))
    }

    /// Adds the next line with its end to a text; false where there is none.
    fn line(&mut self, text: &mut Vec<u8>) -> Result<bool, Error> {
        let Table { rest, buffer, .. } = self;
        let reader = self.reader.get_or_insert_with(|| BufReader::with_capacity(*buffer, rest.clone()));
        let read = reader.read_until(b'\n', text);
        let read = read.map_err(|error| damaged(&self.name, self.lines + 1, &error.to_string()))?;
        rest.at += read as u64;
        self.lines += u64::from(read > 0);
        Ok(read > 0)
    }

    /// Gives the buffers back until more is read.
    pub(super) fn rest(&mut self) {
        if self.reader.take().is_some() {
            self.buffer = SMALL;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str) -> Result<Row, String> {
        let mut row = Row::default();
        row.begin().extend_from_slice(text.as_bytes());
        row.split().and_then(|is_whole| if is_whole { Ok(row) } else { Err("open".to_owned()) })
    }

    /// Whatever the writer of records writes comes back as it was, and so does what another program wrote with other quotes and ends.
    #[test]
    fn a_row_has_the_fields_and_the_text_that_the_writer_gives_it() {
        for (text, fields) in [
            ("a,b,c\n", &["a", "b", "c"][..]),
            ("a,,", &["a", "", ""]),
            ("a,b\r\n", &["a", "b"]),
            ("\"a\",\"b,c\",\"d\"\"e\"\n", &["a", "b,c", "d\"e"]),
            ("\"two\nlines\",x\n", &["two\nlines", "x"]),
        ] {
            let row = row(text).unwrap();
            assert_eq!(
                row.iter().collect::<Vec<_>>(),
                fields.iter().map(|f| f.as_bytes()).collect::<Vec<_>>()
            );
            let mut expected = Vec::new();
            push(fields.iter().map(|field| field.as_bytes()), &mut expected);
            assert_eq!(row.text(), expected, "{text:?}");
            for others in [&[(0, &b"new"[..])][..], &[(0, b"x,y"), (fields.len() - 1, b"")], &[(1, b"\"")]] {
                let mut fields: Vec<&[u8]> = fields.iter().map(|field| field.as_bytes()).collect();
                others.iter().for_each(|(at, field)| fields[*at] = field);
                let (mut text, mut expected) = (Vec::new(), Vec::new());
                push(fields, &mut expected);
                row.with(others, &mut text);
                assert_eq!(text, expected, "{others:?}");
            }
            assert_eq!(Row::from(row.iter().collect::<ByteRecord>()).text(), row.text());
        }
        assert!(row("a\rb\n").is_err() && row("a,\"b\n").unwrap_err() == "open");
    }

    /// A text that ends within quotes goes on in the next line.
    #[test]
    fn a_row_may_have_several_lines() {
        let mut row = Row::default();
        row.begin().extend_from_slice(b"a,\"b\n");
        assert_eq!(row.split(), Ok(false));
        row.more().extend_from_slice(b"c\"\n");
        assert_eq!(row.split(), Ok(true));
        assert_eq!(row.iter().collect::<Vec<_>>(), [&b"a"[..], b"b\nc"]);
    }

    #[test]
    fn a_row_is_the_text_that_the_writer_of_records_writes() {
        for fields in [
            vec!["2", "run", "", "d3 c5", "mpc[t=1.2,nesting=1]"],
            vec!["said \"no\"", "two\nlines", "cr\r", ",", "\""],
            vec!["", "", "ü", " ", "x"],
        ] {
            let mut text = Vec::new();
            push(fields.iter().map(|field| field.as_bytes()), &mut text);
            let mut writer = csv::Writer::from_writer(Vec::new());
            writer.write_record(&fields).unwrap();
            assert_eq!(text, writer.into_inner().unwrap());
        }
    }
}
