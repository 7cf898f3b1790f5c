//! How much a search may spend, the check that stops it, and what it counts: nodes, and for each method its tries, cuts and
//! cost by depth and stage.
//!
//! Depth and node budgets read no clock, so they repeat exactly. Time budgets ask a clock given by the
//! caller, because core does no input or output; the runner gives the CPU time of the searching thread.
//! A [`Budget`] is what a measurement has; [`Limits`] are what a player has, several at once and a flag to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub use secateur_base::options::MAX_DEPTH;

/// What ends a search.
#[derive(Clone, Copy, Debug)]
pub enum Budget {
    /// Iterations up to this depth, in plies.
    Depth(i32),
    /// At most this many nodes; the last completed iteration counts.
    Nodes(u64),
    /// At most this much time on `clock`; the last completed iteration counts.
    Time {
        /// Time allowed from the start of the search.
        limit: Duration,
        /// Monotonic clock, asked every 1,024 nodes.
        clock: fn() -> Duration,
    },
}

impl Budget {
    /// Deepest iteration to start.
    pub fn max_depth(&self) -> i32 {
        match *self {
            Budget::Depth(depth) => depth.clamp(1, MAX_DEPTH),
            Budget::Nodes(_) | Budget::Time { .. } => MAX_DEPTH,
        }
    }
}

/// What ends a search of a player: whatever comes first.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Deepest iteration, 1 to [`MAX_DEPTH`].
    pub depth: i32,
    /// Most nodes.
    pub nodes: u64,
    /// Most time on a monotonic clock, from the start of the search.
    pub time: Option<(Duration, fn() -> Duration)>,
    /// Ends the search soon after it is set; only a search with this flag looks at it.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    /// No limit but the deepest iteration.
    fn default() -> Limits {
        Limits { depth: MAX_DEPTH, nodes: u64::MAX, time: None, stop: None }
    }
}

impl From<&Budget> for Limits {
    fn from(budget: &Budget) -> Limits {
        let depth = budget.max_depth();
        match *budget {
            Budget::Depth(_) => Limits { depth, ..Limits::default() },
            Budget::Nodes(nodes) => Limits { nodes, ..Limits::default() },
            Budget::Time { limit, clock } => Limits { time: Some((limit, clock)), ..Limits::default() },
        }
    }
}

/// Nodes between two looks at the clock: 0.6 % of a search for a thread CPU clock of 0.7 microseconds.
const POLL: u64 = 1024;

/// Running limits.
#[derive(Clone, Debug)]
pub(super) struct Limit {
    /// Node count at which [`Limit::reached`] looks closer.
    check_at: u64,
    deadline: Option<(Duration, fn() -> Duration)>,
    nodes: u64,
    stop: Option<Arc<AtomicBool>>,
}

impl Limit {
    /// A limit that never ends a search: the first iteration always completes, so that there is a move.
    pub(super) const NONE: Limit = Limit { check_at: u64::MAX, deadline: None, nodes: u64::MAX, stop: None };

    pub(super) fn start(limits: &Limits) -> Limit {
        let deadline = limits.time.map(|(limit, clock)| (clock() + limit, clock));
        let polls = deadline.is_some() || limits.stop.is_some();
        let check_at = if polls { 0 } else { limits.nodes };
        Limit { check_at, deadline, nodes: limits.nodes, stop: limits.stop.clone() }
    }

    /// Whether the budget is spent after `nodes` nodes.
    #[inline]
    pub(super) fn reached(&mut self, nodes: u64) -> bool {
        nodes >= self.check_at && self.look(nodes)
    }

    /// Whether this many nodes after `nodes` are within a budget of nodes.
    #[inline]
    pub(super) fn allows(&self, nodes: u64, more: u64) -> bool {
        nodes.saturating_add(more) < self.nodes
    }

    #[cold]
    fn look(&mut self, nodes: u64) -> bool {
        if nodes >= self.nodes {
            return true;
        }
        self.check_at = (nodes + POLL).min(self.nodes);
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|(deadline, clock)| clock() >= deadline)
    }
}

/// Room for every ply that a line can have: forced passes cost no depth, so twice the depth.
pub(crate) const PLIES: usize = 2 * MAX_DEPTH as usize + 2;

/// Upper bound of the stages of a game.
pub const MAX_STAGES: usize = 16;

/// What one method did at one depth and stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counter {
    /// Tests made: check searches, null-move searches, moves weighed.
    pub tries: u64,
    /// Cuts that claim value >= beta.
    pub cuts_high: u64,
    /// Cuts that claim value <= alpha, moves skipped, depths shortened.
    pub cuts_low: u64,
    /// Nodes of the method's own searches, nested ones included.
    pub probe_nodes: u64,
}

