//! The searching thread: takes jobs one after another and keeps the memory of the search between them.

use super::bench::bench;
use super::info;
use super::output::Output;
use super::time::{Pace, Plan, wall};
use secateur_core::search::{AnySearch, Limits, Options};
use secateur_core::{Game, Moves, Notation, Rules};
use secateur_games::chess::{Chess, Position};
use secateur_suites::ready::Ready;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;
use std::time::Duration;

/// Something to do.
pub(super) enum Job {
    /// Go on with these methods and an empty memory of this size.
    Equip(Box<Equipment>),
    /// Forget all earlier searches.
    Forget,
    /// Say this when everything before is done.
    Say(&'static str),
    /// Search for a move.
    Go(Box<Task>),
    /// Do the fixed piece of work to this depth.
    Bench(i32, Arc<AtomicBool>),
}

/// What a search is made of.
#[derive(Debug)]
pub(super) struct Equipment {
    pub(super) roster: Ready,
    pub(super) options: Options,
}

/// One move to be found.
pub(super) struct Task {
    pub(super) root: Position,
    /// Keys of the game's positions before the root, oldest first.
    pub(super) before: Vec<u64>,
    pub(super) depth: i32,
    pub(super) nodes: u64,
    pub(super) plan: Plan,
    /// When the order came, on [`wall`]: waiting for the thread is thinking time.
    pub(super) received: Duration,
    pub(super) stop: Arc<AtomicBool>,
    /// The move must not be said before the other end of this is gone.
    pub(super) hold: Option<Receiver<()>>,
}

/// Works until nobody can send another job. `busy` counts the jobs that can be stopped and are not finished.
///
/// # Errors
/// Nobody reads what is written.
pub(super) fn work<W: Write>(
    first: Equipment,
    jobs: &Receiver<Job>,
    busy: &AtomicUsize,
    out: &Output<W>,
) -> io::Result<()> {
    // The search's own is busy while it tells of its iterations; a copy for every move would copy its tables.
    let game = Chess::default();
    let mut next = Some(first);
    while let Some(equipment) = next.take() {
        let methods = equipment.roster.switched();
        let mut search = Chess::default().searcher(methods, equipment.options.clone());
        for job in jobs {
            match job {
                Job::Equip(equipment) => {
                    next = Some(*equipment);
                    break;
                }
                Job::Forget => search.forget(),
                Job::Say(text) => out.line(text)?,
                Job::Go(task) => {
                    let best = play(&game, search.as_mut(), *task, out)?;
                    busy.fetch_sub(1, Ordering::Release);
                    out.line(&format!("bestmove {best}"))?;
                }
                Job::Bench(depth, stop) => {
                    bench(search.as_mut(), depth, &stop, out)?;
                    busy.fetch_sub(1, Ordering::Release);
                }
            }
        }
    }
    Ok(())
}

/// Searches, tells of every iteration, and returns the move as it is to be said.
fn play<W: Write>(
    game: &Chess,
    search: &mut dyn AnySearch<Chess>,
    task: Task,
    out: &Output<W>,
) -> io::Result<String> {
    let Task { root, before, depth, nodes, plan, received, stop, hold } = task;
    let mut moves = Moves::<Chess>::new();
    game.moves(&root, &mut moves);
    let mut best = moves.first().map(|scored| scored.mv);
    if best.is_none() {
        out.line(&format!("info depth 0 score {}", info::score(game.outcome(&root, 0))))?;
    } else {
        let time = plan.hard.map(|hard| (hard.saturating_sub(wall().saturating_sub(received)), wall as _));
        let limits = Limits { depth, nodes, time, stop: Some(stop) };
        let mut pace = Pace::new(plan, moves.len() == 1);
        let mut written = Ok(());
        let outcome = search.go(&root, &before, &limits, &mut |found| {
            let elapsed = wall().saturating_sub(received);
            written = out.line(&info::line(game, &root, found, elapsed));
            if written.is_ok() && pace.onward(elapsed, found.best_move()) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        written?;
        best = outcome.choice().or(best);
    }
    if let Some(hold) = hold {
        // Nothing is ever sent: the wait ends when the other end is dropped.
        let _ = hold.recv();
    }
    Ok(best.map_or("0000".to_owned(), |mv| game.format_move(&root, mv)))
}
