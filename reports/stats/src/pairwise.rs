//! Method sets against each other: which differences are shown, after correction for looking at all of them.
//!
//! Nodes are compared by a paired test of their logarithms over source games, moves by McNemar's exact test of how often each
//! method set keeps the baseline's move, with whole source games as its trials where these gave several positions. All tests of one report are corrected together (Holm). A difference that
//! is not significant is "not shown", which is not the same as none.

use crate::arm::members;
use crate::clock::{Untimed, timed_arms};
use crate::group::{Block, Group};
use crate::inference::{Shown, Test, holm, paired, shown, sign_flip};
use crate::interval::{Interval, mean, mean_spread, ratio_of_sums};
use crate::metrics::same_move;
use secateur_record::record::Record;
use std::collections::BTreeSet;

/// In a group with more method sets than this only those are compared that differ in one method: with every pair tested
/// hardly any difference would survive the correction, and most pairs answer no question.
pub const MOST: usize = 12;

/// Two method sets of one group.
#[derive(Clone, Copy, Debug)]
pub struct Contrast {
    /// Index of the group.
    pub group: usize,
    /// Index of a method set.
    pub first: usize,
    /// Index of another.
    pub second: usize,
    /// Positions on which only the first, and only the second, keeps the baseline's move.
    pub only: [u64; 2],
    /// ln(nodes of the first / nodes of the second), the mean over positions.
    pub log_nodes: f64,
    /// p-value of that being 0 (Student), corrected.
    pub p_nodes: f64,
    /// p-value of both keeping the move as often (McNemar), corrected.
    pub p_moves: f64,
}

impl Contrast {
    /// Above: the first takes more nodes.
    #[must_use]
    pub fn in_nodes(&self) -> Shown {
        shown(Test { effect: self.log_nodes, p: self.p_nodes })
    }

    /// Above: the first keeps the move more often.
    #[must_use]
    pub fn in_moves(&self) -> Shown {
        shown(Test { effect: self.only[0] as f64 - self.only[1] as f64, p: self.p_moves })
    }
}

