//! The searching thread: takes jobs one after another and keeps the memory of the search between them.
//!
//! Every line of a search that is complete is printed at once. Moves of the root are printed when their turn comes, once the search has
//! gone on for [`QUIET`]. What an unfinished iteration cost is printed at the end, so that the last line has all nodes.
//!
//! `go mate` is answered without any method, so that a yes is a proof and a no is one too. `bench` is a fixed piece of work, whose node
//! count is the signature of a build and its settings.

use super::output::{Effort, Output, rate};
use super::time::{Pace, Plan, wall};
use super::{Dialect, output};
use secateur_base::MATE;
use secateur_core::prune::Methods;
use secateur_core::search::{AnySearch, Limits, MAX_DEPTH, News, Options, Scope};
use secateur_core::{Meter, Score, Window};
use secateur_positions::builtin;
use std::io::{self, Write};
use std::ops::ControlFlow;
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

/// Works until no sender of jobs is left. `busy` counts the jobs that can be stopped and are not finished.
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
        out.line(&format!("info depth 0 score {}", output::score::<G>(game.outcome(&task.root, 0))))?;
        Answer { best: None, reply: None }
    } else {
        let mut teller = Teller::new(game, &task, out);
        let table_mib = search.options().table_mib;
        let proven = task.mate.map(|moves| prove(&mut teller, moves, table_mib)).transpose()?.flatten();
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

/// How long a search says nothing of single moves.
const QUIET: Duration = Duration::from_secs(1);

/// The move to play, and the reply that is expected.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer<M> {
    pub(super) best: Option<M>,
    pub(super) reply: Option<M>,
}

/// Who tells of a search.
pub(super) struct Teller<'t, G: Dialect, W> {
    pub(super) game: &'t G,
    pub(super) task: &'t Task<G>,
    pub(super) out: &'t Output<W>,
    /// Nodes of searches for the same move that have ended.
    pub(super) spent: u64,
    /// Nodes that the last line said.
    nodes_told: u64,
}

