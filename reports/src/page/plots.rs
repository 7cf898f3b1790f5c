//! Plots that share their rows: a dot with its interval a row, on an axis of its own a plot; side by side where there is room, one
//! below the other on a phone.
//!
//! Nodes are on a logarithmic axis, where twice as many is as far wherever it stands. What the rows are is decided by who asks.
//!
//! The plots that answer, of each group on a page, are its forest: what a method set saves, how often it keeps the move and what its
//! moves lose. Of more method sets than have room those that save most are shown; the matrix has all.

use crate::chart::plot::{Log, short};
use crate::evidence::Evidence;
use crate::format::{or_dash, ratio, share, within};
use crate::svg::{document, escape, step};
use maud::{Markup, PreEscaped, html};
use secateur_base::sets::shortened;
use secateur_stats::depth::reached;
use secateur_stats::group::Group;
use secateur_stats::interval::Interval;
use secateur_stats::metrics::against_baseline;
use secateur_stats::regret::regrets;
use std::fmt::Write;

const ROW: f64 = 22.0;
const TOP: f64 = 46.0;
const PLOT: f64 = 150.0;
const GAP: f64 = 66.0;
const COLOUR: &str = "#0072b2";
/// A dot that is only a ring.
const HOLLOW: &str = "none;stroke:#0072b2;stroke-width:2";
/// The second number of a row.
const SECOND: &str = "#d55e00";
/// Width of a picture for a phone, and a row of it: the name above the line.
const NARROW: f64 = 350.0;
const TALL: f64 = 40.0;

