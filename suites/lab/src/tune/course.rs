//! The folder of a course: one row an iteration, appended when its games are over, from which the course goes on.
//!
//! Where the parameters are follows from the results alone, so a reader goes the way again and believes only rows that say the same.
//! Settings, openings and rows are sealed. A row that a kill cut off is dropped, and its iteration played again; openings that are
//! missing or not as they were written are drawn again; whatever else is not as it was written is refused.

use crate::tune::file::{MOST, Settings};
use crate::tune::spsa::{Space, Spsa, Trial};
use secateur_arena::play::OpeningRow;
use secateur_base::fault;
use secateur_record::archive::{self, is_file, lock};
use secateur_record::error::fault_on_line;
use secateur_record::files::{refuse_foreign, replace, sweep};
use secateur_record::ledger::{Ledger, SealedRows, sealed_by};
use secateur_record::rows::{csv, read};
use secateur_record::seal::{of_layout, read_sealed_toml, restored, seal, sealed_toml};
use secateur_suites::Error;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::{Path, PathBuf};

/// Layout of the files.
const SCHEMA: u32 = 3;
/// The layout whose rows do not say which course they are of; such a course is continued as it is.
const UNNAMED: u32 = 2;
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
    /// Seal of the openings, 16 hex digits.
    openings_seal: String,
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
        let openings_seal = String::new();
        Kept { schema: SCHEMA, started, evaluation, search, numbers, openings_seal, settings, space }
    }

    fn read(path: &Path) -> Result<Kept, Error> {
        let (kept, text): (Kept, String) = read_sealed_toml(path)?;
        of_layout(path, &text, kept.schema, if kept.schema == UNNAMED { UNNAMED } else { SCHEMA })?;
        kept.sound().map_err(|message| fault(path, &text, 0, message))?;
        Ok(kept)
    }

    /// What every row is sealed with besides its own cells, so that none is taken for one of another course; nothing in the
    /// older layout.
    fn identity(&self) -> String {
        // The same course gives the same file, whenever it is begun.
        let text = || toml::to_string(&Kept { started: String::new(), ..self.clone() }).unwrap_or_default();
        if self.schema < SCHEMA { String::new() } else { seal(text().as_bytes()) }
    }

    /// Whether a course can be gone with these numbers, whoever wrote them.
    fn sound(&self) -> Result<(), String> {
        let Settings { iterations, pairs, .. } = self.settings;
        if !(1..=MOST).contains(&iterations) || !(1..=MOST).contains(&(pairs as u64)) {
            return Err(format!(
                "found {iterations} iterations of {pairs} pairs, expected 1 to {MOST} of each"
            ));
        }
        if self.space.len() != self.settings.parameters.len() {
            let (count, expected) = (self.space.len(), self.settings.parameters.len());
            return Err(format!("found {count} spaces, expected {expected}, one a parameter"));
        }
        for (space, parameter) in self.space.iter().zip(&self.settings.parameters) {
            space.sound().map_err(|(_, message)| format!("`{}`: {message}", parameter.name))?;
        }
        self.settings.gains().sound()
    }

    /// The first thing by which another course differs: its name, what is kept, and what is asked for.
    fn differs(&self, asked: &Kept) -> Option<(String, String, String)> {
        let described = |kept: &Kept| -> Vec<(String, String)> {
            let Kept { evaluation, search, numbers, space, .. } = kept.clone();
            let others = [("evaluation", evaluation), ("search", search), ("numbers", numbers)];
            let others = others.into_iter().chain([("parameters", format!("{space:?}"))]);
            let others = others.map(|(name, value)| (name.to_owned(), value));
            kept.settings.described().into_iter().chain(others).collect()
        };
        let (ours, theirs) = (described(self), described(asked));
        let value = |all: &[(String, String)], name: &str| {
            all.iter()
                .find(|(other, _)| other == name)
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
    /// What the rows are sealed with.
    identity: String,
    spsa: Spsa,
}

impl Course {
    fn begin(kept: &Kept) -> Course {
        let (settings, spaces) = (kept.settings.clone(), kept.space.clone());
        let spsa = Spsa::new(settings.gains(), spaces.clone(), settings.seed);
        Course { settings, spaces, rows: Vec::new(), identity: kept.identity(), spsa }
    }

    /// The course of a folder, for reports.
    ///
    /// # Errors
    /// A file that is not there, or the first line that is not as it was written.
    pub fn read(dir: &Path) -> Result<Course, Error> {
        let kept = Kept::read(&dir.join(KEPT))?;
        let mut course = Course::begin(&kept);
        course.replay(&dir.join(COURSE))?;
        Ok(course)
    }

    /// Whether all iterations were played.
    pub fn is_complete(&self) -> bool {
        self.spsa.done() == self.settings.iterations
    }

    /// Where the parameters are behind so many iterations, from 0.
    pub fn after(&self, iterations: usize) -> Vec<f64> {
        match iterations.checked_sub(1).and_then(|index| self.rows.get(index)) {
            Some(row) => row.at.clone(),
            None => self.spaces.iter().map(|space| space.start).collect(),
        }
    }

    /// The parameters as they come out: whole where they have to be.
    pub fn tuned(&self) -> Vec<f64> {
        self.spsa.decided()
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

    /// The line of the columns, the seal of a row last.
    fn header(&self) -> String {
        let fixed = ["iteration", "won", "drawn", "lost"].map(str::to_owned);
        let headings = |name: &String| [name.clone(), format!("{name} plus"), format!("{name} minus")];
        let values = self.settings.parameters.iter().flat_map(|parameter| headings(&parameter.name));
        let columns: Vec<String> = fixed.into_iter().chain(values).chain(["seal".to_owned()]).collect();
        String::from_utf8_lossy(&csv(&[columns], false)).into_owned()
    }

    /// The seal of a line, as one of this course.
    fn seal_of(&self, line: &str) -> String {
        seal(format!("{line}\n{}", self.identity).as_bytes())
    }

    /// Goes the way that a file tells of; the text of the file, and how many bytes of it are whole lines.
    fn replay(&mut self, path: &Path) -> Result<(String, usize), Error> {
        let bytes = archive::read(path).map_err(secateur_record::Error::unreadable(path))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let table =
            SealedRows::<Vec<String>>::read(path, &text, &self.header(), &|line, _| self.seal_of(line))?;
        if table.whole == 0 {
            return Err(fault(path, &text, 0, "found no columns: the file was emptied; put it back").into());
        }
        let wrong = |line, message: String| Error::from(fault_on_line(path, &text, line, message));
        if let Some(&line) = table.damaged.first() {
            return Err(wrong(
                line,
                format!(
                    "this row is not as it was written, or of another course than {KEPT} here tells: put back the file that belongs to the other"
                ),
            ));
        }
        for (line, cells) in table.rows {
            self.replay_row(&cells).map_err(|message| wrong(line, message))?;
        }
        Ok((text, table.whole))
    }

    /// Takes one row of the file.
    fn replay_row(&mut self, cells: &[String]) -> Result<(), String> {
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
        let (sum, all) =
            (games.iter().map(|games| u64::from(*games)).sum::<u64>(), 2 * self.settings.pairs as u64);
        if sum != all {
            return Err(format!("won, drawn, lost: found {sum} games, expected {all}"));
        }
        let trial = self.ask();
        let row = self.tell(trial, games).clone();
        // Behind the last group is the seal.
        for (index, group) in cells[4..].chunks_exact(3).enumerate() {
            for (cell, expected) in group.iter().zip([row.at[index], row.plus[index], row.minus[index]]) {
                // Another processor may round a power otherwise.
                let near = |value: f64| (value - expected).abs() <= 1e-9 * (1.0 + expected.abs());
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

    /// The line of a row, sealed as one of this course.
    fn line(&self, row: &Row) -> Vec<u8> {
        let counts =
            std::iter::once(row.iteration).chain(row.games.map(u64::from)).map(|count| count.to_string());
        let values = row.at.iter().zip(&row.plus).zip(&row.minus);
        let values = values.flat_map(|((at, plus), minus)| [at, plus, minus]).map(ToString::to_string);
        let mut cells: Vec<String> = counts.chain(values).chain([String::new()]).collect();
        let seal = sealed_by(&cells, &|line, _| self.seal_of(line));
        cells.splice(cells.len() - 1.., [seal]);
        csv(&[cells], false)
    }
}

/// The open folder of a course, with the one right to write in it.
pub(crate) struct Folder {
    dir: PathBuf,
    pub(crate) course: Course,
    pub(crate) openings: Vec<OpeningRow>,
    /// What was not as it was written, in words.
    pub(crate) mended: Vec<String>,
    ledger: Ledger,
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
        let kept = dir.join(KEPT);
        let mut draw = Some(draw);
        let mut drawn =
            || draw.take().map_or_else(|| Ok(Vec::new()), |draw| draw()).map(|rows| csv(&rows, true));
        if !is_file(&kept) {
            refuse_foreign(dir)?;
            let openings = drawn()?;
            std::fs::create_dir_all(dir).map_err(Error::io(dir))?;
            // First, so that a folder that a full disk leaves behind is one that can be taken up.
            let begun = Kept { openings_seal: seal(&openings), ..asked.clone() };
            replace(&kept, sealed_toml(&begun).as_bytes())?;
            replace(&dir.join(OPENINGS), &openings)?;
        }
        let lock = lock(dir)?;
        sweep(dir);
        let begun = Kept::read(&kept)?;
        if let Some((name, ours, expected)) = begun.differs(asked) {
            return Err(Error::Usage(format!(
                "{}: found a course with {name} {ours}, expected {expected}; choose another folder",
                dir.display()
            )));
        }
        let mut mended = Vec::new();
        let openings = dir.join(OPENINGS);
        mended.extend(restored(&openings, &begun.openings_seal, drawn)?);
        if !dir.join(ASKED).exists() {
            replace(&dir.join(ASKED), file.as_bytes())?;
        }
        let (course, mut replayed) = (dir.join(COURSE), Course::begin(&begun));
        if !course.exists() {
            if dir.join(TUNED).exists() {
                return Err(Error::Usage(format!("{}: the file is missing; put it back", course.display())));
            }
            replace(&course, replayed.header().as_bytes())?;
        }
        let (text, whole) = replayed.replay(&course)?;
        if whole < text.len() {
            mended.push(format!("{COURSE}: the last line was cut off; its iteration is played again"));
            replace(&course, &text.as_bytes()[..whole])?;
        }
        let openings: Vec<OpeningRow> = read(&openings)?;
        if openings.is_empty() {
            return Err(Error::Usage(format!("{}: found no openings", dir.join(OPENINGS).display())));
        }
        let ledger = Ledger::open(&course, replayed.header())?;
        Ok(Folder { dir: dir.to_owned(), course: replayed, openings, mended, ledger, _lock: lock })
    }

    /// Goes on by a result; when this returns it survives a crash.
    pub(crate) fn add(&mut self, trial: Trial, games: [u32; 3]) -> Result<(), Error> {
        let row = self.course.tell(trial, games).clone();
        Ok(self.ledger.add(&self.course.line(&row))?)
    }

    /// Writes the parameter file and gives the folder back.
    pub(crate) fn close(self, tuned: &str) -> Result<(Course, Vec<String>), Error> {
        replace(&self.dir.join(TUNED), tuned.as_bytes())?;
        Ok((self.course, self.mended))
    }
}
