//! What a comparison of one method set with the baseline comes to: numbers alone, computed in [`crate::metrics`] and kept by
//! the group that they are of.

use crate::interval::Interval;

/// What a table says about one method set in one group, or one stage of it.
#[derive(Clone, Debug)]
pub struct AgainstBaseline {
    /// Positions compared.
    pub n: usize,
    /// Mean nodes.
    pub nodes: f64,
    /// Standard deviation of the nodes, n - 1.
    pub nodes_sd: f64,
    /// Ratio of mean nodes, baseline over method (Buro 1995).
    pub speedup_means: Interval,
    /// Geometric mean of the ratios of nodes by position.
    pub speedup_geometric: Interval,
    /// p-value of the geometric speed-up being 1 (Student's paired test), not corrected.
    pub p_nodes: f64,
    /// Share of positions with the baseline's move, ties counted.
    pub same_move: Option<Interval>,
    /// Share of positions with the baseline's value.
    pub same_value: Option<Interval>,
    /// Share of positions with the baseline's value to the nearest whole unit that people read, the resolution of coarser programs.
    pub same_whole: Option<Interval>,
    /// Mean absolute difference of values, in score units, over the positions at which neither value is proven: a mate is no number
    /// of pawns.
    pub value_difference: Interval,
    /// Positions left out of it, because one of the two values is proven (a mate, a win by a table).
    pub proven: usize,
    /// Mean depth of the last completed iteration; at a budget of nodes or time without the finished positions.
    pub depth: f64,
    /// Nodes in probes over all nodes.
    pub probe_share: f64,
    /// Nodes a second of CPU time, all positions together.
    pub nodes_per_second: f64,
    /// Mean nodes to the power 1 / depth (Buro 1995, table 2).
    pub branching: f64,
}
