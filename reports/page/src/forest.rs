//! The picture that answers: a row a method set; what it saves, how often it keeps the move and what its moves lose, side by
//! side with their intervals.
//!
//! Nodes are on a logarithmic axis, where twice as many is as far wherever it stands. Left out: more method sets than have
//! room, of which those that save most are shown; the matrix has all.

use crate::brief::{Found, value_of};
use maud::{Markup, PreEscaped, html};
use secateur_base::sets::shortened;
use secateur_reports::chart::scale::{Log, short};
use secateur_reports::format::{ratio, share};
use secateur_reports::svg::{document, escape, step};
use secateur_stats::depth::reached;
use secateur_stats::group::Group;
use secateur_stats::interval::Interval;
use secateur_stats::metrics::against_baseline;
use secateur_stats::regret::regrets;
use std::fmt::Write;

/// Most method sets.
const ROWS: usize = 24;
const ROW: f64 = 22.0;
const TOP: f64 = 46.0;
const PLOT: f64 = 150.0;
const GAP: f64 = 66.0;
const COLOUR: &str = "#0072b2";

/// One of the three plots: its heading, its axis, and a number a row.
struct Plot {
    heading: String,
    log: bool,
    /// Where nothing is gained or lost.
    at: f64,
    values: Vec<Option<Interval>>,
    words: fn(f64) -> String,
}

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
    Some(drawn(group, &order, &plots))
}

fn plots(group: &Group<'_>, order: &[usize], saved: impl Fn(usize) -> Interval) -> [Plot; 3] {
    let each = |of: &dyn Fn(usize) -> Option<Interval>| order.iter().map(|&index| of(index)).collect();
    let is_depth = group.is_fixed_depth();
    let first = Plot {
        heading: if is_depth { "nodes saved, times".to_owned() } else { "plies gained".to_owned() },
        log: is_depth,
        at: if is_depth { 1.0 } else { 0.0 },
        values: each(&|index| Some(saved(index))),
        words: if is_depth { |x| format!("{}x", ratio(x)) } else { |x| format!("{x:+.2}") },
    };
    let moves = Plot {
        heading: "same move".to_owned(),
        log: false,
        at: 1.0,
        values: each(&|index| against_baseline(group, index, None).same_move),
        words: |x| share(x).replace(".0 %", " %"),
    };
    let found = regrets(group);
    let loss = |index: usize| match &found {
        Some(found) => found[index].1.mean,
        None => against_baseline(group, index, None).value_difference,
    };
    let what = if found.is_some() { "regret" } else { "|dv|" };
    let lost = Plot {
        heading: format!("{what}, {}s", group.traits.unit),
        log: false,
        at: 0.0,
        values: each(&|index| Some(value_of(group, &loss(index)))),
        words: |x| format!("{x:.2}"),
    };
    [first, moves, lost]
}

fn drawn(group: &Group<'_>, order: &[usize], plots: &[Plot; 3]) -> String {
    let longest =
        order.iter().map(|&index| shortened(group.methods[index]).chars().count()).max().unwrap_or(0);
    let left = (6.8 * longest as f64 + 14.0).clamp(80.0, 300.0);
    let height = TOP + ROW * order.len() as f64 + 8.0;
    let mut body = String::new();
    for (row, &index) in order.iter().enumerate() {
        let y = TOP + ROW * (row as f64 + 0.5);
        let (name, size) = (shortened(group.methods[index]), if longest > 42 { 9 } else { 12 });
        let _ = writeln!(
            body,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" font-size=\"{size}\">{}</text>",
            left - 8.0,
            y + 4.0,
            escape(&name)
        );
    }
    let mut words = Vec::new();
    for (at, plot) in plots.iter().enumerate() {
        let from = left + at as f64 * (PLOT + GAP);
        draw(&mut body, plot, (from, height), |row| group.methods[order[row]]);
    }
    for (row, &index) in order.iter().enumerate() {
        let told = plots.iter().map(|plot| format!("{} {}", plot.heading, told(plot, row)));
        words.push(format!("{}: {}", shortened(group.methods[index]), told.collect::<Vec<_>>().join(", ")));
    }
    let title = format!("{}: what each method saves, keeps and loses", group.heading());
    let width = left + 3.0 * (PLOT + GAP);
    document(width, height, &title, &words.join("; "), &body)
}

