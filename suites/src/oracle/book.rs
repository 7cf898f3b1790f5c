//! The oracle's book: every value that an oracle ever found, in one file that any number of runs share at once.
//!
//! The file is only ever appended to, a whole row at a time under a lock, and never rewritten, so runs that start or stop
//! together cannot lose each other's rows. Every row names the program that found its value and is sealed: a row that was
//! altered, torn, or found by other sources is not there. The book saves time and nothing else, so one that cannot be read
//! or written costs no cell: values are then searched again, and one sentence says so.

use secateur_record::ledger::{SealedRows, plain, sealed_by};
use secateur_record::rows::{csv, header};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// One value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) game: String,
    /// Hash of evaluation and host options.
    pub(super) oracle: String,
    /// Hash of the sources that searched it.
    pub(super) program: String,
    /// Hash of the position.
    pub(super) position: String,
    /// Plies; 0 for an exact value.
    pub(super) depth: u32,
    /// The move; empty for the best.
    #[serde(rename = "move")]
    pub(super) mv: String,
    pub(super) value: i32,
    /// What finding the value took; 0 for an exact one, which another solver finds.
    pub(super) nodes: u64,
    /// Over all the rest.
    pub(super) seal: String,
}

pub(super) type Key = (String, String, String, String, u32, String);

impl Row {
    pub(super) fn key(&self) -> Key {
        let Row { game, oracle, program, position, depth, mv, .. } = self.clone();
        (game, oracle, program, position, depth, mv)
    }

    fn sealed(self) -> Row {
        let bare = Row { seal: String::new(), ..self };
        Row { seal: sealed_by(&bare, &plain), ..bare }
    }
}

/// The program that answers: the sources of the search in this build.
pub(super) fn program() -> &'static str {
    crate::instruments::machine::search_sources()
}

/// An open book.
#[derive(Debug)]
pub struct Book {
    path: PathBuf,
    state: Mutex<Known>,
    /// Told when a value is no longer being searched.
    told: Condvar,
    reused: AtomicU64,
    searched: AtomicU64,
}

#[derive(Debug)]
struct Known {
    values: BTreeMap<Key, i32>,
    /// What some thread is searching now.
    busy: BTreeSet<Key>,
    /// Absent once the file has failed.
    file: Option<File>,
    /// What was wrong with the file, for people.
    trouble: Option<String>,
}

impl Book {
    /// Opens the book in the file `path`, which is made if it is not there.
    pub fn open(path: &Path) -> Book {
        let state = match load(path) {
            Ok((values, bad, file)) => {
                let trouble =
                    (bad > 0).then(|| format!("{bad} rows that are not as they were written are not used"));
                Known { values, busy: BTreeSet::new(), file: Some(file), trouble }
            }
            Err(error) => {
                let trouble = Some(format!("{error}; its values are searched again"));
                Known { values: BTreeMap::new(), busy: BTreeSet::new(), file: None, trouble }
            }
        };
        let (reused, searched) = (AtomicU64::new(0), AtomicU64::new(0));
        Book { path: path.to_owned(), state: Mutex::new(state), told: Condvar::new(), reused, searched }
    }

    /// Values taken from the book, and values searched, since it was opened.
    pub fn used(&self) -> (u64, u64) {
        (self.reused.load(Ordering::Relaxed), self.searched.load(Ordering::Relaxed))
    }

    /// What was wrong with the file so far, with its path.
    pub fn trouble(&self) -> Option<String> {
        let state = self.lock();
        state.trouble.as_ref().map(|trouble| format!("{}: {trouble}", self.path.display()))
    }

    /// The value of a row: from the book, or else from `search`, which gets the row and returns it last, behind whatever
    /// else it found on the way. Whoever asks for a value that another thread is searching waits for that.
    ///
    /// # Errors
    /// That of `search`; then nothing is entered, and the next who asks searches.
    pub(super) fn value<E>(
        &self,
        row: Row,
        search: impl FnOnce(Row) -> Result<Vec<Row>, E>,
    ) -> Result<i32, E> {
        let key = row.key();
        let mut state = self.lock();
        loop {
            if let Some(value) = state.values.get(&key) {
                self.reused.fetch_add(1, Ordering::Relaxed);
                return Ok(*value);
            }
            if state.busy.insert(key.clone()) {
                break;
            }
            state = self.told.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        drop(state);
        let _turn = Turn { book: self, key };
        let rows = search(row)?;
        self.searched.fetch_add(1, Ordering::Relaxed);
        let value = rows.last().map_or(0, |row| row.value);
        rows.into_iter().for_each(|row| self.put(row));
        Ok(value)
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(test)]
    pub(super) fn get(&self, key: &Key) -> Option<i32> {
        self.lock().values.get(key).copied()
    }

    fn put(&self, row: Row) {
        let row = row.sealed();
        let mut state = self.lock();
        if let Some(file) = &mut state.file
            && let Err(error) = append(file, &row)
        {
            (state.file, state.trouble) = (None, Some(format!("{error}; new values are not kept")));
        }
        state.values.insert(row.key(), row.value);
    }
}

/// The right to search a value, given up however the search ends.
struct Turn<'b> {
    book: &'b Book,
    key: Key,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.book.lock().busy.remove(&self.key);
        self.book.told.notify_all();
    }
}

