//! The seam between the matrix and whoever searches.
//!
//! A [`Subject`] searches a position under a budget and says what it found, iteration by iteration: our own host with a
//! method set, an engine behind a protocol, a search in somebody else's crate. The matrix, the runner, the record and the
//! reports know nothing else of it. What only the inside knows (nodes in probes, counters, whether a move is tied) a subject
//! may say or leave out. Left out: how it is switched, which is a question of its arms ([`crate::matrix::ArmPlan`]).

mod engine;
mod host;
#[cfg(all(test, unix))]
mod tests;

pub(crate) use engine::Valued;
pub use engine::{Counted, EngineSubject, Isolation, ProgramArm, manners_within};
pub use host::{Host, searched};
pub(crate) use host::{SharedTable, shared_table};

use crate::allowance::Allowance;
use secateur_core::search::MAX_DEPTH;
use secateur_core::{AnyPosition, Depth, Score};
use secateur_record::record::{Bound, CounterRow, Sanity};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Whatever searches a position under a budget. One is made for each thread and arm; what it says must not depend on what it
/// searched before.
pub trait Subject: Send {
    /// Searches the position of `task` from a cleared state.
    ///
    /// # Errors
    /// Why there is no result, in one line: the cell fails, and no other. After a panic the subject is not used again.
    fn search(&mut self, task: &Task<'_>) -> Result<Found, String>;

    /// Whether a move, searched to `depth` plies that count from the root, is worth at least `bound`, so that it ties with a
    /// best move of that value; `None` if the subject cannot say. Asked of the baseline.
    fn reaches(&mut self, task: &Task<'_>, mv: &str, depth: Depth, bound: Score) -> Option<bool> {
        let _ = (task, mv, depth, bound);
        None
    }
}

/// What is to be searched.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The position as the game writes it (FEN; 64 squares and a side).
    pub position: &'a str,
    /// The same as the game has it.
    pub root: &'a AnyPosition,
    /// What the search may spend.
    pub allowance: Allowance,
    /// What a budget of time is counted on: CPU time of the thread, or wall time where other processes search.
    pub clock: fn() -> Duration,
    /// Set when the result is no longer wanted.
    pub stop: Option<&'a Arc<AtomicBool>>,
}

impl Task<'_> {
    /// The deepest iteration to search, plies.
    pub fn depth(&self) -> i32 {
        match self.allowance {
            Allowance::Depth(plies) => plies as i32,
            _ => MAX_DEPTH,
        }
    }

    /// What is found, so far nothing; the clock runs from here.
    pub fn begin(&self) -> Found {
        Found { since: Some((self.clock)()), clock: Some(self.clock), ..Found::default() }
    }

    /// The depth of the next iteration, if the budget allows one. For a search that cannot stop within an iteration: the
    /// last one may spend more than was allowed, and what it spent is what is recorded.
    pub fn next(&self, searched: &Found) -> Option<i32> {
        let last = searched.iterations.last();
        let depth = last.map_or(1, |step| step.depth as i32 + 1);
        let spent = match self.allowance {
            Allowance::Depth(_) | Allowance::Level(_) => false,
            Allowance::Nodes(nodes) => last.is_some_and(|step| step.nodes >= nodes),
            Allowance::Time(nanos) => searched.elapsed() >= Duration::from_nanos(nanos),
        };
        let stopped = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        (depth <= self.depth() && !spent && !(stopped && last.is_some())).then_some(depth)
    }
}

/// One completed iteration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Its depth, plies, as the subject counts them; 0 where it does not say.
    pub depth: u32,
    /// Nodes since the start of the search; 0 where the subject does not say.
    pub nodes: u64,
    /// Quiescence nodes among them.
    pub qnodes: u64,
    /// Value for the side to move, in the game's score unit.
    pub score: i32,
    /// Best move of the iteration.
    pub best_move: String,
    /// Principal variation, moves separated by spaces.
    pub line: String,
    /// Time since the start of the search.
    pub time: Duration,
}

/// What a subject found. Everything but the iterations may be left as it is.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The completed iterations, in order; at least one, unless the subject says nothing but its move: then the row has neither
    /// depth nor value.
    pub iterations: Vec<Step>,
    /// The move, if it is not the first of the last iteration, or there is none.
    pub best_move: Option<String>,
    /// All nodes, if they are more than those of the last iteration.
    pub nodes: Option<u64>,
    /// All quiescence nodes.
    pub qnodes: u64,
    /// Nodes inside the methods' own searches.
    pub probe_nodes: u64,
    /// Nodes answered by a table.
    pub tt_hits: u64,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// What the last value says about the true one.
    pub bound: Bound,
    /// Time of the search, if it is not that of the call.
    pub time: Option<Duration>,
    /// What methods did, without the columns that name the cell.
    pub counters: Vec<CounterRow>,
    /// Whether the move came without a search though the subject tells of those that it makes: believed where one move alone is
    /// legal, for else it is a book's, and would look like an infinitely fast search.
    pub unsearched: bool,
    /// Whether the last line can be true, if the subject knows more about it than a replay does.
    pub sanity: Option<Sanity>,
    clock: Option<fn() -> Duration>,
    since: Option<Duration>,
}

impl Found {
    /// Adds a completed iteration: depth in plies, all nodes so far, value for the side to move, and the principal variation
    /// with at least the best move.
    pub fn push(&mut self, depth: i32, nodes: u64, score: i32, line: &str) {
        let best_move = line.split_whitespace().next().unwrap_or_default().to_owned();
        let (depth, line, time) = (depth.max(0) as u32, line.to_owned(), self.elapsed());
        self.iterations.push(Step { depth, nodes, score, best_move, line, time, qnodes: 0 });
    }

    /// Counts what a method did at nodes of a depth: tests made, cuts that say at least beta or at most alpha, and nodes of
    /// its own searches.
    pub fn count(&mut self, method: &str, depth: i32, tries: u64, cuts: (u64, u64), probe_nodes: u64) {
        let (cuts_high, cuts_low) = cuts;
        let (method, depth) = (method.into(), depth.max(0) as u32);
        let row =
            CounterRow { method, depth, tries, cuts_high, cuts_low, probe_nodes, ..CounterRow::default() };
        self.counters.push(row);
    }

    /// Time since the search began.
    fn elapsed(&self) -> Duration {
        let now = self.clock.map_or(Duration::ZERO, |clock| clock());
        now.saturating_sub(self.since.unwrap_or_default())
    }
}
