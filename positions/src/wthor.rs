//! WTHOR, the binary format of the Othello world's game archive (`WTH_2019.wtb`).
//!
//! Format: a header of 16 bytes and 68 bytes a game, little-endian, published by the French Othello
//! Federation ("Format de la base WTHOR"). Passes are not written. Every game is replayed through the rules
//! when a file is read, so that nothing need be checked later. Names of players and tournaments are in files of
//! their own (`.jou`, `.trn`), which are not read: a game is cited by its numbers. Several files together
//! are an [`Archive`]; positions out of it are [`crate::import`].

use crate::error::{ByteFault, Error, Result};
use crate::hash::Fnv;
use secateur_games::othello::{Position, Square, squares};
use std::path::{Path, PathBuf};

/// Bytes of the header.
const HEADER: usize = 16;
/// Bytes of a game before its moves.
const GAME_HEAD: usize = 8;
/// Moves of a game, unused ones being zero.
const MOVES: usize = 60;
/// Bytes of a game.
const GAME: usize = GAME_HEAD + MOVES;

/// One game of an archive, legal from the first move to the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// All moves from the start position, forced passes included; the game may have been broken off.
    pub moves: Vec<Square>,
    /// Disc difference for black (X, who begins), -64..=64: on the board if the game was played out, else
    /// as recorded, which then depends on the rules of the tournament.
    pub black_score: i32,
    /// Disc difference for black under best play from [`Database::perfect_from`] empty squares on, as
    /// recorded.
    pub perfect_score: i32,
    /// Year of the game.
    pub year: u16,
    /// Number of the tournament in the archive's list.
    pub tournament: u16,
    /// Numbers of black and white in the archive's list.
    pub players: [u16; 2],
    /// Number of the game in its file, from 1.
    pub number: usize,
}

impl GameRecord {
    /// Every position of the game with the move played there, the start position first.
    pub fn positions(&self) -> impl Iterator<Item = (Position, Square)> {
        self.moves.iter().scan(Position::start(), |position, &mv| {
            let before = *position;
            *position = position.play(mv);
            Some((before, mv))
        })
    }
}

/// The content of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Database {
    /// The file.
    pub path: PathBuf,
    /// FNV-1a of the file's bytes, 16 hex digits.
    pub hash: String,
    /// Year of the games.
    pub year: u16,
    /// Empty squares from which the perfect scores count (0 if the file does not say).
    pub perfect_from: u8,
    /// The games, in the file's order.
    pub games: Vec<GameRecord>,
    /// Games that are wrong, and what is wrong with the size of the file, if the caller wished to go on without.
    pub skipped: Vec<ByteFault>,
}

/// Several files, each once; none by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Archive {
    databases: Vec<Database>,
}

impl Archive {
    /// Reads and checks the files.
    ///
    /// # Errors
    /// As [`read`]; [`Error::Repeated`] if two files have the same content, whatever their names.
    pub fn read(paths: &[PathBuf]) -> Result<Archive> {
        Archive::read_as(paths, false)
    }

    /// The same, without wrong games if `skip_bad`.
    ///
    /// # Errors
    /// As [`Archive::read`]; wrong games only if a file has no other.
    pub fn read_as(paths: &[PathBuf], skip_bad: bool) -> Result<Archive> {
        let mut databases: Vec<Database> = Vec::new();
        for path in paths {
            let database = read_as(path, skip_bad)?;
            if let Some(first) = databases.iter().find(|earlier| earlier.hash == database.hash) {
                return Err(Error::Repeated { path: path.clone(), first: first.path.clone() });
            }
            databases.push(database);
        }
        Ok(Archive { databases })
    }

    /// The files, in the order in which they were given.
    pub fn databases(&self) -> &[Database] {
        &self.databases
    }

    /// Name of a file's games: `wthor-2019`, and eight digits of the file's hash if another file has games of
    /// the same year. It does not depend on how files are called, nor on their order.
    pub fn name(&self, database: &Database) -> String {
        let namesakes = self.databases.iter().filter(|other| other.year == database.year).count();
        let digits = if namesakes > 1 { format!("-{}", &database.hash[..8]) } else { String::new() };
        format!("wthor-{}{digits}", database.year)
    }