/// All pairs of method sets of fixed-depth groups that are compared, their p-values corrected together (Holm), and how many
/// tests that were.
#[must_use]
pub fn contrasts(groups: &[Group<'_>]) -> (Vec<Contrast>, usize) {
    let usable = |group: &Group<'_>| group.is_fixed_depth() && group.blocks.len() > 1;
    let mut pairs: Vec<Contrast> = Vec::new();
    for (index, group) in groups.iter().enumerate().filter(|(_, group)| usable(group)) {
        let all = group.methods.len();
        for first in 1..all {
            let others = (first + 1..all).filter(|&second| all <= MOST || neighbours(group, first, second));
            pairs.extend(others.map(|second| contrast(groups, index, first, second)));
        }
    }
    let all: Vec<f64> = pairs.iter().flat_map(|pair| [pair.p_nodes, pair.p_moves]).collect();
    let tests = all.iter().filter(|p| !p.is_nan()).count();
    for (pair, corrected) in pairs.iter_mut().zip(holm(&all).chunks(2)) {
        (pair.p_nodes, pair.p_moves) = (corrected[0], corrected[1]);
    }
    (pairs, tests)
}

/// Whether one of two method sets is the other with one method more.
fn neighbours(group: &Group<'_>, first: usize, second: usize) -> bool {
    let [first, second] =
        [first, second].map(|i| members(group.methods[i]).into_iter().collect::<BTreeSet<_>>());
    first.symmetric_difference(&second).count() == 1
}

fn contrast(groups: &[Group<'_>], index: usize, first: usize, second: usize) -> Contrast {
    let group = &groups[index];
    let logs: Vec<Vec<f64>> = group
        .clusters(None)
        .iter()
        .map(|items| items.iter().map(|&i| log_ratio(group, i, first, second)).collect())
        .collect();
    let mut only = [0, 0];
    let is_open = group.is_open();
    let open = |block: &&Block<'_>| [first, second].iter().any(|&of| is_open(block, of));
    let mut kept_more = Vec::new();
    for items in group.clusters(None) {
        let mut more = 0.0;
        for block in items.iter().map(|&item| &group.blocks[item]).filter(|block| !open(block)) {
            let kept = [first, second].map(|method| same_move(block.base(), block.rows[method]));
            only[0] += u64::from(kept[0] && !kept[1]);
            only[1] += u64::from(kept[1] && !kept[0]);
            more += f64::from(kept[0]) - f64::from(kept[1]);
        }
        kept_more.push(more);
    }
    let p_nodes = paired(&logs).unwrap_or(f64::NAN);
    let log_nodes = mean(&logs.concat());
    Contrast { group: index, first, second, only, log_nodes, p_nodes, p_moves: sign_flip(&kept_more) }
}

/// ln(nodes of the first / nodes of the second) of one block.
fn log_ratio(group: &Group<'_>, block: usize, first: usize, second: usize) -> f64 {
    let rows = &group.blocks[block].rows;
    (rows[first].some_nodes() / rows[second].some_nodes()).ln()
}

/// Geometric mean of nodes of the first over nodes of the second, with its interval.
#[must_use]
pub fn node_ratio(group: &Group<'_>, first: usize, second: usize) -> Interval {
    geometric(group, |block| log_ratio(group, block, first, second))
}

/// What the first took over what the second did, each in sum, with its interval: large searches decide.
#[must_use]
pub fn sum_ratio(group: &Group<'_>, first: usize, second: usize, value: impl Fn(&Record) -> f64) -> Interval {
    let sums = |items: Vec<usize>| {
        let sum = |arm: usize| items.iter().map(|&block| value(group.blocks[block].rows[arm])).sum();
        [sum(first), sum(second)]
    };
    ratio_of_sums(&group.clusters(None).into_iter().map(sums).collect::<Vec<_>>())
}

/// The same of any count, over the blocks of which both rows have it; `None` if there is none.
#[must_use]
pub fn count_ratio(
    group: &Group<'_>,
    first: usize,
    second: usize,
    count: impl Fn(&Record) -> Option<u64>,
) -> Option<Interval> {
    let of = |block: usize, arm: usize| Some(count(group.blocks[block].rows[arm])?.max(1) as f64);
    let logs = (0..group.blocks.len()).map(|block| Some((of(block, first)? / of(block, second)?).ln()));
    let logs: Vec<Option<f64>> = logs.collect();
    let known =
        |items: Vec<usize>| -> Vec<f64> { items.into_iter().filter_map(|block| logs[block]).collect() };
    let clusters = group.clusters(None).into_iter().map(known).filter(|logs| !logs.is_empty());
    let totals: Vec<[f64; 2]> = clusters.map(|logs| [logs.iter().sum(), logs.len() as f64]).collect();
    (!totals.is_empty()).then(|| mean_spread(&totals).student().exp())
}

/// [`count_ratio`] of CPU times.
///
/// # Errors
/// [`Untimed`] where a search took no more than a tick of its clock.
pub fn time_ratio(group: &Group<'_>, first: usize, second: usize) -> Result<Interval, Untimed> {
    timed_arms(group, [first, second].into_iter())?;
    let ratio = count_ratio(group, first, second, |row| Some(row.time_ns));
    ratio.ok_or(Untimed { below: 0, rows: 0 })
}

/// The exponential of the mean over blocks, with its interval over source games.
fn geometric(group: &Group<'_>, log: impl Fn(usize) -> f64) -> Interval {
    let of = |items: Vec<usize>| [items.iter().map(|&block| log(block)).sum(), items.len() as f64];
    mean_spread(&group.clusters(None).into_iter().map(of).collect::<Vec<[f64; 2]>>()).student().exp()
}
