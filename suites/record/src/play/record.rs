//! `games.csv`: one row for each game, and what a match's points are counted from.
//!
//! A row ends with the seal of its transcript in `games.pgn` and the seal of all that is before in its line. Whatever happens to either
//! file, a row is either as it was written, or its game is known to be missing. It says which match it is of, so that it is not taken for
//! a game of another.

use super::file::{GAMES, TRANSCRIPTS};
use crate::archive::text;
use crate::arm::{left_out_of, without};
use crate::columns::words;
use crate::error::{Error, fault_on_line};
use crate::ledger::{SealedRows, sealed_by};
use crate::rows::{csv, header};
use crate::seal::seal;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

/// One game. Columns of the clock (`*_time_ns`) aside, a match by depth or nodes writes the same rows every time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameRow {
    /// Number of the game, from 1. Games 2n - 1 and 2n are pair n.
    pub game: usize,
    /// Number of the pair, from 1.
    pub pair: usize,
    /// Opening, by its name in `openings.csv`.
    pub opening: String,
    /// Side of the first player: `white` or `black`; `x` or `o`.
    pub first_side: String,
    /// Points of the first player: 1, 0.5 or 0.
    pub points: f64,
    /// Result as it is written: `1-0`; discs of X and O with the empty squares given to the winner.
    pub result: String,
    /// Why the game ended.
    pub reason: String,
    /// Moves of both sides after the opening, passes included.
    pub plies: usize,
    /// Discs of the first player minus the second's, where the game was played out and counts them.
    pub margin: Option<i32>,
    /// Moves that the first player chose.
    pub first_moves: u64,
    /// Sum of the depths of its searches, plies.
    pub first_depths: u64,
    /// Nodes of its searches.
    pub first_nodes: u64,
    /// Wall time of its turns, ns.
    pub first_time_ns: u64,
    /// The same for the second player.
    pub second_moves: u64,
    /// Depths of the second player.
    pub second_depths: u64,
    /// Nodes of the second player.
    pub second_nodes: u64,
    /// Wall time of the second player.
    pub second_time_ns: u64,
    /// What a player said or did, where that ended the game; or behind `numbers left out: ` why a player has neither depths nor
    /// nodes.
    pub detail: String,
    /// Seal of the transcript in `games.pgn`, 16 hex digits; empty in older matches.
    #[serde(default)]
    pub transcript: String,
    /// Seal of the columns before, as they stand in the line; empty in older matches.
    #[serde(default)]
    pub seal: String,
    /// Methods that the first and the second player lacked in this pair of shared games, as `openings.csv` says; empty in all others.
    #[serde(skip)]
    pub lacking: [Vec<String>; 2],
}

/// What the detail of a game begins with in which the numbers of a player are not kept.
const LEFT_OUT: &str = "numbers left out: ";

/// Sums over the turns of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Moves that it chose.
    pub moves: u64,
    /// Sum of the depths of its searches, plies.
    pub depths: u64,
    /// Nodes of its searches.
    pub nodes: u64,
    /// Wall time of its turns.
    pub time: Duration,
}

impl GameRow {
    /// Half points of the first player: 0, 1 or 2.
    pub fn half_points(&self) -> usize {
        match self.points {
            p if p > 0.75 => 2,
            p if p > 0.25 => 1,
            _ => 0,
        }
    }

    /// The player whose fault ended the game, 0 for the first: it broke the rules, crashed, hung, lied or overstepped its
    /// time. `None` for a game that was played.
    pub fn at_fault(&self) -> Option<usize> {
        let reason = Reason::try_from(self.reason.as_str()).ok()?;
        reason.is_fault().then_some(usize::from(self.half_points() == 2))
    }

    /// Writes down that a player said numbers that are not kept, and why, unless there is more to say of the game.
    pub fn leave_out(&mut self, why: &str) {
        if self.detail.is_empty() {
            self.detail = format!("{LEFT_OUT}{why}");
        }
    }

    /// Why the numbers of a player were not kept, if they were not.
    pub fn left_out(&self) -> Option<&str> {
        self.detail.strip_prefix(LEFT_OUT)
    }