    /// Number of games.
    pub fn len(&self) -> usize {
        self.databases.iter().map(|database| database.games.len()).sum()
    }

    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Reads and checks a file.
///
/// # Errors
/// [`Error::Unreadable`]; [`Error::Bytes`] with the offsets for a file of another size than its header promises, of
/// another board than 8x8, and for every game with a score above 64, with a square off the board, or with an illegal move.
pub fn read(path: &Path) -> Result<Database> {
    read_as(path, false)
}

/// The same; if `skip_bad`, without wrong games, and with the whole games of a file of another size than its header promises.
///
/// # Errors
/// As [`read`]; wrong games only if the file has no other.
pub fn read_as(path: &Path, skip_bad: bool) -> Result<Database> {
    let bytes = std::fs::read(path).map_err(|source| Error::unreadable(path, source))?;
    parse(path, &bytes, skip_bad)
}

/// Reads and checks the bytes of a file; `path` is for messages.
///
/// # Errors
/// [`Error::Bytes`], as [`read_as`].
pub fn parse(path: &Path, bytes: &[u8], skip_bad: bool) -> Result<Database> {
    File { path, bytes }.database(skip_bad)
}

/// What was read of a file, or what is wrong with it.
type Read<T> = std::result::Result<T, ByteFault>;

/// The bytes of a file and its name for messages.
struct File<'a> {
    path: &'a Path,
    bytes: &'a [u8],
}

impl File<'_> {
    fn fault(&self, offset: usize, message: String) -> ByteFault {
        ByteFault { path: self.path.to_owned(), offset, message }
    }

    fn word(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]])
    }

    fn database(&self, skip_bad: bool) -> Result<Database> {
        let (count, size) = self.header()?;
        let (year, perfect_from) = (self.word(10), self.bytes[14]);
        let (mut games, mut skipped) = (Vec::new(), Vec::from_iter(size));
        if skip_bad || skipped.is_empty() {
            for index in 0..count.min((self.bytes.len() - HEADER) / GAME) {
                match self.game(index, year) {
                    Ok(game) => games.push(game),
                    Err(fault) => skipped.push(fault),
                }
            }
        }
        if !skipped.is_empty() && (!skip_bad || games.is_empty()) {
            return Err(Error::Bytes { faults: skipped });
        }
        let hash = Fnv::default().bytes(self.bytes).hex();
        Ok(Database { path: self.path.to_owned(), hash, year, perfect_from, games, skipped })
    }

    /// Checks the header; the number of games that it promises, and what is wrong with the size of the file for that.
    fn header(&self) -> Read<(usize, Option<ByteFault>)> {
        let size = self.bytes.len();
        if size < HEADER {
            let message = format!("found {size} bytes, expected a WTHOR header of {HEADER} bytes");
            return Err(self.fault(size, message));
        }
        let count = u32::from_le_bytes([self.bytes[4], self.bytes[5], self.bytes[6], self.bytes[7]]);
        let expected = HEADER as u64 + u64::from(count) * GAME as u64;
        let complete = size as u64 == expected;
        if !complete && !self.is_dated() {
            let beginning = self.bytes[..4].escape_ascii();
            let message = format!(
                "found \"{beginning}\", expected the date that begins a WTHOR file (century, year, month, day): \
                 this is a file of another format"
            );
            return Err(self.fault(0, message));
        }
        self.kind(count)?;
        let fault = (!complete).then(|| {
            let what = if (size as u64) < expected { "the file is truncated" } else { "something follows" };
            let message = format!(
                "found {size} bytes, expected {expected} for the {count} games of the header: {what}"
            );
            self.fault(size.min(usize::try_from(expected).unwrap_or(size)), message)
        });
        Ok((count as usize, fault))
    }

    /// Whether the day on which the file was made, the only mark of the format, can be one. Other programs
    /// than the archive's own leave it out, so its absence alone is no fault.
    fn is_dated(&self) -> bool {
        matches!(self.bytes[..4], [19..=21, 0..=99, 1..=12, 1..=31])
    }

    /// Checks that the file has games of the usual board.
    fn kind(&self, count: u32) -> Read<()> {
        if count == 0 && self.word(8) > 0 {
            let message = "found a list of players or tournaments (.jou, .trn), expected games (.wtb)";
            return Err(self.fault(4, message.to_owned()));
        }
        match self.bytes[12] {
            // Files older than the field have a zero there.
            0 | 8 => {}
            side => return Err(self.fault(12, format!("found board size {side}, expected 8 (or 0)"))),
        }
        match self.bytes[13] {
            0 => Ok(()),
            kind => Err(self.fault(13, format!("found file type {kind}, expected 0 for a list of games"))),
        }
    }

    fn game(&self, index: usize, year: u16) -> Read<GameRecord> {
        let start = HEADER + index * GAME;
        let (moves, end) = self.replay(index)?;
        let recorded = self.score(start + 6, index)?;
        let perfect_score = self.score(start + 7, index)?;
        let finished = end.board().moves() == 0 && end.board().replies() == 0;
        let result = if end.x_to_move() { end.board().result() } else { -end.board().result() };
        Ok(GameRecord {
            moves,
            black_score: if finished { result } else { recorded },
            perfect_score,
            year,
            tournament: self.word(start),
            players: [self.word(start + 2), self.word(start + 4)],
            number: index + 1,
        })
    }

    /// The score at an offset, written as black's discs, as a disc difference.
    fn score(&self, at: usize, index: usize) -> Read<i32> {
        match self.bytes[at] {
            discs @ 0..=64 => Ok(2 * i32::from(discs) - 64),
            discs => {
                let message = format!("game {}: found {discs} discs of black, expected 0 to 64", index + 1);
                Err(self.fault(at, message))
            }
        }
    }

    /// The moves of a game with its passes, and the position after them.
    fn replay(&self, index: usize) -> Read<(Vec<Square>, Position)> {
        let start = HEADER + index * GAME + GAME_HEAD;
        let mut position = Position::start();
        let mut moves = Vec::with_capacity(MOVES);
        let mut ended = false;
        for (number, &code) in self.bytes[start..start + MOVES].iter().enumerate() {
            let fault = |message: String| {
                self.fault(start + number, format!("game {}, move {}: {message}", index + 1, number + 1))
            };
            if code == 0 {
                ended = true;
                continue;
            }
            let square = square(code).ok_or_else(|| {
                fault(format!("found {code}, expected a square as 10 * row + column (11 to 88)"))
            })?;
            if ended {
                return Err(fault(format!("found {square} after the end of the game, expected 0")));
            }
            if position.board().moves() == 0 && position.board().replies() != 0 {
                moves.push(Square::PASS);
                position = position.passed();
            }
            if position.board().moves() & square.bit() == 0 {
                return Err(fault(illegal(&position, square)));
            }
            moves.push(square);
            position = position.play(square);
        }
        Ok((moves, position))
    }
}

