//! The tuner: parameters of pruning methods moved by the results of games, outside of the search that they are for.
//!
//! SPSA is in `spsa`, what is asked and where its numbers go in `file`, the folder that a course is kept in and
//! continued from in `course`, the games here. What comes of it is a parameter file that `--params` takes. Left out: a verdict on
//! it, which a match against the numbers of before has to give; other optimisers.
//!
//! An iteration begins where the one before ended, so only its games are played at the same time. At fixed nodes they depend on the
//! opening and the parameters and on nothing else: neither threads nor interruptions change a course.

mod course;
mod file;
mod spsa;

use self::course::{Folder, Kept};
use self::file::{Places, read};
use crate::train::shared_out;
use secateur_arena::play::{Adjudication, Bout, OpeningRow, openings_of};
use secateur_core::prune::Methods;
use secateur_core::search::Options;
use secateur_core::{AnyGame, Evaluation, Rules};
use secateur_record::error::text_of;
use secateur_suites::Error;
use secateur_suites::instruments::clock::utc;
use secateur_suites::instruments::machine::search_sources;
use secateur_suites::setups::games;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

pub use course::{ASKED, COURSE, Course, Row, TUNED};
pub use file::{Parameter, Settings};
pub use spsa::{Gains, Space, Spsa, Trial};

/// Openings that are drawn at most; longer courses have them again.
const OPENINGS: u64 = 4_000;

/// A course to be gone.
#[derive(Debug)]
pub struct Job<'a> {
    /// The file that says what is tuned.
    pub file: &'a Path,
    /// Folder that holds the course, begun or new.
    pub dir: &'a Path,
    /// Games at a time, at least 1.
    pub jobs: usize,
    /// Ends the course soon after it is set; the games under way are given up.
    pub stop: &'a Arc<AtomicBool>,
}

/// What came of it.
#[derive(Debug)]
pub struct Ended {
    /// The course as far as it has come.
    pub course: Course,
    /// What was not as it was written, in words.
    pub mended: Vec<String>,
}

/// Goes a course to its end, or until it is stopped, and writes the parameter file of where it is. `progress` hears
/// the course before the first iteration and behind each.
///
/// # Errors
/// A file that is wrong, with line and key; a folder of another course; the file system.
pub fn run(job: &Job<'_>, progress: &mut dyn FnMut(&Course)) -> Result<Ended, Error> {
    let text = text_of(job.file)?;
    let (settings, source) = read(job.file, &text)?;
    let places = Places::new(&settings, &source)?;
    let game = games::find(&settings.game)?;
    if game.chances() {
        let message = "game: found a game of chance, expected one without: no throws are drawn for its games";
        return Err(source.of_key("game", message.to_owned()).into());
    }
    places.setup.check(&game)?;
    let kept = Kept::new(
        &settings,
        &places.spaces,
        [
            utc(SystemTime::now()),
            format!("{:016x}", game.evaluation_id()),
            search_sources().to_owned(),
            places.setup.id(),
        ],
    );
    let pairs = settings.iterations.saturating_mul(settings.pairs as u64).min(OPENINGS) as usize;
    let mut folder = Folder::open(job.dir, &kept, &text, || {
        openings_of(&game, (settings.openings.as_deref(), Default::default()), settings.seed, pairs, job.jobs)
    })?;
    let adjudication =
        if places.setup.play.uci { Adjudication::openbench() } else { Adjudication::default() };
    let limit = settings.limit().map_err(Error::Usage)?;
    let bout = Bout { limit, seed: settings.seed, adjudication, stop: Arc::clone(job.stop) };
    let threads = job.jobs.clamp(1, 2 * settings.pairs);
    progress(&folder.course);
    while !folder.course.is_complete() && !job.stop.load(Ordering::SeqCst) {
        let trial = folder.course.ask();
        let ready = [places.ready(&trial.plus)?, places.ready(&trial.minus)?];
        let openings = openings(&folder.openings, folder.course.rows.len(), settings.pairs);
        let Some(counts) = iteration(&bout, &game, threads, &openings, &ready, &places.setup.options)? else {
            break;
        };
        folder.add(trial, counts)?;
        progress(&folder.course);
    }
    let head = format!(
        "# Tuned by `tune` ({} of {} iterations, {} games); all that differs from what {} comes with.\n",
        folder.course.rows.len(),
        settings.iterations,
        2 * settings.pairs * folder.course.rows.len(),
        settings.game,
    );
    let tuned = places.file(&folder.course.tuned(), &head)?;
    let (course, mended) = folder.close(&tuned)?;
    Ok(Ended { course, mended })
}

/// The openings of the iteration with this index.
fn openings(all: &[OpeningRow], index: usize, pairs: usize) -> Vec<&OpeningRow> {
    (index * pairs..(index + 1) * pairs).map(|pair| &all[pair % all.len()]).collect()
}

/// Plays every opening twice with sides exchanged: games that the first won, drew and lost. `None` if they were given up.
fn iteration(
    bout: &Bout,
    game: &AnyGame,
    threads: usize,
    openings: &[&OpeningRow],
    [one, two]: &[Methods; 2],
    options: &Options,
) -> Result<Option<[u32; 3]>, Error> {
    let numbers: Vec<usize> = (0..2 * openings.len()).collect();
    // A game may hold caches, so every thread has its own.
    let results = shared_out(
        &numbers,
        threads,
        || game.clone(),
        |game, number| bout.points(game, openings[number / 2], number % 2, [(one, options), (two, options)]),
    );
    let mut counts = [0; 3];
    for points in results {
        match points? {
            None => return Ok(None),
            Some(points) => counts[(2.0 - 2.0 * points) as usize] += 1,
        }
    }
    Ok(Some(counts))
}

#[cfg(test)]
mod tests;
