//! The table of one block: a line for each method set.
//!
//! At a fixed depth nodes are compared, at any other budget depths; an oracle says what a move costs where there was
//! one, else by the value that the search itself gives.
//!
//! What a block says in words, in a sentence or two, is here too.

use super::{Fitted, fit, no_room};
use crate::evidence::{Evidence, Judged};
use crate::format::{
    distance, fixed, in_units, only_if, or_dash, plural, ratio, share_within, signed_within, times, units,
    within, wrapped,
};
use crate::summary::{front, left_out, why_none};
use crate::table::Table;
use secateur_base::sets::shortened;
use secateur_base::visible::visible;
use secateur_stats::depth::reached;
use secateur_stats::group::Group;
use secateur_stats::inference::Shown;
use secateur_stats::interval::Interval;
use secateur_stats::measure::INSTRUCTIONS;
use secateur_stats::metrics::{Iterations, against_baseline};
use secateur_stats::numbers;
use secateur_stats::pairwise::{between, time_ratio};
use secateur_stats::regret::regrets;

/// Lines that the rows of a table may take.
const ROWS: usize = 14;

/// The table of one block with a heading above it, in at most `width` columns and 18 lines; nothing without a
/// method set to compare.
pub fn block(group: &Group<'_>, evidence: &Evidence<'_>, width: u16) -> String {
    let width = usize::from(width);
    if group.methods.len() < 2 {
        return String::new();
    }
    if group.blocks.is_empty() {
        return format!("\n{}: no position at which every method set finished\n", heading(group));
    }
    let as_planned: Vec<usize> = (first(group)..group.methods.len()).collect();
    let fitted_in = |order| fit(&table(group, order, evidence), rank, width);
    let mut fitted = fitted_in(as_planned.clone());
    if fitting(&fitted.rows) < fitted.rows.len() {
        fitted = fitted_in(by_savings(group, as_planned, &evidence.cells));
    }
    let Fitted { head, rows, left_out } = fitted;
    let shown = fitting(&rows);
    let mut text = String::from("\n");
    for line in wrapped(&heading(group), width, 2) {
        text += &format!("{line}\n");
    }
    text += &format!("{head}\n");
    for line in rows[..shown].iter().flatten() {
        text += &format!("{line}\n");
    }
    if shown < rows.len() {
        let more = plural(rows.len() - shown, "method set");
        let left_out_rows =
            format!("... and {more} that {}; --full prints all", lesser(group, rows.len() - shown));
        text += &wrapped(&left_out_rows, width, 2).iter().map(|line| format!("{line}\n")).collect::<String>();
    }
    text + &no_room(&left_out, width).iter().map(|line| format!("{line}\n")).collect::<String>()
}

/// The first method set with a row: the baseline where an oracle judged moves, because it loses something, too.
fn first(group: &Group<'_>) -> usize {
    usize::from(regrets(group).is_none())
}