    /// What the first (0) or the second player spent.
    pub fn effort(&self, player: usize) -> Effort {
        let (moves, depths, nodes, ns) = match player {
            0 => (self.first_moves, self.first_depths, self.first_nodes, self.first_time_ns),
            _ => (self.second_moves, self.second_depths, self.second_nodes, self.second_time_ns),
        };
        Effort { moves, depths, nodes, time: Duration::from_nanos(ns) }
    }

    /// Writes down what both players spent.
    pub fn set_effort(&mut self, first: Effort, second: Effort) {
        let ns = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        (self.first_moves, self.first_depths) = (first.moves, first.depths);
        (self.first_nodes, self.first_time_ns) = (first.nodes, ns(first.time));
        (self.second_moves, self.second_depths) = (second.moves, second.depths);
        (self.second_nodes, self.second_time_ns) = (second.nodes, ns(second.time));
    }
}

/// A row of `openings.csv`: opening n is that of pair n.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningRow {
    /// Name: its line and what was varied, or its id in the position set.
    pub opening: String,
    /// The position (FEN; 64 squares and a side).
    pub position: String,
    /// Arm of the first player in this pair, in shared games: `full[-null-move,-lmr]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// Arm of the second player in this pair, in shared games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<String>,
}

impl OpeningRow {
    /// An opening from which both players of the match play as they are.
    pub fn new(opening: String, position: String) -> OpeningRow {
        OpeningRow { opening, position, first: None, second: None }
    }

    /// The same of shared games in which the players lack these methods.
    pub fn with_lacking(self, [first, second]: &[Vec<String>; 2]) -> OpeningRow {
        OpeningRow { first: Some(without(first)), second: Some(without(second)), ..self }
    }

    /// What the first and the second player lack in this pair.
    pub fn lacking(&self) -> [Vec<String>; 2] {
        [&self.first, &self.second].map(|arm| arm.as_deref().map_or_else(Vec::new, left_out_of))
    }
}

words! {
    /// Why a game ended.
    Reason {
        /// The side to move is mated.
        #[default]
        Checkmate = "checkmate",
        /// The side to move has no move and is not in check.
        Stalemate = "stalemate",
        /// The same position for the third time.
        Repetition = "repetition",
        /// Fifty moves of each side without capture or pawn move.
        FiftyMoves = "fifty-moves",
        /// Neither side can mate.
        Material = "material",
        /// Neither side can move: the discs are counted.
        Discs = "discs",
        /// A stone has reached the corner that it wanted to.
        Corner = "corner",
        /// A side has no stones left.
        Stones = "stones",
        /// The side to move has no move, in a game that has no other name for it.
        NoMoves = "no-moves",
        /// A draw by another rule of the game.
        Drawn = "drawn",
        /// The side to move declared a win by a rule of the game.
        Declared = "declared",
        /// A player gave up.
        Resigned = "resigned",
        /// Both players saw a decisive score for long enough.
        Resign = "adjudicated-win",
        /// Both players saw an even score for long enough.
        DrawAgreed = "adjudicated-draw",
        /// The longest game allowed.
        MaxMoves = "max-moves",
        /// A move that the rules do not have.
        IllegalMove = "illegal-move",
        /// The clock ran out.
        Time = "time",
        /// The player ended or could not be started.
        Crash = "crash",
        /// The player did not answer.
        Hang = "hang",
        /// The player said of its search what cannot be.
        Claim = "claim",
    }
}

impl Reason {
    /// Whether a player's fault ended the game, rather than its moves.
    pub fn is_fault(self) -> bool {
        use Reason::{Claim, Crash, Hang, IllegalMove, Time};
        matches!(self, IllegalMove | Time | Crash | Hang | Claim)
    }
}

/// A row of the match `identity` ([`PlayFile::identity`](super::PlayFile::identity)) that seals its transcript and itself. What a
/// player said is brought to one line: rows are lines.
pub fn sealed(row: GameRow, transcript: &str, identity: &str) -> GameRow {
    let detail = row.detail.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut row = GameRow { detail, transcript: seal(transcript.as_bytes()), seal: String::new(), ..row };
    row.seal = sealed_by(&row, &|line, _| signed(line, identity));
    row
}

