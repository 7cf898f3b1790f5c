//! The picture that answers: a row a method set; what it saves, how often it keeps the move and what its moves lose, side by
//! side with their intervals.
//!
//! Nodes are on a logarithmic axis, where twice as many is as far wherever it stands. Left out: more method sets than have
//! room, of which those that save most are shown; the matrix has all.

use crate::format::{ratio, share};
use crate::page::brief::{Found, value_of};
use crate::page::plots::{Plot, both, drawn};
use maud::{Markup, html};
use secateur_base::sets::shortened;
use secateur_stats::depth::reached;
use secateur_stats::group::Group;
use secateur_stats::interval::Interval;
use secateur_stats::metrics::against_baseline;
use secateur_stats::regret::regrets;

/// Most method sets.
const ROWS: usize = 24;

/// The picture of one group on the page; nothing where there is nobody to compare.
pub(crate) fn forest(group: &Group<'_>, found: &Found<'_>) -> Option<Markup> {
    let (title, names, plots) = content(group, found)?;
    let more = (group.methods.len() - 1).saturating_sub(ROWS);
    let label = format!("{} ({}): picture", group.heading(), group.suite);
    Some(html! {
        figure.forest {
            (both(&title, &names, &plots, &label))
            @if more > 0 { figcaption { "and " (more) " that save less: see the matrix" } }
        }
    })
}

/// The picture of one group as a file; nothing where there is nobody to compare.
#[must_use]
pub fn picture(group: &Group<'_>, found: &Found<'_>) -> Option<String> {
    content(group, found).map(|(title, names, plots)| drawn(&title, &names, &plots))
}

/// Title, names of the rows and plots.
fn content(group: &Group<'_>, found: &Found<'_>) -> Option<(String, Vec<String>, [Plot; 3])> {
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
    let names: Vec<String> = order.iter().map(|&index| shortened(group.methods[index])).collect();
    let title = format!("{}: what each method saves, keeps and loses", group.heading());
    Some((title, names, plots(group, &order, saved)))
}

fn plots(group: &Group<'_>, order: &[usize], saved: impl Fn(usize) -> Interval) -> [Plot; 3] {
    let each = |of: &dyn Fn(usize) -> Option<Interval>| order.iter().map(|&index| of(index)).collect();
    let savings = each(&|index| Some(saved(index)));
    let first = match group.is_fixed_depth() {
        true => Plot::new("nodes saved, times", (true, 1.0), savings, |x| format!("{}x", ratio(x))),
        false => Plot::new("plies gained", (false, 0.0), savings, |x| format!("{x:+.2}")),
    };
    let kept = each(&|index| against_baseline(group, index, None).same_move);
    let moves = Plot::new("same move", (false, 1.0), kept, |x| share(x).replace(".0 %", " %"));
    let found = regrets(group);
    let loss = |index: usize| match &found {
        Some(found) => found[index].1.excess.within,
        None => against_baseline(group, index, None).value_difference,
    };
    let what = if found.is_some() { format!("regret over {}", group.methods[0]) } else { "|dv|".to_owned() };
    let losses = each(&|index| Some(value_of(group, &loss(index))));
    let heading = format!("{what}, {}", crate::format::units(group));
    [first, moves, Plot::new(heading, (false, 0.0), losses, |x| format!("{x:.2}"))]
}
