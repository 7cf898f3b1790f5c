//! What a search counts: nodes, and for each method its tries, cuts and cost by depth and stage.

use super::budget::MAX_DEPTH;

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
    #[must_use]
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
    #[must_use]
    pub fn total(&self, method: &str) -> Counter {
        self.active().filter(|(m, ..)| *m == method).fold(Counter::default(), |sum, (_, _, _, c)| Counter {
            tries: sum.tries + c.tries,
            cuts_high: sum.cuts_high + c.cuts_high,
            cuts_low: sum.cuts_low + c.cuts_low,
            probe_nodes: sum.probe_nodes + c.probe_nodes,
        })
    }
}
