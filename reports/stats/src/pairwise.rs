//! Method sets against each other: which differences are shown, after correction for looking at all of them.
//!
//! Nodes are compared by a paired test of their logarithms over source games, moves by McNemar's exact test of how often each
//! method set keeps the baseline's move, with whole source games as its trials where these gave several positions. All tests of
//! one report are corrected together (Holm). A difference that is not significant is "not shown", which is not the same as none.
//!
//! Any two arms of runs that searched the same positions, under budgets that may differ, are tested by the difference at each position
//! ([`crate::contrast`]): what whoever asks for one measure by its name needs is a value at every position.

use crate::contrast::{Estimate, Searches, contrast};
use crate::group::Group;
use crate::inference::{Shown, correct};
use crate::interval::{Interval, ratio_of_sums};
use crate::labels::members;
use crate::measure::{MOVES, Measure, NODES, TIME};
use crate::spent::{Untimed, timed_arms};
use secateur_record::record::Record;
use std::collections::{BTreeMap, BTreeSet};

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
    pub fn in_nodes(&self) -> Shown {
        self.nodes.shown()
    }

    /// Above: the first keeps the move more often.
    pub fn in_moves(&self) -> Shown {
        self.moves.map_or(Shown::No, |moves| moves.shown())
    }
}

/// All pairs of method sets of fixed-depth groups that are compared, their p-values corrected together (Holm), and how many
/// tests that were.
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
pub fn between(group: &Group<'_>, measure: &Measure, first: usize, second: usize) -> Option<Interval> {
    Searches::of(group).contrast(measure, first, second).estimate.map(|estimate| estimate.within)
}

/// What the first took over what the second did, each in sum, with its interval: large searches decide.
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

/// An arm in its group.
#[derive(Clone, Copy)]
pub struct ArmOf<'g> {
    /// The searches of its game, suite and budget.
    pub searches: Searches<'g>,
    /// Its index among the method sets of the group.
    pub method: usize,
}

