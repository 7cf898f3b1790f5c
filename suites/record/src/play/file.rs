//! `play.toml`: what a match is, and its games as a reader gets them, who believes only what is as it was written.

use super::record;
use super::record::{Game, GameRow, OpeningRow, Written};
use super::settings::{GAMES_OF_A_MATCH, MatchSettings};
use crate::archive;
use crate::build::{Compilation, Machine};
use crate::error::{Error, fault_on_line};
use crate::manifest::Session;
use crate::part::Part;
use crate::rows::read;
use crate::seal::{of_layout, read_sealed_toml, seal, sealed_toml};
use secateur_base::fault;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Layout of the files.
pub const SCHEMA: u32 = 3;

/// One row a game.
pub const GAMES: &str = "games.csv";
/// One row a pair of games.
pub const OPENINGS: &str = "openings.csv";
/// The games as text.
pub const TRANSCRIPTS: &str = "games.pgn";
/// Says what a match is; a folder with it is a match.
pub const SETTINGS: &str = "play.toml";

/// `play.toml`: what a match is, so that it can be repeated, resumed, and told from others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct PlayFile {
    /// Layout of the files.
    pub schema: u32,
    /// When the match began, UTC.
    pub started: String,
    /// Whether all games are there and in order.
    pub complete: bool,
    /// Hash of the evaluation, 16 hex digits.
    pub evaluation: String,
    /// Hash of the sources of the search that plays and referees, 16 hex digits; empty in older matches. Another binary goes
    /// on with a match if this is the same: then it plays the same games.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub search: String,
    /// The first player's numbers: id of its parameters and fits, or what an engine calls itself.
    pub first_numbers: String,
    /// The second player's.
    pub second_numbers: String,
    /// What every page says of players whose switches were cut from their source automatically, each program once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cuts: Vec<String>,
    /// How the openings came about, in words.
    pub openings: String,
    /// Openings that differ, up to symmetry.
    pub distinct_openings: usize,
    /// Seal of `openings.csv`, 16 hex digits.
    pub openings_seal: String,
    /// Who throws the dice, with which generator, and that both games of a pair get the same; empty in games without.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub throws: String,
    /// Identities of this match when it was one of fewer games, 16 hex digits each: rows of then say them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grown: Vec<String>,
    /// The settings.
    pub settings: MatchSettings,
    /// What was called, when, on which source; one entry each time the match was begun or resumed.
    pub session: Vec<Session>,
    /// How the tool was built.
    pub build: Compilation,
    /// The computer.
    pub machine: Machine,
    /// What part of the match this is, where it is one: its units are pairs of games, by their numbers from 1, and its cells
    /// are games.
    pub part: Option<Part>,
}

/// What the sources of a search are called.
const SEARCH: &str = "sources of the search";

/// Most games of a match: their numbers are held in memory, and no match has more.
const MOST_GAMES: usize = 10_000_000;

impl PlayFile {
    /// That of a complete match of which nothing but its settings is known.
    pub fn of(settings: MatchSettings) -> PlayFile {
        PlayFile { schema: SCHEMA, complete: true, settings, ..PlayFile::default() }
    }

    /// Reads the file of a folder.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Fault`] at the first wrong entry, or at the seal of a file that is not as it was written.
    pub fn read(dir: &Path) -> Result<PlayFile, Error> {
        let path = dir.join(SETTINGS);
        let (file, text): (PlayFile, String) = read_sealed_toml(&path)?;
        of_layout(&path, &text, file.schema, SCHEMA)?;
        if file.settings.games > MOST_GAMES {
            let offset = text.find("games = ").unwrap_or(0);
            let what = format!("found {} games, expected at most {MOST_GAMES}", file.settings.games);
            return Err(fault(&path, &text, offset, &what).into());
        }
        Ok(file)
    }

    /// The games of the folder that this file was read from, in their order.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Fault`] at the first row that is wrong, doubled or not as it was written; [`Error::Usage`]
    /// if a file is not, or a complete match lacks games. Transcripts that are not there at all are not missed: the points
    /// are in the rows.
    pub fn games(&self, dir: &Path) -> Result<Vec<GameRow>, Error> {
        let path = dir.join(GAMES);
        let mut rows = self.vouched(dir)?;
        rows.sort_by_key(|row| row.game);
        if let Some(pair) = rows.windows(2).find(|pair| pair[0].game == pair[1].game) {
            return Err(broken(&path, &format!("game {} stands here twice", pair[0].game)));
        }
        let (found, expected) = (rows.len(), self.games_here().len());
        if self.settings.is_shared() {
            let openings: Vec<OpeningRow> = read(&dir.join(OPENINGS))?;
            tell_lacking(&mut rows, &openings);
        }
        match found {
            // Nothing to repair it from.
            0 if self.complete && expected > 0 => {
                Err(Error::place(&path, "empty or missing in a complete match; put it back"))
            }
            _ if self.complete && found != expected => {
                Err(broken(&path, &format!("found {found} games, expected {expected} of a complete match")))
            }
            _ => Ok(rows),
        }
    }