fn lesser(group: &Group<'_>, n: usize) -> &'static str {
    match (group.is_fixed_depth(), n) {
        (true, 1) => "saves less",
        (true, _) => "save less",
        (false, 1) => "gains less",
        (false, _) => "gain less",
    }
}

/// How many rows have room.
fn fitting(rows: &[Vec<String>]) -> usize {
    let all: usize = rows.iter().map(Vec::len).sum();
    let room = if all <= ROWS { ROWS } else { ROWS - 1 };
    let mut lines = 0;
    rows.iter()
        .take_while(|row| {
            lines += row.len();
            lines <= room
        })
        .count()
}

/// `chess, depth 8 (quick): 18 positions, compared with none; in brackets 95 % intervals`.
fn heading(group: &Group<'_>) -> String {
    let left_out = match group.incomplete {
        0 => String::new(),
        n => format!(", {} left out (a cell is missing or failed)", plural(n, "position")),
    };
    let unsearched = match group.unsearched {
        0 => String::new(),
        n => format!(", {} left out (one legal move, answered without a search)", plural(n, "position")),
    };
    let judge = match group.judge.as_str() {
        "" => String::new(),
        judge => format!("; regret by {judge}"),
    };
    let undecided: usize = (1..group.methods.len()).map(|method| group.undecided(method)).sum();
    let undecided = match undecided {
        0 => String::new(),
        n => format!("; {} left out of `same move`, undecided", plural(n, "move")),
    };
    visible(&format!(
        "{} ({}): {}{left_out}{unsearched}, compared with {}; in brackets 95 % intervals{judge}{undecided}",
        group.heading(),
        group.suite,
        plural(group.blocks.len(), "position"),
        group.methods[0]
    ))
    .into_owned()
}

/// Method sets by what they save or gain, the best first.
fn by_savings(group: &Group<'_>, mut order: Vec<usize>, cells: &Iterations<'_>) -> Vec<usize> {
    let saved = |index: usize| match group.is_fixed_depth() {
        true => against_baseline(group, index, None).speedup_geometric.estimate,
        false => reached(group, index, 0, cells).gain.estimate,
    };
    // The baseline, where it has a row, stays the first.
    order.sort_by(|&a, &b| (a > 0).cmp(&(b > 0)).then(saved(b).total_cmp(&saved(a))));
    order
}

/// The same as a table of a document, with every column.
pub fn table_of(group: &Group<'_>, evidence: &Evidence<'_>) -> Table {
    table(group, (first(group)..group.methods.len()).collect(), evidence)
}

/// How soon a column is left out, by what its heading begins with: the greatest first, all others never.
const RANKS: [(&str, u8); 9] = [
    (numbers::SAME_MOVE.name, 1),
    ("solved of", 1),
    ("regret over", 2),
    (numbers::VALUE_DIFFERENCE.name, 2),
    (numbers::INSTRUCTIONS_SAVED.name, 3),
    (numbers::TIME_SAVED.name, 3),
    (numbers::DEPTH.name, 3),
    (numbers::SAME_VALUE.name, 4),
    ("Mnodes/s", 4),
];

fn rank(heading: &str) -> u8 {
    RANKS.iter().find(|(begin, _)| heading.starts_with(begin)).map_or(0, |(_, rank)| *rank)
}

/// These method sets, a row each.
fn table(group: &Group<'_>, order: Vec<usize>, evidence: &Evidence<'_>) -> Table {
    let (regrets, solved) = (regrets(group), solved(group, evidence));
    let regret_over = format!("regret over {}, {}", group.methods[0], units(group));
    let distance_of = in_units(numbers::VALUE_DIFFERENCE.name, group);
    let row = |index: usize| {
        let c = against_baseline(group, index, None);
        // The baseline is not compared.
        let compared = |cell: &dyn Fn() -> String| only_if(index > 0, cell);
        let same_move = (numbers::SAME_MOVE.name.to_owned(), compared(&|| share_within(c.same_move)));
        let solved = solved.as_ref().map(|(all, by)| (format!("solved of {all}"), by[index].to_string()));
        let regret = regrets.as_ref().map(|losses| match index {
            0 => format!("{} in all", value(group, &losses[0].1.mean)),
            _ => value(group, &losses[index].1.excess.within),
        });
        let regret = regret.map(|lost| (regret_over.clone(), lost));
        let mut row = vec![("<method".to_owned(), shortened(group.methods[index]))];
        if group.is_fixed_depth() {
            row.push((numbers::NODES_SAVED.name.to_owned(), compared(&|| times(&c.speedup_geometric))));
            row.push(same_move);
            row.extend(solved);
            row.push((numbers::SAME_VALUE.name.to_owned(), compared(&|| share_within(c.same_value))));
            row.push(regret.unwrap_or_else(|| (distance_of.clone(), distance(group, &c))));
            row.push(cost(group, index));
        } else {
            let reached = reached(group, index, 0, &evidence.cells);
            row.push((numbers::PLIES_GAINED.name.to_owned(), compared(&|| signed_within(&reached.gain))));
            row.push(same_move);
            row.extend(solved);
            row.extend(regret);
            row.push((numbers::DEPTH.name.to_owned(), fixed(reached.fraction.or(Some(reached.depth)))));
            row.push(("Mnodes/s".to_owned(), fixed(Some(c.nodes_per_second / 1e6))));
        }
        row
    };
    order.into_iter().map(row).collect()
}

/// How many positions of a group have a solution, and how many of them each method set solves; `None` without any.
fn solved(group: &Group<'_>, evidence: &Evidence<'_>) -> Option<(usize, Vec<usize>)> {
    let problems = evidence.problems(group);
    let by = |method: usize| problems.iter().filter(|problem| problem.outcomes[method].0).count();
    (!problems.is_empty()).then(|| (problems.len(), (0..group.methods.len()).map(by).collect()))
}

/// How far values are apart, with the number of positions at which one of them is proven next to it.
pub(crate) fn difference(group: &Group<'_>, index: usize, stage: Option<&str>) -> String {
    distance(group, &against_baseline(group, index, stage))
}

/// What is saved where it is paid for: instructions where they were counted at every position, else time.
fn cost(group: &Group<'_>, index: usize) -> (String, String) {
    let is_counted = group.counted().len() == group.blocks.len();
    let number = if is_counted { numbers::INSTRUCTIONS_SAVED } else { numbers::TIME_SAVED };
    let saved = || match is_counted {
        true => or_dash(between(group, &INSTRUCTIONS, 0, index).as_ref().map(times)),
        false => {
            time_ratio(group, 0, index).map_or_else(|untimed| untimed.to_string(), |saved| times(&saved))
        }
    };
    (number.name.to_owned(), only_if(index > 0, saved))
}

/// A number of score units in [`units`].
pub(super) fn value(group: &Group<'_>, i: &Interval) -> String {
    within(&group.in_units(i), |x| fixed(Some(x)))
}

/// Names in a list before it is cut short.
const NAMES: usize = 4;
/// Method sets of a frontier before it is cut short.
const FRONTIER: usize = 8;

/// The sentence of a group; `judged` is what the summary found out of its method sets at a fixed depth.
pub(super) fn sentence(group: &Group<'_>, judged: &[Judged<'_>], evidence: &Evidence<'_>) -> String {
    let head = format!("{}, {}", group.heading(), plural(group.blocks.len(), "position"));
    let verdict = match judged {
        _ if group.blocks.is_empty() || group.methods.len() < 2 => alone(group),
        [_, ..] => at_depth(judged),
        [] => at_budget(group, &evidence.cells),
    };
    let solved = solved(group, evidence).map_or_else(String::new, |(all, by)| {
        let best = by.iter().copied().max().unwrap_or(0);
        let best = group.methods.iter().zip(&by).find(|(_, solved)| **solved == best);
        let more = best.filter(|(_, solved)| **solved > by[0]);
        let more = more.map_or_else(String::new, |(name, solved)| format!(", most {name} {solved}"));
        format!(" Solved of {all}: {} {}{more}.", group.methods[0], by[0])
    });
    visible(&shortened(&format!("{head}: {verdict}{solved}"))).into_owned()
}