/// The values of a file, how many of its rows are not as they were written, and the file to append to.
fn load(path: &Path) -> io::Result<(BTreeMap<Key, i32>, usize, File)> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new().create(true).append(true).read(true).open(path)?;
    let mut bytes = Vec::new();
    file.lock_shared()?;
    let read = file.read_to_end(&mut bytes);
    file.unlock()?;
    read?;
    // The file has no header, and its last line may lack its end: the seal says whether it lacks more.
    let header = header::<Row>();
    let mut text = header.clone() + &String::from_utf8_lossy(&bytes);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let table = SealedRows::<Row>::read(path, &text, &header, &plain).map_err(io::Error::other)?;
    Ok((table.rows.into_iter().map(|(_, row)| (row.key(), row.value)).collect(), table.damaged.len(), file))
}

/// Appends a row whole; after a torn line on a line of its own.
fn append(file: &mut File, row: &Row) -> io::Result<()> {
    file.lock()?;
    let written = begins_a_line(file).and_then(|begins| {
        let mut bytes = if begins { Vec::new() } else { vec![b'\n'] };
        bytes.extend(csv(&[row], false));
        file.write_all(&bytes)?;
        file.sync_data()
    });
    file.unlock()?;
    written
}

fn begins_a_line(file: &mut File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn row(position: u32, value: i32) -> Row {
        let position = position.to_string();
        Row { game: "chess".into(), program: program().to_owned(), position, value, ..Row::default() }
    }

    #[test]
    fn books_that_are_open_at_once_lose_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new/oracle.csv");
        std::thread::scope(|scope| {
            for start in 0..4 {
                let path = &path;
                scope.spawn(move || {
                    let book = Book::open(path);
                    (0..50).for_each(|n| book.put(row(4 * n + start, 7)));
                    assert_eq!(book.trouble(), None);
                });
            }
        });
        let book = Book::open(&path);
        assert!((0..200).all(|n| book.get(&row(n, 0).key()) == Some(7)));
    }

    #[test]
    fn one_searches_while_the_others_wait_and_a_failure_is_searched_again() {
        let dir = tempfile::tempdir().unwrap();
        let book = Book::open(&dir.path().join("oracle.csv"));
        let searches = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let value = book.value::<()>(row(1, 0), |row| {
                        searches.fetch_add(1, Ordering::SeqCst);
                        std::thread::sleep(std::time::Duration::from_millis(50));
                        Ok(vec![Row { mv: "d3".into(), ..row.clone() }, Row { value: 9, ..row }])
                    });
                    assert_eq!(value, Ok(9));
                });
            }
        });
        assert_eq!((searches.into_inner(), book.used()), (1, (3, 1)));
        assert_eq!(book.get(&Row { mv: "d3".into(), ..row(1, 0) }.key()), Some(0));
        assert_eq!(book.value(row(2, 0), |_| Err("died")), Err("died"));
        assert_eq!(book.value::<()>(row(2, 0), |row| Ok(vec![row])), Ok(0));
        let panicked =
            catch_unwind(AssertUnwindSafe(|| book.value::<()>(row(3, 0), |_| panic!("at the disco"))));
        assert!(panicked.is_err() && book.value::<()>(row(3, 5), |row| Ok(vec![row])) == Ok(5));
    }

    #[test]
    fn altered_and_torn_rows_are_not_there() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("oracle.csv");
        (0..3).for_each(|n| Book::open(&path).put(row(n, 12)));
        let text = fs::read_to_string(&path).unwrap();
        let altered = text.replacen(",12,", ",13,", 1);
        fs::write(&path, &altered[..altered.len() - 4]).unwrap();
        let book = Book::open(&path);
        assert_eq!([0, 1, 2].map(|n| book.get(&row(n, 0).key())), [None, Some(12), None]);
        assert!(book.trouble().unwrap().contains("2 rows"));
        book.put(row(5, -3));
        assert_eq!(Book::open(&path).get(&row(5, 0).key()), Some(-3), "a torn line swallows no row");
    }

    #[test]
    fn values_of_other_sources_are_others() {
        let mut other = row(1, 5);
        other.program = "0".repeat(16);
        assert_ne!(other.key(), row(1, 5).key());
    }

    #[test]
    fn a_book_that_cannot_be_written_still_answers() {
        let dir = tempfile::tempdir().unwrap();
        let book = Book::open(dir.path());
        assert!(book.trouble().unwrap().contains("searched again"));
        book.put(row(1, 5));
        assert_eq!(book.get(&row(1, 0).key()), Some(5));
    }
}
