//! `games.csv` next to `games.pgn`: rows that vouch for themselves and for their transcripts.
//!
//! A row ends with the seal of its transcript and the seal of all that stands before in its line. Whatever happens to
//! either file, a row is either as it was written, or its game is known to be missing. It says which match it is of, so that
//! nobody takes it for a game of another.

use super::file::{GAMES, TRANSCRIPTS};
use super::record::GameRow;
use crate::archive::text;
use crate::error::{Error, fault_on_line};
use crate::ledger::{SealedRows, sealed_by};
use crate::seal::seal;
use crate::store::{csv, header};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

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
    let own = identities.first().map_or("", String::as_str);
    let what = format!(
        "found a game of the match {found}, expected {own}, as `play.toml` here tells: one of the two files is of another folder; \
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
                // Of two that differ nobody knows which was played.
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
    let transcripts = text(&dir.join(TRANSCRIPTS))?;
    let texts = transcripts.as_deref().map(self::transcripts).unwrap_or_default();
    let game = |(line, row): (usize, GameRow)| {
        let transcript = texts.get(&row.transcript).map(|text| (*text).to_owned());
        Game { row, line, transcript }
    };
    let games = rows.into_iter().map(game).collect();
    Ok(Written { games, damages, table, transcripts })
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
    fn rows_come_back_and_their_damages_are_found() {
        let path = Path::new("games.csv");
        let row = |game| {
            let detail = "it said \"a,b\"\nand died".to_owned();
            sealed(GameRow { game, detail, ..GameRow::default() }, &format!("[Event \"{game}\"]"), "")
        };
        let all = [row(1), row(2)];
        let text = table(&all);
        let (found, damages) = rows(path, &text).unwrap();
        assert!(found.iter().map(|(_, row)| row).eq(&all) && damages.is_empty());
        assert_eq!(found[0].1.detail, "it said \"a,b\" and died");
        // One and the same row twice is found and is no loss; two of one number are both not believed.
        let line = |row: &GameRow| String::from_utf8(csv(&[row], false)).unwrap();
        let (found, damages) = rows(path, &(text.clone() + &line(&all[1]))).unwrap();
        assert_eq!((found.len(), damages[0].0), (2, 4));
        let other = sealed(GameRow { points: 1.0, ..row(2) }, "", "");
        assert_eq!(rows(path, &(text.clone() + &line(&other))).unwrap().0.len(), 1);
        assert!(rows(path, &text.replacen("game", "gane", 1)).is_err());
    }

    #[test]
    fn a_row_says_which_match_it_is_of_and_cannot_be_told_to_say_another() {
        let path = Path::new("games.csv");
        let one = sealed(GameRow { game: 1, ..GameRow::default() }, "", "0123456789abcdef");
        let text = table(std::slice::from_ref(&one));
        let (found, damages) = rows(path, &text).unwrap();
        assert!(found == [(2, one)] && damages.is_empty());
        let same = ["fedcba9876543210", "0123456789abcdef"].map(str::to_owned);
        assert!(of_one_match(path, &text, &found, &same).is_ok());
        for other in ["", "fedcba9876543210"] {
            let error = of_one_match(path, &text, &found, &[other.to_owned()]).unwrap_err().to_string();
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
