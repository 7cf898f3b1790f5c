//! The one writer of tables that leave the program: CSV for people, spreadsheets and other programs.
//!
//! A record keeps a name as it was given; here no cell is a formula and nothing in one hides ([`cell`]). Left out: the files
//! of a record, which `store` writes and reads back.

use secateur_base::visible::cell;
use serde::Serialize;

/// A table of a header and rows of as many texts.
#[must_use]
pub fn of_cells<const N: usize>(header: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    written([header.map(str::to_owned)].into_iter().chain(rows))
}

/// A table of flat structs, the names of whose fields are the header; empty without rows.
#[must_use]
pub fn of_rows<T: Serialize>(rows: impl IntoIterator<Item = T>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing numbers and text into memory does not fail.
    rows.into_iter().for_each(|row| writer.serialize(row).expect("a row has a CSV form"));
    let raw = writer.into_inner().expect("memory takes everything");
    let reader = csv::ReaderBuilder::new().has_headers(false).from_reader(raw.as_slice());
    let cells = |row: csv::StringRecord| row.iter().map(str::to_owned).collect::<Vec<_>>();
    written(reader.into_records().map(|row| cells(row.expect("as it was just written"))))
}

fn written<R: AsRef<[String]>>(rows: impl Iterator<Item = R>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        let cells = row.as_ref().iter().map(|text| cell(text).into_owned());
        // Memory takes everything, and rows are of one width.
        writer.write_record(cells).expect("a row of the table");
    }
    String::from_utf8(writer.into_inner().expect("memory takes everything")).expect("CSV of text is text")
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
