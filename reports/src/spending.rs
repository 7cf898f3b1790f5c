//! What was spent, next to what was allowed, in words: of arms that do not keep to their budget no table may say that they compare.

use crate::format::count;
use secateur_record::record::{BudgetKind, Record};
use secateur_stats::group::Group;
use secateur_stats::labels::duration;
use secateur_stats::spent::{Short, Spent, short, short_of, spent};

/// As many arms are named.
const NAMED: usize = 4;

/// What every arm of a program was allowed and spent; of our own search only what it spent too much. At a depth only whose searches did
/// not reach it; nothing at a level.
pub fn spending(group: &Group<'_>) -> Vec<String> {
    let all = spent(group);
    let mut text = Vec::new();
    if !group.is_ours && !all.is_empty() {
        text.push(format!("{}.", in_short(group, &all)));
    }
    text.extend(not_reached(group.budget, &short(group)));
    let under: Vec<&Spent<'_>> = all.iter().filter(|arm| !group.is_ours && arm.under > 0).collect();
    if !under.is_empty() {
        text.push(format!(
            "Far below this budget: {} of {} searches by {} spent less than a tenth of it, without a mate or another proven value.",
            count(under.iter().map(|arm| arm.under as u64).sum()),
            count(under.iter().map(|arm| arm.searches as u64).sum()),
            named(under.iter().map(|arm| arm.arm))
        ));
    }
    let over: Vec<&Spent<'_>> = all.iter().filter(|arm| arm.over > 0).collect();
    if let Some(most) = over.iter().map(|arm| arm.most).max() {
        text.push(format!(
            "Not within this budget: {} of {} searches by {} spent more than may pass between two looks at a counter or clock, up to \
             {}. Arms do not compare at equal cost.",
            count(over.iter().map(|arm| arm.over as u64).sum()),
            count(over.iter().map(|arm| arm.searches as u64).sum()),
            named(over.iter().map(|arm| arm.arm)),
            amount(group, most as f64)
        ));
    }
    text
}

/// The same of these arms of other programs, where their searches are in no group.
pub(crate) fn not_reached_by<'a>(
    arms: impl Iterator<Item = &'a str>,
    asked: u64,
    rows: &[&Record],
) -> Option<String> {
    let of_arm = |arm| short_of(arm, rows.iter().copied().filter(|row| row.methods == arm));
    not_reached(asked, &arms.filter_map(of_arm).collect::<Vec<_>>())
}

/// What was reached next to the depth that was asked, where it is less.
fn not_reached(asked: u64, arms: &[Short<'_>]) -> Option<String> {
    let least = arms.iter().map(|arm| arm.least).min()?;
    Some(format!(
        "Not at depth {asked}: {} of {} searches by {} ended below it, at depth {least} the earliest, with neither a mate nor the end of the \
         game in their line. Arms do not compare at one depth.",
        count(arms.iter().map(|arm| arm.short as u64).sum()),
        count(arms.iter().map(|arm| arm.searches as u64).sum()),
        named(arms.iter().map(|arm| arm.arm))
    ))
}

/// The first arms by name, and how many more there are.
fn named<'a>(arms: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = arms.len().saturating_sub(NAMED);
    let names: Vec<&str> = arms.take(NAMED).collect();
    let others = if more > 0 { format!(" and {more} more arms") } else { String::new() };
    format!("{}{others}", names.join(", "))
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
        let sentences_of = |kind: BudgetKind, budget: u64, spent: [u64; 2]| {
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
            sentences_of(BudgetKind::Nodes, 500, [490, 512]),
            "Allowed 500 nodes a search, spent on average 490 nodes by none, 512 nodes by mpc."
        );
        let text = sentences_of(BudgetKind::Nodes, 500, [40_960, 81_920]);
        assert!(text.contains("40,960 nodes by none, 81,920 nodes by mpc"), "{text}");
        assert!(text.contains("Not within this budget: 2 of 2 searches by none, mpc spent more"), "{text}");
        let text = sentences_of(BudgetKind::Time, 50_000_000, [50_000_000, 400_000_000]);
        assert!(
            text.contains("Allowed 50 ms a search, spent on average 50 ms by none, 400 ms by mpc."),
            "{text}"
        );
        assert!(text.contains("Not within this budget: 1 of 1 searches by mpc spent"), "{text}");
        let text = sentences_of(BudgetKind::Nodes, 100_000, [90_000, 40]);
        assert!(text.contains("Far below this budget: 1 of 1 searches by mpc"), "{text}");
        // The rows of the fixture name depth 12.
        assert_eq!(sentences_of(BudgetKind::Depth, 12, [1, 2]), "");
        let text = sentences_of(BudgetKind::Depth, 13, [1, 2]);
        assert!(
            text.starts_with("Not at depth 13: 2 of 2 searches by none, mpc ended below it, at depth 12"),
            "{text}"
        );
    }
}