/// What is wrong with a move that the rules forbid.
fn illegal(position: &Position, square: Square) -> String {
    let legal: Vec<String> = squares(position.board().moves()).map(|square| square.to_string()).collect();
    if legal.is_empty() {
        return format!("found {square} after the end of the game, expected 0");
    }
    let side = if position.x_to_move() { "X" } else { "O" };
    format!("found {square}, which is illegal for {side}, expected one of {}", legal.join(" "))
}

/// The square of a move's code, 10 * row + column, both from 1.
fn square(code: u8) -> Option<Square> {
    let (row, column) = (usize::from(code / 10), usize::from(code % 10));
    let on_board = (1..=8).contains(&row) && (1..=8).contains(&column);
    on_board.then(|| Square::new((row - 1) * 8 + column - 1))
}

#[cfg(test)]
pub(crate) use tests::archive;

/// Archives made here are read back; truncated, foreign and illegal ones are refused where they are wrong.
#[cfg(test)]
mod tests {
    use super::*;
    use secateur_base::hash::SplitMix;

    const YEAR: u16 = 1999;

    /// A game of random legal moves, as a file and as a replay should have it.
    pub(crate) fn random_game(seed: u64) -> (Vec<u8>, Vec<Square>, i32) {
        let mut random = SplitMix(seed);
        let (mut codes, mut moves) = (Vec::new(), Vec::new());
        let mut position = Position::start();
        loop {
            let choice: Vec<Square> =
                (0..64).map(Square::new).filter(|s| position.board().moves() & s.bit() != 0).collect();
            if choice.is_empty() && position.board().replies() == 0 {
                break;
            }
            let square = if choice.is_empty() { Square::PASS } else { choice[random.below(choice.len())] };
            if square != Square::PASS {
                codes.push((10 * (square.index() / 8 + 1) + square.index() % 8 + 1) as u8);
            }
            moves.push(square);
            position = position.play(square);
        }
        codes.resize(MOVES, 0);
        let result = position.board().result();
        (codes, moves, if position.x_to_move() { result } else { -result })
    }