    /// The rows, if all that is there is as it was written.
    fn vouched(&self, dir: &Path) -> Result<Vec<GameRow>, Error> {
        let Written { games, damages, table, transcripts } = record::read(dir, &self.identities())?;
        if let Some((line, what)) = damages.first() {
            return Err(fault_on_line(&dir.join(GAMES), &table, *line, format!("this row {what}")).into());
        }
        let openings = dir.join(OPENINGS);
        if !archive::read(&openings).is_ok_and(|bytes| seal(&bytes) == self.openings_seal) {
            return Err(broken(&openings, "the file is not as it was written"));
        }
        let lacks = games.iter().find(|game| game.transcript.is_none() && transcripts.is_some());
        if let Some(Game { row, .. }) = lacks {
            let what = format!("the transcript of game {} is missing or not as it was written", row.game);
            return Err(broken(&dir.join(TRANSCRIPTS), &what));
        }
        Ok(games.into_iter().map(|game| game.row).collect())
    }

    /// Numbers of the games that are to be played here: those of a shard, or all.
    pub fn games_here(&self) -> Vec<usize> {
        match self.shard() {
            Some(part) => {
                let pairs = part.take.numbers().iter().map(|pair| *pair as usize);
                let existing = pairs.filter(|pair| (1..=self.settings.games / 2).contains(pair));
                existing.flat_map(|pair| [2 * pair - 1, 2 * pair]).collect()
            }
            None => (1..=self.settings.games).collect(),
        }
    }

    /// The shard of a match that this is, if it is one.
    pub fn shard(&self) -> Option<&Part> {
        self.part.as_ref().filter(|part| !part.shard.is_empty())
    }

    /// What match this is, which every row of it says: a hash of all that decides its games, 16 hex digits. All shards of a match
    /// have one.
    pub fn identity(&self) -> String {
        let line = |(what, value): (&str, String)| format!("{what} = {value}\n");
        let all: String = self.described().into_iter().map(line).collect();
        seal((all + &self.openings_seal).as_bytes())
    }

    /// What its rows may say that they are of: this match, and the same when it had fewer games.
    pub fn identities(&self) -> Vec<String> {
        std::iter::once(self.identity()).chain(self.grown.iter().cloned()).collect()
    }

    /// The text of the file, sealed.
    pub fn text(&self) -> String {
        sealed_toml(self)
    }

    /// Refuses to go on with a match of something else, or with another part of it. Of how many games a match is decides no game, so a
    /// match in one piece goes on to more.
    pub fn same_as(&self, new: &PlayFile, dir: &Path) -> Result<(), Error> {
        let shard = |file: &PlayFile| {
            file.shard().map_or_else(|| "none".to_owned(), |part| format!("{} ({})", part.shard, part.take))
        };
        let mut all = self.differences(new);
        let is_whole = self.shard().is_none() && new.shard().is_none();
        all.retain(|(what, ..)| !is_whole || *what != GAMES_OF_A_MATCH);
        all.push(("shard", shard(self), shard(new)));
        Error::differs(dir, all.into_iter().find(|(_, old, new)| old != new))
    }

    /// All that decides the games, here and in another file: what it is, and both values.
    pub fn differences(&self, other: &PlayFile) -> Vec<(&'static str, String, String)> {
        // Older matches do not say which search they were played by.
        let is_known = |name: &str| !self.search.is_empty() || name != SEARCH;
        let both = self.described().into_iter().zip(other.described());
        both.filter(|((what, _), _)| is_known(what)).map(|((what, old), (_, new))| (what, old, new)).collect()
    }

    /// All that decides the games, with what it is.
    fn described(&self) -> Vec<(&'static str, String)> {
        let mut all = self.settings.described();
        all.push(("evaluation", self.evaluation.clone()));
        all.push(("throws", self.throws.clone()));
        all.push((SEARCH, self.search.clone()));
        all.push(("first player's numbers", self.first_numbers.clone()));
        all.push(("second player's numbers", self.second_numbers.clone()));
        all
    }
}

/// Tells each game what its players lacked, which the openings of shared games say.
pub fn tell_lacking(rows: &mut [GameRow], openings: &[OpeningRow]) {
    for row in rows {
        if let Some(opening) = row.pair.checked_sub(1).and_then(|at| openings.get(at)) {
            row.lacking = opening.lacking();
        }
    }
}

/// What is wrong with a file as a whole.
fn broken(path: &Path, what: &str) -> Error {
    Error::Usage(format!(
        "{}: {what}; put the file back, or repair the match with: {} play --resume {}",
        path.display(),
        secateur_base::program::name(),
        secateur_base::words::shell_path(path.parent().unwrap_or(path))
    ))
}
