//! What each method did: how often it was asked, how often it cut, what its own searches cost.
//!
//! A method that never fires looks like one without effect, so this table is part of every report.

use crate::format::{count, fixed, share};
use crate::table::{Section, Table};
use secateur_record::peers::SUITE;
use secateur_stats::arm::{members, name};
use secateur_stats::counters::counter_sums;
use secateur_stats::runs::Runs;
use std::collections::BTreeSet;

/// The section of all counters.
#[must_use]
pub fn section(runs: &Runs) -> Section {
    // The arms of a comparison with other programs are no method sets.
    let records = runs.records.iter().filter(|record| record.suite != SUITE);
    // A collected set would have all rows in memory before it drops the equal ones.
    let mut arms: BTreeSet<(&str, &str)> = BTreeSet::new();
    arms.extend(records.map(|record| (&*record.game, &*record.methods)));
    let mut table = Table::default();
    let sums = counter_sums(runs);
    for &(game, methods) in arms.iter().filter(|(_, methods)| *methods != "none") {
        for method in members(methods) {
            let sum = match sums.get(&(game, methods, name(method))) {
                Some(sum) => *sum,
                None if runs.is_ours(game) => Default::default(),
                // Another program may not have counted it, which is not the same as never.
                None => continue,
            };
            let cuts = sum.high + sum.low;
            table.row([
                ("<game", game.to_owned()),
                ("<methods", methods.to_owned()),
                ("<method", method.to_owned()),
                ("tries", count(sum.tries)),
                ("cuts high", count(sum.high)),
                ("cuts low", count(sum.low)),
                (
                    "cuts a try",
                    if cuts == 0 { "never fired".to_owned() } else { share(cuts as f64 / sum.tries as f64) },
                ),
                ("own nodes", count(sum.probe_nodes)),
                // Without a try it is no number.
                ("own nodes a try", fixed(Some(sum.probe_nodes as f64 / sum.tries as f64))),
            ]);
        }
    }
    let table = table.noted(
        "All budgets and positions together. A try is a check search, a null-move or Multi-Cut trial, or a \
         move or node weighed by futility or razoring; their skips and shortenings count as low. Own nodes are those of the searches \
         that tries begin; a try within such a search counts them again, so they are no share of all nodes.",
    );
    Section { title: "When does each method fire?".to_owned(), text: Vec::new(), tables: vec![table] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::record::CounterRow;
    use secateur_stats::fixtures::row;

    #[test]
    fn silence_is_shown() {
        let counter = CounterRow {
            game: "othello".into(),
            methods: "mpc+futility".into(),
            method: "mpc".into(),
            tries: 10,
            cuts_high: 4,
            ..CounterRow::default()
        };
        let runs = Runs {
            records: vec![row("a", "28", "mpc+futility", 100)],
            counters: vec![counter],
            ..Runs::default()
        };
        let table = &section(&runs).tables[0];
        assert_eq!(table.rows[0][6], "40.0 %");
        assert_eq!(table.rows[1][2], "futility");
        assert_eq!(table.rows[1][6], "never fired");
    }

    /// Probes within probes of 1,000 nodes, counted at each of three levels: no share of all nodes, but so many a try.
    #[test]
    fn nested_probes_make_no_share_above_all_nodes() {
        let counter = CounterRow {
            game: "othello".into(),
            methods: "null-move".into(),
            method: "null-move".into(),
            tries: 8,
            probe_nodes: 3_000,
            ..CounterRow::default()
        };
        let runs = Runs {
            records: vec![row("a", "28", "null-move", 1_000)],
            counters: vec![counter],
            ..Runs::default()
        };
        let table = &section(&runs).tables[0];
        let shares = table.rows[0].iter().filter_map(|cell| cell.strip_suffix(" %")?.parse::<f64>().ok());
        assert!(shares.into_iter().all(|percent| percent <= 100.0), "{:?}", table.rows);
        assert_eq!(table.rows[0][7..], ["3,000", "375.00"]);
    }
}