/// Counters of one search.
#[derive(Clone, Debug)]
pub struct Tally {
    /// Nodes, all kinds: interior, horizon, quiescence, in probes or not.
    pub nodes: u64,
    /// Nodes inside probes of any method.
    pub probe_nodes: u64,
    /// Nodes answered by the table.
    pub tt_hits: u64,
    /// By method and stage: nothing until something is counted, then a counter for every depth.
    counters: Vec<Option<Box<Row>>>,
    /// The name of each method.
    names: Vec<&'static str>,
    /// Whether the counters are kept.
    pub(super) counted: bool,
    /// What is counted into where they are not.
    nowhere: Counter,
}

/// The counters of a method at a stage, one for every depth from 0 to [`MAX_DEPTH`].
type Row = [Counter; MAX_DEPTH as usize + 1];

impl Tally {
    /// Zero counters for methods of these names.
    pub fn new(names: Vec<&'static str>) -> Tally {
        let counters = vec![None; names.len() * MAX_STAGES];
        Tally {
            nodes: 0,
            probe_nodes: 0,
            tt_hits: 0,
            counters,
            names,
            counted: true,
            nowhere: Counter::default(),
        }
    }

    /// The counter of a method, by its place among the methods of the search, at a depth (1 to [`MAX_DEPTH`]) and the stage that
    /// `stage` tells, which is asked only where counters are kept.
    #[inline]
    pub fn counter(&mut self, index: usize, stage: impl FnOnce() -> usize, depth: i32) -> &mut Counter {
        if !self.counted {
            return &mut self.nowhere;
        }
        let at = index * MAX_STAGES + stage();
        if !matches!(self.counters.get(at), Some(Some(_))) {
            self.begin(at);
        }
        match self.counters.get_mut(at) {
            Some(Some(row)) => &mut row[depth.clamp(0, MAX_DEPTH) as usize],
            _ => &mut self.nowhere,
        }
    }

    #[cold]
    #[inline(never)]
    fn begin(&mut self, at: usize) {
        self.counters[at] = Some(Box::new([Counter::default(); MAX_DEPTH as usize + 1]));
    }

    /// All counters that are not zero, as (method, stage, depth, counter), in the order of asking.
    pub fn active(&self) -> impl Iterator<Item = (&'static str, usize, i32, Counter)> + '_ {
        let rows = self.counters.iter().enumerate().filter_map(|(at, row)| Some((at, row.as_deref()?)));
        rows.flat_map(|(at, row)| {
            let (name, stage) = (self.names[at / MAX_STAGES], at % MAX_STAGES);
            let counted = row.iter().enumerate().filter(|(_, counter)| **counter != Counter::default());
            counted.map(move |(depth, counter)| (name, stage, depth as i32, *counter))
        })
    }

    /// Sum over depths and stages of one method's counters.
    pub fn total(&self, method: &str) -> Counter {
        self.active().filter(|(m, ..)| *m == method).fold(Counter::default(), |sum, (_, _, _, c)| Counter {
            tries: sum.tries + c.tries,
            cuts_high: sum.cuts_high + c.cuts_high,
            cuts_low: sum.cuts_low + c.cuts_low,
            probe_nodes: sum.probe_nodes + c.probe_nodes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(budget: Budget) -> Limit {
        Limit::start(&Limits::from(&budget))
    }

    #[test]
    fn a_node_limit_ends_at_the_node() {
        let mut limit = limit(Budget::Nodes(5000));
        assert!(!limit.reached(4999));
        assert!(limit.reached(5000));
    }

    #[test]
    fn a_time_limit_asks_the_clock_it_was_given() {
        fn noon() -> Duration {
            Duration::from_secs(12)
        }
        let mut open = limit(Budget::Time { limit: Duration::from_secs(1), clock: noon });
        assert!(!open.reached(1_000_000));
        let mut spent = limit(Budget::Time { limit: Duration::ZERO, clock: noon });
        assert!(spent.reached(1));
    }

    #[test]
    fn a_flag_ends_a_search_within_a_poll_and_nodes_still_count() {
        let stop = Arc::new(AtomicBool::new(false));
        let limits = Limits { nodes: 5000, stop: Some(Arc::clone(&stop)), ..Limits::default() };
        let mut limit = Limit::start(&limits);
        assert!(!limit.reached(1));
        assert!(!limit.reached(4999), "the next look is no later than the last node");
        assert!(limit.reached(5000));
        let mut limit = Limit::start(&limits);
        assert!(!limit.reached(1));
        stop.store(true, Ordering::Relaxed);
        assert!(limit.reached(1 + POLL));
    }
}
