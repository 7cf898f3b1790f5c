//! Exact values of all positions with few pieces: won, drawn or lost for the side to move, by the rules without the limit on
//! moves without progress.
//!
//! A [`Database`] is built in memory, goes to bytes and back, and says of each of its positions that its value is the best
//! over its moves ([`Database::check`]). Two bits a position, found by number (`index.rs`). Files are somebody else's: nothing
//! here reads any. Left out: distances, and a compression that would want a cache.
//!
//! Building is retrograde analysis: the values of a slice and its counterpart from those of the slices that moves lead to. Every
//! position begins with the number of its moves that are not known to be bad. What is decided at once (a capture, a crowning, no move)
//! spreads backwards: a lost position makes those before it won, a won one takes a move from them, and who has none left has
//! lost. What is never reached is a draw (Thompson 1986; Lake, Schaeffer & Lu 1994 for this game).

pub(crate) mod index;

use crate::board::{Board, CROWNING, VALID, bits};
use index::{MOST, Slice};
use secateur_base::Fnv;
use std::collections::BTreeMap;
use std::sync::OnceLock;

pub use self::index::{one_sided, positions};

/// The most pieces that a database can be made for.
pub const MOST_PIECES: usize = MOST;
/// Pieces of the database that a program makes for itself.
pub const USUAL_PIECES: usize = 4;
/// First four bytes of a database; the fourth is the version of the layout.
const MAGIC: [u8; 4] = *b"sdb\x01";
/// A number that no position has.
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
    /// Builds the values of all positions with at most `pieces` pieces, 2 to [`MOST_PIECES`]. `progress` hears how many positions are
    /// done and how many there are. Four take seconds, five minutes.
    ///
    /// # Panics
    /// If `pieces` is out of range.
    pub fn build(pieces: usize, progress: &mut dyn FnMut(usize, usize)) -> Database {
        assert!((2..=MOST_PIECES).contains(&pieces), "{pieces} pieces");
        let mut database = Database { pieces, starts: BTreeMap::new(), values: Vec::new(), len: 0 };
        let total = (2..=pieces).flat_map(Slice::all).map(Slice::len).sum();
        for slice in (2..=pieces).flat_map(Slice::all) {
            if !database.starts.contains_key(&slice) {
                add(&mut database, slice);
                progress(database.len, total);
            }
        }
        database
    }

    /// The values of all positions with at most [`USUAL_PIECES`] pieces, built when they are first asked for: every machine has
    /// them, and none has others.
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
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// The value of a board for the side to move, if it has few enough pieces.
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
    /// `progress` hears how many slices are done and how many there are.
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
    pub fn id(&self) -> u64 {
        let mut hash = Fnv::default();
        hash.bytes(&self.values);
        hash.value()
    }
}

/// States of a position: fewer than [`OPEN`] moves left, or decided.
const OPEN: u8 = 0xF0;
const DRAWN: u8 = 0xFC;
const LOST: u8 = 0xFD;
const WON: u8 = 0xFE;
const NONE: u8 = 0xFF;

/// The slice and, where that is another, its counterpart.
struct Pair<'a> {
    database: &'a Database,
    slices: [Slice; 2],
    states: [Vec<u8>; 2],
    /// Decided positions whose predecessors have not heard of it: which of the two, and the number.
    queue: Vec<(u8, u32)>,
}

/// Adds a slice and its counterpart to a database that has all that moves lead to from there.
fn add(database: &mut Database, slice: Slice) {
    let slices = [slice, slice.turned()];
    let states = slices.map(|slice| vec![NONE; slice.len()]);
    let mut pair = Pair { database, slices, states, queue: Vec::new() };
    pair.begin();
    pair.spread();
    let Pair { states, .. } = pair;
    for (slice, states) in slices.into_iter().zip(states) {
        let value = |&state: &u8| match state {
            WON => Value::Won as u8,
            LOST => Value::Lost as u8,
            NONE => HOLE,
            _ => Value::Drawn as u8,
        };
        database.put(slice, states.iter().map(value));
        if slices[0] == slices[1] {
            break;
        }
    }
}

