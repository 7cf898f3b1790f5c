//! What a block says, in a sentence or two.

use super::Found;
use super::block::{agreement, units, value};
use crate::format::{plural, ratio, share_within, signed_within};
use crate::summary::{Judged, front, left_out, nobody};
use secateur_base::sets::shortened;
use secateur_base::visible::visible;
use secateur_stats::depth::reached;
use secateur_stats::group::Group;
use secateur_stats::inference::Shown;
use secateur_stats::metrics::Iterations;
use secateur_stats::regret::regrets;

/// Names in a list before it is cut short.
const NAMES: usize = 4;
/// Method sets of a frontier before it is cut short.
const FRONTIER: usize = 8;

/// The sentence of a group; `judged` is what the summary found out of its method sets at a fixed depth.
pub(super) fn sentence(group: &Group<'_>, judged: Option<&[Judged<'_>]>, found: &Found<'_>) -> String {
    let head = format!("{}, {}", group.heading(), plural(group.blocks.len(), "position"));
    let told = match judged {
        _ if group.blocks.is_empty() || group.methods.len() < 2 => alone(group),
        Some(all) => at_depth(all),
        None => at_budget(group, &found.cells),
    };
    let solved = found.solved(group).map_or_else(String::new, |(all, by)| {
        let best = by.iter().copied().max().unwrap_or(0);
        let best = group.methods.iter().zip(&by).find(|(_, solved)| **solved == best);
        let more = best.filter(|(_, solved)| **solved > by[0]);
        let more = more.map_or_else(String::new, |(name, solved)| format!(", most {name} {solved}"));
        format!(" Solved of {all}: {} {}{more}.", group.methods[0], by[0])
    });
    visible(&shortened(&format!("{head}: {told}{solved}"))).into_owned()
}

/// The same of a program that is compared with itself without its methods.
pub(super) fn worth(group: &Group<'_>, words: &str) -> String {
    visible(&format!("{}, {}: {words}", group.heading(), plural(group.blocks.len(), "position"))).into_owned()
}

/// What is known of a method set that nobody is compared with.
fn alone(group: &Group<'_>) -> String {
    match regrets(group).as_deref() {
        Some([(name, regret)]) => {
            let lost = format!("{} {}", value(group, &regret.mean), units(group));
            format!("{name} loses {lost} a move on average, by {}.", group.judge)
        }
        _ => "nothing to compare.".to_owned(),
    }
}

/// Who is worth a choice, and who is not shown to save.
fn at_depth(all: &[Judged<'_>]) -> String {
    let front = front(all);
    let each = |judged: &Judged<'_>| {
        let moves = judged.effects.same_move.map_or(f64::NAN, |i| 100.0 * i.estimate);
        let saved = ratio(judged.effects.speedup_geometric.estimate);
        format!("{} ({saved}x in nodes, same move {moves:.0} %)", judged.name)
    };
    let mut text = match front.as_slice() {
        [] => format!("no {}.", nobody(all)),
        several => {
            let all: Vec<String> = several.iter().take(FRONTIER).map(|judged| each(judged)).collect();
            let more = match several.len().saturating_sub(FRONTIER) {
                0 => String::new(),
                more => format!(", and {more} more"),
            };
            format!("best trade-offs, most accurate first: {}{more}.", all.join(", "))
        }
    };
    text += &left_out(all);
    let of = |wanted: Shown| all.iter().filter(|j| j.saves == wanted).map(|j| j.name).collect::<Vec<_>>();
    // Where nothing is shown, naming everything tells nothing.
    if !front.is_empty() {
        text += &named(" Not shown to save: ", &of(Shown::No));
    }
    text + &named(" Shown to cost nodes: ", &of(Shown::Below))
}

/// Who comes deepest at an equal budget.
fn at_budget(group: &Group<'_>, cells: &Iterations<'_>) -> String {
    let gains = (1..group.methods.len()).map(|index| (index, reached(group, index, 0, cells).gain));
    let known = gains.filter(|(_, gain)| gain.estimate.is_finite());
    match known.max_by(|a, b| a.1.estimate.total_cmp(&b.1.estimate)) {
        Some((index, gain)) => format!(
            "deepest {}, {} plies, same move {}.",
            group.methods[index],
            signed_within(&gain),
            share_within(agreement(group, index))
        ),
        None => "no depths are known to compare.".to_owned(),
    }
}

fn named(lead: &str, names: &[&str]) -> String {
    match names.len() {
        0 => String::new(),
        n if n > NAMES => format!("{lead}{} and {} more.", names[..NAMES].join(", "), n - NAMES),
        _ => format!("{lead}{}.", names.join(", ")),
    }
}
