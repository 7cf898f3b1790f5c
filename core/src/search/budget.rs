//! How much a search may spend, and the check that stops it.
//!
//! Depth and node budgets read no clock, so they repeat exactly. Time budgets ask a clock given by the
//! caller, because core does no input or output; the runner gives the CPU time of the searching thread.

use std::time::Duration;

/// Deepest iteration of any search.
pub const MAX_DEPTH: i32 = 64;

/// What ends a search.
#[derive(Clone, Copy, Debug)]
pub enum Budget {
    /// Iterations 1 to this depth, in plies.
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

/// Nodes between two looks at the clock: 0.6 % of a search for a thread CPU clock of 0.7 microseconds.
const POLL: u64 = 1024;

/// A running budget.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    /// Node count at which [`Limit::reached`] looks closer.
    check_at: u64,
    deadline: Option<(Duration, fn() -> Duration)>,
    nodes: u64,
}

impl Limit {
    /// A limit that never ends a search: the first iteration always completes, so that there is a move.
    pub(super) const NONE: Limit = Limit { check_at: u64::MAX, deadline: None, nodes: u64::MAX };

    pub(super) fn start(budget: &Budget) -> Limit {
        match *budget {
            Budget::Depth(_) => Limit::NONE,
            Budget::Nodes(nodes) => Limit { check_at: nodes, deadline: None, nodes },
            Budget::Time { limit, clock } => {
                Limit { check_at: 0, deadline: Some((clock() + limit, clock)), nodes: u64::MAX }
            }
        }
    }

    /// Whether the budget is spent after `nodes` nodes.
    #[inline]
    pub(super) fn reached(&mut self, nodes: u64) -> bool {
        nodes >= self.check_at && self.look(nodes)
    }

    #[cold]
    fn look(&mut self, nodes: u64) -> bool {
        if nodes >= self.nodes {
            return true;
        }
        self.check_at = nodes + POLL;
        self.deadline.is_some_and(|(deadline, clock)| clock() >= deadline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_limit_ends_at_the_node() {
        let mut limit = Limit::start(&Budget::Nodes(5000));
        assert!(!limit.reached(4999));
        assert!(limit.reached(5000));
    }

    #[test]
    fn a_time_limit_asks_the_clock_it_was_given() {
        fn noon() -> Duration {
            Duration::from_secs(12)
        }
        let mut open = Limit::start(&Budget::Time { limit: Duration::from_secs(1), clock: noon });
        assert!(!open.reached(1_000_000));
        let mut spent = Limit::start(&Budget::Time { limit: Duration::ZERO, clock: noon });
        assert!(spent.reached(1));
    }
}
