//! What a report is before it is text: sections of sentences and tables.

use secateur_base::sets::shortened;
use std::collections::BTreeMap;

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
    pub fn new(headings: &[&str]) -> Table {
        let column = |heading: &&str| match heading.strip_prefix('<') {
            Some(text) => (text.to_owned(), Align::Left),
            None => (shortened(heading), Align::Right),
        };
        Table { columns: headings.iter().map(column).collect(), rows: Vec::new(), notes: Vec::new() }
    }

    /// Adds a row of cells with their headings, as [`Table::new`] takes them; those of the first row are the table's.
    ///
    /// # Panics
    /// If its length is not that of the headings.
    pub fn row<const N: usize>(&mut self, cells: [(&str, String); N]) {
        self.add(cells);
    }

    fn add<H: AsRef<str>, C: Into<String>>(&mut self, cells: impl IntoIterator<Item = (H, C)>) {
        let (headings, cells): (Vec<H>, Vec<String>) =
            cells.into_iter().map(|(heading, cell)| (heading, cell.into())).unzip();
        if self.rows.is_empty() {
            self.columns = Table::new(&headings.iter().map(AsRef::as_ref).collect::<Vec<_>>()).columns;
        }
        self.push(cells);
    }

    /// One row for all cells whose leading columns agree, and one column for each heading of the rest, both in the order in which they
    /// first come; a dash where there is no cell.
    pub fn crossed<'h, L: IntoIterator<Item = (&'h str, String)> + PartialEq>(
        cells: impl IntoIterator<Item = (L, (String, String))>,
    ) -> Table {
        let mut headings: Vec<String> = Vec::new();
        let mut leads: Vec<L> = Vec::new();
        let mut by_place = BTreeMap::<(usize, usize), String>::new();
        for (lead, (heading, cell)) in cells {
            by_place.insert((place(&mut leads, lead), place(&mut headings, heading)), cell);
        }
        let row = |(at, lead): (usize, L)| {
            let lead = lead.into_iter().map(|(heading, cell)| (heading.to_owned(), cell));
            let cells_of_row = headings.iter().enumerate().map(|(column, heading)| {
                let cell = by_place.get(&(at, column)).map_or("-", String::as_str);
                (heading.clone(), cell.to_owned())
            });
            lead.chain(cells_of_row).collect::<Vec<_>>()
        };
        leads.into_iter().enumerate().map(row).collect()
    }

    /// The table with one more sentence below it.
    pub fn noted(mut self, note: impl Into<String>) -> Table {
        self.notes.push(note.into());
        self
    }

    /// The table, unless it has no rows.
    pub fn unless_empty(self) -> Option<Table> {
        (!self.rows.is_empty()).then_some(self)
    }

    /// Leaves out the columns whose heading is not wanted.
    pub fn keep_columns(&mut self, is_wanted: impl Fn(&str) -> bool) {
        let wanted: Vec<bool> = self.columns.iter().map(|(heading, _)| is_wanted(heading)).collect();
        let mut each = wanted.iter();
        self.columns.retain(|_| each.next() == Some(&true));
        for row in &mut self.rows {
            let mut each = wanted.iter();
            row.retain(|_| each.next() == Some(&true));
        }
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

/// Where the value is in the list, at the end of which it is put if it is new.
fn place<T: PartialEq>(list: &mut Vec<T>, value: T) -> usize {
    list.iter().position(|earlier| *earlier == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}

/// A row for each list of cells with their headings, as [`Table::new`] takes them; those of the first row are the table's.
impl<H: AsRef<str>, C: Into<String>, R: IntoIterator<Item = (H, C)>> FromIterator<R> for Table {
    fn from_iter<I: IntoIterator<Item = R>>(rows: I) -> Table {
        let mut table = Table::default();
        rows.into_iter().for_each(|row| table.add(row));
        table
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

impl Section {
    /// A section with one table; none if that has no rows.
    pub fn of_table(title: &str, text: Vec<String>, table: Table) -> Option<Section> {
        let table = table.unless_empty()?;
        Some(Section { title: title.to_owned(), text, tables: vec![table] })
    }
}

impl Report {
    /// A report of one section with one table, both of this title.
    pub fn of_table(title: &str, text: Vec<String>, table: Table) -> Report {
        let section = Section { title: title.to_owned(), text, tables: vec![table] };
        Report { sections: vec![section], ..Report::new(title) }
    }

    /// A report without content.
    pub fn new(title: &str) -> Report {
        Report { title: title.to_owned(), ..Report::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_crossed_in_the_order_in_which_they_come() {
        let cell = |lead: &str, heading: &str, text: &str| {
            ([("<name", lead.to_owned())], (heading.to_owned(), text.to_owned()))
        };
        let table = Table::crossed([cell("b", "y", "1"), cell("a", "x", "2"), cell("b", "x", "3")]);
        let headings: Vec<&str> = table.columns.iter().map(|(heading, _)| heading.as_str()).collect();
        assert_eq!((headings, table.columns[0].1), (vec!["name", "y", "x"], Align::Left));
        assert_eq!(table.rows, [["b", "1", "3"], ["a", "-", "2"]]);
        assert_eq!(Table::crossed::<[(&str, String); 1]>([]).unless_empty(), None);
    }

    #[test]
    fn a_column_that_is_not_wanted_goes_with_its_cells() {
        let mut table: Table =
            [("1", "10"), ("2", "20")].map(|(a, b)| [("<a", a), ("b", b)]).into_iter().collect();
        table.keep_columns(|heading| heading != "a");
        assert_eq!(table.columns, [("b".to_owned(), Align::Right)]);
        assert_eq!(table.rows, [["10"], ["20"]]);
    }
}
