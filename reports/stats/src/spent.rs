//! What the searches of each arm spent, next to what its budget allowed them.
//!
//! A program looks at its counter or clock only now and then ([`BudgetKind::allows`]), or does not keep to a budget at all. Arms of
//! which one spends more than the others are not compared at equal cost, and no sentence may say so. Nor are arms of which one does
//! not reach the depth that was asked ([`short`]). Left out: levels, which cost what they cost.
//!
//! Times can say something only beyond a clock's tick: a search of no more than a tick has no time. The CPU clock of another program's
//! process is read in nanoseconds where the kernel has such a clock, in ticks of 10 ms elsewhere. Which one it was is seen from the times
//! themselves. A ratio of times is made only where every search took more than a tick of its clock: without the others it would be one of
//! the longer searches.

use crate::group::{Group, is_proven};
use crate::labels::count;
use secateur_record::games::{Traits, traits};
use secateur_record::record::{BudgetKind, Record, Sanity};
use std::fmt;

/// Arms spend the same if their means lie so close, as a share of the baseline's.
const SAME: f64 = 0.05;

/// What the searches of one arm spent.
#[derive(Clone, Debug, PartialEq)]
pub struct Spent<'a> {
    /// The arm.
    pub arm: &'a str,
    /// On average, in the unit of the budget.
    pub mean: f64,
    /// The most that one search spent.
    pub most: u64,
    /// Searches that spent more than the budget allows.
    pub over: usize,
    /// Searches that spent less than a tenth of it, without a proven value.
    pub under: usize,
    /// Searches that say what they spent.
    pub searches: usize,
}

/// Whether a search ended below the depth that was asked, with neither a proven value nor the end of the game in its line.
pub fn is_short(row: &Record) -> bool {
    let is_below = |depth: u32| {
        u64::from(depth) < row.budget && Traits::plies_left(&row.stage).is_none_or(|left| depth < left)
    };
    row.budget_kind == BudgetKind::Depth
        && row.depth.is_some_and(is_below)
        && !traits(&row.game).is_some_and(|game| is_proven(game, row))
        && !matches!(row.pv_ok, Sanity::Terminal | Sanity::Repetition)
}

/// An arm whose searches did not all reach the depth that was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Short<'a> {
    /// The arm.
    pub arm: &'a str,
    /// Searches that ended below it, with neither a proven value nor the end of the game in their line.
    pub short: usize,
    /// The least depth of these.
    pub least: u32,
    /// Searches that name a depth.
    pub searches: usize,
}

/// Arms of another program that do not reach the depth that they were asked; none at other budgets. Our own search ends below its depth
/// only where nothing is left to search.
pub fn short<'a>(group: &Group<'a>) -> Vec<Short<'a>> {
    let of_arm = |(index, arm): (usize, &&'a str)| short_of(arm, blocks_of(group, index));
    group.methods.iter().enumerate().filter(|_| !group.is_ours).filter_map(of_arm).collect()
}

/// The same of the searches of one arm, where they are in no group.
pub fn short_of<'a, 'r>(arm: &'a str, rows: impl Iterator<Item = &'r Record>) -> Option<Short<'a>> {
    let all: Vec<&Record> = rows.filter(|row| row.depth.is_some()).collect();
    let short: Vec<u32> = all.iter().filter(|row| is_short(row)).filter_map(|row| row.depth).collect();
    Some(Short { arm, short: short.len(), least: short.iter().copied().min()?, searches: all.len() })
}

/// The searches of an arm.
fn blocks_of<'g, 'a>(group: &'g Group<'a>, arm: usize) -> impl Iterator<Item = &'a Record> + 'g {
    group.blocks.iter().map(move |block| block.rows[arm])
}

