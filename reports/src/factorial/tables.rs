//! The tables of a factorial experiment.

use crate::format::{only_if, or_dash, p_words, plural, ratio, ratio_within, signed_within as signed};
use crate::table::Table;
use secateur_record::games;
use secateur_stats::contrast::Mean;
use secateur_stats::factorial::{Design, Effects, Interaction, effects, untimed};
use secateur_stats::interval::Interval;
use secateur_stats::measure::{MOVES, Measure, NODES, REGRET, TIME, divided};

/// All tables of one design; the p-values of its nodes are corrected.
pub(super) fn of_main(design: &Design<'_, '_>, nodes: &Effects) -> Vec<Table> {
    let others = others(design);
    let mut tables = vec![adds(design, nodes, &others), interactions(design, nodes)];
    tables.extend(others.iter().filter(|(m, _)| m.is_difference()).map(|(m, e)| costs(design, m, e)));
    tables
}

/// What a design has that the one with the interactions may lack: shares, and what the moves lose.
pub(super) fn of_aside(design: &Design<'_, '_>, nodes: &Effects) -> Vec<Table> {
    let others = others(design);
    // What the columns mean stands below the table of the main group.
    let mut tables = vec![Table { notes: Vec::new(), ..adds(design, nodes, &others) }];
    let regret = others.iter().filter(|(measure, _)| **measure == REGRET);
    tables.extend(regret.map(|(measure, effects)| costs(design, measure, effects)));
    tables
}

/// What else every row of the design has.
fn others(design: &Design<'_, '_>) -> Vec<(&'static Measure, Effects)> {
    let others = divided().filter(|measure| **measure != NODES);
    others.filter_map(|measure| Some((measure, effects(design, measure)?))).collect()
}

/// Savings as speed-ups, and shares of every measure.
fn adds(design: &Design<'_, '_>, nodes: &Effects, others: &[(&Measure, Effects)]) -> Table {
    let mut table =
        Table::new(&["<method", "alone", "main effect", "last (left out of all)", "share of node saving"]);
    table.columns[0].0 = heading(design, "method");
    let untimed = untimed(design);
    for (measure, _) in others {
        let saving = if measure.is_difference() { "" } else { " saving" };
        table.columns.push((format!("of {}{saving}", measure.cost_heading()), crate::table::Align::Right));
    }
    if untimed.is_some() {
        table.columns.push((format!("of {} saving", TIME.name), crate::table::Align::Right));
    }
    for (index, name) in design.factors.iter().enumerate() {
        let factor = &nodes.factors[index];
        let mut row = vec![(*name).to_owned()];
        row.extend([factor.alone, factor.main, factor.last].map(|saving| ratio_within(&saving.exp())));
        row.push(share(&factor.share, nodes));
        row.extend(others.iter().map(|(_, effects)| share(&effects.factors[index].share, effects)));
        row.extend(untimed.map(|_| or_dash(None)));
        table.push(row);
    }
    let mut row = vec!["all together".to_owned(), ratio_within(&nodes.whole.exp())];
    row.extend([or_dash(None), or_dash(None)]);
    let wholes = std::iter::once(nodes).chain(others.iter().map(|(_, effects)| effects));
    row.extend(wholes.map(|effects| only_if(effects.saves(), || "100 %".to_owned())));
    row.extend(untimed.map(|untimed| untimed.to_string()));
    table.push(row);
    table.notes.push(
        "Speed-ups in nodes (geometric): of the method alone over none, as the mean over all combinations of the others, and \
         of all over all but the method. Shares are Shapley's and add up to the whole; one below 0 means that the method \
         works against the rest. A dash means that the whole is not shown to be other than 0. Intervals are 95 %, \
         over source games (jackknife); moves and regret have one where 30 games or more, and 10 that all together change, \
         allow it."
            .to_owned(),
    );
    if others.iter().any(|(measure, _)| **measure == MOVES) {
        let left_out = left_out(design);
        table
            .notes
            .extend((!left_out.is_empty()).then(|| format!("Of moves changed:{}", left_out.to_lowercase())));
    }
    table
}

