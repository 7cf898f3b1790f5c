//! The matrix: every method set in every block and stage, one line each, to be filtered, sorted and searched.

use crate::evidence::Evidence;
use crate::format::{fixed, share_within, signed_within, times, within};
use crate::page::brief::difference;
use maud::{Markup, html};
use secateur_base::sets::shortened;
use secateur_stats::depth::reached;
use secateur_stats::group::Group;
use secateur_stats::interval::Interval;
use secateur_stats::metrics::against_baseline;
use secateur_stats::numbers;
use secateur_stats::pairwise::time_ratio;
use secateur_stats::regret::{Regret, regrets};

/// With more lines than this stages are left out: the tables of the report have them.
const MOST: usize = 600;

/// Headings of [`line`]'s numbers.
const HEADINGS: [&str; 7] = [
    numbers::NODES_SAVED.name,
    numbers::PLIES_GAINED.name,
    numbers::SAME_MOVE.name,
    numbers::SAME_VALUE.name,
    numbers::VALUE_DIFFERENCE.name,
    numbers::REGRET_EXCESS.name,
    numbers::TIME_SAVED.name,
];

/// A cell with the number by which it sorts.
struct Cell(String, f64);

impl Cell {
    fn of(interval: Option<Interval>, written: impl Fn(&Interval) -> String) -> Cell {
        interval.map_or_else(|| Cell("-".to_owned(), f64::NAN), |i| Cell(written(&i), i.estimate))
    }
}

/// The table of all groups.
pub(crate) fn matrix(evidence: &Evidence<'_>) -> Markup {
    let groups = &evidence.groups;
    let has = [
        groups.iter().any(Group::is_fixed_depth),
        !groups.iter().all(Group::is_fixed_depth),
        groups.iter().any(|group| regrets(group).is_some()),
    ];
    let [depths, budgets, judged] = has;
    let shown = [depths, budgets, true, depths, depths, judged, depths];
    let lines = |group: &Group<'_>| group.methods.len() * (1 + group.stages().len());
    let is_large = groups.iter().map(lines).sum::<usize>() > MOST;
    html! {
        @if is_large { p.note { "All stages together; the tables of each block by stage are below." } }
        p {
            "Each method set is compared with the baseline of its block on the same positions; brackets are 95 % intervals. "
            "Values are in what the game is read in (discs, pawns). |dv|: how far the values of the two searches are apart on "
            "average, without the positions at which one of them is proven (a mate), whose number stands next to it. Regret: what the "
            "moves lose by the oracle beyond those of the baseline, whose own line says what it loses in all."
        }
        div.scroll tabindex="0" role="region" aria-label="matrix" {
            table data-filter="matrix" {
                thead { tr {
                    th.left scope="col" data-pick="search" { button type="button" { "method" } }
                    th.left scope="col" data-pick="game" { button type="button" { "game" } }
                    th.left scope="col" data-pick="budget" { button type="button" { "budget" } }
                    th.left scope="col" data-pick="stage" data-first="all" { button type="button" { "stage" } }
                    th scope="col" { button type="button" { "positions" } }
                    @for (heading, _) in HEADINGS.iter().zip(shown).filter(|(_, shown)| *shown) {
                        th scope="col" { button type="button" { (heading) } }
                    }
                } }
                tbody {
                    @for group in groups {
                        @let losses = regrets(group);
                        @let stages = group.stages();
                        @for stage in [None].into_iter().chain(stages.iter().copied().filter(|_| stages.len() > 1 && !is_large).map(Some)) {
                            @for index in usize::from(losses.is_none() || stage.is_some())..group.methods.len() {
                                @let regret = losses.as_ref().filter(|_| stage.is_none()).map(|all| &all[index].1);
                                (line(group, (index, stage), regret, evidence, shown))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A number with its interval below it, which takes half the room.
fn stacked(text: &str) -> Markup {
    html! {
        @match text.split_once(" [") {
            Some((number, within)) => { (number) " " small { "[" (within) } },
            None => { (text) },
        }
    }
}

fn line(
    group: &Group<'_>,
    (index, stage): (usize, Option<&str>),
    regret: Option<&Regret>,
    evidence: &Evidence<'_>,
    shown: [bool; 7],
) -> Markup {
    let c = against_baseline(group, index, stage);
    let is_depth = group.is_fixed_depth();
    let value = |i: &Interval| within(&group.in_units(i), |x| fixed(Some(x)));
    let gain = (!is_depth && stage.is_none()).then(|| reached(group, index, 0, &evidence.cells).gain);
    let other = index > 0;
    let beyond = regret.filter(|_| other).map(|regret| regret.excess.within);
    let mut cells = [
        Cell::of(Some(c.speedup_geometric).filter(|_| is_depth && other), times),
        Cell::of(gain.filter(|_| other), signed_within),
        Cell::of(c.same_move.filter(|_| other), |i| share_within(Some(*i))),
        Cell::of(c.same_value.filter(|_| is_depth && other), |i| share_within(Some(*i))),
        Cell::of(Some(c.value_difference).filter(|_| is_depth && other), |_| difference(group, index, stage)),
        Cell::of(beyond, value),
        Cell::of(time_ratio(group, 0, index).ok().filter(|_| is_depth && other && stage.is_none()), times),
    ];
    if let (false, Some(own)) = (other, regret) {
        cells[5].0 = format!("{} in all", value(&own.mean));
    }
    html! {
        tr {
            th.left scope="row" { (shortened(group.methods[index])) }
            td.left { (group.game) }
            td.left { (group.budget_label()) " (" (group.suite) ")" }
            td.left { (stage.unwrap_or("all")) }
            td data-v=(c.n) { (c.n) }
            @for (Cell(text, number), _) in cells.iter().zip(shown).filter(|(_, shown)| *shown) {
                td data-v=[number.is_finite().then(|| format!("{number:.6}"))] { (stacked(text)) }
            }
        }
    }
}
