//! The folder of a course: one row an iteration, appended when its games are over, from which the course goes on.
//!
//! Where the parameters are follows from the results alone, so a reader goes the way again and believes only rows that say the same.
//! A row that a kill cut off is dropped, and its iteration played again.

use crate::file::Settings;
use crate::spsa::{Space, Spsa, Trial};
use secateur_arena::play::OpeningRow;
use secateur_base::fault;
use secateur_record::files::{add, append, lock, refuse_foreign, replace, sweep};
use secateur_record::store::{csv, read};
use secateur_suites::Error;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::{Path, PathBuf};

/// Layout of the files.
const SCHEMA: u32 = 1;
/// What the course is.
const KEPT: &str = "tune.toml";
/// A row an iteration.
pub const COURSE: &str = "course.csv";
/// The parameter file that comes of it.
pub const TUNED: &str = "tuned.toml";
/// The file that was asked with, as it was.
pub const ASKED: &str = "asked.toml";
/// The openings, one a pair of games; they come again when they run out.
const OPENINGS: &str = "openings.csv";

/// `tune.toml`: what a course is, so that it is not continued as another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Kept {
    schema: u32,
    /// When it was begun, UTC.
    started: String,
    /// Hash of the evaluation, 16 hex digits.
    evaluation: String,
    /// Hash of the sources of the search, 16 hex digits.
    search: String,
    /// Id of the parameters that everything else is taken from.
    numbers: String,
    settings: Settings,
    /// What the parameters are to begin with, in their order.
    space: Vec<Space>,
}

impl Kept {
    pub(crate) fn new(
        settings: &Settings,
        space: &[Space],
        [started, evaluation, search, numbers]: [String; 4],
    ) -> Kept {
        let (settings, space) = (settings.clone(), space.to_vec());
        Kept { schema: SCHEMA, started, evaluation, search, numbers, settings, space }
    }

    fn read(path: &Path) -> Result<Kept, Error> {
        let text = std::fs::read_to_string(path).map_err(Error::io(path))?;
        let kept: Kept = toml::from_str(&text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            fault(path, &text, offset, error.message())
        })?;
        match kept.schema {
            SCHEMA => Ok(kept),
            found => Err(fault(path, &text, 0, format!("found layout {found}, expected {SCHEMA}")).into()),
        }
    }

    /// The first thing by which another course differs: its name, what is kept, and what is asked for.
    fn differs(&self, asked: &Kept) -> Option<(String, String, String)> {
        let of = |kept: &Kept| {
            let mut all = kept.settings.described();
            for (name, value) in
                [("evaluation", &kept.evaluation), ("search", &kept.search), ("numbers", &kept.numbers)]
            {
                all.push((name.to_owned(), value.clone()));
            }
            all.push(("parameters".to_owned(), format!("{:?}", kept.space)));
            all
        };
        let (ours, theirs) = (of(self), of(asked));
        let value = |all: &[(String, String)], name: &str| {
            all.iter()
                .find(|(known, _)| known == name)
                .map_or("nothing".to_owned(), |(_, value)| value.clone())
        };
        let mut names = ours.iter().chain(&theirs).map(|(name, _)| name);
        let name = names.find(|name| value(&ours, name) != value(&theirs, name))?;
        Some((name.clone(), value(&ours, name), value(&theirs, name)))
    }
}

/// An iteration that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its number, from 1.
    pub iteration: u64,
    /// Games that the first side won, drew and lost.
    pub games: [u32; 3],
    /// Where the parameters are behind it.
    pub at: Vec<f64>,
    /// What the first side played with.
    pub plus: Vec<f64>,
    /// What the second side played with.
    pub minus: Vec<f64>,
}

/// A course as far as it has come.
#[derive(Clone, Debug)]
pub struct Course {
    /// What was asked for.
    pub settings: Settings,
    /// Where the parameters began, in their order.
    pub spaces: Vec<Space>,
    /// The iterations, from the first.
    pub rows: Vec<Row>,
    spsa: Spsa,
}

