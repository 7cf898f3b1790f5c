//! One search: its lines while it goes on, and the move at its end.
//!
//! Every line that is complete is told at once. Moves of the root are told when their turn comes, once the search has
//! gone on for [`QUIET`]. What an unfinished iteration cost is told at the end, so that the last line has all nodes.

use super::dialect::Dialect;
use super::info::{self, Effort};
use super::output::Output;
use super::time::{Pace, wall};
use super::worker::Task;
use secateur_core::Window;
use secateur_core::search::{AnySearch, Limits, News, Scope};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

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
        // While nobody's clock runs, the session ends the search.
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
        let told = self.nodes_told;
        let effort = self.effort(nodes, None);
        self.spent += nodes;
        if effort.nodes == told { Ok(()) } else { self.out.line(&format!("info {effort}")) }
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
                written = teller.out.line(&info::line(teller.game, &task.root, iteration, place, effort));
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