fn heading(design: &Design<'_, '_>, what: &str) -> String {
    format!("{} ({} positions): {what}", design.group.heading(), design.group.blocks.len())
}

fn interactions(design: &Design<'_, '_>, nodes: &Effects) -> Table {
    let pair = format!("<{}", heading(design, "pair"));
    let row = |term: &Interaction| {
        let [first, second, both] = term.savings;
        [
            (pair.as_str(), format!("{} x {}", design.factors[term.first], design.factors[term.second])),
            ("first alone", ratio(first.exp())),
            ("with the second on", ratio_within(&term.with_other[0].exp())),
            ("second alone", ratio(second.exp())),
            ("with the first on", ratio_within(&term.with_other[1].exp())),
            ("together", ratio(both.exp())),
            ("I", signed(&term.alone)),
            ("p (Holm)", p_words(Some(term.p[0]))),
            ("I, mean over the others", signed(&term.mean)),
            (
                "overlap",
                or_dash(term.overlap().map(|part| match part {
                    part if part > 1.0 => "over 100 %".to_owned(),
                    part => format!("{:.0} %", 100.0 * part),
                })),
            ),
        ]
    };
    nodes.interactions.iter().map(row).collect::<Table>().noted(
        "Speed-ups in nodes (geometric). I = ln N(both) - ln N(first) - ln N(second) + ln N(neither): above 0 both prune the \
         same nodes in part, below 0 each helps the other. Overlap: I over the lesser of the two savings, the part of it that \
         the other method makes anyway; over 100 %: with the other on it makes the tree larger.",
    )
}

/// What each method costs in accuracy, alone and last.
fn costs(design: &Design<'_, '_>, measure: &Measure, effects: &Effects) -> Table {
    let mut table = Table::new(&["<method", "alone", "main effect", "last", "part (Shapley)"]);
    table.columns[0].0 = heading(design, &format!("{} by", measure.cost_heading()));
    let scale = if measure.mean == Mean::Share { 100.0 } else { 1.0 };
    // Effects are savings; here more is worse.
    let cell = |i: Interval| {
        signed(&Interval { estimate: -scale * i.estimate, low: -scale * i.high, high: -scale * i.low })
    };
    for (name, factor) in design.factors.iter().zip(&effects.factors) {
        let mut row = vec![(*name).to_owned()];
        row.extend([factor.alone, factor.main, factor.last, factor.part].map(cell));
        table.push(row);
    }
    let mut row = vec!["all together".to_owned(), cell(effects.whole)];
    row.extend(["-".to_owned(), "-".to_owned(), cell(effects.whole)]);
    table.push(row);
    table.notes.push(match measure.mean {
        Mean::Share => {
            "Percentage points of positions whose move is no longer the baseline's.".to_owned()
                + &left_out(design)
        }
        _ => format!("In the unit of scores: {}.", games::words(|game| &game.score).join(", ")),
    });
    table
}

/// How many positions are left out of what is said of moves, if any are.
fn left_out(design: &Design<'_, '_>) -> String {
    match design.undecided() {
        0 => String::new(),
        n => format!(
            " Left out, because nobody decided whether another move is as good: {} of {}.",
            n,
            plural(design.group.blocks.len(), "position")
        ),
    }
}

/// A share of a whole that is shown to be other than 0.
fn share(share: &Interval, effects: &Effects) -> String {
    if !effects.saves() {
        return "-".to_owned();
    }
    // Adding 0 makes a rounded -0 a plain one.
    let percent = |x: f64| format!("{:.0}", (100.0 * x).round() + 0.0);
    let ends = |i: &Interval| format!(" [{}, {}]", percent(i.low), percent(i.high));
    let ends = if share.has_ends() { ends(share) } else { String::new() };
    format!("{} %{ends}", percent(share.estimate))
}
