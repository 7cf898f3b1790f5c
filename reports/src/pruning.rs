//! The page on pruning: for each game, what does each method save, what does it break, when does it fire?
//!
//! Everything here stands in the full report too, in more detail; this is what a programmer reads first.
//! A method that never fires looks like one without effect, so the table of what each did is part of every report.

use crate::evidence::Evidence;
use crate::format::{count, fixed, only_if, or_dash, plural, ratio_within, share, share_within, within};
use crate::table::{Report, Section, Table};
use crate::{promises, provenance, solved, summary};
use secateur_record::peers::SUITE;
use secateur_record::record::BudgetKind;
use secateur_stats::group::Group;
use secateur_stats::labels::{members, name};
use secateur_stats::metrics::against_baseline;
use secateur_stats::promises::{Firing, firings};
use secateur_stats::regret::regret;
use secateur_stats::runs::Runs;
use std::collections::{BTreeMap, BTreeSet};

/// What methods did, by game, method set, method and budget.
type Firings<'a> = BTreeMap<(&'a str, &'a str, &'a str, BudgetKind, u64), Firing>;

/// The page for one or several runs.
pub fn page(runs: &Runs) -> Report {
    let evidence = Evidence::of(runs);
    let firings = firings(runs, |row| (&*row.game, &*row.methods, &*row.method, row.budget_kind, row.budget));
    let mut report = Report::new("What pruning saves, breaks, and when it fires");
    report.notes.extend(runs.notes.iter().cloned());
    report.sections.push(summary::section(&evidence));
    let compared = evidence.groups.iter().filter(|group| group.methods.len() > 1 && !group.blocks.is_empty());
    report.sections.extend(compared.map(|group| section(group, &firings, runs.is_ours(group.game))));
    report.sections.extend(solved::section(&evidence));
    report.sections.extend(promises::section(runs));
    report.sections.push(provenance::section(runs));
    report
}

fn section(group: &Group<'_>, firings: &Firings<'_>, is_ours: bool) -> Section {
    // Another program may have counted nothing, which is not the same as never.
    let is_told = is_ours || firings.keys().any(|(game, ..)| *game == group.game);
    Section {
        title: format!("{}, {}", group.heading(), plural(group.blocks.len(), "position")),
        text: Vec::new(),
        tables: std::iter::once(worth(group))
            .chain(is_told.then(|| firing(group, firings, is_ours)))
            .collect(),
    }
}

/// What each method set saves and breaks.
fn worth(group: &Group<'_>) -> Table {
    let over = format!("regret over {}", group.methods[0]);
    // The baseline has a row where an oracle judged moves: it loses something, too.
    let first = usize::from(regret(group, 0).is_none());
    let row = |(index, methods): (usize, &&str)| {
        let c = against_baseline(group, index, None);
        let lost = regret(group, index);
        let tenths = |x: f64| format!("{x:.1}");
        let regret = lost.as_ref().map(|lost| match index {
            0 => format!("{} in all", within(&lost.mean, tenths)),
            _ => within(&lost.excess.within, tenths),
        });
        let is_ratio = index > 0 && group.is_fixed_depth();
        [
            ("<methods", (*methods).to_owned()),
            ("saves: nodes", only_if(is_ratio, || ratio_within(&c.speedup_geometric))),
            ("breaks: move kept", only_if(index > 0, || share_within(c.same_move))),
            ("value kept", only_if(index > 0, || share_within(c.same_value))),
            (over.as_str(), or_dash(regret)),
            ("blunders", share_within(lost.and_then(|lost| lost.blunders))),
            ("probes, of all nodes", share(c.probe_share)),
        ]
    };
    group.methods.iter().enumerate().skip(first).map(row).collect::<Table>().noted(
        format!(
            "Saves: the factor by which nodes are cut against {base}, geometric mean over positions. Move and value kept: as {base} has them at the \
             same budget. Regret: what the moves lose by the oracle beyond those of {base}, in the unit of scores. 95 % intervals.",
            base = group.methods[0]
        ),
    )
}

