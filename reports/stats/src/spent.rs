//! What the searches of each arm spent, next to what its budget allowed them.
//!
//! A program looks at its counter or clock only now and then ([`BudgetKind::allows`]), or does not keep to a budget at all. Arms of
//! which one spends more than the others are not compared at equal cost, and no sentence may say so. Left out: depths and levels,
//! which cost what they cost.

use crate::group::Group;
use secateur_record::record::{BudgetKind, Record};

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
    /// Searches that say what they spent.
    pub searches: usize,
}

/// What each arm of a group spent of its nodes or its time; nothing at a depth or a level, or where no row says it.
#[must_use]
pub fn spent<'a>(group: &Group<'a>) -> Vec<Spent<'a>> {
    let spent = |row: &Record| match group.budget_kind {
        BudgetKind::Nodes => row.nodes,
        BudgetKind::Time => Some(row.time_ns),
        BudgetKind::Depth | BudgetKind::Level => None,
    };
    let of_arm = |(index, arm): (usize, &&'a str)| {
        let all: Vec<u64> = group.blocks.iter().filter_map(|block| spent(block.rows[index])).collect();
        let most = all.iter().copied().max()?;
        Some(Spent {
            arm,
            mean: all.iter().map(|&amount| amount as f64).sum::<f64>() / all.len() as f64,
            most,
            over: all.iter().filter(|&&amount| !group.budget_kind.allows(group.budget, amount)).count(),
            searches: all.len(),
        })
    };
    group.methods.iter().enumerate().filter_map(of_arm).collect()
}

/// Whether all arms spent the same on average, and no search more than its budget allows.
#[must_use]
pub fn is_even(all: &[Spent<'_>]) -> bool {
    let Some(base) = all.first() else { return true };
    all.iter().all(|arm| arm.over == 0 && (arm.mean - base.mean).abs() <= SAME * base.mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::row;
    use crate::group::groups;

    fn of(kind: BudgetKind, budget: u64, nodes: [u64; 2]) -> Vec<Record> {
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
            let records = of(kind, budget, nodes);
            let groups = groups(&records);
            let all = spent(&groups[0]);
            assert_eq!(all.iter().map(|arm| arm.over).collect::<Vec<_>>(), over, "{all:?}");
            assert_eq!((is_even(&all), all[1].most), (even, nodes[1]), "{all:?}");
        }
        let records = of(BudgetKind::Depth, 8, [1, 100]);
        let groups = groups(&records);
        assert!(spent(&groups[0]).is_empty() && is_even(&spent(&groups[0])));
    }
}