/// One plot: its heading, its axis, and a number a row.
pub struct Plot {
    /// Above the plot.
    pub heading: String,
    /// Whether its axis is logarithmic.
    pub log: bool,
    /// Where nothing is gained or lost.
    pub at: f64,
    /// A number a row, none where a row has none.
    pub values: Vec<Option<Interval>>,
    /// A second number a row, drawn as a ring below the first; none where nothing is said.
    pub also: Vec<Option<Interval>>,
    /// What the first and the second number are, where there are two.
    pub series: [&'static str; 2],
    /// Whether the dot of a row is filled; all of them where nothing is said.
    pub firm: Vec<bool>,
    /// How its numbers are written.
    pub words: fn(f64) -> String,
}

impl Plot {
    /// A plot of one number a row.
    pub fn new(
        heading: impl Into<String>,
        (log, at): (bool, f64),
        values: Vec<Option<Interval>>,
        words: fn(f64) -> String,
    ) -> Plot {
        let (also, series, firm) = (Vec::new(), ["", ""], Vec::new());
        Plot { heading: heading.into(), log, at, values, also, series, firm, words }
    }
}

/// Where a plot is drawn.
#[derive(Clone, Copy)]
struct Place {
    from: f64,
    width: f64,
    row: f64,
    height: f64,
    /// Whether name and number stand above the line of a row and not next to it.
    is_narrow: bool,
}

impl Place {
    /// The middle of the line of a row.
    fn y(&self, row: usize) -> f64 {
        TOP + self.row * (row as f64 + if self.is_narrow { 0.72 } else { 0.5 })
    }
}

/// The picture for a page: the plots side by side, and one below the other where a window is narrow.
pub fn both(title: &str, names: &[String], plots: &[Plot], label: &str) -> Markup {
    html! {
        // No larger than its letters can be read well.
        div.wide tabindex="0" role="region" aria-label=(label) style=(format!("max-width:{:.0}px", 1.35 * width(names, plots.len()))) {
            (PreEscaped(drawn(title, names, plots)))
        }
        div.narrow { (PreEscaped(stacked(title, names, plots))) }
    }
}

/// Letters of the longest name.
fn longest(names: &[String]) -> usize {
    names.iter().map(|name| name.chars().count()).max().unwrap_or(0)
}

/// Room for names.
fn left(names: &[String]) -> f64 {
    (6.8 * longest(names) as f64 + 14.0).clamp(80.0, 300.0)
}

/// Width of the plots side by side.
fn width(names: &[String], plots: usize) -> f64 {
    left(names) + plots as f64 * (PLOT + GAP)
}

/// The picture: a row a name, the plots side by side.
pub fn drawn(title: &str, names: &[String], plots: &[Plot]) -> String {
    let (longest, left) = (longest(names), left(names));
    let height = TOP + ROW * names.len() as f64 + 8.0;
    let mut body = String::new();
    for (row, name) in names.iter().enumerate() {
        let y = TOP + ROW * (row as f64 + 0.5);
        let size = if longest > 42 { 9 } else { 12 };
        let _ = writeln!(
            body,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" font-size=\"{size}\">{}</text>",
            left - 8.0,
            y + 4.0,
            escape(name)
        );
    }
    for (at, plot) in plots.iter().enumerate() {
        let from = left + at as f64 * (PLOT + GAP);
        draw(&mut body, plot, Place { from, width: PLOT, row: ROW, height, is_narrow: false }, names);
    }
    document(width(names, plots.len()), height, title, &described(names, plots), &body)
}

/// The same for a narrow window: the plots one below the other.
fn stacked(title: &str, names: &[String], plots: &[Plot]) -> String {
    let each = TOP + TALL * names.len() as f64 + 8.0;
    let mut body = String::new();
    for (at, plot) in plots.iter().enumerate() {
        let _ = writeln!(body, "<g transform=\"translate(0 {})\">", each * at as f64);
        let place = Place { from: 10.0, width: NARROW - 20.0, row: TALL, height: each, is_narrow: true };
        draw(&mut body, plot, place, names);
        body += "</g>\n";
    }
    document(NARROW, each * plots.len() as f64, title, &described(names, plots), &body)
}

/// The picture in words.
fn described(names: &[String], plots: &[Plot]) -> String {
    let rows = names.iter().enumerate().map(|(row, name)| {
        let numbers = plots.iter().map(|plot| format!("{} {}", plot.heading, row_in_words(plot, row)));
        format!("{name}: {}", numbers.collect::<Vec<_>>().join(", "))
    });
    rows.collect::<Vec<_>>().join("; ")
}

/// A number with its interval in words.
fn row_in_words(plot: &Plot, row: usize) -> String {
    let first = interval_in_words(plot, plot.values[row].as_ref());
    match plot.also.get(row) {
        None => first,
        Some(second) => {
            let [one, other] = plot.series;
            format!("{one} {first}, {other} {}", interval_in_words(plot, second.as_ref()))
        }
    }
}

fn interval_in_words(plot: &Plot, value: Option<&Interval>) -> String {
    or_dash(value.filter(|i| i.estimate.is_finite()).map(|i| within(i, plot.words)))
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

/// Draws one plot.
fn draw(svg: &mut String, plot: &Plot, place: Place, names: &[String]) {
    let Place { from, width, height, is_narrow, .. } = place;
    let intervals = plot.values.iter().chain(&plot.also).flatten();
    let ends = |i: &Interval| if i.has_ends() { vec![i.estimate, i.low, i.high] } else { vec![i.estimate] };
    let all: Vec<f64> = intervals.flat_map(ends).chain([plot.at]).filter(|x| x.is_finite()).collect();
    let log = Log::around(all.iter().copied());
    let (low, step, steps) = round_axis(&all);
    let span = step * f64::from(steps);
    let x = |value: f64| {
        let share = if plot.log { log.share(value) } else { (value - low) / span };
        from + width * share.clamp(0.0, 1.0)
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
    for (row, name) in names.iter().enumerate() {
        let number = interval_in_words(plot, plot.values[row].as_ref());
        if is_narrow {
            let y = place.y(row) - 11.0;
            let _ = writeln!(
                svg,
                "<text x=\"{from}\" y=\"{y}\">{}</text><text x=\"{}\" y=\"{y}\" text-anchor=\"end\" font-size=\"11\">{}</text>",
                escape(name),
                from + width,
                escape(&number)
            );
        }
        let Some(value) = plot.values[row].as_ref().filter(|value| value.estimate.is_finite()) else {
            continue;
        };
        let second = plot.also.get(row).and_then(Option::as_ref).filter(|value| value.estimate.is_finite());
        let y = place.y(row) - if second.is_some() { 3.0 } else { 0.0 };
        let _ = write!(
            svg,
            "<g><title>{}: {} {}</title>",
            escape(name),
            escape(&plot.heading),
            row_in_words(plot, row)
        );
        if let Some(second) = second {
            bar(svg, second, y + 7.0, &x, SECOND);
            let _ = write!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{}\" r=\"3.5\" style=\"fill:none;stroke:{SECOND};stroke-width:2\"/>",
                x(second.estimate),
                y + 7.0
            );
        }
        bar(svg, value, y, &x, COLOUR);
        let fill = if plot.firm.get(row).copied().unwrap_or(true) { COLOUR } else { HOLLOW };
        let _ =
            write!(svg, "<circle cx=\"{:.1}\" cy=\"{y}\" r=\"4\" style=\"fill:{fill}\"/>", x(value.estimate));
        if !is_narrow {
            let _ = write!(
                svg,
                "<text x=\"{:.1}\" y=\"{}\" font-size=\"11\">{}</text>",
                from + width + 8.0,
                place.y(row) + 4.0,
                escape(&(plot.words)(value.estimate))
            );
        }
        svg.push_str("</g>\n");
    }
}

/// The interval of a number as a line.
fn bar(svg: &mut String, value: &Interval, y: f64, x: &impl Fn(f64) -> f64, colour: &str) {
    if value.has_ends() {
        let (a, b) = (x(value.low), x(value.high));
        let _ = write!(
            svg,
            "<line x1=\"{a:.1}\" y1=\"{y}\" x2=\"{b:.1}\" y2=\"{y}\" style=\"stroke:{colour};stroke-width:2.5;stroke-opacity:.5\"/>"
        );
    }
}

/// Most method sets.
const ROWS: usize = 24;

/// The picture of one group on the page; `None` without a method set to compare.
pub(crate) fn forest(group: &Group<'_>, evidence: &Evidence<'_>) -> Option<Markup> {
    let (title, names, plots) = content(group, evidence)?;
    let more = (group.methods.len() - 1).saturating_sub(ROWS);
    let label = format!("{} ({}): picture", group.heading(), group.suite);
    Some(html! {
        figure.forest {
            (both(&title, &names, &plots, &label))
            @if more > 0 { figcaption { "and " (more) " that save less: see the matrix" } }
        }
    })
}

/// The picture of one group as a file; `None` without a method set to compare.
pub fn picture(group: &Group<'_>, evidence: &Evidence<'_>) -> Option<String> {
    content(group, evidence).map(|(title, names, plots)| drawn(&title, &names, &plots))
}

/// Title, names of the rows and plots.
fn content(group: &Group<'_>, evidence: &Evidence<'_>) -> Option<(String, Vec<String>, [Plot; 3])> {
    if group.methods.len() < 2 || group.blocks.is_empty() {
        return None;
    }
    let saved = |index: usize| match group.is_fixed_depth() {
        true => against_baseline(group, index, None).speedup_geometric,
        false => reached(group, index, 0, &evidence.cells).gain,
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
    let losses_by_oracle = regrets(group);
    let loss = |index: usize| match &losses_by_oracle {
        Some(losses_by_oracle) => losses_by_oracle[index].1.excess.within,
        None => against_baseline(group, index, None).value_difference,
    };
    let what = if losses_by_oracle.is_some() {
        format!("regret over {}", group.methods[0])
    } else {
        "|dv|".to_owned()
    };
    let losses = each(&|index| Some(group.in_units(&loss(index))));
    let heading = format!("{what}, {}", crate::format::units(group));
    [first, moves, Plot::new(heading, (false, 0.0), losses, |x| format!("{x:.2}"))]
}
