//! Tables, pictures and pages of secateur: a pure function of records.
//!
//! Nothing here searches, and nothing changes a number: what a report says can be recomputed from the three
//! CSV files of a run, and what it computes is computed in `secateur-stats`. Here numbers get their form, for people and for
//! programs.

pub mod chart;
pub mod check_gains;
pub mod compare;
pub mod counters;
mod counting;
pub mod coverage;
pub mod distribution;
pub mod error_tails;
pub mod export;
pub mod factorial;
pub mod figure;
mod figures;
pub mod forecast;
pub mod foretell;
pub mod format;
pub mod forms;
pub mod gate;
pub mod grades;
pub mod history;
pub mod how_many;
pub mod lines;
pub mod measures;
pub mod page;
pub mod pairwise;
pub mod peer_answers;
pub mod peers;
pub mod play;
pub mod pooled;
pub mod predict;
pub mod promises;
pub mod prose;
pub mod provenance;
pub mod pruning;
pub mod regression;
pub mod regret;
pub mod releases;
pub mod render;
pub mod scatter;
pub mod sigma_by_stage;
pub mod slopes;
pub mod solved;
mod solved_tests;
pub mod speed;
pub mod spending;
pub mod splice;
pub mod summary;
pub mod svg;
pub mod table;
pub mod table2;
mod trade_off;
pub mod transfer;
pub mod worth;

pub use figures::figures;

use secateur_stats::group::{Group, groups_of};
use secateur_stats::metrics::{self, Iterations};
use secateur_stats::runs::Runs;
use table::Report;

/// The full report of one or several runs: what the methods of a program are worth, other programs, a summary in words, solved
/// positions, the pooled table of every group, Table 2 by stage, counters and distributions.
#[must_use]
pub fn full(runs: &Runs) -> Report {
    full_of(&groups_of(runs), runs)
}

/// The same for those who have the groups of the records already.
#[must_use]
pub fn full_of(groups: &[Group<'_>], runs: &Runs) -> Report {
    let mut report = tables_of(groups, runs, &metrics::iterations(&runs.iterations));
    let worth = worth::sections(&worth::Judged::of(groups, runs, &[]), runs);
    report.sections.splice(0..0, worth);
    report
}

/// The same without what the methods of a program are worth, which may stand elsewhere.
#[must_use]
pub fn tables_of(groups: &[Group<'_>], runs: &Runs, cells: &Iterations<'_>) -> Report {
    let mut report = Report::new("secateur report");
    report.notes.extend(runs.notes.iter().cloned());
    report.sections.extend(peers::sections(runs));
    report.sections.push(summary::section(groups));
    report.sections.extend(solved::section(groups, runs));
    for group in groups {
        report.sections.push(pooled::section_with(group, runs, cells));
    }
    report.sections.extend(groups.iter().filter(|group| group.is_fixed_depth()).map(table2::section));
    report.sections.extend(regret::section(groups));
    report.sections.extend(factorial::section(groups));
    report.sections.extend(pairwise::section(groups));
    let ours: Vec<&Group<'_>> = groups.iter().filter(|group| runs.is_ours(group.game)).collect();
    report.sections.extend(forms::section(&ours));
    report.sections.extend(promises::section(runs));
    report.sections.push(counters::section(runs));
    report.sections.push(distribution::section(groups));
    report.sections.push(provenance::section(runs));
    report
}

/// The tables by stage alone, of every fixed-depth group.
#[must_use]
pub fn table2(runs: &Runs) -> Report {
    let groups: Vec<Group> = groups_of(runs).into_iter().filter(Group::is_fixed_depth).collect();
    let mut report = Report::new("By stage");
    report.notes.extend(runs.notes.iter().cloned());
    report.sections.extend(groups.iter().map(table2::section));
    report.sections.push(provenance::section(runs));
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::html;
    use crate::prose::paper::Paper;
    use secateur_record::record::{BudgetKind, Record};
    use secateur_stats::fixtures::row;

    /// A report of anybody's run names no paper, and no program that is not in the run.
    #[test]
    fn nobody_is_named_in_a_strangers_report() {
        let sets =
            [("none", 900), ("null-move", 300), ("mpc", 400), ("probcut", 350), ("null-move+mpc", 250)];
        let budgets = [(BudgetKind::Depth, 12), (BudgetKind::Nodes, 2000)];
        let mut records = Vec::new();
        for (game, (kind, budget)) in
            ["chess", "othello"].iter().flat_map(|game| budgets.map(|kind| (game, kind)))
        {
            for position in ["a", "b", "c", "d"] {
                records.extend(sets.map(|(methods, nodes)| Record {
                    game: (*game).into(),
                    budget_kind: kind,
                    budget,
                    ..row(position, "28", methods, nodes)
                }));
            }
        }
        let runs = Runs { records, ..Runs::default() };
        let reports = [full(&runs), table2(&runs)];
        let mut texts: Vec<String> =
            reports.iter().flat_map(|report| [render::markdown(report), export::latex(report)]).collect();
        texts.push(html::page(&runs, html::Extras::default()));
        assert!(texts[0].contains("null-move and mpc"), "the interaction is told");
        let papers = Paper::built_in().into_iter().filter(|paper| paper.name != "source-pages");
        let words = papers.flat_map(|paper| paper.name.split('-').map(str::to_owned).collect::<Vec<_>>());
        let authors = words.filter(|word| word.parse::<u32>().is_err());
        for author in authors.chain(["crafty", "edax"].map(str::to_owned)) {
            let named = regex_lite::Regex::new(&format!(r"(?i)\b{author}\b")).unwrap();
            for text in &texts {
                assert!(
                    !named.is_match(text),
                    "{author}: {:?}",
                    named.find(text).map(|m| &text[m.start()..])
                );
            }
        }
    }
}