/// What each arm of a group spent of its nodes or its time; nothing at a depth or a level, or where no row says it.
pub fn spent<'a>(group: &Group<'a>) -> Vec<Spent<'a>> {
    let spent = |row: &Record| match group.budget_kind {
        BudgetKind::Nodes => row.nodes,
        BudgetKind::Time => Some(row.time_ns),
        BudgetKind::Depth | BudgetKind::Level => None,
    };
    let of_arm = |(index, arm): (usize, &&'a str)| {
        let all: Vec<u64> = blocks_of(group, index).filter_map(spent).collect();
        let most = all.iter().copied().max()?;
        Some(Spent {
            arm,
            mean: all.iter().map(|&amount| amount as f64).sum::<f64>() / all.len() as f64,
            most,
            over: all.iter().filter(|&&amount| !group.budget_kind.allows(group.budget, amount)).count(),
            under: blocks_of(group, index)
                .filter(|row| !group.traits.is_proven(row.score.unwrap_or_default()))
                .filter(|row| spent(row).is_some_and(|amount| amount < group.budget / 10))
                .count(),
            searches: all.len(),
        })
    };
    group.methods.iter().enumerate().filter_map(of_arm).collect()
}

/// Whether all arms spent the same on average, no search more than its budget allows, and none less than the depth that was asked.
pub fn is_even(group: &Group<'_>) -> bool {
    let all = spent(group);
    let Some(base) = all.first() else { return short(group).is_empty() };
    all.iter().all(|arm| arm.over == 0 && (arm.mean - base.mean).abs() <= SAME * base.mean)
}

/// The tick of a clock that is coarse, nanoseconds.
const COARSE: u64 = 10_000_000;
/// The tick of a clock that is not.
const FINE: u64 = 1;

/// The tick of the clock that took these times, nanoseconds: the longest of which all of them are multiples.
pub fn tick(times: impl Iterator<Item = u64> + Clone) -> u64 {
    let is_coarse = times.clone().all(|time| time.is_multiple_of(COARSE));
    if is_coarse { COARSE } else { FINE }
}

/// Why searches have no times that could be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Untimed {
    /// Searches of no more than a tick of the clock that timed them.
    pub below: usize,
    /// All searches that were to be compared.
    pub rows: usize,
}

impl fmt::Display for Untimed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} rows below the clock's tick", count(self.below as u64), count(self.rows as u64))
    }
}

/// Whether the searches of some arms have times that can be compared, each arm by its own clock.
///
/// # Errors
/// How many have none.
pub fn timed<'r>(arms: impl Iterator<Item = Vec<&'r Record>>) -> Result<(), Untimed> {
    let mut untimed = Untimed { below: 0, rows: 0 };
    for rows in arms {
        let tick = tick(rows.iter().map(|row| row.time_ns));
        untimed.below += rows.iter().filter(|row| row.time_ns <= tick).count();
        untimed.rows += rows.len();
    }
    if untimed.below == 0 { Ok(()) } else { Err(untimed) }
}

