//! Tables, pictures and pages of secateur: a pure function of records.
//!
//! Nothing here searches, and nothing changes a number: what a report says can be recomputed from the three
//! CSV files of a run, and what it computes is computed in `secateur-stats`. Here numbers get their form, for people and for
//! programs.

pub mod chart;
pub mod compare;
pub mod distribution;
pub mod evidence;
pub mod export;
pub mod factorial;
pub mod figure;
pub mod format;
pub mod gate;
pub mod history;
pub mod lines;
pub mod measures;
pub mod page;
pub mod pairwise;
pub mod peers;
pub mod play;
pub mod pooled;
pub mod predict;
pub mod promises;
pub mod provenance;
pub mod pruning;
pub mod regret;
pub mod render;
pub mod scatter;
pub mod solved;
pub mod speed;
pub mod spending;
pub mod summary;
pub mod svg;
pub mod table;
mod trade_off;
pub mod worth;

use evidence::Evidence;
use figure::Figure;
use secateur_stats::group::{Group, groups_of};
use secateur_stats::runs::Runs;
use table::Report;

/// The full report of one or several runs: what the methods of a program are worth, other programs, a summary in words, solved
/// positions, the pooled table of every group, Table 2 by stage, counters and distributions.
pub fn full(runs: &Runs) -> Report {
    full_of(&Evidence::of(runs))
}

/// The same of what is worked out already.
pub fn full_of(evidence: &Evidence<'_>) -> Report {
    let mut report = tables_of(evidence);
    let worth = worth::sections(&worth::Judged::of(evidence, &[]));
    report.sections.splice(0..0, worth);
    report
}

/// The same without what the methods of a program are worth, which may stand elsewhere.
pub fn tables_of(evidence: &Evidence<'_>) -> Report {
    let Evidence { runs, groups, cells, .. } = evidence;
    let mut report = Report::new("secateur report");
    report.notes.extend(runs.notes.iter().cloned());
    report.sections.extend(peers::sections(runs));
    report.sections.push(summary::section(evidence));
    report.sections.extend(solved::section(evidence));
    for group in groups {
        report.sections.push(pooled::section_with(group, runs, cells));
    }
    report.sections.extend(groups.iter().filter(|group| group.is_fixed_depth()).map(pooled::by_stage));
    report.sections.extend(regret::section(groups));
    report.sections.extend(factorial::section(groups));
    report.sections.extend(pairwise::section(groups));
    let ours: Vec<&Group<'_>> = groups.iter().filter(|group| runs.is_ours(group.game)).collect();
    report.sections.extend(pairwise::forms(&ours));
    report.sections.extend(promises::section(runs));
    report.sections.push(pruning::counters(runs));
    report.sections.push(distribution::section(groups));
    report.sections.push(provenance::section(runs));
    report
}

/// The tables by stage alone, of every fixed-depth group.
pub fn table2(runs: &Runs) -> Report {
    let groups: Vec<Group> = groups_of(runs).into_iter().filter(Group::is_fixed_depth).collect();
    let mut report = Report::new("By stage");
    report.notes.extend(runs.notes.iter().cloned());
    report.sections.extend(groups.iter().map(pooled::by_stage));
    report.sections.push(provenance::section(runs));
    report
}

/// The pictures of all groups, each with the title of its section. A module with pictures of its own adds them here.
pub fn figures(evidence: &Evidence<'_>) -> Vec<Figure> {
    let Evidence { runs, groups, cells, .. } = evidence;
    let mut figures = Vec::new();
    let fixed = |group: &&Group<'_>| group.is_fixed_depth() && !group.blocks.is_empty();
    for group in groups.iter().filter(fixed) {
        let title = pooled::title(group);
        figures.extend((group.methods.len() > 1).then(|| trade_off::front(group, &title)));
        figures.extend(chart::nodes_by_depth(group, cells, &title));
        figures.extend(chart::speedups(group, &title));
    }
    figures.extend(groups.iter().filter_map(regret::figure));
    figures.extend(factorial::figures(groups));
    figures.extend(promises::figures(runs));
    figures.extend(groups.iter().filter_map(|group| distribution::figure(group, distribution::TITLE)));
    figures
}