impl Pair<'_> {
    /// Which of the two the other side's positions are in.
    fn counterpart(&self, side: usize) -> usize {
        if self.slices[0] == self.slices[1] { 0 } else { 1 - side }
    }

    fn begin(&mut self) {
        for side in 0..=self.counterpart(0) {
            for rank in 0..self.states[side].len() {
                let Some(board) = self.slices[side].board(rank) else { continue };
                let state = self.first_state(&board);
                self.states[side][rank] = state;
                if matches!(state, WON | LOST) {
                    self.queue.push((side as u8, rank as u32));
                }
            }
        }
    }

    /// What is known of a position by moves that take or crown; the number of other moves, one more if a draw is sure.
    fn first_state(&self, board: &Board) -> u8 {
        let (mut open, mut drawn, mut won, mut captures) = (0, false, false, false);
        board.each_move(|mv| {
            captures |= mv.is_capture();
            if mv.is_capture() || mv.to & CROWNING & !board.kings != 0 && mv.from & board.kings == 0 {
                match self.database.value(&board.play(mv)) {
                    Some(Value::Lost) => won = true,
                    Some(Value::Drawn) => drawn = true,
                    _ => {}
                }
            } else {
                open += 1;
            }
        });
        if won {
            WON
        } else if captures && drawn {
            DRAWN
        } else if captures || open == 0 && !drawn {
            LOST
        } else {
            open + u8::from(drawn)
        }
    }

    fn spread(&mut self) {
        while let Some((side, rank)) = self.queue.pop() {
            let side = usize::from(side);
            let lost = self.states[side][rank as usize] == LOST;
            let Some(board) = self.slices[side].board(rank as usize) else { continue };
            let before = self.counterpart(side);
            each_predecessor(&board, |earlier| {
                let number = self.slices[before].rank(&earlier);
                let state = &mut self.states[before][number];
                if *state >= OPEN {
                    return;
                }
                *state = match *state {
                    _ if lost => WON,
                    1 => LOST,
                    left => left - 1,
                };
                if *state >= OPEN {
                    self.queue.push((before as u8, number as u32));
                }
            });
        }
    }
}

/// Calls `each` with the boards from which a move that neither takes nor crowns leads to this one.
fn each_predecessor(board: &Board, mut each: impl FnMut(Board)) {
    let after = board.passed();
    let empty = after.empty();
    for at in bits(after.mover) {
        let king = at & after.kings != 0;
        let ways = [at >> 4, at >> 5, if king { at << 4 } else { 0 }, if king { at << 5 } else { 0 }];
        for from in ways.into_iter().filter(|from| from & empty & VALID != 0) {
            let kings = if king { after.kings ^ at ^ from } else { after.kings };
            let earlier = Board { mover: after.mover ^ at ^ from, other: after.other, kings };
            if !earlier.must_take() {
                each(earlier);
            }
        }
    }
}