/// When each method of each set fires.
fn firing(group: &Group<'_>, firings: &Firings<'_>, is_ours: bool) -> Table {
    let mut table = Table::default();
    for methods in group.methods.iter().skip(1) {
        for method in members(methods).into_iter().map(name) {
            let key = (group.game, *methods, method, group.budget_kind, group.budget);
            let firing = match firings.get(&key) {
                Some(firing) => *firing,
                None if is_ours => Default::default(),
                None => continue,
            };
            let cuts = firing.cuts();
            let a_cut = |nodes: f64| count((nodes / cuts as f64).round() as u64);
            let (cut, audited) = (cuts > 0, firing.audited > 0);
            table.row([
                ("<methods", (*methods).to_owned()),
                ("<method", method.to_owned()),
                ("tries", count(firing.tries)),
                ("cuts", if cut { count(cuts) } else { "never fired".to_owned() }),
                ("cuts a try", only_if(cut, || share(cuts as f64 / firing.tries as f64))),
                ("own nodes a cut", only_if(cut, || a_cut(firing.probe_nodes as f64))),
                ("saved a cut", only_if(cut && audited, || a_cut(firing.saved))),
                ("broken cuts", only_if(audited, || share(firing.broken as f64 / firing.audited as f64))),
            ]);
        }
    }
    table.noted(
        "Saved a cut: nodes of the searches that the audited cuts spared, without the method and with a table of their own, so \
         an upper estimate; own nodes are what the method spent on all tries. Both and broken cuts need a run with an audit.",
    )
}

/// The section of all counters.
pub fn counters(runs: &Runs) -> Section {
    // The arms of a comparison with other programs are no method sets.
    let records = runs.records.iter().filter(|record| record.suite != SUITE);
    // A collected set would have all rows in memory before it drops the equal ones.
    let mut arms: BTreeSet<(&str, &str)> = BTreeSet::new();
    arms.extend(records.map(|record| (&*record.game, &*record.methods)));
    let mut table = Table::default();
    let sums = firings(runs, |row| (&*row.game, &*row.methods, &*row.method));
    for &(game, methods) in arms.iter().filter(|(_, methods)| *methods != "none") {
        for method in members(methods) {
            let sum = match sums.get(&(game, methods, name(method))) {
                Some(sum) => *sum,
                None if runs.is_ours(game) => Default::default(),
                // Another program may not have counted it, which is not the same as never.
                None => continue,
            };
            let cuts = sum.cuts();
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
    fn the_page_says_what_is_saved_broken_and_fired() {
        let counter = CounterRow {
            game: "othello".into(),
            methods: "mpc[t=1.0]".into(),
            method: "mpc".into(),
            budget_kind: BudgetKind::Depth,
            budget: row("a", "28", "none", 1).budget,
            tries: 400,
            cuts_high: 60,
            cuts_low: 40,
            probe_nodes: 5_000,
            audited: 50,
            broken: 1,
            audit_every: 2,
            audit_nodes: 20_000,
            ..CounterRow::default()
        };
        let records = vec![
            row("a", "28", "none", 1000),
            row("a", "28", "mpc[t=1.0]", 100),
            row("a", "28", "mpc[t=1.0]+futility", 90),
        ];
        let runs = Runs { records, counters: vec![counter], ..Runs::default() };
        let page = page(&runs);
        let [worth, firing] = &page.sections[1].tables[..] else { panic!("two tables") };
        assert!(worth.rows[0][1].starts_with("10.0"), "{:?}", worth.rows[0]);
        assert_eq!(
            firing.rows[0],
            ["mpc[t=1.0]", "mpc", "400", "100", "25.0 %", "50", "400", "2.0 %"].map(str::to_owned)
        );
        assert_eq!(firing.rows[2][1..4], ["futility", "0", "never fired"].map(str::to_owned));
    }

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
        let table = &counters(&runs).tables[0];
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
        let table = &counters(&runs).tables[0];
        let shares = table.rows[0].iter().filter_map(|cell| cell.strip_suffix(" %")?.parse::<f64>().ok());
        assert!(shares.into_iter().all(|percent| percent <= 100.0), "{:?}", table.rows);
        assert_eq!(table.rows[0][7..], ["3,000", "375.00"]);
    }
}
