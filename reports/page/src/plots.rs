//! Plots side by side that share their rows: a dot with its interval a row, on an axis of its own a plot.
//!
//! Nodes are on a logarithmic axis, where twice as many is as far wherever it stands. What the rows are is decided by who asks.

use secateur_reports::chart::scale::{Log, short};
use secateur_reports::svg::{document, escape, step};
use secateur_stats::interval::Interval;
use std::fmt::Write;

const ROW: f64 = 22.0;
const TOP: f64 = 46.0;
const PLOT: f64 = 150.0;
const GAP: f64 = 66.0;
const COLOUR: &str = "#0072b2";
/// A dot that is only a ring.
const HOLLOW: &str = "none;stroke:#0072b2;stroke-width:2";

/// One plot: its heading, its axis, and a number a row.
pub(crate) struct Plot {
    pub(crate) heading: String,
    pub(crate) log: bool,
    /// Where nothing is gained or lost.
    pub(crate) at: f64,
    pub(crate) values: Vec<Option<Interval>>,
    /// Whether the dot of a row is filled; all of them where nothing is said.
    pub(crate) firm: Vec<bool>,
    pub(crate) words: fn(f64) -> String,
}

/// The picture: a row a name, the plots side by side.
pub(crate) fn drawn(title: &str, names: &[String], plots: &[Plot]) -> String {
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let left = (6.8 * longest as f64 + 14.0).clamp(80.0, 300.0);
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
    let mut words = Vec::new();
    for (at, plot) in plots.iter().enumerate() {
        let from = left + at as f64 * (PLOT + GAP);
        draw(&mut body, plot, (from, height), names);
    }
    for (row, name) in names.iter().enumerate() {
        let told = plots.iter().map(|plot| format!("{} {}", plot.heading, told(plot, row)));
        words.push(format!("{name}: {}", told.collect::<Vec<_>>().join(", ")));
    }
    let width = left + plots.len() as f64 * (PLOT + GAP);
    document(width, height, title, &words.join("; "), &body)
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
fn draw(svg: &mut String, plot: &Plot, (from, height): (f64, f64), names: &[String]) {
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
            escape(&names[row]),
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
        let fill = if plot.firm.get(row).copied().unwrap_or(true) { COLOUR } else { HOLLOW };
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{y}\" r=\"4\" style=\"fill:{fill}\"/>\
             <text x=\"{:.1}\" y=\"{}\" font-size=\"11\">{}</text></g>",
            x(value.estimate),
            from + PLOT + 8.0,
            y + 4.0,
            escape(&(plot.words)(value.estimate))
        );
    }
}