impl Course {
    fn begin(kept: &Kept) -> Course {
        let (settings, spaces) = (kept.settings.clone(), kept.space.clone());
        let spsa = Spsa::new(settings.gains(), spaces.clone(), settings.seed);
        Course { settings, spaces, rows: Vec::new(), spsa }
    }

    /// The course of a folder, for reports.
    ///
    /// # Errors
    /// A file that is not there, or the first line that is not as it was written.
    pub fn read(dir: &Path) -> Result<Course, Error> {
        let mut course = Course::begin(&Kept::read(&dir.join(KEPT))?);
        course.replay(&dir.join(COURSE))?;
        Ok(course)
    }

    /// Whether all iterations were played.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.spsa.done() == self.settings.iterations
    }

    /// Where the parameters are behind so many iterations, from 0.
    #[must_use]
    pub fn after(&self, iterations: usize) -> Vec<f64> {
        match iterations.checked_sub(1).and_then(|index| self.rows.get(index)) {
            Some(row) => row.at.clone(),
            None => self.spaces.iter().map(|space| space.start).collect(),
        }
    }

    /// The parameters as they come out: whole where they have to be.
    #[must_use]
    pub fn tuned(&self) -> Vec<f64> {
        self.spsa.settled()
    }

    /// What is played next.
    pub(crate) fn ask(&self) -> Trial {
        self.spsa.ask()
    }

    /// Goes on by the result of what was asked; the row that says so.
    fn tell(&mut self, trial: Trial, games: [u32; 3]) -> &Row {
        let [won, _, lost] = games.map(f64::from);
        self.spsa.tell(&trial, (won - lost) / self.settings.pairs as f64);
        let Trial { plus, minus, .. } = trial;
        let at = self.spsa.at().to_vec();
        self.rows.push(Row { iteration: self.spsa.done(), games, at, plus, minus });
        self.rows.last().expect("just pushed")
    }

    fn header(&self) -> String {
        let names = self.settings.parameters.iter().map(|parameter| &parameter.name);
        let columns: Vec<String> = names.map(|name| format!("{name},{name} plus,{name} minus")).collect();
        format!("iteration,won,drawn,lost,{}\n", columns.join(","))
    }

    /// Goes the way that a file tells of; how many bytes of it are whole lines.
    fn replay(&mut self, path: &Path) -> Result<usize, Error> {
        let text = std::fs::read_to_string(path).map_err(Error::io(path))?;
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        let mut offset = 0;
        for (number, line) in text[..whole].split_inclusive('\n').enumerate() {
            let wrong = |message: String| Error::from(fault(path, &text, offset, message));
            if number == 0 {
                let expected = self.header();
                if line != expected {
                    return Err(wrong(format!("found other columns, expected {}", expected.trim_end())));
                }
            } else {
                self.again(line).map_err(wrong)?;
            }
            offset += line.len();
        }
        Ok(whole)
    }

    /// Takes one line of the file.
    fn again(&mut self, line: &str) -> Result<(), String> {
        let cells: Vec<&str> = line.trim_end().split(',').collect();
        let expected = 4 + 3 * self.spaces.len();
        if cells.len() != expected {
            return Err(format!("found {} columns, expected {expected}", cells.len()));
        }
        let next = self.spsa.done() + 1;
        if cells[0] != next.to_string() || next > self.settings.iterations {
            let most = self.settings.iterations;
            return Err(format!("iteration: found {}, expected {next} of {most}", cells[0]));
        }
        let mut games = [0; 3];
        for ((slot, cell), name) in games.iter_mut().zip(&cells[1..4]).zip(["won", "drawn", "lost"]) {
            *slot =
                cell.parse().map_err(|_| format!("{name}: found `{cell}`, expected a number of games"))?;
        }
        let (found, all) = (games.iter().sum::<u32>() as usize, 2 * self.settings.pairs);
        if found != all {
            return Err(format!("won, drawn, lost: found {found} games, expected {all}"));
        }
        let trial = self.ask();
        let row = self.tell(trial, games).clone();
        for (index, group) in cells[4..].chunks(3).enumerate() {
            for (cell, expected) in group.iter().zip([row.at[index], row.plus[index], row.minus[index]]) {
                // Another processor may round a power otherwise.
                let near = |found: f64| (found - expected).abs() <= 1e-9 * (1.0 + expected.abs());
                if !cell.parse().is_ok_and(near) {
                    let name = &self.settings.parameters[index].name;
                    return Err(format!(
                        "{name}: found {cell}, expected {expected}, which the results lead to"
                    ));
                }
            }
        }
        Ok(())
    }
}

