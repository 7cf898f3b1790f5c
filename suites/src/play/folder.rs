//! The folder of a match: appended after every game, resumed without loss, put in order when complete.
//!
//! A game counts when its row stands in `games.csv`. Its transcript is written and synced before, so after a crash
//! there may be one transcript too many, never one too few; opening the folder drops it. The openings are stored, so
//! that a match goes on from the same positions whatever becomes of the sampler.

use super::record::{GameRow, OpeningRow};
use super::settings::Settings;
use super::transcript::number_of;
use crate::clock::utc;
use crate::error::{Error, fault};
use crate::files::{add, append, lock, refuse_foreign, replace, sweep};
use crate::machine::{Build, Git, Machine};
use crate::manifest::Session;
use crate::store::{csv, read, write_all};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Layout of the files.
const SCHEMA: u32 = 1;

const GAMES: &str = "games.csv";
const OPENINGS: &str = "openings.csv";
const TRANSCRIPTS: &str = "games.pgn";
const SETTINGS: &str = "play.toml";

/// `play.toml`: what a match is, so that it can be repeated, resumed, and told from others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// The first player's numbers: id of its parameters and fits, or what an engine calls itself.
    pub first_numbers: String,
    /// The second player's.
    pub second_numbers: String,
    /// How the openings came about, in words.
    pub openings: String,
    /// Openings that differ, up to symmetry.
    pub distinct_openings: usize,
    /// The settings.
    pub settings: Settings,
    /// What was called, when, on which source; one entry each time the match was begun or resumed.
    pub session: Vec<Session>,
    /// How the tool was built.
    pub build: Build,
    /// The computer.
    pub machine: Machine,
}

impl PlayFile {
    /// The file of a match that begins now; what is known only later is empty.
    pub(super) fn new(
        settings: &Settings,
        evaluation: u64,
        numbers: [String; 2],
        argv: Vec<String>,
        jobs: usize,
    ) -> PlayFile {
        let started = utc(SystemTime::now());
        let [first_numbers, second_numbers] = numbers;
        PlayFile {
            schema: SCHEMA,
            complete: false,
            evaluation: format!("{evaluation:016x}"),
            first_numbers,
            second_numbers,
            openings: String::new(),
            distinct_openings: 0,
            settings: settings.clone(),
            session: vec![Session { started: started.clone(), argv, jobs, git: Git::current() }],
            build: Build::current(),
            machine: Machine::current(),
            started,
        }
    }

    /// Reads the file of a folder.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Fault`] at the first wrong entry.
    pub fn read(dir: &Path) -> Result<PlayFile, Error> {
        let path = dir.join(SETTINGS);
        let text = std::fs::read_to_string(&path).map_err(Error::unreadable(&path))?;
        toml::from_str(&text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            fault(&path, &text, offset, error.message()).into()
        })
    }

    /// Reads the games of a folder, in their order.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Fault`] at the first wrong row.
    pub fn games(dir: &Path) -> Result<Vec<GameRow>, Error> {
        let mut rows: Vec<GameRow> = read(&dir.join(GAMES))?;
        rows.sort_by_key(|row| row.game);
        Ok(rows)
    }

    fn text(&self) -> String {
        toml::to_string(self).expect("settings were read from TOML or have its types")
    }

    /// Refuses to go on with a match of something else.
    fn same_as(&self, new: &PlayFile, dir: &Path) -> Result<(), Error> {
        let described = |file: &PlayFile| {
            let mut all = vec![("schema", file.schema.to_string())];
            all.extend(file.settings.described());
            all.push(("evaluation", file.evaluation.clone()));
            all.push(("first player's numbers", file.first_numbers.clone()));
            all.push(("second player's numbers", file.second_numbers.clone()));
            all
        };
        let mut pairs = described(self).into_iter().zip(described(new));
        match pairs.find(|(old, new)| old != new) {
            None => Ok(()),
            Some(((what, found), (_, expected))) => {
                Err(Error::Differs { dir: dir.to_owned(), what, found, expected })
            }
        }
    }
}

/// The open folder of a match with the one right to write in it.
pub(super) struct Folder {
    dir: PathBuf,
    pub(super) file: PlayFile,
    pub(super) openings: Vec<OpeningRow>,
    pub(super) rows: Vec<GameRow>,
    games: File,
    transcripts: File,
    /// Held, not used: closing it gives up the right to write.
    _lock: File,
}

