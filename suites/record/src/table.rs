//! The one writer of tables that leave the program: CSV for people, spreadsheets and other programs; and what reads them back.
//!
//! A record keeps a name as it was given; here no cell is a formula and nothing in one hides ([`cell`]). Left out: the files
//! of a record, which `store` writes and reads back.

use crate::archive;
use crate::error::Error;
use secateur_base::visible::cell;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// A table of a header and rows of as many texts.
pub fn of_cells<H: AsRef<str>, R: AsRef<[String]>>(
    header: impl AsRef<[H]>,
    rows: impl IntoIterator<Item = R>,
) -> String {
    let mut table = Writer::default();
    table.row(header.as_ref());
    rows.into_iter().for_each(|row| table.row(row.as_ref()));
    table.text()
}

/// A table of flat structs, the names of whose fields are the header; empty without rows.
pub fn of_rows<T: Serialize>(rows: impl IntoIterator<Item = T>) -> String {
    let raw = crate::rows::csv(&rows.into_iter().collect::<Vec<_>>(), true);
    let reader = csv::ReaderBuilder::new().has_headers(false).from_reader(raw.as_slice());
    let mut table = Writer::default();
    for row in reader.into_records() {
        table.row(&row.expect("as it was just written").iter().collect::<Vec<_>>());
    }
    table.text()
}

/// The rows of a table in a file; lines that begin with `#` say where it is from.
///
/// # Errors
/// The file system; a row that is none, with its line.
pub fn rows<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, Error> {
    let text = archive::read_to_string(path).map_err(Error::unreadable(path))?;
    let reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    let rows = reader.into_deserialize().collect::<Result<_, csv::Error>>();
    rows.map_err(|error| Error::place(path, error.to_string()))
}

/// The cells that leave, as they may.
struct Writer(csv::Writer<Vec<u8>>);

impl Default for Writer {
    fn default() -> Self {
        Writer(csv::Writer::from_writer(Vec::new()))
    }
}

impl Writer {
    fn row<T: AsRef<str>>(&mut self, cells: &[T]) {
        let cells = cells.iter().map(|text| cell(text.as_ref()).into_owned());
        // Memory takes everything, and rows are of one width.
        self.0.write_record(cells).expect("a row of the table");
    }

    fn text(self) -> String {
        String::from_utf8(self.0.into_inner().expect("memory takes everything")).expect("CSV of text is text")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be_and_never_formulas() {
        let text =
            of_cells(["a", "b"], [["x,y".to_owned(), "\"".to_owned()], ["=1".to_owned(), "-1".to_owned()]]);
        assert_eq!(text, "a,b\n\"x,y\",\"\"\"\"\n'=1,-1\n");
    }

    #[test]
    fn rows_are_written_as_the_same_cells() {
        #[derive(Serialize)]
        struct Row {
            name: &'static str,
            value: Option<f64>,
        }
        let rows = [Row { name: "@a\u{1b}\"", value: Some(-2.5) }, Row { name: "b", value: None }];
        assert_eq!(of_rows(rows), "name,value\n\"'@a\\u{1b}\"\"\",-2.5\nb,\n");
        assert_eq!(of_rows::<Row>([]), "");
    }
}
