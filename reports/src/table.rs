//! What a report is before it is text: sections of sentences and tables.

use secateur_base::sets::shortened;

/// Where the text of a column stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// One table of cells that are already formatted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Column headings with their alignment.
    pub columns: Vec<(String, Align)>,
    /// Rows, each as long as `columns`.
    pub rows: Vec<Vec<String>>,
    /// Sentences below the table.
    pub notes: Vec<String>,
}

impl Table {
    /// An empty table; a heading that starts with `<` is left-aligned and loses the sign.
    #[must_use]
    pub fn new(headings: &[&str]) -> Table {
        let column = |heading: &&str| match heading.strip_prefix('<') {
            Some(words) => (words.to_owned(), Align::Left),
            None => (shortened(heading), Align::Right),
        };
        Table { columns: headings.iter().map(column).collect(), rows: Vec::new(), notes: Vec::new() }
    }

    /// Adds a row of cells with their headings, as [`Table::new`] takes them; those of the first row are the table's.
    ///
    /// # Panics
    /// If its length is not that of the headings.
    pub fn row<const N: usize>(&mut self, cells: [(&str, String); N]) {
        let headings = cells.each_ref().map(|(heading, _)| *heading);
        if self.rows.is_empty() {
            self.columns = Table::new(&headings).columns;
        }
        self.push(cells.map(|(_, cell)| cell).to_vec());
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If its length is not that of the headings.
    pub fn push(&mut self, row: Vec<String>) {
        assert_eq!(row.len(), self.columns.len(), "a row for every column");
        let row = row.iter().map(|cell| shortened(cell)).collect();
        self.rows.push(row);
    }
}

/// A heading with what belongs under it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// Heading.
    pub title: String,
    /// Paragraphs before the tables.
    pub text: Vec<String>,
    /// Tables.
    pub tables: Vec<Table>,
}

/// A whole report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Title.
    pub title: String,
    /// What a reader must know before any number: missing cells, cut files.
    pub notes: Vec<String>,
    /// Sections in order.
    pub sections: Vec<Section>,
}

impl Report {
    /// A report without content.
    #[must_use]
    pub fn new(title: &str) -> Report {
        Report { title: title.to_owned(), ..Report::default() }
    }
}