/// The databases of two and three pieces, whole: counts that others published, and every value.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Draughts, Position};
    use secateur_core::Score;
    use secateur_core::game::{Evaluation, Notation};
    use std::sync::{Arc, LazyLock};

    static THREE: LazyLock<Arc<Database>> = LazyLock::new(|| Arc::new(Database::build(3, &mut |_, _| {})));

    /// What is numbered here is as many as the formula has, which has Chinook's numbers.
    #[test]
    fn there_are_as_many_positions_as_chinook_has() {
        for pieces in 2..=4 {
            let boards = Slice::all(pieces).into_iter().map(|slice| {
                // Which men stand on one square is decided by the men alone.
                let [men, other] = [slice.mover[0], slice.other[0]];
                let holes = Slice { mover: [men, 0], other: [other, 0] };
                let boards = (0..holes.len()).filter(|&rank| holes.board(rank).is_some()).count();
                (boards * (slice.len() / holes.len())) as u64
            });
            let all = pieces as u64;
            assert_eq!(boards.sum::<u64>() + one_sided(all), super::positions(all), "{pieces} pieces");
        }
    }

    #[test]
    fn every_value_is_the_best_over_the_moves() {
        let mut positions = 0;
        for pieces in [2, 3] {
            let census = THREE.check(pieces, &mut |_, _| {});
            assert_eq!(census.wrong, 0, "{pieces} pieces: {census:?}");
            assert!(census.won > 0 && census.drawn > 0 && census.lost > 0);
            positions += census.won + census.drawn + census.lost;
        }
        let all = |pieces| super::positions(pieces) - one_sided(pieces);
        assert_eq!(positions, all(2) + all(3));
        let damaged =
            Database { values: THREE.values.iter().map(|byte| byte ^ 1).collect(), ..(**THREE).clone() };
        assert!(damaged.check(2, &mut |_, _| {}).wrong > 0);
    }

    #[test]
    fn well_known_endings_have_their_values() {
        let game = Draughts::default().with_database(Arc::clone(&THREE));
        let value = |fen: &str| game.solved(&game.parse(fen).expect("a position"));
        assert_eq!(value("B:WK32:BK15,K18"), Some(Score(29_000)));
        assert_eq!(value("W:WK32:BK15,K18"), Some(Score(-29_000)));
        assert_eq!(value("B:WK32:BK1"), Some(Score::ZERO));
        assert_eq!(value("B:W9,14:B5"), Some(Score(-29_000)));
        let many = game.parse("B:WK32,K31,K30:BK1").expect("a position");
        assert!(!game.is_solvable(&many) && game.solved(&many).is_none());
        let five = game.parse("B:WK32,K31,K30:BK1,2").expect("a position");
        assert!(!Draughts::default().is_solvable(&five) && Draughts::default().is_solvable(&many));
        assert_eq!(Draughts::default().solved(&five), None);
    }

    /// What a deep search finds is what the database has.
    #[test]
    fn searches_find_the_values() {
        use secateur_core::prune::Methods;
        use secateur_core::search::{Budget, Options};
        use secateur_core::{Game, Rules};
        let game = Draughts::default().with_database(Arc::clone(&THREE));
        let options = Options { table_mib: 1, ..Options::default() };
        let mut search = game.clone().searcher(Methods::NONE, options);
        let mut random = secateur_base::hash::SplitMix(3);
        let (mut won, slices) = (0, Slice::all(3));
        for _ in 0..60 {
            let slice = slices[random.below(slices.len())];
            let Some(board) = slice.board(random.below(slice.len())) else { continue };
            let pos = Position::new(board, true, 0);
            if !pos.board().is_mobile() || game.drawn(&pos, &[]) {
                continue;
            }
            let score = search.run(&pos, &Budget::Depth(9)).last().score;
            if score.abs() >= Draughts::DECISIVE {
                let value = game.solved(&pos).expect("three pieces");
                assert_eq!(value.0.signum(), score.0.signum(), "{}", game.format(&pos));
                won += 1;
            }
        }
        assert!(won > 10, "{won}");
    }

    #[test]
    fn bytes_are_read_back_and_damage_is_found() {
        let database = Database::build(2, &mut |done, total| assert!(done <= total));
        let bytes = database.to_bytes();
        assert_eq!(Database::from_bytes(&bytes), Ok(database));
        assert_eq!(Database::from_bytes(b"sdw"), Err(DatabaseError::Magic));
        let cut = Database::from_bytes(&bytes[..bytes.len() - 1]);
        assert!(matches!(cut, Err(DatabaseError::Length { .. })), "{cut:?}");
        let mut damaged = bytes;
        *damaged.last_mut().expect("bytes") ^= 1;
        assert_eq!(Database::from_bytes(&damaged), Err(DatabaseError::Damaged));
    }
}