/// [`timed`], of these arms of a group.
///
/// # Errors
/// As of [`timed`].
pub fn timed_arms(group: &Group<'_>, arms: impl Iterator<Item = usize>) -> Result<(), Untimed> {
    timed(arms.map(|arm| group.blocks.iter().map(|block| block.rows[arm]).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::row;
    use crate::group::groups;

    fn records_of(kind: BudgetKind, budget: u64, nodes: [u64; 2]) -> Vec<Record> {
        let arm = |(name, nodes)| Record {
            budget_kind: kind,
            budget,
            time_ns: nodes,
            ..row("a", "28", name, nodes)
        };
        ["none", "mpc"].into_iter().zip(nodes).map(arm).collect()
    }

    #[test]
    fn arms_are_even_if_they_spend_the_same_and_keep_to_it() {
        for (kind, budget, nodes, over, even) in [
            (BudgetKind::Nodes, 500, [520, 500], [0, 0], true),
            (BudgetKind::Nodes, 500, [500, 560], [0, 0], false),
            (BudgetKind::Nodes, 500, [40_960, 40_960], [1, 1], false),
            (BudgetKind::Nodes, 500, [40_960, 81_920], [1, 1], false),
            (BudgetKind::Time, 1_000_000, [1_000_000, 202_000_001], [0, 1], false),
        ] {
            let records = records_of(kind, budget, nodes);
            let groups = groups(&records);
            let all = spent(&groups[0]);
            let is_even = is_even(&groups[0]);
            assert_eq!(all.iter().map(|arm| arm.over).collect::<Vec<_>>(), over, "{all:?}");
            assert_eq!((is_even, all[1].most), (even, nodes[1]), "{all:?}");
        }
        let records = records_of(BudgetKind::Depth, 8, [1, 100]);
        let groups = groups(&records);
        assert!(spent(&groups[0]).is_empty() && is_even(&groups[0]));
    }

    #[test]
    fn a_program_that_ends_below_its_depth_is_named_unless_a_mate_or_the_end_of_the_game_ended_it() {
        let cases = [
            (4, 13, Sanity::Short, "opening", false),
            (3, 13, Sanity::Short, "opening", true),
            (3, 13, Sanity::Ok, "opening", true),
            (3, 29_995, Sanity::Short, "opening", false),
            (3, 13, Sanity::Terminal, "opening", false),
            (3, 13, Sanity::Ok, "60", true),
            (3, 13, Sanity::Ok, "61", false),
        ];
        for (depth, score, pv_ok, stage, is_short) in cases {
            let full = Record {
                game: "chess".into(),
                stage: stage.into(),
                depth: Some(depth),
                score: Some(score),
                pv_ok,
                budget_kind: BudgetKind::Depth,
                budget: 4,
                ..row("a", "28", "full", 640)
            };
            let none = Record { methods: "none".into(), depth: Some(4), ..full.clone() };
            let records = [none, full];
            let mut groups = groups(&records);
            assert!(short(&groups[0]).is_empty(), "our own");
            groups[0].is_ours = false;
            let short_arms = short(&groups[0]);
            assert_eq!(short_arms.len(), usize::from(is_short), "{depth} {score} {pv_ok:?} {stage}");
            assert_eq!(is_even(&groups[0]), !is_short);
            if let [arm] = &short_arms[..] {
                assert_eq!((arm.arm, arm.short, arm.least, arm.searches), ("full", 1, 3, 1));
            }
        }
    }

    #[test]
    fn searches_that_end_far_below_their_budget_are_counted() {
        let records = records_of(BudgetKind::Nodes, 100_000, [90_000, 9_999]);
        let groups = groups(&records);
        assert_eq!(spent(&groups[0]).iter().map(|arm| arm.under).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn a_search_of_one_tick_has_no_time() {
        let rows = |times: &[u64]| -> Vec<Record> {
            times.iter().map(|time_ns| Record { time_ns: *time_ns, ..row("p", "s", "a", 10) }).collect()
        };
        let timed_arms = |arms: &[&[u64]]| {
            let arms: Vec<Vec<Record>> = arms.iter().map(|times| rows(times)).collect();
            timed(arms.iter().map(|rows| rows.iter().collect()))
        };
        let ms = 1_000_000;
        assert_eq!(timed_arms(&[&[20 * ms, 30 * ms], &[7, 9]]), Ok(()));
        assert_eq!(timed_arms(&[&[20 * ms, 10 * ms, 0], &[7, 9]]), Err(Untimed { below: 2, rows: 5 }));
        assert_eq!(timed_arms(&[&[0, 10 * ms + 1]]), Err(Untimed { below: 1, rows: 2 }), "no time at all");
        // A fine clock may show ten milliseconds.
        assert_eq!(timed_arms(&[&[10 * ms, 10 * ms + 1]]), Ok(()));
        let many = Untimed { below: 2_100, rows: 6_630 };
        assert_eq!(many.to_string(), "2,100 of 6,630 rows below the clock's tick");
    }
}