/// The same of a program that is compared with itself without its methods.
pub(super) fn worth(group: &Group<'_>, words: &str) -> String {
    visible(&format!("{}, {}: {words}", group.heading(), plural(group.blocks.len(), "position"))).into_owned()
}

/// What is known of a method set without another to compare.
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
        [] => format!("no {}.", why_none(all)),
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
    let names_of =
        |wanted: Shown| all.iter().filter(|j| j.saves == wanted).map(|j| j.name).collect::<Vec<_>>();
    // Where nothing is shown, naming everything tells nothing.
    if !front.is_empty() {
        text += &named(" Not shown to save: ", &names_of(Shown::No));
    }
    text + &named(" Shown to cost nodes: ", &names_of(Shown::Below))
}

/// Who comes deepest at an equal budget.
fn at_budget(group: &Group<'_>, cells: &Iterations<'_>) -> String {
    let gains = (1..group.methods.len()).map(|index| (index, reached(group, index, 0, cells).gain));
    let measured_gains = gains.filter(|(_, gain)| gain.estimate.is_finite());
    match measured_gains.max_by(|a, b| a.1.estimate.total_cmp(&b.1.estimate)) {
        Some((index, gain)) => format!(
            "deepest {}, {} plies, same move {}.",
            group.methods[index],
            signed_within(&gain),
            share_within(against_baseline(group, index, None).same_move)
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