impl Folder {
    /// Begins the match of `file` in `dir`, or goes on with it if the folder holds the same match. `draw` makes the
    /// openings of a new one and says how.
    pub(super) fn open(
        dir: &Path,
        mut file: PlayFile,
        draw: impl FnOnce() -> Result<(Vec<OpeningRow>, usize, String), Error>,
    ) -> Result<Folder, Error> {
        let begun = dir.join(SETTINGS).exists();
        let mut drawn = Vec::new();
        if begun {
            let mut old = PlayFile::read(dir)?;
            old.same_as(&file, dir)?;
            old.session.append(&mut file.session);
            file = PlayFile { complete: false, ..old };
        } else {
            refuse_foreign(dir)?;
            (drawn, file.distinct_openings, file.openings) = draw()?;
        }
        std::fs::create_dir_all(dir).map_err(Error::io(dir))?;
        let lock = lock(dir)?;
        sweep(dir);
        if !begun {
            write_all(&dir.join(OPENINGS), &drawn)?;
        }
        let openings: Vec<OpeningRow> = read(&dir.join(OPENINGS))?;
        let pairs = file.settings.games / 2;
        if openings.len() < pairs {
            let found = openings.len();
            let path = dir.join(OPENINGS);
            return Err(Error::Usage(format!(
                "{}: found {found} openings, expected {pairs}",
                path.display()
            )));
        }
        let rows = tidy(dir, &read(&dir.join(GAMES))?)?;
        replace(&dir.join(SETTINGS), file.text().as_bytes())?;
        Ok(Folder {
            games: append(&dir.join(GAMES))?,
            transcripts: append(&dir.join(TRANSCRIPTS))?,
            dir: dir.to_owned(),
            file,
            openings,
            rows,
            _lock: lock,
        })
    }

    /// Adds a game: when this returns it survives a crash.
    pub(super) fn add(&mut self, row: GameRow, transcript: &str) -> Result<(), Error> {
        add(&mut self.transcripts, transcript.as_bytes()).map_err(Error::io(&self.dir.join(TRANSCRIPTS)))?;
        add(&mut self.games, &csv(&[&row], false)).map_err(Error::io(&self.dir.join(GAMES)))?;
        self.rows.push(row);
        Ok(())
    }

    /// Puts the games in order and, if all are there, marks the match complete.
    pub(super) fn close(mut self) -> Result<(PlayFile, Vec<GameRow>), Error> {
        let rows = tidy(&self.dir, &self.rows)?;
        self.file.complete = rows.len() == self.file.settings.games;
        replace(&self.dir.join(SETTINGS), self.file.text().as_bytes())?;
        Ok((self.file, rows))
    }
}

/// Writes rows and transcripts anew in the order of the games: only games that have both.
fn tidy(dir: &Path, rows: &[GameRow]) -> Result<Vec<GameRow>, Error> {
    let path = dir.join(TRANSCRIPTS);
    let text = match std::fs::read(&path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(source) => return Err(Error::Io { path, source }),
    };
    let texts: BTreeMap<usize, &str> =
        split(&text).into_iter().filter_map(|text| Some((number_of(text)?, text))).collect();
    let rows: BTreeMap<usize, &GameRow> =
        rows.iter().filter(|row| texts.contains_key(&row.game)).map(|row| (row.game, row)).collect();
    let transcripts: String = rows.keys().map(|number| texts[number]).collect();
    let rows: Vec<GameRow> = rows.into_values().cloned().collect();
    replace(&path, transcripts.as_bytes())?;
    write_all(&dir.join(GAMES), &rows)?;
    Ok(rows)
}

/// The transcripts in a file.
fn split(text: &str) -> Vec<&str> {
    let mut begins: Vec<usize> = text.match_indices("[Event ").map(|(at, _)| at).collect();
    begins.retain(|&at| at == 0 || text.as_bytes()[at - 1] == b'\n');
    let ends = begins.iter().skip(1).copied().chain([text.len()]);
    begins.iter().zip(ends).map(|(&begin, end)| &text[begin..end]).collect()
}
