//! Exact values of all positions with few pieces: won, drawn or lost for the side to move, by the rules without the limit on
//! moves without progress.
//!
//! A [`Database`] is built in memory, goes to bytes and back, and says of each of its positions that its value is the best
//! over its moves ([`Database::check`]). Two bits a position, found by number (`index.rs`). Files are somebody else's: nothing
//! here reads any. Left out: distances, and a compression that would want a cache.

mod build;
mod count;
pub(crate) mod index;

pub use count::{one_sided, positions};

use super::board::Board;
use index::{MOST, Slice};
use secateur_base::Fnv;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The most pieces that a database can be made for.
pub const MOST_PIECES: usize = MOST;
/// Pieces of the database that a program makes for itself.
pub const USUAL_PIECES: usize = 4;
/// First four bytes of a database; the fourth is the version of the layout.
const MAGIC: [u8; 4] = *b"sdb\x01";
/// A number that stands for no position.
const HOLE: u8 = 3;

/// What a position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// Lost.
    Lost = 0,
    /// Drawn.
    Drawn = 1,
    /// Won.
    Won = 2,
}

/// Why bytes are no database.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseError {
    /// They do not begin as one.
    #[error("not an endgame database of layout 1")]
    Magic,
    /// They are fewer or more than the positions need.
    #[error("the endgame database has {bytes} bytes, expected {expected}")]
    Length {
        /// Bytes found.
        bytes: usize,
        /// Bytes of this number of pieces.
        expected: usize,
    },
    /// They are not those that were written.
    #[error("the endgame database is damaged: its hash is not the one it was written with")]
    Damaged,
}

/// What [`Database::check`] has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Positions won for the side to move.
    pub won: u64,
    /// Positions drawn.
    pub drawn: u64,
    /// Positions lost.
    pub lost: u64,
    /// Positions whose value is not the best over their moves: none, or the database is wrong.
    pub wrong: u64,
}

/// Values of all positions with at most so many pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Database {
    pieces: usize,
    /// Where the values of a slice begin, in values.
    starts: BTreeMap<Slice, usize>,
    values: Vec<u8>,
    len: usize,
}

impl Database {
    /// Builds the values of all positions with at most `pieces` pieces, 2 to [`MOST_PIECES`]. `progress` is told of the positions
    /// done and all there are. Four take seconds, five minutes.
    ///
    /// # Panics
    /// If `pieces` is out of range.
    #[must_use]
    pub fn build(pieces: usize, progress: &mut dyn FnMut(usize, usize)) -> Database {
        assert!((2..=MOST_PIECES).contains(&pieces), "{pieces} pieces");
        let mut database = Database { pieces, starts: BTreeMap::new(), values: Vec::new(), len: 0 };
        let total = total(pieces);
        for slice in (2..=pieces).flat_map(Slice::all) {
            if !database.starts.contains_key(&slice) {
                build::add(&mut database, slice);
                progress(database.len, total);
            }
        }
        database
    }

    /// The values of all positions with at most [`USUAL_PIECES`] pieces, built when they are first asked for: every machine has
    /// them, and none has others.
    #[must_use]
    pub fn usual() -> &'static Database {
        static USUAL: OnceLock<Database> = OnceLock::new();
        USUAL.get_or_init(|| Database::build(USUAL_PIECES, &mut |_, _| {}))
    }

    /// Adds the values of a slice.
    fn put(&mut self, slice: Slice, values: impl Iterator<Item = u8>) {
        self.starts.insert(slice, self.len);
        for value in values {
            if self.len.is_multiple_of(4) {
                self.values.push(0);
            }
            *self.values.last_mut().expect("a byte was pushed") |= value << (2 * (self.len % 4));
            self.len += 1;
        }
    }

    /// The most pieces of a position that it knows.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// The value of a board for the side to move, if it has few enough pieces.
    #[must_use]
    pub fn value(&self, board: &Board) -> Option<Value> {
        if board.mover == 0 {
            return Some(Value::Lost);
        }
        let slice = Slice::of(board);
        let at = self.starts.get(&slice)? + slice.rank(board);
        Some(match self.raw(at) {
            0 => Value::Lost,
            1 => Value::Drawn,
            _ => Value::Won,
        })
    }

    fn raw(&self, at: usize) -> u8 {
        self.values[at / 4] >> (2 * (at % 4)) & 3
    }

    /// Holds every value of the positions with exactly so many pieces against the best over the moves, and counts.
    /// `progress` is told of the slices done and all there are.
    #[must_use]
    pub fn check(&self, pieces: usize, progress: &mut dyn FnMut(usize, usize)) -> Census {
        let mut census = Census::default();
        let slices = Slice::all(pieces);
        for (done, &slice) in slices.iter().enumerate() {
            for rank in 0..slice.len() {
                let Some(board) = slice.board(rank) else { continue };
                let Some(value) = self.value(&board) else { continue };
                match value {
                    Value::Won => census.won += 1,
                    Value::Drawn => census.drawn += 1,
                    Value::Lost => census.lost += 1,
                }
                census.wrong += u64::from(self.best(&board) != Some(value));
            }
            progress(done + 1, slices.len());
        }
        census
    }

    /// The best over the moves; lost without any.
    fn best(&self, board: &Board) -> Option<Value> {
        let mut best = Some(Value::Lost);
        board.each_move(|mv| {
            let after = match self.value(&board.play(mv)) {
                Some(Value::Lost) => Some(Value::Won),
                Some(Value::Won) => Some(Value::Lost),
                other => other,
            };
            best = best.zip(after).map(|(best, after)| best.max(after));
        });
        best
    }

    /// The database as a file holds it.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(self.pieces as u8);
        bytes.extend(self.id().to_le_bytes());
        bytes.extend(&self.values);
        bytes
    }

    /// Reads what [`Database::to_bytes`] wrote.
    ///
    /// # Errors
    /// If the bytes are no database, or not all of one.
    pub fn from_bytes(bytes: &[u8]) -> Result<Database, DatabaseError> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or(DatabaseError::Magic)?;
        let (&pieces, rest) = rest.split_first().ok_or(DatabaseError::Magic)?;
        let pieces = usize::from(pieces);
        if !(2..=MOST_PIECES).contains(&pieces) {
            return Err(DatabaseError::Magic);
        }
        let mut database = Database { pieces, starts: BTreeMap::new(), values: Vec::new(), len: 0 };
        for slice in (2..=pieces).flat_map(Slice::all) {
            // In the order of building: a slice and its counterpart.
            for slice in [slice, slice.turned()] {
                if !database.starts.contains_key(&slice) {
                    database.starts.insert(slice, database.len);
                    database.len += slice.len();
                }
            }
        }
        let expected = database.len.div_ceil(4);
        let Some((id, values)) = rest.split_at_checked(8).filter(|(_, values)| values.len() == expected)
        else {
            return Err(DatabaseError::Length { bytes: rest.len().saturating_sub(8), expected });
        };
        database.values = values.to_vec();
        if id != database.id().to_le_bytes() {
            return Err(DatabaseError::Damaged);
        }
        Ok(database)
    }

    /// Hash of the values (FNV-1a, 64 bits).
    #[must_use]
    pub fn id(&self) -> u64 {
        let mut hash = Fnv::default();
        hash.bytes(&self.values);
        hash.value()
    }
}

/// Numbers of all slices with at most so many pieces.
fn total(pieces: usize) -> usize {
    (2..=pieces).flat_map(Slice::all).map(Slice::len).sum()
}

#[cfg(test)]
mod tests;
