//! The searching thread: takes jobs one after another and keeps the memory of the search between them.

use super::bench::bench;
use super::dialect::Dialect;
use super::info;
use super::mate::prove;
use super::output::Output;
use super::think::{Answer, Teller, think};
use super::time::Plan;
use secateur_core::prune::Methods;
use secateur_core::search::{AnySearch, Options};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Something to do.
pub(super) enum Job<G: Dialect> {
    /// Go on with these methods and an empty memory of this size.
    Equip(Box<Equipment>),
    /// Forget all earlier searches.
    Forget,
    /// Say this when everything before is done.
    Say(String),
    /// Search for a move.
    Go(Box<Task<G>>),
    /// Do the fixed piece of work to this depth.
    Bench(i32, Arc<AtomicBool>),
}

/// What a search is made of.
#[derive(Debug)]
pub(super) struct Equipment {
    pub(super) methods: Methods,
    pub(super) options: Options,
}

/// One move to be found.
pub(super) struct Task<G: Dialect> {
    pub(super) root: G::Position,
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
    /// The moves to be searched; empty for all.
    pub(super) moves: Vec<G::Move>,
    /// How many moves that are.
    pub(super) choices: usize,
    /// How many of the best have a line of their own.
    pub(super) lines: usize,
    /// A mate in so many moves is to be proven.
    pub(super) mate: Option<u32>,
    /// Whether the order was to ponder: the session keeps the time then.
    pub(super) pondered: bool,
    /// When the clock began to run, on [`wall`]; nothing while it does not.
    pub(super) begun: Arc<OnceLock<Duration>>,
}

impl<G: Dialect> Task<G> {
    /// When the clock began to run, counted from the order.
    pub(super) fn clock(&self) -> Option<Duration> {
        self.begun.get().map(|begun| begun.saturating_sub(self.received))
    }
}

/// Works until nobody can send another job. `busy` counts the jobs that can be stopped and are not finished.
///
/// # Errors
/// Nobody reads what is written.
pub(super) fn work<G: Dialect, W: Write>(
    first: Equipment,
    jobs: &Receiver<Job<G>>,
    busy: &AtomicUsize,
    out: &Output<W>,
) -> io::Result<()> {
    // The search's own is busy while it tells of its iterations; a copy for every move would copy its tables.
    let game = G::default();
    let mut next = Some(first);
    while let Some(equipment) = next.take() {
        let methods = &equipment.methods;
        let mut search = G::default().searcher(methods, equipment.options.clone());
        search.count_methods(false);
        for job in jobs {
            match job {
                Job::Equip(equipment) => {
                    next = Some(*equipment);
                    break;
                }
                Job::Forget => search.forget(),
                Job::Say(text) => out.line(&text)?,
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

/// Searches and returns the answer as it is to be said, no sooner than that is allowed.
fn play<G: Dialect, W: Write>(
    game: &G,
    search: &mut dyn AnySearch<G>,
    task: Task<G>,
    out: &Output<W>,
) -> io::Result<String> {
    let answer = if task.choices == 0 {
        out.line(&format!("info depth 0 score {}", info::score::<G>(game.outcome(&task.root, 0))))?;
        Answer { best: None, reply: None }
    } else {
        let mut teller = Teller::new(game, &task, out);
        let proven = match task.mate {
            Some(moves) => prove(&mut teller, moves, search.options().table_mib)?,
            None => None,
        };
        match proven {
            Some(answer) => answer,
            None => {
                let mut limits = teller.limits();
                if let Some(moves) = task.mate {
                    // There is no mate to be found, or no time to find it: some move must be said all the same.
                    limits.depth = limits.depth.min(2 * moves as i32 - 1);
                }
                think(search, &mut teller, &limits)?
            }
        }
    };
    if let Some(hold) = &task.hold {
        // Nothing is ever sent: the wait ends when the other end is dropped.
        let _ = hold.recv();
    }
    let Some(best) = answer.best else { return Ok(G::NO_MOVE.to_owned()) };
    let text = game.format_move(&task.root, best);
    Ok(match answer.reply {
        Some(reply) => format!("{text} ponder {}", game.format_move(&game.play(&task.root, best), reply)),
        None => text,
    })
}
