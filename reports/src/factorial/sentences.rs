//! The interactions in plain sentences, for a programmer who has one method and thinks of adding another.

use crate::format::{count, ratio, ratio_within, rounded, signed_within as signed};
use secateur_stats::factorial::{Design, Effects, Factor, Interaction};
use secateur_stats::inference::{Shown, Test, shown};
use secateur_stats::interval::Interval;

/// Of an interaction smaller than this nobody will see anything: the tree is within 5 % of what independence gives.
const HARDLY: f64 = 0.05;

/// What was crossed, on what.
fn crossed(design: &Design<'_, '_>) -> String {
    format!(
        "**{}, {} positions**: all {} combinations of {}",
        design.group.heading(),
        count(design.group.blocks.len() as u64),
        design.sets.len(),
        listed(&design.factors),
    )
}

/// What all together save, and what each is worth to the rest.
pub(super) fn introduction(design: &Design<'_, '_>, nodes: &Effects) -> String {
    let product = nodes.factors.iter().map(|factor| factor.alone.estimate).sum::<f64>().exp();
    let mut text = format!(
        "{}. All together have a speed-up of {}; their speed-ups alone, multiplied, would make it {}.",
        crossed(design),
        ratio_within(&nodes.whole.exp()),
        if product < 1000.0 { ratio(product) } else { rounded(product) },
    );
    let adds = |factor: &Factor| shown(Test { effect: factor.last.estimate, p: factor.p_last });
    let mut last: Vec<(&str, Interval, Shown)> = design
        .factors
        .iter()
        .zip(&nodes.factors)
        .map(|(name, factor)| (*name, factor.last, adds(factor)))
        .collect();
    last.sort_by(|a, b| b.1.estimate.total_cmp(&a.1.estimate));
    let named_with = |wanted: Shown| {
        let chosen = last.iter().filter(|(_, _, adds)| *adds == wanted);
        let names: Vec<String> =
            chosen.map(|(name, last, _)| format!("{name} ({})", ratio_within(&last.exp()))).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let lists = [
        ("What each adds to all the others", named_with(Shown::Above)),
        ("Not shown to add anything", named_with(Shown::No)),
        ("The tree is smaller without", named_with(Shown::Below)),
    ];
    for (what, names) in lists {
        text.extend(names.map(|names| format!(" {what}: {names}.")));
    }
    text
}

/// What stands for a group whose interactions are told at another depth.
pub(super) fn aside(design: &Design<'_, '_>, nodes: &Effects, main: &Design<'_, '_>) -> String {
    format!(
        "{}. All together have a speed-up of {}. Here are shares and costs only; for the interactions see {}.",
        crossed(design),
        ratio_within(&nodes.whole.exp()),
        main.group.budget_label(),
    )
}

/// What one interaction means.
pub(super) fn sentence(design: &Design<'_, '_>, term: &Interaction) -> String {
    let names = [design.factors[term.first], design.factors[term.second]];
    let [one, two, both] = term.savings;
    let silent = [(names[0], one), (names[1], two)].into_iter().find(|(_, saving)| *saving == 0.0);
    let [first, second] = names;
    if let Some((silent, _)) = silent.filter(|_| (one + two - both).abs() < 1e-12) {
        return format!(
            "**{first} and {second}**: nothing to say, because {silent} leaves the number of nodes as it is."
        );
    }
    let together = format!(
        "{} together, {} if each saved what it saves alone",
        ratio(both.exp()),
        ratio((one + two).exp())
    );
    let relation = if !term.shown_alone().any() {
        format!("are not shown to interact: {together}")
    } else if term.alone.estimate.abs() < HARDLY {
        format!("hardly interact: {together}")
    } else if term.alone.estimate > 0.0 {
        format!("overlap: {}", overlapping(names, term))
    } else {
        format!("help each other: {}", helping(names, term))
    };
    format!("**{first} and {second}** {relation} (I = {}).{}", signed(&term.alone), turned(term))
}

/// What is left of the lesser method next to the greater.
fn overlapping(names: [&str; 2], term: &Interaction) -> String {
    let [one, two, _] = term.savings;
    let (greater, lesser) = if one >= two { (0, 1) } else { (1, 0) };
    let (alone, left) = (term.savings[lesser], term.with_other[lesser]);
    let (lesser_index, greater, lesser) = (lesser, names[greater], names[lesser]);
    let (was, is) = (ratio(alone.exp()), ratio_within(&left.exp()));
    if alone <= 0.0 {
        format!("{lesser} makes the tree larger, with a speed-up of {was} alone and {is} with {greater} on")
    } else if term.shown_beside(lesser_index) == Shown::Below {
        format!("with {greater} on, {lesser} makes the tree larger, with a speed-up of {is}, alone {was}")
    } else if let Some(part) = term.overlap().filter(|_| term.shown_beside(lesser_index) == Shown::Above) {
        format!(
            "{:.0} % of what {lesser} saves, {greater} saves too; with {greater} on, {lesser} still has a speed-up of {is}, \
             alone {was}",
            100.0 * part
        )
    } else {
        format!(
            "with {greater} on, {lesser} is not shown to save anything, with a speed-up of {is}, alone {was}"
        )
    }
}

/// What each gains from the other.
fn helping(names: [&str; 2], term: &Interaction) -> String {
    let gain = |gaining: usize| {
        format!(
            "{} has a speed-up of {} with {} on, alone {}",
            names[gaining],
            ratio_within(&term.with_other[gaining].exp()),
            names[1 - gaining],
            ratio(term.savings[gaining].exp())
        )
    };
    [gain(0), gain(1)].join("; ")
}

/// A warning where the company of the other methods turns the sign.
fn turned(term: &Interaction) -> String {
    let mean = &term.mean;
    let turned = matches!(
        (term.shown_alone(), term.shown_mean()),
        (Shown::Above, Shown::Below) | (Shown::Below, Shown::Above)
    );
    if !turned || mean.estimate.abs() < HARDLY {
        return String::new();
    }
    let what = if mean.estimate < 0.0 { "they help each other" } else { "they overlap" };
    format!(
        " With the others on it turns: on average over all combinations of the other methods {what} (I = {}).",
        signed(mean)
    )
}

fn listed(names: &[&str]) -> String {
    match names {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.join(", "),
    }
}