/// The difference of two arms over the positions that both finished; of `stage`, or of all.
///
/// # Errors
/// In words: no position in common, or a value that the record does not have.
pub fn paired_test(
    [first, second]: [ArmOf<'_>; 2],
    measure: &Measure,
    stage: Option<&str>,
) -> Result<Estimate, String> {
    let blocks = &second.searches.group.blocks;
    let others: BTreeMap<&str, _> = blocks.iter().map(|block| (&*block.base().position, block)).collect();
    let blocks = first.searches.group.blocks.iter();
    let wanted = blocks.filter(|block| stage.is_none_or(|stage| block.stage == stage));
    let both = wanted.filter_map(|block| {
        let other = others.get(&*block.base().position)?;
        Some((
            block.cluster,
            [first.searches.at(block, first.method), second.searches.at(other, second.method)],
        ))
    });
    let contrast = contrast(measure, both);
    match contrast.missing {
        0 => contrast.estimate.ok_or_else(|| "found no position that both arms searched".to_owned()),
        missing => Err(format!("{missing} positions have no value to compare by")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::row;
    use crate::group::{Group, groups};
    use crate::measure::{MOVES, NODES, NODES_SAVED, REGRET, SOLVED};
    use crate::solved::Solutions;
    use secateur_record::manifest::Solution;
    use secateur_record::record::Record;

    /// Positions at which the first arm saves between 2 and 40 times, and a second arm that takes 4 % fewer nodes at each.
    fn records() -> Vec<Record> {
        let mut records = Vec::new();
        for i in 0..40_u64 {
            let (position, nodes) = (format!("p{i}"), 250_000 + 125_000 * (37 * i % 39));
            for (arm, nodes) in [("none", 10_000_000), ("a", nodes), ("b", nodes * (959 + i % 3) / 1_000)] {
                records.push(row(&position, "28", arm, nodes));
            }
        }
        records
    }

    fn test(records: &[Record], measure: Measure) -> Result<Estimate, String> {
        let groups = groups(records);
        let arm = |name: &str| ArmOf {
            searches: Searches::of(&groups[0]),
            method: groups[0].methods.iter().position(|method| *method == name).unwrap(),
        };
        paired_test([arm("a"), arm("b")], &measure, None)
    }

    #[test]
    fn a_small_steady_difference_is_found_where_intervals_overlap() {
        let records = records();
        let nodes = test(&records, NODES).unwrap();
        assert!((1.03..1.05).contains(&nodes.within.estimate) && nodes.within.low > 1.03, "{nodes:?}");
        assert!(nodes.p < 1e-9 && nodes.n == 40);
        let groups = groups(&records);
        let [a, b] =
            [1, 2].map(|arm| crate::metrics::against_baseline(&groups[0], arm, None).speedup_geometric);
        assert!(a.high > b.low, "unpaired, nothing is seen: {a:?} {b:?}");
        let saved = test(&records, NODES_SAVED).unwrap();
        assert!((saved.spread.estimate + nodes.spread.estimate).abs() < 1e-12, "the same baseline cancels");
    }

    #[test]
    fn shares_and_losses_are_paired_by_source_game() {
        let mut records = records();
        for (index, record) in records.iter_mut().enumerate() {
            let (position, arm) = (index / 3, index % 3);
            record.regret = Some(if arm == 1 && position % 4 == 0 { 12 } else { 0 });
            if arm == 1 && position % 4 == 0 {
                (record.best_move, record.move_tied) = ("a1".into(), Some(false));
            }
        }
        let moves = test(&records, MOVES).unwrap();
        assert!((moves.within.estimate + 0.25).abs() < 1e-12 && moves.within.high < 0.0);
        assert!((moves.p - 2.0 / 1024.0).abs() < 1e-12, "ten of ten, McNemar: {}", moves.p);
        assert!((test(&records, REGRET).unwrap().spread.estimate - 3.0).abs() < 1e-12);
        // The same ten positions in one source game are one observation.
        for record in &mut records {
            record.cluster = if record.position[1..].parse::<u32>().unwrap() % 4 == 0 {
                "one".into()
            } else {
                record.position
            };
        }
        let moves = test(&records, MOVES).unwrap();
        assert!(moves.p == 1.0 && !moves.within.has_ends(), "too few to say anything: {moves:?}");
    }

    /// Five positions that only the second arm solves, one that only the first does, and one without a known solution.
    #[test]
    fn solved_positions_are_paired() {
        let mut records = records();
        let mut solutions = Solutions::new();
        for (index, record) in records.iter_mut().enumerate() {
            let (position, arm) = (index / 3, index % 3);
            let solves = position > 6 || arm != if position == 5 { 2 } else { 1 };
            record.best_move = if solves { "a1" } else { "a2" }.into();
            if position != 6 {
                let solution = Solution { best: vec!["a1".to_owned()], ..Solution::default() };
                solutions.insert((record.run, record.game, record.position), solution);
            }
        }
        let groups = groups(&records);
        let arms = [1, 2]
            .map(|method| ArmOf { searches: Searches::of(&groups[0]).with_solutions(&solutions), method });
        let estimate = paired_test(arms, &SOLVED, None).unwrap();
        assert_eq!(estimate.n, 39);
        assert!((estimate.within.estimate + 4.0 / 39.0).abs() < 1e-12, "{estimate:?}");
        // The 5:1 of six positions: McNemar's exact test.
        assert!((estimate.p - 14.0 / 64.0).abs() < 1e-12, "{estimate:?}");
    }

    /// A move that was not compared with the baseline's is left out of both arms.
    #[test]
    fn undecided_moves_are_left_out_of_the_pair() {
        let mut records = records();
        for (index, record) in records.iter_mut().enumerate() {
            let (position, arm) = (index / 3, index % 3);
            if arm == 1 && position < 10 {
                (record.best_move, record.move_tied) = ("a1".into(), (position < 6).then_some(position < 2));
            }
        }
        let moves = test(&records, MOVES).unwrap();
        assert_eq!(moves.n, 36);
        assert!((moves.within.estimate + 4.0 / 36.0).abs() < 1e-12, "{moves:?}");
    }

    #[test]
    fn what_is_not_there_is_said() {
        assert!(test(&records(), REGRET).unwrap_err().contains("40 positions have no value"));
        let mut other = records();
        other.iter_mut().for_each(|record| record.budget = 13);
        let (one, two) = (records(), other);
        let (one, two) = (groups(&one), groups(&two));
        let arm = |groups: &'_ [Group<'_>]| groups[0].methods.len() - 1;
        let arms = [
            ArmOf { searches: Searches::of(&one[0]), method: arm(&one) },
            ArmOf { searches: Searches::of(&two[0]), method: arm(&two) },
        ];
        let across = paired_test(arms, &NODES_SAVED, None).unwrap();
        assert!((across.within.estimate - 1.0).abs() < 1e-12 && across.p == 1.0);
        assert!(paired_test(arms, &NODES, Some("44")).is_err());
    }
}