/// The seal of a line up to its last comma, and before it the match that the line is of.
fn signed(line: &str, identity: &str) -> String {
    format!("{identity}{BETWEEN}{}", seal(format!("{line},{identity}").as_bytes()))
}

/// What stands between the match that a row is of and its seal.
const BETWEEN: char = '-';

/// The match that a row is of; empty where its seal is none.
fn identity(seal: &str) -> &str {
    seal.split_once(BETWEEN).map_or("", |(identity, _)| identity)
}

/// Refuses rows of another match than `play.toml` tells of, by any of its identities, its own first: one of the two files was put there.
///
/// # Errors
/// [`Error::Fault`] at the first row of another match.
fn of_one_match<'r>(
    path: &Path,
    text: &str,
    rows: impl IntoIterator<Item = &'r (usize, GameRow)>,
    identities: &[String],
) -> Result<(), Error> {
    let is_of_it = |row: &GameRow| identities.iter().any(|one| one == identity(&row.seal));
    let Some((line, row)) = rows.into_iter().find(|(_, row)| !is_of_it(row)) else {
        return Ok(());
    };
    let found = identity(&row.seal);
    let expected = identities.first().map_or("", String::as_str);
    let what = format!(
        "found a game of the match {found}, expected {expected}, as `play.toml` here tells: one of the two files is of another folder; \
         put back the one that belongs to the other"
    );
    Err(fault_on_line(path, text, *line, what).into())
}

/// All of `games.csv`.
pub fn table(rows: &[GameRow]) -> String {
    header::<GameRow>() + &String::from_utf8_lossy(&csv(rows, false))
}

/// Rows with their lines, from 1, and lines that are no rows, with what is wrong with each.
type Games = (Vec<(usize, GameRow)>, Vec<(usize, String)>);

/// What a file of rows holds: the rows that are as they were written, each game once, and what is wrong with the others.
/// The rest of a line that an interruption cut off is nothing.
///
/// # Errors
/// [`Error::Fault`] at a first line that is not the one that was written.
fn rows(path: &Path, text: &str) -> Result<Games, Error> {
    let table = SealedRows::<GameRow>::read(path, text, &header::<GameRow>(), &|line, seal| {
        signed(line, identity(seal))
    })?;
    let damage = |line| (line, "is not as it was written".to_owned());
    let mut damages: Vec<_> = table.damaged.into_iter().map(damage).collect();
    let (mut good, mut twice) = (BTreeMap::<usize, (usize, GameRow)>::new(), BTreeSet::new());
    for (line, row) in table.rows {
        match good.get(&row.game) {
            None => drop(good.insert(row.game, (line, row))),
            Some((_, first)) => {
                // Of two that differ it is not known which was played.
                if *first != row {
                    twice.insert(row.game);
                }
                damages.push((line, format!("game {} stands here twice", row.game)));
            }
        }
    }
    damages.sort();
    good.retain(|game, _| !twice.contains(game));
    Ok((good.into_values().collect(), damages))
}

/// A game as it was written.
#[derive(Clone, Debug)]
pub struct Game {
    /// Its row.
    pub row: GameRow,
    /// The line of that, from 1.
    pub line: usize,
    /// Its transcript, if that is as it was written.
    pub transcript: Option<String>,
}

/// What the files of a match hold, the games in no order.
#[derive(Clone, Debug)]
pub struct Written {
    /// The games whose rows are as they were written.
    pub games: Vec<Game>,
    /// Lines that are no rows, with what is wrong with each.
    pub damages: Vec<(usize, String)>,
    /// The text of `games.csv`.
    pub table: String,
    /// The text of `games.pgn`, if it is there.
    pub transcripts: Option<String>,
}

/// Reads the files of a match of these identities.
///
/// # Errors
/// The file system; [`Error::Fault`] at a first line that is not that of such a table, or at the first row of another match.
pub fn read(dir: &Path, identities: &[String]) -> Result<Written, Error> {
    let path = dir.join(GAMES);
    let table = text(&path)?.unwrap_or_default();
    let (rows, damages) = rows(&path, &table)?;
    of_one_match(&path, &table, &rows, identities)?;
    let whole = text(&dir.join(TRANSCRIPTS))?;
    let texts = whole.as_deref().map(transcripts).unwrap_or_default();
    let game = |(line, row): (usize, GameRow)| {
        let transcript = texts.get(&row.transcript).map(|text| (*text).to_owned());
        Game { row, line, transcript }
    };
    let games = rows.into_iter().map(game).collect();
    Ok(Written { games, damages, table, transcripts: whole })
}