/// A number with its interval in words.
fn told(plot: &Plot, row: usize) -> String {
    let words = |x: f64| (plot.words)(x);
    match &plot.values[row] {
        Some(i) if !i.estimate.is_finite() => "-".to_owned(),
        Some(i) if i.has_ends() => format!("{} [{}, {}]", words(i.estimate), words(i.low), words(i.high)),
        Some(i) => words(i.estimate),
        None => "-".to_owned(),
    }
}

/// Where a linear axis over these values begins, its step, and how many there are: round numbers, a few of them.
fn round_axis(values: &[f64]) -> (f64, f64, u32) {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let step = if high > low { step(high - low, 3) } else { 1.0 };
    let from = (low / step + 1e-9).floor();
    let steps = ((high / step - 1e-9).ceil() - from).max(1.0);
    (from * step, step, steps as u32)
}

/// Draws one plot from `from` on.
fn draw<'a>(svg: &mut String, plot: &Plot, (from, height): (f64, f64), name: impl Fn(usize) -> &'a str) {
    let known = plot.values.iter().flatten();
    let ends = |i: &Interval| if i.has_ends() { vec![i.estimate, i.low, i.high] } else { vec![i.estimate] };
    let all: Vec<f64> = known.flat_map(ends).chain([plot.at]).filter(|x| x.is_finite()).collect();
    let log = Log::around(all.iter().copied());
    let (low, step, steps) = round_axis(&all);
    let span = step * f64::from(steps);
    let x = |value: f64| {
        let share = if plot.log { log.share(value) } else { (value - low) / span };
        from + PLOT * share.clamp(0.0, 1.0)
    };
    let _ =
        writeln!(svg, "<text x=\"{from}\" y=\"16\" font-weight=\"bold\">{}</text>", escape(&plot.heading));
    let ticks = if plot.log { log.ticks() } else { (0..=steps).map(|n| low + step * f64::from(n)).collect() };
    // Every second where they stand too close to be read.
    let stride = ticks.len().div_ceil(5).max(1);
    for tick in ticks.into_iter().step_by(stride) {
        let label = if plot.log { short(tick) } else { (plot.words)(tick) };
        let _ = writeln!(
            svg,
            "<line x1=\"{0:.1}\" y1=\"{TOP}\" x2=\"{0:.1}\" y2=\"{1}\" style=\"stroke-opacity:.25\"/>\
             <text x=\"{0:.1}\" y=\"36\" text-anchor=\"middle\" font-size=\"10\">{2}</text>",
            x(tick),
            height - 6.0,
            escape(&label)
        );
    }
    let one = x(plot.at);
    let _ = writeln!(svg, "<line x1=\"{one:.1}\" y1=\"{TOP}\" x2=\"{one:.1}\" y2=\"{}\"/>", height - 6.0);
    for (row, value) in plot.values.iter().enumerate() {
        let Some(value) = value.as_ref().filter(|value| value.estimate.is_finite()) else { continue };
        let y = TOP + ROW * (row as f64 + 0.5);
        let _ = write!(
            svg,
            "<g><title>{}: {} {}</title>",
            escape(name(row)),
            escape(&plot.heading),
            told(plot, row)
        );
        if value.has_ends() {
            let (a, b) = (x(value.low), x(value.high));
            let _ = write!(
                svg,
                "<line x1=\"{a:.1}\" y1=\"{y}\" x2=\"{b:.1}\" y2=\"{y}\" style=\"stroke:{COLOUR};stroke-width:2.5;stroke-opacity:.5\"/>"
            );
        }
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{y}\" r=\"4\" style=\"fill:{COLOUR}\"/>\
             <text x=\"{:.1}\" y=\"{}\" font-size=\"11\">{}</text></g>",
            x(value.estimate),
            from + PLOT + 8.0,
            y + 4.0,
            escape(&(plot.words)(value.estimate))
        );
    }
}
