//! Method sets against each other: which differences are shown, after correction for looking at all of them.
//!
//! Nodes are compared by a paired test of their logarithms over source games, moves by McNemar's exact test of how often each
//! method set keeps the baseline's move, with whole source games as its trials where these gave several positions. All tests of one report are corrected together (Holm). A difference that
//! is not significant is "not shown", which is not the same as none.

use crate::arm::members;
use crate::clock::{Untimed, timed_arms};
use crate::contrast::{Estimate, Searches};
use crate::group::Group;
use crate::inference::{Shown, correct};
use crate::interval::{Interval, ratio_of_sums};
use crate::measure::{MOVES, Measure, NODES, TIME};
use secateur_record::record::Record;
use std::collections::BTreeSet;

/// In a group with more method sets than this only those are compared that differ in one method: with every pair tested
/// hardly any difference would survive the correction, and most pairs answer no question.
pub const MOST: usize = 12;

/// Two method sets of one group, and what the first has more or less of.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// Index of the group.
    pub group: usize,
    /// Index of a method set.
    pub first: usize,
    /// Index of another.
    pub second: usize,
    /// Nodes, the test corrected.
    pub nodes: Estimate,
    /// Moves kept, the test corrected; `None` where no move is decided.
    pub moves: Option<Estimate>,
}

impl Pair {
    /// Above: the first takes more nodes.
    #[must_use]
    pub fn in_nodes(&self) -> Shown {
        self.nodes.shown()
    }

    /// Above: the first keeps the move more often.
    #[must_use]
    pub fn in_moves(&self) -> Shown {
        self.moves.map_or(Shown::No, |moves| moves.shown())
    }
}

/// All pairs of method sets of fixed-depth groups that are compared, their p-values corrected together (Holm), and how many
/// tests that were.
#[must_use]
pub fn pairs(groups: &[Group<'_>]) -> (Vec<Pair>, usize) {
    let usable = |group: &Group<'_>| group.is_fixed_depth() && group.blocks.len() > 1;
    let mut pairs: Vec<Pair> = Vec::new();
    for (index, group) in groups.iter().enumerate().filter(|(_, group)| usable(group)) {
        let all = group.methods.len();
        for first in 1..all {
            let others = (first + 1..all).filter(|&second| all <= MOST || neighbours(group, first, second));
            pairs.extend(others.filter_map(|second| pair(group, index, first, second)));
        }
    }
    let tests = correct(
        pairs
            .iter_mut()
            .flat_map(|pair| [&mut pair.nodes].into_iter().chain(&mut pair.moves))
            .map(|test| &mut test.p),
    );
    (pairs, tests)
}

/// Whether one of two method sets is the other with one method more.
fn neighbours(group: &Group<'_>, first: usize, second: usize) -> bool {
    let [first, second] =
        [first, second].map(|i| members(group.methods[i]).into_iter().collect::<BTreeSet<_>>());
    first.symmetric_difference(&second).count() == 1
}

fn pair(group: &Group<'_>, index: usize, first: usize, second: usize) -> Option<Pair> {
    let [nodes, moves] =
        [NODES, MOVES].map(|measure| Searches::of(group).contrast(&measure, first, second).estimate);
    Some(Pair { group: index, first, second, nodes: nodes?, moves })
}

/// One method set over another by a measure, over the blocks of which both rows have a value; `None` if there is none.
#[must_use]
pub fn between(group: &Group<'_>, measure: &Measure, first: usize, second: usize) -> Option<Interval> {
    Searches::of(group).contrast(measure, first, second).estimate.map(|estimate| estimate.within)
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

/// CPU time of one method set over that of another.
///
/// # Errors
/// [`Untimed`] where a search took no more than a tick of its clock.
pub fn time_ratio(group: &Group<'_>, first: usize, second: usize) -> Result<Interval, Untimed> {
    timed_arms(group, [first, second].into_iter())?;
    between(group, &TIME, first, second).ok_or(Untimed { below: 0, rows: 0 })
}