impl<'t, G: Dialect, W: Write> Teller<'t, G, W> {
    pub(super) fn new(game: &'t G, task: &'t Task<G>, out: &'t Output<W>) -> Teller<'t, G, W> {
        Teller { game, task, out, spent: 0, nodes_told: 0 }
    }

    /// What ends a search: the order's limits, without what has been spent.
    pub(super) fn limits(&self) -> Limits {
        let task = self.task;
        // While no clock runs, the session ends the search.
        let hard = task.plan.hard.filter(|_| !task.pondered);
        Limits {
            depth: task.depth,
            nodes: task.nodes.saturating_sub(self.spent),
            time: hard.map(|hard| (hard.saturating_sub(self.elapsed()), wall as _)),
            stop: Some(Arc::clone(&task.stop)),
        }
    }

    pub(super) fn elapsed(&self) -> Duration {
        wall().saturating_sub(self.task.received)
    }

    pub(super) fn effort(&mut self, nodes: u64, fill: Option<u32>) -> Effort {
        self.nodes_told = self.spent + nodes;
        Effort { nodes: self.nodes_told, fill, time: self.elapsed() }
    }

    /// Tells of a move whose turn has come.
    pub(super) fn turn(&self, depth: i32, mv: G::Move, number: usize) -> io::Result<()> {
        if self.elapsed() < QUIET {
            return Ok(());
        }
        let mv = self.game.format_move(&self.task.root, mv);
        self.out.line(&format!("info depth {depth} currmove {mv} currmovenumber {number}"))
    }

    /// The search has ended after `nodes`: says so, if the last line did not.
    pub(super) fn ended(&mut self, nodes: u64) -> io::Result<()> {
        let reported = self.nodes_told;
        let effort = self.effort(nodes, None);
        self.spent += nodes;
        if effort.nodes == reported { Ok(()) } else { self.out.line(&format!("info {effort}")) }
    }
}

/// Searches for the move to play, by the methods and options of `search`.
pub(super) fn think<G: Dialect, W: Write>(
    search: &mut dyn AnySearch<G>,
    teller: &mut Teller<'_, G, W>,
    limits: &Limits,
) -> io::Result<Answer<G::Move>> {
    let task = teller.task;
    let scope = Scope { moves: task.moves.clone(), lines: task.lines, window: Window::FULL };
    let lines = task.lines.min(task.choices);
    let mut pace = Pace::new(task.plan, task.choices == 1);
    let (mut best, mut written) = (None, Ok(()));
    let outcome = search.analyse(&task.root, &task.before, limits, &scope, &mut |news| {
        let onward = match news {
            News::Turn { depth, mv, number } => {
                if written.is_ok() {
                    written = teller.turn(depth, mv, number);
                }
                true
            }
            News::Line { iteration, line, fill } => {
                let effort = teller.effort(iteration.nodes, Some(fill));
                let place = (task.lines > 1).then_some(line);
                written = teller.out.line(&output::line(teller.game, &task.root, iteration, place, effort));
                if line == 1 {
                    best = iteration.best_move();
                }
                // The iteration ends with its last line.
                line < lines || pace.onward_from(task.clock(), teller.elapsed(), best)
            }
        };
        if onward && written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    written?;
    teller.ended(outcome.tally.nodes)?;
    let best = outcome.choice();
    let line = &outcome.last().pv;
    let reply = line.get(1).copied().filter(|_| line.first().copied() == best);
    Ok(Answer { best, reply })
}

/// Most memory of a proof, MiB: it has a table of its own next to that of the search.
const MOST_TABLE: usize = 64;

/// Looks for a mate in `moves` (at least 1) for the side to move; nothing if there is none, which is said, or if a limit came
/// first. `table_mib` is the size of the search's own table. No method takes part, so that a yes is a proof and a no is one too.
///
/// Only values above a mate one move later matter, so nearly every position is left at the first move that avoids the
/// mate; what is searched is still the full width. Iterations grow, so the shortest mate is found first. Left out: how long
/// one side can put a mate off that is not there, and being mated.
pub(super) fn prove<G: Dialect, W: Write>(
    teller: &mut Teller<'_, G, W>,
    moves: u32,
    table_mib: usize,
) -> io::Result<Option<Answer<G::Move>>> {
    let task = teller.task;
    let plies = 2 * moves as i32 - 1;
    let options = Options { table_mib: table_mib.min(MOST_TABLE), ..Options::default() };
    let mut search = G::default().searcher(Methods::NONE, options);
    let limits = teller.limits();
    let limits = Limits { depth: limits.depth.min(plies), ..limits };
    let alpha = Score(MATE - plies - 1);
    let scope = Scope { moves: task.moves.clone(), lines: 1, window: Window { alpha, ..Window::FULL } };
    let (mut proven, mut shortest, mut depth, mut written) = (None, false, 0, Ok(()));
    let outcome = search.analyse(&task.root, &task.before, &limits, &scope, &mut |news| {
        match news {
            News::Turn { depth, mv, number } if written.is_ok() => written = teller.turn(depth, mv, number),
            News::Turn { .. } => {}
            News::Line { iteration, fill, .. } => {
                depth = iteration.depth;
                // Quiescence sees mates that are longer than the iteration; a shorter one may come yet.
                shortest = iteration.score > alpha && iteration.depth >= MATE - iteration.score.0;
                let effort = teller.effort(iteration.nodes, Some(fill));
                if iteration.score > alpha {
                    proven =
                        Some(Answer { best: iteration.best_move(), reply: iteration.pv.get(1).copied() });
                    written =
                        teller.out.line(&output::line(teller.game, &task.root, iteration, None, effort));
                } else {
                    // A value that is only a bound would be read as a value.
                    written = teller.out.line(&output::bare(iteration, effort));
                }
            }
        }
        if !shortest && written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    written?;
    teller.ended(outcome.tally.nodes)?;
    if proven.is_none() && depth == plies {
        teller.out.note(&format!("no mate in {moves}"))?;
    }
    Ok(proven)
}

/// Depth of a bench of chess that names none, plies.
pub const BENCH_DEPTH: i32 = 8;

/// The fixed piece of work: searches the positions of a set to `depth`, each from an empty memory, and says how many nodes that took,
/// the signature of a build and its settings, and how fast. The sum is the same every time; a stopped bench has none.
pub(super) fn bench<G: Dialect, W: Write>(
    search: &mut dyn AnySearch<G>,
    depth: i32,
    stop: &Arc<AtomicBool>,
    out: &Output<W>,
) -> io::Result<()> {
    let set = match builtin(search.game(), G::BENCH.0) {
        Ok(set) => set,
        Err(error) => return out.error(&error.to_string()),
    };
    let depth = depth.clamp(1, MAX_DEPTH);
    let limits = Limits { depth, stop: Some(Arc::clone(stop)), ..Limits::default() };
    let (mut nodes, begin) = (0, wall());
    for entry in &set.entries {
        let Ok(root) = search.game().parse(&entry.position) else { continue };
        search.forget();
        let outcome = search.go(&root, &[], &limits, &mut |_| ControlFlow::Continue(()));
        if stop.load(Ordering::Relaxed) {
            search.forget();
            return out.note("bench stopped");
        }
        let Meter { seldepth, .. } = outcome.meter;
        let mv = outcome.last().best_move().map_or("-".to_owned(), |mv| search.game().format_move(&root, mv));
        let count = outcome.tally.nodes;
        out.note(&format!("bench {} depth {depth} seldepth {seldepth} nodes {count} move {mv}", entry.id))?;
        nodes += count;
    }
    search.forget();
    out.line(&format!("{nodes} nodes {} nps", rate(nodes, wall() - begin)))
}
