//! Table 2 in the form of Buro 1995: by stage, nodes of both searches, speed-up, same move, same value.

use crate::format::{distance, fixed, in_units, ratio_within, rounded, share_within};
use crate::table::{Section, Table};
use secateur_record::games;
use secateur_stats::group::Group;
use secateur_stats::measure;
use secateur_stats::metrics::{AgainstBaseline, against_baseline, branching};
use secateur_stats::published::{BURO_TABLE_2, EDAX, OF_BURO};

const HEADINGS: [&str; 14] = [
    "<stage",
    "n",
    measure::DEPTH.name,
    "none: nodes",
    measure::NODES_SD.name,
    measure::BRANCHING.name,
    measure::NODES.name,
    measure::NODES_SD.name,
    measure::BRANCHING.name,
    measure::NODES_SAVED_MEANS.name,
    measure::SAME_MOVE.name,
    measure::SAME_VALUE.name,
    measure::SAME_WHOLE.name,
    measure::VALUE_DIFFERENCE.name,
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
    table.columns[HEADINGS.len() - 1].0 = in_units(measure::VALUE_DIFFERENCE.name, group);
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
    if (group.game, group.budget) == OF_BURO {
        match method {
            "probcut" => published(&mut table),
            "mpc" => frontier(&mut table),
            _ => {}
        }
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

/// A row of 50 positions that others searched 12 plies deep: (mean, SD) nodes of the plain and the selective search, as
/// far as they are known, and rates in percent. No intervals were printed; those of the rates follow from n = 50.
struct Published {
    label: String,
    plain: (f64, f64),
    own: (f64, Option<f64>),
    speedup: String,
    /// Same move, same value, same to 1.00.
    rates: [Option<u32>; 3],
}

impl Published {
    fn row(self) -> Vec<String> {
        let Published { label, plain, own, speedup, rates } = self;
        let cell = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), rounded);
        let rate = |percent: u32| secateur_stats::interval::wilson(percent as usize / 2, 50);
        let mut cells = vec![label, "50".to_owned(), "12".to_owned()];
        for (mean, sd) in [(plain.0, Some(plain.1)), own] {
            cells.extend([rounded(mean), cell(sd), fixed(Some(branching(mean, 12.0)))]);
        }
        cells.push(speedup);
        cells.extend(rates.map(|percent| share_within(percent.and_then(rate))));
        cells.push("-".to_owned());
        cells
    }
}

/// Buro's rows below ours.
fn published(table: &mut Table) {
    for buro in BURO_TABLE_2 {
        let (plain, own) = (buro.plain as f64, buro.probcut as f64);
        let row = Published {
            label: format!("{} (Buro 1995)", buro.discs),
            plain: (plain, buro.plain_sd as f64),
            own: (own, Some(buro.probcut_sd as f64)),
            speedup: fixed(Some(plain / own)),
            rates: [Some(buro.same_move), Some(buro.same_value), None],
        };
        table.push(row.row());
    }
    table.notes.push(
        "Rows marked Buro 1995 are published (ICCA Journal 18(2), table 2): plain search without a table, \
         value resolution 0.0001 in log-odds; ours is 1/100 disc."
            .to_owned(),
    );
}

/// Edax's rows below ours: the frontier for several pairs.
fn frontier(table: &mut Table) {
    for edax in EDAX {
        for (t, (speedup, same_move, same_value)) in [("2.0", edax.strict), ("2.6", edax.stricter)] {
            let row = Published {
                label: format!("{} (Edax 4.6, t = {t})", edax.discs),
                plain: (edax.plain as f64, edax.plain_sd as f64),
                own: (edax.plain as f64 / speedup, None),
                speedup: format!("{speedup:.1}"),
                rates: [Some(same_move), None, Some(same_value)],
            };
            table.push(row.row());
        }
    }
    table.notes.push(
        "Rows marked Edax 4.6 were measured with that program and modest weights on 50 tournament positions each \
         (docs/BIAS.md): its own pairs, nesting and pre-test, values in whole discs; the nodes of its selective \
         search follow from the nodes saved."
            .to_owned(),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::record::Record;
    use secateur_stats::fixtures::row as record;
    use secateur_stats::group::groups;

    /// Buro's five rows through the code that makes our table.
    #[test]
    fn buros_rows_give_buros_numbers() {
        let records: Vec<Record> = BURO_TABLE_2
            .iter()
            .flat_map(|b| {
                [record(b.discs, b.discs, "none", b.plain), record(b.discs, b.discs, "probcut", b.probcut)]
            })
            .collect();
        let groups = groups(&records);
        let (mut speedups, mut own, mut plain) = (Vec::new(), Vec::new(), Vec::new());
        for stage in groups[0].stages() {
            let probcut = against_baseline(&groups[0], 1, Some(stage));
            speedups.push(format!("{:.2}", probcut.speedup_means.estimate));
            own.push(format!("{:.2}", probcut.branching));
            plain.push(format!("{:.2}", against_baseline(&groups[0], 0, Some(stage)).branching));
        }
        assert_eq!(speedups, ["6.66", "6.04", "6.40", "5.38", "4.28"]);
        assert_eq!(own, ["3.09", "3.32", "3.26", "3.09", "2.74"]);
        assert_eq!(plain, ["3.62", "3.86", "3.81", "3.56", "3.10"]);
    }

    #[test]
    fn published_rows_stand_only_beside_their_experiment() {
        let records =
            |depth: u64| ["none", "probcut"].map(|m| Record { budget: depth, ..record("a", "28", m, 100) });
        let rows = |depth| table(&groups(&records(depth))[0], 1, "probcut").rows.len();
        assert_eq!(rows(12), rows(10) + 5);
    }

    #[test]
    fn edax_stands_beside_mpc_with_its_own_resolution() {
        let score = |score: i32, record: Record| Record { score: Some(score), ..record };
        let rows = |own: i32| {
            let records = [
                score(140, record("a", "28", "none", 100)),
                score(own, Record { budget: 12, ..record("a", "28", "mpc", 10) }),
            ];
            let records = records.map(|record| Record { budget: 12, ..record });
            table(&groups(&records)[0], 1, "mpc").rows
        };
        let cells = |own: i32| [rows(own)[0][11].clone(), rows(own)[0][12].clone()];
        assert!(cells(140).iter().all(|cell| cell.starts_with("100 %")));
        assert!(cells(60)[0].starts_with("0 %") && cells(60)[1].starts_with("100 %"));
        assert!(cells(40).iter().all(|cell| cell.starts_with("0 %")));
        assert_eq!(rows(140).len(), 1 + 2 * EDAX.len());
        assert!(rows(140)[1][9] == "14.4" && rows(140)[1][12].starts_with("62 %"));
    }
}