    pub(crate) fn header(games: u32) -> Vec<u8> {
        let mut bytes = vec![20, 26, 2, 18];
        bytes.extend(games.to_le_bytes());
        bytes.extend([0, 0]);
        bytes.extend(YEAR.to_le_bytes());
        bytes.extend([8, 0, 24, 0]);
        bytes
    }

    /// A file of `count` games; game `i` has tournament 1000 + i and players 2000 + i and 3000 + i.
    pub(crate) fn archive(count: u16) -> Vec<u8> {
        let mut bytes = header(u32::from(count));
        for index in 0..count {
            let (codes, _, score) = random_game(u64::from(index));
            for number in [1000, 2000, 3000] {
                bytes.extend((number + index).to_le_bytes());
            }
            bytes.extend([((score + 64) / 2) as u8, 31]);
            bytes.extend(codes);
        }
        bytes
    }

    fn load(bytes: &[u8]) -> Result<Database> {
        File { path: Path::new("a.wtb"), bytes }.database(false)
    }

    fn message(bytes: &[u8]) -> String {
        let error = load(bytes).unwrap_err();
        assert!(!error.is_io());
        error.to_string()
    }

    #[test]
    fn games_are_read_back_with_their_passes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("WTH_1999.wtb");
        std::fs::write(&path, archive(60)).unwrap();
        let database = read(&path).unwrap();
        assert_eq!((database.year, database.perfect_from, &database.path), (YEAR, 24, &path));
        let games = &database.games;
        assert_eq!(games.len(), 60);
        for (index, game) in games.iter().enumerate() {
            let (_, moves, score) = random_game(index as u64);
            assert_eq!((&game.moves, game.black_score), (&moves, score));
            assert_eq!((game.perfect_score, game.year, game.number), (-2, YEAR, index + 1));
            assert_eq!(game.tournament, 1000 + index as u16);
            assert_eq!(game.players, [2000 + index as u16, 3000 + index as u16]);
            assert_eq!(game.positions().count(), moves.len());
        }
        assert!(games.iter().any(|game| game.moves.contains(&Square::PASS)));
        assert!(matches!(read(&folder.path().join("none.wtb")), Err(Error::Unreadable { .. })));
    }

    #[test]
    fn a_broken_off_game_keeps_its_recorded_score() {
        let mut bytes = archive(1);
        bytes[HEADER + GAME_HEAD + 10..].fill(0);
        bytes[HEADER + 6] = 64;
        let games = load(&bytes).unwrap().games;
        assert_eq!((games[0].moves.len(), games[0].black_score), (10, 64));
    }

    #[test]
    fn truncated_and_foreign_files_are_refused() {
        let whole = archive(3);
        assert_eq!(message(&whole[..9]), "a.wtb: byte 9: found 9 bytes, expected a WTHOR header of 16 bytes");
        for cut in [HEADER, HEADER + 1, whole.len() - 1] {
            let expected = format!(
                "a.wtb: byte {cut}: found {cut} bytes, expected 220 for the 3 games of the header: the file is \
                 truncated"
            );
            assert_eq!(message(&whole[..cut]), expected);
        }
        let mut long = whole.clone();
        long.push(0);
        assert!(
            message(&long)
                .ends_with("found 221 bytes, expected 220 for the 3 games of the header: something follows")
        );
        let picture = message(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01");
        assert!(picture.starts_with("a.wtb: byte 0: found \"\\x89PNG\", expected the date"), "{picture}");
        let mut players = header(0);
        players[8] = 2;
        players.extend([b'x'; 40]);
        assert!(message(&players).contains("found a list of players or tournaments"));
        for (at, value, reason) in [
            (12, 10, "byte 12: found board size 10, expected 8"),
            (13, 1, "byte 13: found file type 1, expected 0"),
            (HEADER + GAME + 6, 65, "byte 90: game 2: found 65 discs of black, expected 0 to 64"),
            (HEADER + GAME + 7, 99, "byte 91: game 2: found 99 discs of black, expected 0 to 64"),
        ] {
            let mut bytes = whole.clone();
            bytes[at] = value;
            assert_eq!(
                message(&bytes).split_once(reason).map(|(before, _)| before),
                Some("a.wtb: "),
                "{reason}"
            );
        }
        let mut old = whole;
        old[12] = 0;
        old[..4].fill(0);
        assert!(load(&old).is_ok(), "neither the board nor the date has always been written");
    }

    #[test]
    fn an_illegal_move_is_found_where_it_stands() {
        let third = HEADER + 2 * GAME + GAME_HEAD;
        for (number, value, reason) in [
            (0, 11, "found a1, which is illegal for X, expected one of d3 c4 f5 e6"),
            (4, 44, "found d4, which is illegal for X, expected one of "),
            (5, 89, "found 89, expected a square"),
            (6, 10, "found 10, expected a square"),
            (7, 255, "found 255, expected a square"),
        ] {
            let mut bytes = archive(3);
            bytes[third + number] = value;
            let place = format!("a.wtb: byte {}: game 3, move {}: {reason}", third + number, number + 1);
            assert!(message(&bytes).starts_with(&place), "{}", message(&bytes));
        }
        let mut bytes = archive(3);
        bytes[third + 8] = 0;
        let error = message(&bytes);
        assert!(error.contains("game 3, move 10: found ") && error.contains(" after the end of the game"));
    }

    /// As in every other reader, all wrong games are told at once and can be left out.
    #[test]
    fn wrong_games_are_left_out_if_wished() {
        let path = Path::new("a.wtb");
        let mut bytes = archive(6);
        bytes[HEADER + GAME + GAME_HEAD] = 11;
        bytes[HEADER + 4 * GAME + 6] = 65;
        let faults = message(&bytes);
        assert!(
            faults.contains("game 2, move 1: found a1") && faults.contains("game 5: found 65 discs"),
            "{faults}"
        );
        let database = parse(path, &bytes, true).unwrap();
        let numbers: Vec<usize> = database.games.iter().map(|game| game.number).collect();
        assert_eq!((numbers, database.skipped.len()), (vec![1, 3, 4, 6], 2), "games keep their numbers");
        // The whole games of a file that ends too early, or has something behind them.
        let whole = archive(3);
        let cut = parse(path, &whole[..whole.len() - 1], true).unwrap();
        assert_eq!(cut.games, load(&whole).unwrap().games[..2]);
        assert!(cut.skipped[0].to_string().ends_with("the file is truncated"), "{:?}", cut.skipped);
        let long = parse(path, &[&whole[..], &[0; 70]].concat(), true).unwrap();
        assert_eq!((long.games.len(), long.skipped.len()), (3, 1), "what follows is no game of the header");
        // Where nothing is left, and of a file of another kind, there is nothing to go on with.
        bytes = archive(1);
        bytes[HEADER + 6] = 65;
        assert!(parse(path, &bytes, true).is_err() && parse(path, &header(0)[..9], true).is_err());
        bytes[12] = 10;
        assert!(parse(path, &bytes, true).unwrap_err().to_string().contains("board size 10"));
    }

    #[test]
    fn a_move_after_the_end_is_no_move() {
        // The shortest game there is: after nine moves white has no disc left.
        let mut bytes = header(1);
        bytes.extend([0; GAME_HEAD]);
        let moves = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5", "a1"];
        let codes = moves.map(|name| Square::read(name).unwrap().index());
        bytes.extend(codes.map(|index| (10 * (index / 8 + 1) + index % 8 + 1) as u8));
        bytes.resize(HEADER + GAME, 0);
        assert_eq!(
            message(&bytes),
            "a.wtb: byte 33: game 1, move 10: found a1 after the end of the game, expected 0"
        );
        bytes[HEADER + GAME_HEAD + 9] = 0;
        assert_eq!(load(&bytes).unwrap().games[0].black_score, 64);
    }

    #[test]
    fn files_of_one_year_have_names_of_their_own_and_none_comes_twice() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let mut later = archive(2);
        later[10] += 1;
        let (one, two) = (write("a.wtb", &archive(3)), write("b.wtb", &archive(4)));
        let (three, again) = (write("c.wtb", &later), write("d.wtb", &archive(3)));
        let names = |paths: &[PathBuf]| {
            let archive = Archive::read(paths).unwrap();
            archive.databases().iter().map(|database| archive.name(database)).collect::<Vec<_>>()
        };
        assert_eq!(names(&[one.clone(), three.clone()]), ["wthor-1999", "wthor-2000"]);
        let all = names(&[one.clone(), two.clone(), three.clone()]);
        assert!(all[0].starts_with("wthor-1999-") && all[1].starts_with("wthor-1999-") && all[0] != all[1]);
        assert_eq!(names(&[two, three, one.clone()]), [&all[1], &all[2], &all[0]].map(String::clone));
        let error = Archive::read(&[one.clone(), again.clone()]).unwrap_err();
        assert!(
            matches!(&error, Error::Repeated { path, first } if *path == again && *first == one),
            "{error}"
        );
    }
}