impl Row {
    fn line(&self) -> String {
        let [won, drawn, lost] = self.games;
        let values = self.at.iter().zip(&self.plus).zip(&self.minus);
        let cells = values.map(|((at, plus), minus)| format!(",{at},{plus},{minus}"));
        format!("{},{won},{drawn},{lost}{}\n", self.iteration, cells.collect::<String>())
    }
}

/// The open folder of a course, with the one right to write in it.
pub(crate) struct Folder {
    dir: PathBuf,
    pub(crate) course: Course,
    pub(crate) openings: Vec<OpeningRow>,
    /// What was not as it was written, in words.
    pub(crate) mended: Vec<String>,
    file: File,
    /// Held, not used: closing it gives up the right to write.
    _lock: File,
}

impl Folder {
    /// Begins a course in `dir`, or goes on with it if the folder holds the same.
    pub(crate) fn open(
        dir: &Path,
        asked: &Kept,
        file: &str,
        draw: impl FnOnce() -> Result<Vec<OpeningRow>, Error>,
    ) -> Result<Folder, Error> {
        let (kept, course) = (dir.join(KEPT), dir.join(COURSE));
        let mut mended = Vec::new();
        if !kept.exists() {
            refuse_foreign(dir)?;
            let openings = draw()?;
            std::fs::create_dir_all(dir).map_err(Error::io(dir))?;
            replace(&dir.join(OPENINGS), &csv(&openings, true))?;
            replace(&dir.join(ASKED), file.as_bytes())?;
            replace(&course, Course::begin(asked).header().as_bytes())?;
            let text = toml::to_string(asked).map_err(|error| Error::Usage(error.to_string()))?;
            // Last: a folder with it is a course.
            replace(&kept, text.as_bytes())?;
        }
        let lock = lock(dir)?;
        sweep(dir);
        let begun = Kept::read(&kept)?;
        if let Some((name, found, expected)) = begun.differs(asked) {
            return Err(Error::Usage(format!(
                "{}: found a course with {name} {found}, expected {expected}; choose another folder",
                dir.display()
            )));
        }
        let mut found = Course::begin(&begun);
        let whole = found.replay(&course)?;
        let text = std::fs::read(&course).map_err(Error::io(&course))?;
        if whole < text.len() {
            mended.push(format!("{COURSE}: the last line was cut off; its iteration is played again"));
            replace(&course, &text[..whole])?;
        }
        let openings: Vec<OpeningRow> = read(&dir.join(OPENINGS))?;
        if openings.is_empty() {
            return Err(Error::Usage(format!("{}: found no openings", dir.join(OPENINGS).display())));
        }
        let file = append(&course)?;
        Ok(Folder { dir: dir.to_owned(), course: found, openings, mended, file, _lock: lock })
    }

    /// Goes on by a result; when this returns it survives a crash.
    pub(crate) fn add(&mut self, trial: Trial, games: [u32; 3]) -> Result<(), Error> {
        let line = self.course.tell(trial, games).line();
        add(&mut self.file, line.as_bytes()).map_err(Error::io(&self.dir.join(COURSE)))
    }

    /// Writes the parameter file and gives the folder back.
    pub(crate) fn close(self, tuned: &str) -> Result<(Course, Vec<String>), Error> {
        replace(&self.dir.join(TUNED), tuned.as_bytes())?;
        Ok((self.course, self.mended))
    }
}
