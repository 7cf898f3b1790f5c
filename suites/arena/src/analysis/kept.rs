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
use secateur_record::archive::text;
use secateur_record::files::replace;
use secateur_record::ledger::{Ledger, SealedRows, plain, sealed_by};
use secateur_record::store::{csv, header};
use secateur_suites::Error;
use std::path::Path;

/// The file.
pub(super) struct Kept {
    ledger: Ledger,
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
        let text = text(path)?.unwrap_or_default();
        let SealedRows { rows, damaged, whole } = SealedRows::read(path, &text, &header::<Row>(), &plain)?;
        if let Some(line) = damaged.first() {
            return Err(Error::Usage(format!(
                "{}:{line}: this row is not as it was written; without it, or into another file, its position is solved again",
                path.display()
            )));
        }
        if whole < text.len() {
            replace(path, &text.as_bytes()[..whole])?;
        }
        let rows = rows.into_iter().map(|(_, row)| row).collect();
        Ok(Kept { ledger: Ledger::open(path, header::<Row>())?, rows })
    }

    /// The row of a position of this name.
    pub(super) fn row(&self, id: &str, position: &str) -> Option<Row> {
        let name = cell(id);
        let row = self.rows.iter().find(|row| row.id == name && row.position == position)?;
        Some(Row { id: id.to_owned(), seal: String::new(), ..row.clone() })
    }

    /// Adds a row, as a table has it.
    pub(super) fn keep(&mut self, row: &Row) -> Result<(), Error> {
        let [id, best, line] = [&row.id, &row.best, &row.line].map(|text| cell(text).into_owned());
        let row = Row { id, best, line, seal: String::new(), ..row.clone() };
        let row = Row { seal: sealed_by(&row, &plain), ..row };
        Ok(self.ledger.add(&csv(&[row], false))?)
    }
}
