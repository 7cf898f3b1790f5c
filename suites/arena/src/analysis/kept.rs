//! A file of solved positions, a row each: what was solved before is found in it and not searched again.
//!
//! Every row is sealed, written to its end and flushed before the next is begun. One that a kill cut off in the middle is left
//! out and overwritten; one that is not as it was written is refused, with its line. Names stand as in any table that leaves
//! the program ([`cell`]).

use super::place::Place;
use super::solve::{Row, Solving};
use secateur_base::visible::cell;
use secateur_core::{Game, Notation};
use secateur_positions::Fnv;
use secateur_record::files;
use secateur_record::seal::seal;
use secateur_suites::Error;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The file.
pub(super) struct Kept {
    path: PathBuf,
    file: File,
    rows: Vec<Row>,
}

/// What stands for a position and what is asked of it: an answer to another question is none to this.
pub(super) fn position_of(place: &Place, how: &Solving<'_>) -> String {
    let depth =
        if secateur_core::Rules::remaining(&place.game, &place.root).is_some() { 0 } else { how.depth };
    let mut fnv = Fnv::default();
    fnv.field(place.game.name()).field(&place.game.format(&place.root));
    for operation in &place.entry.operations {
        fnv.field(&operation.code).field(&operation.operands);
    }
    fnv.bytes(&depth.to_le_bytes()).bytes(&[u8::from(how.all_best)]).hex()
}

impl Kept {
    /// Opens a file that is there, or begins one.
    pub(super) fn open(path: &Path) -> Result<Kept, Error> {
        let text = if path.exists() {
            std::fs::read_to_string(path).map_err(Error::unreadable(path))?
        } else {
            String::new()
        };
        let head = head();
        if !text.starts_with(&head) && !head.starts_with(&text) {
            return Err(Error::Usage(format!(
                "{}:1: found no file of solved positions, expected `{}` as its first line; choose another file",
                path.display(),
                head.trim_end()
            )));
        }
        // What stands behind the last line end was cut off.
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let mut reader = csv::Reader::from_reader(whole.as_bytes());
        let rows = reader.deserialize().collect::<Result<Vec<Row>, csv::Error>>();
        let rows = rows.map_err(|error| {
            let line = error.position().map_or(1, csv::Position::line);
            Error::Usage(format!("{}:{line}: found no row of solved positions: {error}", path.display()))
        })?;
        // A row has no line end in it, so its line is its number behind the head.
        if let Some(at) = rows.iter().position(|row| row.seal != seal_of(row)) {
            return Err(Error::Usage(format!(
                "{}:{}: this row is not as it was written; without it, or into another file, its position is solved again",
                path.display(),
                at + 2
            )));
        }
        let mut kept = String::new();
        if !rows.is_empty() {
            whole.clone_into(&mut kept);
        }
        if text != kept || !path.exists() {
            files::replace(path, kept.as_bytes())?;
        }
        let file = OpenOptions::new().append(true).open(path).map_err(Error::io(path))?;
        Ok(Kept { path: path.to_owned(), file, rows })
    }

    /// The row of a position of this name.
    pub(super) fn row(&self, id: &str, position: &str) -> Option<Row> {
        let name = cell(id);
        let found = self.rows.iter().find(|row| row.id == name && row.position == position)?;
        Some(Row { id: id.to_owned(), seal: String::new(), ..found.clone() })
    }

    /// Adds a row.
    pub(super) fn keep(&mut self, row: &Row) -> Result<(), Error> {
        let is_first = self.file.metadata().map_err(Error::io(&self.path))?.len() == 0;
        self.file
            .write_all(text(&written(row), is_first).as_bytes())
            .and_then(|()| self.file.sync_data())
            .map_err(Error::io(&self.path))
    }
}

/// A row as a table has it, sealed.
fn written(row: &Row) -> Row {
    let [id, best, line] = [&row.id, &row.best, &row.line].map(|text| cell(text).into_owned());
    let row = Row { id, best, line, seal: String::new(), ..row.clone() };
    Row { seal: seal_of(&row), ..row }
}

/// The seal of a row, over everything else in it.
fn seal_of(row: &Row) -> String {
    seal(text(&Row { seal: String::new(), ..row.clone() }, false).as_bytes())
}

/// A row as it is written, behind the head of the file or without it.
fn text(row: &Row, with_head: bool) -> String {
    let mut writer = csv::WriterBuilder::new().has_headers(with_head).from_writer(Vec::new());
    // Rows are numbers and words.
    writer.serialize(row).expect("a row has a CSV form");
    let bytes = writer.into_inner().expect("memory is written to");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The first line of a file.
fn head() -> String {
    let text = text(&Row::default(), true);
    text.split_inclusive('\n').next().unwrap_or_default().to_owned()
}
