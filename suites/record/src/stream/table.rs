//! A file of rows, read line by line with one row ahead.

use super::{Stretch, damaged, row::Row};
use crate::error::Error;
use std::io::{BufRead, BufReader};
use std::path::Path;

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
