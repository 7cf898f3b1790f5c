//! By stage: nodes of both searches, speed-up, same move, same value.

use crate::format::{distance, fixed, in_units, ratio_within, rounded, share_within};
use crate::table::{Section, Table};
use secateur_record::games;
use secateur_stats::group::Group;
use secateur_stats::metrics::{AgainstBaseline, against_baseline};
use secateur_stats::numbers;

const HEADINGS: [&str; 14] = [
    "<stage",
    "n",
    numbers::DEPTH.name,
    "none: nodes",
    numbers::NODES_SD.name,
    numbers::BRANCHING.name,
    numbers::NODES.name,
    numbers::NODES_SD.name,
    numbers::BRANCHING.name,
    numbers::NODES_SAVED_MEANS.name,
    numbers::SAME_MOVE.name,
    numbers::SAME_VALUE.name,
    numbers::SAME_WHOLE.name,
    numbers::VALUE_DIFFERENCE.name,
];

/// The section of one fixed-depth group: one table for each method set.
#[must_use]
pub fn section(group: &Group<'_>) -> Section {
    let mut section = Section {
        title: format!("{} by stage, {} ({})", group.game, group.budget_label(), group.suite),
        ..Section::default()
    };
    for (index, method) in group.methods.iter().enumerate().skip(1) {
        section.tables.push(table(group, index, method));
    }
    section
}

/// The table of one method set against the baseline.
#[must_use]
pub fn table(group: &Group<'_>, index: usize, method: &str) -> Table {
    let mut table = Table::new(&HEADINGS);
    table.columns[0].0 = format!("{method}: stage");
    table.columns[HEADINGS.len() - 1].0 = in_units(numbers::VALUE_DIFFERENCE.name, group);
    let stages = group.stages();
    for stage in &stages {
        table.push(row(
            group,
            stage,
            &against_baseline(group, 0, Some(stage)),
            &against_baseline(group, index, Some(stage)),
        ));
    }
    if stages.len() > 1 {
        table.push(row(
            group,
            "all",
            &against_baseline(group, 0, None),
            &against_baseline(group, index, None),
        ));
    }
    table.notes.push(format!(
        "Nodes saved is the ratio of mean nodes with a 95 % interval over source games (jackknife, none for fewer than 3); \
         b = nodes^(1/depth); same to 1.00: the same value to the nearest {}; rates have 95 % Wilson intervals; |dv| is the mean distance of \
         values, without positions at which one is proven, and has an interval where 30 games or more, and 10 with a difference, allow it.",
        games::words(|game| &game.unit).join(" or ")
    ));
    table
}

fn row(group: &Group<'_>, stage: &str, base: &AgainstBaseline, own: &AgainstBaseline) -> Vec<String> {
    vec![
        stage.to_owned(),
        own.n.to_string(),
        fixed(Some(own.depth)),
        rounded(base.nodes),
        rounded(base.nodes_sd),
        fixed(Some(base.branching)),
        rounded(own.nodes),
        rounded(own.nodes_sd),
        fixed(Some(own.branching)),
        ratio_within(&own.speedup_means),
        share_within(own.same_move),
        share_within(own.same_value),
        share_within(own.same_whole),
        distance(group, own),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::record::Record;
    use secateur_stats::fixtures::row as record;
    use secateur_stats::group::groups;

    /// The value to the unit, and to the whole one.
    #[test]
    fn values_are_compared_at_two_resolutions() {
        let score = |score: i32, record: Record| Record { score: Some(score), ..record };
        let cells = |own: i32| {
            let records =
                [score(140, record("a", "28", "none", 100)), score(own, record("a", "28", "mpc", 10))];
            let rows = table(&groups(&records)[0], 1, "mpc").rows;
            [rows[0][11].clone(), rows[0][12].clone()]
        };
        assert!(cells(140).iter().all(|cell| cell.starts_with("100 %")));
        assert!(cells(60)[0].starts_with("0 %") && cells(60)[1].starts_with("100 %"));
        assert!(cells(40).iter().all(|cell| cell.starts_with("0 %")));
    }
}
