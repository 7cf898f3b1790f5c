//! One quantity of several method sets over commits: a line each, with intervals where it has some and a ring at every step.

use crate::history::folder::Commit;
use crate::history::steps::Series;
use crate::svg::{COLOURS, document, escape, step};
use std::fmt::Write;

/// Most lines: more share colours and cannot be told apart.
pub(crate) const LINES: usize = COLOURS.len();
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 34.0;

/// What a picture shows, and how its numbers are read.
pub(crate) struct Trend<'a> {
    pub(crate) title: String,
    /// At most [`LINES`].
    pub(crate) lines: Vec<&'a Series>,
    /// Whether values are shown as parts of the first one.
    pub(crate) relative: bool,
}

struct Scale {
    low: f64,
    high: f64,
    commits: usize,
}

impl Scale {
    fn x(&self, at: usize) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * at as f64 / (self.commits.max(2) - 1) as f64
    }

    fn y(&self, value: f64) -> f64 {
        TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0))
    }
}

impl Trend<'_> {
    /// Value and interval of a level as they are drawn.
    fn drawn(&self, series: &Series, index: usize) -> (f64, Option<(f64, f64)>) {
        let point = &series.levels[index].point;
        let first = series.levels[0].point.value;
        let by = if self.relative && first != 0.0 { first } else { 1.0 };
        (point.value / by, point.low.zip(point.high).map(|(low, high)| (low / by, high / by)))
    }

    fn scale(&self, commits: usize) -> Scale {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for series in &self.lines {
            for index in 0..series.levels.len() {
                let (value, within) = self.drawn(series, index);
                let (from, to) = within.unwrap_or((value, value));
                (low, high) = (low.min(from).min(value), high.max(to).max(value));
            }
        }
        // A line that never moves stands in the middle.
        let room = if high > low { 0.05 * (high - low) } else { 0.05 * high.abs().max(1e-9) };
        Scale { low: low - room, high: high + room, commits }
    }
}

/// The picture.
pub(crate) fn drawn(trend: &Trend<'_>, commits: &[Commit]) -> String {
    let scale = trend.scale(commits.len());
    let mut body = String::new();
    axes(&mut body, &scale, commits);
    let mut words = Vec::new();
    for (index, series) in trend.lines.iter().enumerate() {
        line(&mut body, trend, series, &scale, (COLOURS[index % LINES], commits));
        let steps: Vec<&str> = series.steps.iter().map(|step| short(&commits[step.at].commit)).collect();
        let name = name(series);
        words.push(if steps.is_empty() {
            format!("{name}: no step")
        } else {
            format!("{name}: steps at {}", steps.join(", "))
        });
    }
    labels(&mut body, trend, &scale);
    document(WIDTH, HEIGHT, &trend.title, &words.join("; "), &body)
}

/// A commit as it is named in a picture.
pub(crate) fn short(commit: &str) -> &str {
    commit.get(..8).unwrap_or(commit)
}

fn name(series: &Series) -> &str {
    series.levels.first().map_or("", |level| &level.point.methods)
}

fn axes(body: &mut String, scale: &Scale, commits: &[Commit]) {
    let by = step(scale.high - scale.low, 5);
    let places = (-by.log10().floor()).clamp(0.0, 6.0) as usize;
    let mut tick = (scale.low / by).ceil() * by;
    while tick <= scale.high {
        let y = scale.y(tick);
        let _ = writeln!(
            body,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{}\" y2=\"{y:.1}\" style=\"stroke-opacity:.25\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" font-size=\"11\">{tick:.places$}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            y + 4.0
        );
        tick += by;
    }
    let stride = commits.len().div_ceil(7).max(1);
    for (at, commit) in commits.iter().enumerate().step_by(stride) {
        let _ = writeln!(
            body,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\" font-size=\"10\">{}</text>",
            scale.x(at),
            HEIGHT - 14.0,
            escape(short(&commit.commit))
        );
    }
}

fn line(
    body: &mut String,
    trend: &Trend<'_>,
    series: &Series,
    scale: &Scale,
    (colour, commits): (&str, &[Commit]),
) {
    let places: Vec<(f64, f64)> = (0..series.levels.len())
        .map(|index| (scale.x(series.levels[index].at), scale.y(trend.drawn(series, index).0)))
        .collect();
    let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(
        body,
        "<polyline points=\"{}\" style=\"fill:none;stroke:{colour};stroke-width:2\"/>",
        path.join(" ")
    );
    for (index, (level, (x, y))) in series.levels.iter().zip(&places).enumerate() {
        if let (_, Some((low, high))) = trend.drawn(series, index) {
            let (from, to) = (scale.y(low), scale.y(high));
            let _ = writeln!(
                body,
                "<line x1=\"{x:.1}\" y1=\"{from:.1}\" x2=\"{x:.1}\" y2=\"{to:.1}\" style=\"stroke:{colour};stroke-opacity:.5\"/>"
            );
        }
        let stepped = series.steps.iter().any(|step| step.at == level.at);
        let (radius, fill) = if stepped { (5.5, "none") } else { (3.0, colour) };
        let _ = writeln!(
            body,
            "<g><title>{}: {} {}</title><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" style=\"fill:{fill};stroke:{colour};stroke-width:2\"/></g>",
            escape(name(series)),
            escape(short(&commits[level.at].commit)),
            level.point.value
        );
    }
}

/// Names at the ends of their lines, none on another.
fn labels(body: &mut String, trend: &Trend<'_>, scale: &Scale) {
    let end =
        |series: &Series| series.levels.len().checked_sub(1).map(|last| scale.y(trend.drawn(series, last).0));
    let mut ends: Vec<(f64, usize)> =
        trend.lines.iter().enumerate().filter_map(|(index, series)| Some((end(series)?, index))).collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let lowest = HEIGHT - BOTTOM;
    let mut least = TOP + 4.0;
    for (place, (y, index)) in ends.iter().enumerate() {
        let room = 13.0 * (ends.len() - place - 1) as f64;
        let at = y.max(least).min(lowest - room);
        least = at + 13.0;
        let words: String = name(trend.lines[*index]).chars().take(28).collect();
        let x = WIDTH - RIGHT;
        let _ = writeln!(
            body,
            "<line x1=\"{:.1}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{at:.1}\" style=\"stroke:{}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\">{}</text>",
            x + 4.0,
            x + 14.0,
            COLOURS[*index % LINES],
            x + 17.0,
            at + 4.0,
            escape(&words)
        );
    }
}
