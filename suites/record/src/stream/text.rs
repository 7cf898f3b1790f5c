//! Rows as text, without knowing what they mean: fields joined as the record joins them, and the columns of a key.
//!
//! Whoever only reads, compares and passes on need not make a number of a field and a text of the number again, which would take most
//! of the time.

use super::Row;
use crate::record::CellKey;
use crate::row::put_line;
use csv::ByteRecord;

/// Adds a row to a text, fields quoted only where they must be, as the writer of records does.
pub fn push<'f>(fields: impl IntoIterator<Item = &'f [u8]>, text: &mut Vec<u8>) {
    put_line(fields, text, |field, text| text.extend_from_slice(field));
}

/// The columns that name a cell, in the order of [`CellKey`].
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

/// The cell of a row in words.
pub fn words(fields: [&[u8]; KEY.len()]) -> String {
    let text = |at: usize| String::from_utf8_lossy(fields[at]).into_owned();
    let budget_kind = text(5).as_str().try_into().unwrap_or_default();
    let number = |at: usize| text(at).parse().unwrap_or_default();
    CellKey {
        game: text(0).into(),
        suite: text(1).into(),
        position: text(2).into(),
        methods: text(3).into(),
        params: text(4).into(),
        budget_kind,
        budget: number(6),
        repeat: number(7) as u32,
    }
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

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