/// The transcripts in a file, by their seals.
pub fn transcripts(text: &str) -> BTreeMap<String, &str> {
    let mut all = BTreeMap::new();
    for part in split(text) {
        // An interruption may have left the first letters of another transcript behind a whole one.
        let whole = part.rfind("\n\n").map_or(part, |at| &part[..at + 2]);
        for text in [part, whole] {
            all.insert(seal(text.as_bytes()), text);
        }
    }
    all
}

fn split(text: &str) -> Vec<&str> {
    let mut begins: Vec<usize> = text.match_indices("[Event ").map(|(at, _)| at).collect();
    begins.retain(|&at| at == 0 || text.as_bytes()[at - 1] == b'\n');
    let ends = begins.iter().skip(1).copied().chain([text.len()]);
    begins.iter().zip(ends).map(|(&begin, end)| &text[begin..end]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_read_what_they_print() {
        for reason in Reason::ALL {
            assert_eq!(Reason::try_from(reason.to_string().as_str()), Ok(*reason));
        }
    }

    #[test]
    fn rows_come_back_and_their_damages_are_found() {
        let path = Path::new("games.csv");
        let row = |game| {
            let detail = "it said \"a,b\"\nand died".to_owned();
            sealed(GameRow { game, detail, ..GameRow::default() }, &format!("[Event \"{game}\"]"), "")
        };
        let all = [row(1), row(2)];
        let text = table(&all);
        let (games, damages) = rows(path, &text).unwrap();
        assert!(games.iter().map(|(_, row)| row).eq(&all) && damages.is_empty());
        assert_eq!(games[0].1.detail, "it said \"a,b\" and died");
        // One and the same row twice is found and is no loss; two of one number are both not believed.
        let line = |row: &GameRow| String::from_utf8(csv(&[row], false)).unwrap();
        let (games, damages) = rows(path, &(text.clone() + &line(&all[1]))).unwrap();
        assert_eq!((games.len(), damages[0].0), (2, 4));
        let other = sealed(GameRow { points: 1.0, ..row(2) }, "", "");
        assert_eq!(rows(path, &(text.clone() + &line(&other))).unwrap().0.len(), 1);
        assert!(rows(path, &text.replacen("game", "gane", 1)).is_err());
    }

    #[test]
    fn a_row_says_which_match_it_is_of_and_cannot_be_told_to_say_another() {
        let path = Path::new("games.csv");
        let one = sealed(GameRow { game: 1, ..GameRow::default() }, "", "0123456789abcdef");
        let text = table(std::slice::from_ref(&one));
        let (games, damages) = rows(path, &text).unwrap();
        assert!(games == [(2, one)] && damages.is_empty());
        let same = ["fedcba9876543210", "0123456789abcdef"].map(str::to_owned);
        assert!(of_one_match(path, &text, &games, &same).is_ok());
        for other in ["", "fedcba9876543210"] {
            let error = of_one_match(path, &text, &games, &[other.to_owned()]).unwrap_err().to_string();
            assert!(error.contains("games.csv:2:1") && error.contains("match 0123456789abcdef"), "{error}");
        }
        for changed in ["1123456789abcdef-", ""] {
            let text = text.replace("0123456789abcdef-", changed);
            assert_eq!(rows(path, &text).unwrap().1.len(), 1, "{text}");
        }
    }

    #[test]
    fn a_transcript_is_found_beside_the_beginning_of_another() {
        let one = "[Event \"x\"]\n[Round \"1\"]\n\n1. e4 1-0\n\n";
        for rest in ["", "[Ev", "[Event \"x\"]\n[Rou"] {
            let text = format!("{one}{rest}");
            assert_eq!(transcripts(&text).get(&seal(one.as_bytes())), Some(&one), "{rest}");
        }
    }
}
