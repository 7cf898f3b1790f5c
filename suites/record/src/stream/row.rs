//! One row of a file as a stream has it: the text that the writer of records writes, and its fields.
//!
//! Nearly every row has neither a quote nor a carriage return, and its text is what stands in the file: nothing of it is parsed but the
//! places of its commas. Another row goes through the reader and the writer of CSV.

use super::text::push;
use csv::ByteRecord;
use std::ops::Index;

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
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Number of fields.
    #[must_use]
    pub fn width(&self) -> usize {
        self.parsed.as_ref().map_or(self.ends.len(), ByteRecord::len)
    }

    /// The field at this place, if there is one.
    #[must_use]
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
}
