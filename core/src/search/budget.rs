//! How much a search may spend, and the check that stops it.
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
    #[must_use]
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
