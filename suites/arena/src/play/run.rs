//! Plays the games that are missing of a match, or of several among one another, on several threads.
//!
//! With limits that read no clock the number of threads changes nothing, and neither does an interruption: which game comes next is
//! said in `deal.rs`, and a game depends on nothing but its match and its number. Games by the clock have a core each where the system
//! binds them.

use super::Ended;
use super::contest::{Contest, Job};
use super::deal::{Deal, Judge, Line, Task, ToTheEnd};
use super::folder::Folder;
use super::record::GameRow;
use secateur_core::Game;
use secateur_suites::Error;
use secateur_suites::instruments::clock::bind;
use secateur_suites::setups::games;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::time::Instant;

/// Matches of one game that share the threads and go round. Threads, cores and `stop` are those of the first.
#[derive(Clone, Copy)]
pub struct Together<'a> {
    /// The matches.
    pub matches: &'a [Job<'a>],
    /// The match, by its place, that keeps step with the others and ends with them.
    pub companion: Option<usize>,
    /// When no further pair is begun; those under way are finished.
    pub until: Option<Instant>,
}

/// Plays what is missing of a match. `progress` hears all games so far, in the order in which they ended, first those
/// of earlier sessions.
///
/// # Errors
/// Names that nothing has, positions or numbers that cannot be had, a folder of another match, the file system.
pub fn run(job: &Job<'_>, progress: &mut dyn FnMut(&[GameRow])) -> Result<Ended, Error> {
    let matches = std::slice::from_ref(job);
    let together = Together { matches, companion: None, until: None };
    let mut ended = run_together(&together, &mut ToTheEnd(1), &mut |_, rows| progress(rows))?;
    Ok(ended.remove(0))
}

/// Plays what is missing of all of them, pairs in turn. `progress` hears the place of a match and all of its games so far, first of
/// every match those of earlier sessions. `judge` is asked after every pair of all open matches, and of those of earlier sessions too,
/// which matches are still open. One that is not gets no more games, and what was begun of it meanwhile is dropped.
///
/// # Errors
/// As of [`run`]; matches of several games, or none.
pub fn run_together(
    together: &Together<'_>,
    judge: &mut dyn Judge,
    progress: &mut dyn FnMut(usize, &[GameRow]),
) -> Result<Vec<Ended>, Error> {
    let mut names: Vec<&str> = together.matches.iter().map(|job| job.settings.game.as_str()).collect();
    names.dedup();
    let [name] = names[..] else {
        return Err(Error::Usage(format!("found matches of {} games, expected one", names.len())));
    };
    played(&games::find(name)?, together, judge, progress)
}

fn played<G: Game>(
    game: &G,
    together: &Together<'_>,
    judge: &mut dyn Judge,
    progress: &mut dyn FnMut(usize, &[GameRow]),
) -> Result<Vec<Ended>, Error> {
    let opened: Result<Vec<_>, Error> = together.matches.iter().map(|job| Contest::open(game, job)).collect();
    let (contests, mut folders): (Vec<Contest<'_>>, Vec<Folder>) = opened?.into_iter().unzip();
    let wanted = |place: usize| -> Vec<usize> {
        let games = folders[place].file.games_here().into_iter();
        games.filter(|game| *game <= together.matches[place].settings.games).collect()
    };
    let line =
        |place: usize| Line::new(&wanted(place), &folders[place].rows, together.companion == Some(place));
    let mut deal = Deal::new((0..folders.len()).map(line).collect(), judge);
    let before: Vec<BTreeSet<usize>> = folders.iter().map(Folder::lasting).collect();
    (0..folders.len()).for_each(|place| progress(place, &folders[place].rows));
    play(game, together, &contests, &mut folders, &mut deal, progress)?;
    let close = |(place, mut folder): (usize, Folder)| {
        let mended = std::mem::take(&mut folder.mended);
        let counts = |row: &GameRow| {
            deal.decided(place).is_none_or(|last| row.pair <= last || before[place].contains(&row.game))
        };
        let (file, rows) = folder.close(&counts)?;
        Ok(Ended { file, rows, mended })
    };
    folders.into_iter().enumerate().map(close).collect()
}

/// What a thread says.
enum Event {
    /// It wants a pair.
    Idle,
    /// A game of the match at a place has ended.
    Ended(usize, Box<Result<(GameRow, String), Error>>),
}

/// Plays pairs as they are dealt and stores each game when it ends.
fn play<G: Game>(
    game: &G,
    together: &Together<'_>,
    contests: &[Contest<'_>],
    folders: &mut [Folder],
    deal: &mut Deal<'_>,
    progress: &mut dyn FnMut(usize, &[GameRow]),
) -> Result<(), Error> {
    let first = &together.matches[0];
    std::thread::scope(|scope| {
        // Nobody runs ahead of what is stored: a match that is stopped loses one game a thread at most.
        let (sender, events) = mpsc::sync_channel(0);
        let mut threads = Vec::new();
        for thread in 0..first.jobs.max(1) {
            let (tasks, given) = mpsc::sync_channel::<Task>(1);
            threads.push(Some(tasks));
            let sender = sender.clone();
            let core = first.cores.get(thread).copied();
            // A game may hold caches, so every thread has its own.
            let game = game.clone();
            scope.spawn(move || {
                // One that is not bound plays all the same.
                core.map(bind);
                attend(&game, thread, contests, &sender, &given);
            });
        }
        drop(sender);
        for (thread, event) in events {
            match event {
                Event::Idle => {
                    let is_over = together.until.is_some_and(|until| Instant::now() >= until);
                    let next = if is_over { None } else { deal.next() };
                    match next.zip(threads[thread].as_ref()) {
                        // A thread that waits takes it.
                        Some((task, tasks)) => drop(tasks.send(task)),
                        None => threads[thread] = None,
                    }
                }
                Event::Ended(place, done) => {
                    let stored = (*done).and_then(|(row, text)| folders[place].add(row, &text));
                    if let Err(error) = stored {
                        first.stop.store(true, Ordering::SeqCst);
                        return Err(error);
                    }
                    folders[place].rows.last().into_iter().for_each(|row| deal.hear(place, row));
                    progress(place, &folders[place].rows);
                }
            }
        }
        Ok(())
    })
}

/// A thread: asks for pairs and plays them until there are none, or the match is stopped.
fn attend<G: Game>(
    game: &G,
    thread: usize,
    contests: &[Contest<'_>],
    sender: &SyncSender<(usize, Event)>,
    tasks: &Receiver<Task>,
) {
    // The players of one match at a time: programs that wait would hold their tables.
    let mut seats = None;
    while sender.send((thread, Event::Idle)).is_ok() {
        let Ok(Task { place, games }) = tasks.recv() else { return };
        let pair = games.first().and_then(|number| contests[place].own_players(*number));
        if seats.as_ref().is_none_or(|(seated, _)| *seated != (place, pair)) {
            drop(seats.take());
        }
        let (_, players) = seats.get_or_insert_with(|| ((place, pair), contests[place].players(game, pair)));
        for number in games {
            let Some(done) = contests[place].one(game, number, players) else { return };
            if sender.send((thread, Event::Ended(place, Box::new(done)))).is_err() {
                return;
            }
        }
    }
}
