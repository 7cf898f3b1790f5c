//! Tables to which row after row is added, each on one line and sealed in its last column: what was added survives a kill, and what was
//! altered later is noticed.
//!
//! Games, courses of the tuner, solved positions and the oracle's book are such tables. The files of a run are added to in the same way,
//! but `store` reads them: their rows may hold line ends, and a seal of theirs covers three files. Left out: what becomes of a row that
//! is not as it was written, which depends on whether it can be made again.

use crate::error::Error;
use crate::rows::csv;
use crate::seal::seal;
use secateur_base::fault;
use serde::{Serialize, de::DeserializeOwned};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A file that is open to be added to.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    file: File,
    /// What the first row has to be written behind; empty where it is there.
    header: String,
}

impl Ledger {
    /// Opens a file, or begins one, whose header comes with the first row.
    ///
    /// # Errors
    /// The file system.
    pub fn open(path: &Path, header: String) -> Result<Ledger, Error> {
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(Error::io(path))?;
        let is_begun = file.metadata().map_err(Error::io(path))?.len() > 0;
        Ok(Ledger { path: path.to_owned(), file, header: if is_begun { String::new() } else { header } })
    }

    /// Adds whole lines: when this returns they survive a crash.
    ///
    /// # Errors
    /// The file system.
    pub fn add(&mut self, lines: &[u8]) -> Result<(), Error> {
        if lines.is_empty() {
            return Ok(());
        }
        let header = std::mem::take(&mut self.header);
        let written = self.file.write_all(header.as_bytes()).and_then(|()| self.file.write_all(lines));
        written.and_then(|()| self.file.sync_data()).map_err(Error::io(&self.path))
    }
}

/// The seal that a line must have: told the line up to its last comma, and the seal that was found, which may name what the row is of.
pub type SealOf<'s> = &'s dyn Fn(&str, &str) -> String;

/// The seal of a line that is of nothing but its table.
pub fn plain(line: &str, _: &str) -> String {
    seal(format!("{line},\n").as_bytes())
}

/// The seal of a row, whose last column is to take it and is empty.
pub fn sealed_by<T: Serialize>(row: &T, seal_of: SealOf<'_>) -> String {
    let line = csv(&[row], false);
    let line = String::from_utf8_lossy(&line);
    seal_of(line.strip_suffix(",\n").unwrap_or(&line), "")
}

/// What a text of sealed rows holds.
#[derive(Debug)]
pub struct SealedRows<T> {
    /// The rows that are as they were written, with their lines, from 1.
    pub rows: Vec<(usize, T)>,
    /// Lines of the others.
    pub damaged: Vec<usize>,
    /// Bytes up to the last line end: behind it is what a kill cut off.
    pub whole: usize,
}

impl<T: DeserializeOwned> SealedRows<T> {
    /// Reads the text of a file, which may have been cut off anywhere.
    ///
    /// # Errors
    /// [`Error::Fault`] at a first line that is not the header.
    pub fn read(path: &Path, text: &str, header: &str, seal_of: SealOf<'_>) -> Result<SealedRows<T>, Error> {
        if !text.starts_with(header) && !header.starts_with(text) {
            return Err(fault(path, text, 0, format!("expected the columns `{}`", header.trim_end())).into());
        }
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        let mut table = SealedRows { rows: Vec::new(), damaged: Vec::new(), whole };
        let body = text[..whole].strip_prefix(header).unwrap_or_default();
        for (number, line) in (2..).zip(body.split_inclusive('\n')) {
            match row(header, line, seal_of) {
                Some(row) => table.rows.push((number, row)),
                None => table.damaged.push(number),
            }
        }
        Ok(table)
    }
}

/// The row of a line, if the line is the one that was sealed.
fn row<T: DeserializeOwned>(header: &str, line: &str, seal_of: SealOf<'_>) -> Option<T> {
    let (before, seal) = line.strip_suffix('\n')?.rsplit_once(',')?;
    if seal_of(before, seal) != seal {
        return None;
    }
    let text = [header, line].concat();
    csv::Reader::from_reader(text.as_bytes()).deserialize().next()?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::damages;
    use crate::rows::header;
    use serde::Deserialize;
    use std::fs;

    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    struct Row {
        name: String,
        count: u32,
        seal: String,
    }

    fn row(name: &str, count: u32) -> Row {
        let row = Row { name: name.to_owned(), count, seal: String::new() };
        Row { seal: sealed_by(&row, &plain), ..row }
    }

    fn read(text: &str) -> Result<SealedRows<Row>, Error> {
        SealedRows::read(Path::new("x.csv"), text, &header::<Row>(), &plain)
    }

    #[test]
    fn rows_are_added_behind_one_header_and_read_back() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.csv");
        let all = [row("a,\"b\"", 1), row("", 2), row("c", 3)];
        Ledger::open(&path, header::<Row>()).unwrap().add(&[]).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"", "nothing but a header is nothing");
        for batch in [&all[..2], &all[2..]] {
            Ledger::open(&path, header::<Row>()).unwrap().add(&csv(batch, false)).unwrap();
        }
        assert_eq!(fs::read(&path).unwrap(), csv(&all, true));
        let text = fs::read_to_string(&path).unwrap();
        let table = read(&text).unwrap();
        assert_eq!((table.damaged, table.whole), (vec![], text.len()));
        assert!(table.rows.into_iter().eq((2..).zip(all)));
    }

    /// Whatever happens to a table, the rows that it still gives are those that were added, and the others are counted.
    #[test]
    fn no_damage_of_a_table_is_believed() {
        let all = [row("a,\"b\"", 1), row("", 2), row("c", 3)];
        let good = String::from_utf8(csv(&all, true)).unwrap();
        for damaged in damages(good.as_bytes()) {
            let text = String::from_utf8_lossy(&damaged);
            let Ok(table) = read(&text) else { continue };
            assert!(table.rows.iter().all(|(_, row)| all.contains(row)), "{text}");
            let is_noticed = !table.damaged.is_empty() || table.whole < text.len() || text.len() < good.len();
            assert!(table.rows.len() == 3 || is_noticed, "{text}");
        }
        let error = read("mine").unwrap_err().to_string();
        assert!(error.contains("x.csv:1:1: expected the columns `name,count,seal`"), "{error}");
        assert_eq!(read("name,co").unwrap().whole, 0, "a header that a kill cut off");
    }
}
