//! By stage: nodes of both searches, speed-up, same move, same value.

use crate::format::{distance, fixed, in_units, ratio_within, rounded, share_within};
use crate::table::{Section, Table};
use secateur_record::games;
use secateur_stats::group::Group;
use secateur_stats::metrics::against_baseline;
use secateur_stats::numbers;

/// The section of one fixed-depth group: one table for each method set.
#[must_use]
pub fn section(group: &Group<'_>) -> Section {
    let methods = group.methods.iter().enumerate().skip(1);
    Section {
        title: format!("{} by stage, {} ({})", group.game, group.budget_label(), group.suite),
        tables: methods.map(|(index, method)| table(group, index, method)).collect(),
        ..Section::default()
    }
}

/// The table of one method set against the baseline.
#[must_use]
pub fn table(group: &Group<'_>, index: usize, method: &str) -> Table {
    let stages = group.stages();
    let all = (stages.len() > 1).then_some(None);
    let (stage_of, distance_of) =
        (format!("<{method}: stage"), in_units(numbers::VALUE_DIFFERENCE.name, group));
    let row = |stage: Option<&str>| {
        let [base, compared] = [0, index].map(|arm| against_baseline(group, arm, stage));
        [
            (stage_of.as_str(), stage.unwrap_or("all").to_owned()),
            ("n", compared.n.to_string()),
            (numbers::DEPTH.name, fixed(Some(compared.depth))),
            ("none: nodes", rounded(base.nodes)),
            (numbers::NODES_SD.name, rounded(base.nodes_sd)),
            (numbers::BRANCHING.name, fixed(Some(base.branching))),
            (numbers::NODES.name, rounded(compared.nodes)),
            (numbers::NODES_SD.name, rounded(compared.nodes_sd)),
            (numbers::BRANCHING.name, fixed(Some(compared.branching))),
            (numbers::NODES_SAVED_MEANS.name, ratio_within(&compared.speedup_means)),
            (numbers::SAME_MOVE.name, share_within(compared.same_move)),
            (numbers::SAME_VALUE.name, share_within(compared.same_value)),
            (numbers::SAME_WHOLE.name, share_within(compared.same_whole)),
            (distance_of.as_str(), distance(group, &compared)),
        ]
    };
    stages.into_iter().map(Some).chain(all).map(row).collect::<Table>().noted(format!(
        "Nodes saved is the ratio of mean nodes with a 95 % interval over source games (jackknife, none for fewer than 3); \
         b = nodes^(1/depth); same to 1.00: the same value to the nearest {}; rates have 95 % Wilson intervals; |dv| is the mean distance of \
         values, without positions at which one is proven, and has an interval where 30 games or more, and 10 with a difference, allow it.",
        games::words(|game| &game.unit).join(" or ")
    ))
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
        let cells = |value: i32| {
            let records =
                [score(140, record("a", "28", "none", 100)), score(value, record("a", "28", "mpc", 10))];
            let rows = table(&groups(&records)[0], 1, "mpc").rows;
            [rows[0][11].clone(), rows[0][12].clone()]
        };
        assert!(cells(140).iter().all(|cell| cell.starts_with("100 %")));
        assert!(cells(60)[0].starts_with("0 %") && cells(60)[1].starts_with("100 %"));
        assert!(cells(40).iter().all(|cell| cell.starts_with("0 %")));
    }
}
