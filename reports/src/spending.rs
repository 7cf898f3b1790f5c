//! What was spent, next to what was allowed, in words: of arms that do not keep to their budget no table may say that they compare.

use crate::format::count;
use secateur_record::record::BudgetKind;
use secateur_stats::group::Group;
use secateur_stats::labels::duration;
use secateur_stats::spent::{Spent, spent};

/// As many arms are named.
const NAMED: usize = 4;

/// What every arm of a program was allowed and spent; of our own search only what it spent too much. Nothing at a depth or a level.
#[must_use]
pub fn spending(group: &Group<'_>) -> Vec<String> {
    let all = spent(group);
    let mut text = Vec::new();
    if !group.is_ours && !all.is_empty() {
        text.push(format!("{}.", in_short(group, &all)));
    }
    let over: Vec<&Spent<'_>> = all.iter().filter(|arm| arm.over > 0).collect();
    if let Some(most) = over.iter().map(|arm| arm.most).max() {
        let names: Vec<&str> = over.iter().take(NAMED).map(|arm| arm.arm).collect();
        let more = over.len() - names.len();
        text.push(format!(
            "Not within this budget: {} of {} searches by {}{} spent more than may pass between two looks at a counter or clock, up to \
             {}. Arms do not compare at equal cost.",
            count(over.iter().map(|arm| arm.over as u64).sum()),
            count(over.iter().map(|arm| arm.searches as u64).sum()),
            names.join(", "),
            if more > 0 { format!(" and {more} more arms") } else { String::new() },
            amount(group, most as f64)
        ));
    }
    text
}

/// `allowed 500 nodes, spent on average 490 by full, 502 by full[-lmr]`.
fn in_short(group: &Group<'_>, all: &[Spent<'_>]) -> String {
    let each: Vec<String> =
        all.iter().map(|arm| format!("{} by {}", amount(group, arm.mean), arm.arm)).collect();
    format!("Allowed {} a search, spent on average {}", amount(group, group.budget as f64), each.join(", "))
}

/// Nodes or a time.
fn amount(group: &Group<'_>, amount: f64) -> String {
    match group.budget_kind {
        BudgetKind::Time => duration((amount / 1e5).round() as u64 * 100_000),
        _ => format!("{} nodes", count(amount.round() as u64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::record::Record;
    use secateur_stats::fixtures::row;
    use secateur_stats::group::groups;

    #[test]
    fn an_arm_that_does_not_keep_to_its_budget_is_named_with_what_it_spent() {
        let told = |kind: BudgetKind, budget: u64, spent: [u64; 2]| {
            let arm = |(name, spent)| Record {
                budget_kind: kind,
                budget,
                time_ns: spent,
                ..row("a", "28", name, spent)
            };
            let records: Vec<Record> = ["none", "mpc"].into_iter().zip(spent).map(arm).collect();
            let mut groups = groups(&records);
            groups[0].is_ours = false;
            spending(&groups[0]).join("\n")
        };
        assert_eq!(
            told(BudgetKind::Nodes, 500, [490, 512]),
            "Allowed 500 nodes a search, spent on average 490 nodes by none, 512 nodes by mpc."
        );
        let text = told(BudgetKind::Nodes, 500, [40_960, 81_920]);
        assert!(text.contains("40,960 nodes by none, 81,920 nodes by mpc"), "{text}");
        assert!(text.contains("Not within this budget: 2 of 2 searches by none, mpc spent more"), "{text}");
        let text = told(BudgetKind::Time, 50_000_000, [50_000_000, 400_000_000]);
        assert!(
            text.contains("Allowed 50 ms a search, spent on average 50 ms by none, 400 ms by mpc."),
            "{text}"
        );
        assert!(text.contains("Not within this budget: 1 of 1 searches by mpc spent"), "{text}");
        assert_eq!(told(BudgetKind::Depth, 8, [1, 2]), "");
    }
}
