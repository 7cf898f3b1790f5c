//! The picture that answers: a row a method set; what it saves, how often it keeps the move and what its moves lose, side by
//! side with their intervals.
//!
//! Nodes are on a logarithmic axis, where twice as many is as far wherever it stands. Left out: more method sets than have
//! room, of which those that save most are shown; the matrix has all.

use crate::brief::{Found, value_of};
use crate::plots::{Plot, drawn};
use maud::{Markup, PreEscaped, html};
use secateur_base::sets::shortened;
use secateur_reports::format::{ratio, share};
use secateur_stats::depth::reached;
use secateur_stats::group::Group;
use secateur_stats::interval::Interval;
use secateur_stats::metrics::against_baseline;
use secateur_stats::regret::regrets;

/// Most method sets.
const ROWS: usize = 24;

/// The picture of one group on the page; nothing where there is nobody to compare.
pub(crate) fn forest(group: &Group<'_>, found: &Found<'_>) -> Option<Markup> {
    let svg = picture(group, found)?;
    let more = (group.methods.len() - 1).saturating_sub(ROWS);
    Some(html! {
        figure.forest {
            div.wide tabindex="0" role="region" aria-label=(format!("{} ({}): picture", group.heading(), group.suite)) { (PreEscaped(svg)) }
            @if more > 0 { figcaption { "and " (more) " that save less: see the matrix" } }
        }
    })
}

/// The picture of one group as a file; nothing where there is nobody to compare.
#[must_use]
pub fn picture(group: &Group<'_>, found: &Found<'_>) -> Option<String> {
    if group.methods.len() < 2 || group.blocks.is_empty() {
        return None;
    }
    let saved = |index: usize| match group.is_fixed_depth() {
        true => against_baseline(group, index, None).speedup_geometric,
        false => reached(group, index, 0, found.cells()).gain,
    };
    let mut order: Vec<usize> = (1..group.methods.len()).collect();
    order.sort_by(|&a, &b| saved(b).estimate.total_cmp(&saved(a).estimate));
    order.truncate(ROWS);
    let plots = plots(group, &order, saved);
    let names: Vec<String> = order.iter().map(|&index| shortened(group.methods[index])).collect();
    let title = format!("{}: what each method saves, keeps and loses", group.heading());
    Some(drawn(&title, &names, &plots))
}

fn plots(group: &Group<'_>, order: &[usize], saved: impl Fn(usize) -> Interval) -> [Plot; 3] {
    let each = |of: &dyn Fn(usize) -> Option<Interval>| order.iter().map(|&index| of(index)).collect();
    let is_depth = group.is_fixed_depth();
    let first = Plot {
        firm: Vec::new(),
        heading: if is_depth { "nodes saved, times".to_owned() } else { "plies gained".to_owned() },
        log: is_depth,
        at: if is_depth { 1.0 } else { 0.0 },
        values: each(&|index| Some(saved(index))),
        words: if is_depth { |x| format!("{}x", ratio(x)) } else { |x| format!("{x:+.2}") },
    };
    let moves = Plot {
        firm: Vec::new(),
        heading: "same move".to_owned(),
        log: false,
        at: 1.0,
        values: each(&|index| against_baseline(group, index, None).same_move),
        words: |x| share(x).replace(".0 %", " %"),
    };
    let found = regrets(group);
    let loss = |index: usize| match &found {
        Some(found) => found[index].1.excess_within,
        None => against_baseline(group, index, None).value_difference,
    };
    let what = if found.is_some() { format!("regret over {}", group.methods[0]) } else { "|dv|".to_owned() };
    let lost = Plot {
        firm: Vec::new(),
        heading: format!("{what}, {}", secateur_reports::format::units(group)),
        log: false,
        at: 0.0,
        values: each(&|index| Some(value_of(group, &loss(index)))),
        words: |x| format!("{x:.2}"),
    };
    [first, moves, lost]
}
