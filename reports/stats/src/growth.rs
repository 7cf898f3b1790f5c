//! How fast the tree of each method set grows: cumulative nodes by depth, with the branching factor.

use crate::arm::members;
use crate::group::{Block, Group};
use crate::interval::mean;
use crate::metrics::Iterations;
use crate::metrics::is_finished;
use std::collections::BTreeMap;

/// More lines than this cannot be told apart: then single methods, and all together, stand for the rest.
const MOST: usize = 14;

/// Cumulative nodes of one method set by depth: geometric means over the positions that reached the depth with every
/// method set shown.
#[derive(Clone, Debug)]
pub struct Curve<'a> {
    /// The method set.
    pub methods: &'a str,
    /// Depth and nodes.
    pub points: Vec<(u32, f64)>,
    /// (N_D / N_{D-2k})^(1/(2k)) of the means, k = 2 or 1.
    pub branching: Option<f64>,
}

/// The curves of a group: those of all method sets, or of single methods and all together where they are too many.
#[must_use]
pub fn curves<'a>(group: &Group<'a>, cells: &Iterations<'_>) -> Vec<Curve<'a>> {
    let many = group.methods.len() > MOST;
    let largest = group.methods.iter().map(|m| members(m).len()).max().unwrap_or(0);
    let shown = |methods: &str| {
        let count = members(methods).len();
        !many || count <= 1 || count == largest
    };
    let wanted: Vec<usize> = (0..group.methods.len()).filter(|&i| shown(group.methods[i])).take(28).collect();
    // By depth, by position: the nodes of each wanted method set.
    let mut sums = BTreeMap::<u32, Vec<Vec<f64>>>::new();
    // Where a mate was found, further iterations are next to free.
    let open = |block: &&Block<'_>| !wanted.iter().any(|&set| is_finished(&group.traits, block.rows[set]));
    for block in group.blocks.iter().filter(open) {
        let own: Option<Vec<&Vec<(u32, u64)>>> = wanted
            .iter()
            .map(|&i| {
                let row = block.rows[i];
                cells.get(&(&*row.game, &*row.position, &*row.methods, row.budget_kind, row.budget))
            })
            .collect();
        let Some(own) = own else { continue };
        let shallowest = own.iter().filter_map(|depths| depths.last()).map(|last| last.0).min().unwrap_or(0);
        for depth in 1..=shallowest {
            let at = |depths: &&Vec<(u32, u64)>| {
                depths.iter().find(|d| d.0 == depth).map(|d| (d.1.max(1) as f64).ln())
            };
            if let Some(logs) = own.iter().map(at).collect() {
                sums.entry(depth).or_default().push(logs);
            }
        }
    }
    // A depth that only some positions reached would bend the curve.
    let most = sums.values().map(Vec::len).max().unwrap_or(0);
    sums.retain(|_, positions| positions.len() == most);
    let curve = |(at, &index): (usize, &usize)| {
        let points: Vec<(u32, f64)> = sums
            .iter()
            .map(|(depth, logs)| (*depth, mean(&logs.iter().map(|l| l[at]).collect::<Vec<_>>()).exp()))
            .collect();
        let branching = branching(&points);
        Curve { methods: group.methods[index], points, branching }
    };
    wanted.iter().enumerate().map(curve).collect()
}

fn branching(points: &[(u32, f64)]) -> Option<f64> {
    let &(deepest, last) = points.last()?;
    [2, 1].into_iter().find_map(|k| {
        let &(_, first) = points.iter().find(|(depth, _)| depth + 2 * k == deepest)?;
        Some((last / first).powf(1.0 / f64::from(2 * k)))
    })
}
