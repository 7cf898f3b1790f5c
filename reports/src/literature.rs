//! What others published, next to the same quantity of these runs: null-move variants, futility and razoring, depth at a
//! fixed budget. Buro's Table 2 and Jiang & Buro's regression stand in tables of their own.
//!
//! Published rows are marked, and no interval is given to what was printed without one. Programs, positions and baselines
//! differ; the sign and the order of magnitude can be compared, the digits cannot.

use crate::format::{ratio_within, within};
use crate::table::{Section, Table};
use secateur_record::record::Record;
use secateur_stats::arm::{members, name};
use secateur_stats::depth::search_depth;
use secateur_stats::group::Group;
use secateur_stats::interval::{Interval, mean};
use secateur_stats::metrics::Iterations;
use secateur_stats::metrics::is_finished;
use secateur_stats::pairwise::sum_ratio;
use secateur_stats::published::{HEINZ, JIANG_DEPTHS, OF_JIANG, VERIFIED};
use std::collections::BTreeSet;

/// The section of all groups of the game that the published numbers are of; none where there is nothing to compare with.
#[must_use]
pub fn section(groups: &[&Group<'_>], cells: &Iterations<'_>) -> Option<Section> {
    let same: Vec<&Group<'_>> =
        groups.iter().copied().filter(|group| group.game == OF_JIANG && group.blocks.len() > 1).collect();
    let at_depth: Vec<&Group<'_>> = same.iter().copied().filter(|group| group.is_fixed_depth()).collect();
    let tables: Vec<Table> =
        [null_move(&at_depth), margins(&at_depth), depths(&same, cells)].into_iter().flatten().collect();
    let text = vec!["Rows with a year are published; programs, positions and baselines differ.".to_owned()];
    (!tables.is_empty()).then(|| Section { title: "Published next to ours".to_owned(), text, tables })
}

/// Index of the method set with exactly these members.
fn index(group: &Group<'_>, wanted: &[&str]) -> Option<usize> {
    let wanted: BTreeSet<&str> = wanted.iter().copied().collect();
    group.methods.iter().position(|methods| members(methods).into_iter().collect::<BTreeSet<_>>() == wanted)
}

/// Total nodes of one method set over those of another.
fn nodes_over(group: &Group<'_>, own: usize, base: usize) -> Interval {
    sum_ratio(group, own, base, Record::nodes)
}

/// Variants of null move over null move with R = 2 (`fixed`); none where a group has no two.
fn null_move(groups: &[&Group<'_>]) -> Option<Table> {
    let mut table = Table::new(&["<null move: variant", "<depth", "nodes over R = 2", "solved"]);
    for group in groups {
        let Some(base) = index(group, &["null-move[fixed]"]) else { continue };
        for (own, methods) in group.methods.iter().enumerate().filter(|(own, _)| *own != base) {
            if let [one] = members(methods)[..]
                && name(one) == "null-move"
            {
                let over = ratio_within(&nodes_over(group, own, base));
                table.push(vec![one.to_owned(), group.budget.to_string(), over, "-".to_owned()]);
            }
        }
    }
    if table.rows.is_empty() {
        return None;
    }
    for row in VERIFIED {
        for (variant, what) in ["R = 1", "R = 2", "R = 3", "R = 3 verified"].into_iter().enumerate() {
            table.push(vec![
                format!("{what} (Tabibi & Netanyahu 2002)"),
                row.depth.to_string(),
                crate::format::ratio(row.nodes[variant] as f64 / row.nodes[1] as f64),
                row.solved[variant].to_string(),
            ]);
        }
    }
    table
        .notes
        .push("Published: one test suite, quoted second-hand; solved counts its positions.".to_owned());
    Some(table)
}

/// What futility and razoring change when they are added, in percent of the nodes.
fn margins(groups: &[&Group<'_>]) -> Option<Table> {
    let mut table = Table::new(&["<added", "<to", "depth", "change of nodes (%)", "solved more"]);
    let added: [(&str, &[&str]); 6] = [
        ("futility", &[]),
        ("futility", &["null-move"]),
        ("razoring", &[]),
        ("razoring", &["null-move"]),
        ("razoring", &["futility"]),
        ("razoring", &["futility", "null-move"]),
    ];
    for group in groups {
        for (method, to) in added {
            let with: Vec<&str> = to.iter().copied().chain([method]).collect();
            let (Some(base), Some(own)) = (index(group, to), index(group, &with)) else { continue };
            let over = nodes_over(group, own, base);
            let percent = |ratio: f64| format!("{:+.1}", 100.0 * (ratio - 1.0));
            table.push(vec![
                method.to_owned(),
                if to.is_empty() { "none".to_owned() } else { to.join("+") },
                group.budget.to_string(),
                within(&over, percent),
                "-".to_owned(),
            ]);
        }
    }
    if table.rows.is_empty() {
        return None;
    }
    for row in HEINZ {
        let to = "null move and normal futility".to_owned();
        for (what, to, (percent, solved)) in [
            ("extended futility (Heinz 1998)", to.clone(), row.extended),
            ("limited razoring (Heinz 1998)", format!("{to}, extended"), row.razoring),
        ] {
            let cells = [what.to_owned(), to, row.depth.to_string()].into_iter();
            table.push(cells.chain([format!("{percent:+.2}"), format!("{solved:+}")]).collect());
        }
    }
    table.notes.push(
        "Futility of these runs is normal and extended together, of Heinz the extended form added to the normal one, so his \
         changes are smaller by what the normal form saves."
            .to_owned(),
    );
    Some(table)
}

/// Depth at a fixed budget of nodes or time: null move alone, with ProbCut, with Multi-ProbCut.
fn depths(groups: &[&Group<'_>], cells: &Iterations<'_>) -> Option<Table> {
    let mut table =
        Table::new(&["<depth at a budget", "null move", "with ProbCut", "with MPC", "gain of MPC"]);
    for group in groups.iter().filter(|group| !group.is_fixed_depth()) {
        let sets: [&[&str]; 3] = [&["null-move"], &["null-move", "probcut"], &["null-move", "mpc"]];
        let sets = sets.map(|set| index(group, set));
        // One gain is of one selection of positions: those that none of the three finished.
        let open = |&block: &usize| {
            !sets.iter().flatten().any(|&set| is_finished(&group.traits, group.blocks[block].rows[set]))
        };
        let blocks: Vec<usize> = (0..group.blocks.len()).filter(open).collect();
        let depths = sets.map(|set| {
            let of = |&block: &usize| search_depth(group.blocks[block].rows[set?], cells);
            let found: Vec<f64> = blocks.iter().filter_map(of).collect();
            (!found.is_empty()).then(|| mean(&found))
        });
        if depths[0].is_some() && depths[1..].iter().any(Option::is_some) {
            table.push(row(format!("{} ({})", group.budget_label(), group.suite), depths));
        }
    }
    if table.rows.is_empty() {
        return None;
    }
    table.push(row("30 s a position (Jiang & Buro 2003)".to_owned(), JIANG_DEPTHS.map(Some)));
    table.notes.push(
        "Fractional depths, in plies, of positions that no method set finished; published: Crafty 18.15, some 300 positions, t = 1.0.".to_owned(),
    );
    Some(table)
}

fn row(what: String, depths: [Option<f64>; 3]) -> Vec<String> {
    let gain = depths[2].zip(depths[0]).map_or("-".to_owned(), |(mpc, base)| format!("{:+.2}", mpc - base));
    let cells = depths.map(crate::format::fixed);
    std::iter::once(what).chain(cells).chain([gain]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::record::{BudgetKind, IterationRow, Record};
    use secateur_stats::fixtures::row as record;
    use secateur_stats::group::groups;
    use secateur_stats::metrics::iterations;
    use secateur_stats::runs::Runs;

    fn runs(kind: BudgetKind, methods: &[(&str, u64)]) -> Runs {
        let mut records = Vec::new();
        for position in ["a", "b", "c"] {
            for (methods, nodes) in methods {
                let own = record(position, "opening", methods, *nodes);
                records.push(Record { game: "chess".into(), budget_kind: kind, budget: 10, ..own });
            }
        }
        Runs { records, ..Runs::default() }
    }

    fn tables(runs: &Runs) -> Vec<Table> {
        section(&groups(&runs.records).iter().collect::<Vec<_>>(), &iterations(&runs.iterations))
            .map_or_else(Vec::new, |section| section.tables)
    }

    #[test]
    fn ours_come_first_and_the_published_ratios_are_theirs() {
        let sets = [
            ("none", 900),
            ("null-move[fixed]", 400),
            ("null-move[verified]", 300),
            ("null-move[r=3]+mpc", 1),
        ];
        let found = tables(&runs(BudgetKind::Depth, &sets));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].rows[0], ["null-move[verified]", "10", "0.75 [0.75, 0.75]", "-"]);
        let verified: Vec<&str> =
            found[0].rows.iter().filter(|row| row[0].starts_with("R = 3 v")).map(|row| &*row[2]).collect();
        assert_eq!(verified, ["0.75", "0.77"]);
        let reduced: Vec<&str> =
            found[0].rows.iter().filter(|row| row[0].starts_with("R = 3 (")).map(|row| &*row[2]).collect();
        assert_eq!(reduced, ["0.44", "0.46"]);
    }

    #[test]
    fn heinz_stands_beside_what_is_added_to_what() {
        let sets = [("none", 1000), ("futility", 400), ("razoring+futility", 390)];
        let found = tables(&runs(BudgetKind::Depth, &sets));
        assert_eq!(found[0].rows[0][..4], ["futility", "none", "10", "-60.0 [-60.0, -60.0]"]);
        assert_eq!(found[0].rows[1][..4], ["razoring", "futility", "10", "-2.5 [-2.5, -2.5]"]);
        assert_eq!(found[0].rows.len(), 2 + 6);
        assert!(tables(&runs(BudgetKind::Depth, &[("none", 1000), ("mpc", 400)])).is_empty());
    }

    #[test]
    fn depths_stand_beside_those_of_jiang_and_buro() {
        let mut runs = runs(BudgetKind::Nodes, &[("none", 64), ("null-move", 64), ("null-move+mpc", 64)]);
        runs.iterations = runs
            .records
            .iter()
            .flat_map(|row| {
                let deepest = if row.methods == "null-move+mpc" { 6 } else { 4 };
                let of = move |depth: u32| 64_u64 >> (deepest - depth);
                (1..=deepest).map(move |depth| IterationRow {
                    depth,
                    nodes: of(depth),
                    ..IterationRow::of(&row.key())
                })
            })
            .collect();
        let found = tables(&runs);
        assert_eq!(found[0].rows[0][1..], ["4.00", "-", "6.00", "+2.00"]);
        assert_eq!(found[0].rows[1][1..], ["11.50", "11.60", "12.00", "+0.50"]);
    }
}
