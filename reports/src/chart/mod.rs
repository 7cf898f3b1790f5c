//! The pictures of the HTML report next to those of `trade_off` and [`crate::scatter`]. What is drawn is here, how
//! is in `svg`.
//!
//! Nodes by depth show how fast the tree of each method set grows, with its branching factor; a line for each name over depths, or
//! another whole number, shows how something else grows. Speed-ups of single positions are shown as they are spread: means hide that a
//! method loses on some.

use self::plot::{Axis, Guide, Log, Look, Plot, Point, Series, brief, short};
use crate::figure::{Figure, csv};
use crate::format::{fixed, ratio};
use crate::svg::{COLOURS, Panel, document, escape};
use secateur_stats::group::Group;
use secateur_stats::growth::curves;
use secateur_stats::interval::Interval;
use secateur_stats::metrics::Iterations;
use std::fmt::Write;

pub mod plot;

/// The picture of one fixed-depth group; none without iterations.
pub(crate) fn nodes_by_depth(group: &Group<'_>, cells: &Iterations<'_>, section: &str) -> Option<Figure> {
    let curves = curves(group, cells);
    if curves.iter().all(|curve| curve.points.len() < 2) {
        return None;
    }
    let deepest = curves.iter().flat_map(|c| &c.points).map(|p| p.0).max()?;
    let point = |(depth, nodes): &(u32, f64)| Point::new(*depth, Interval::none(*nodes));
    let series = curves.iter().map(|curve| Series {
        name: format!("{}, b = {}", curve.methods, fixed(curve.branching)),
        points: curve.points.iter().map(point).collect(),
    });
    let series: Vec<Series> = series.collect();
    let each: Vec<&str> = series.iter().map(|series| series.name.as_str()).collect();
    let description =
        format!("Nodes by depth on a logarithmic axis, with branching factors: {}.", each.join("; "));
    let plot = Plot {
        panel: Panel { width: 560.0, height: 330.0 },
        heading: &format!("{}: nodes by depth", group.game),
        across: Axis::whole("depth (plies)", 1, deepest.max(2)),
        upwards: brief(
            "nodes, cumulative",
            curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.1)),
        ),
        look: Look::Joined,
        guides: Vec::new(),
        series,
    };
    let title = format!("{}: nodes by depth", group.heading());
    let rows = curves.iter().flat_map(|curve| {
        curve.points.iter().map(|(depth, n)| [curve.methods.to_owned(), depth.to_string(), format!("{n:.1}")])
    });
    Some(Figure {
        section: section.to_owned(),
        caption:
            "Nodes by depth, geometric means over positions that none of these finished; b is the growth a ply over the last four plies \
                  (two in shallow searches)."
                .to_owned(),
        svg: plot.svg(&title, &description),
        file: format!("nodes-by-depth-{}-{}.csv", group.game, group.budget),
        csv: csv(["methods", "depth", "nodes"], rows),
    })
}

/// What stands around the lines.
pub struct Words<'a> {
    /// Above the panel.
    pub heading: &'a str,
    /// Along the axis across.
    pub across: &'a str,
    /// Along the axis upwards.
    pub upwards: &'a str,
    /// Of the whole picture.
    pub title: &'a str,
    /// What a place on the axis across is called before its number.
    pub at: &'a str,
    /// What the numbers are, before they are listed for those who cannot see it.
    pub what: &'a str,
}

/// What stands across where it is depths, and before each of them.
pub const DEPTHS: (&str, &str) = ("depth (plies)", "depth");

/// The picture; none for fewer than two depths (or whatever is across).
pub fn by_depth(labels: &Words<'_>, curves: &[(&str, Vec<(u32, Interval)>)]) -> Option<String> {
    let points = || curves.iter().flat_map(|(_, points)| points);
    let (first, last) = (points().map(|point| point.0).min()?, points().map(|point| point.0).max()?);
    if first == last {
        return None;
    }
    let series = curves.iter().map(|(name, points)| Series {
        name: (*name).to_owned(),
        points: points.iter().map(|(at, value)| Point::new(*at, *value)).collect(),
    });
    let plot = Plot {
        panel: Panel { width: 560.0, height: 330.0 },
        heading: labels.heading,
        across: Axis::whole(labels.across, first, last),
        upwards: brief(labels.upwards, points().map(|point| point.1.estimate).chain([1.0])),
        look: Look::Joined,
        guides: vec![Guide::At(1.0)],
        series: series.collect(),
    };
    let ends = curves.iter().filter_map(|(name, points)| {
        let (at, last) = points.last()?;
        Some(format!("{name} {} at {} {at}", ratio(last.estimate), labels.at))
    });
    let ends: Vec<String> = ends.collect();
    Some(plot.svg(labels.title, &format!("{}: {}.", labels.what, ends.join("; "))))
}

const ROW: f64 = 20.0;
/// More rows of data than this are given as quantiles: the page must stay small.
const MOST_ROWS: usize = 8_000;
const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// The speed-ups of one method set by position, least first.
struct Spread<'a> {
    methods: &'a str,
    sorted: Vec<f64>,
}

impl Spread<'_> {
    fn at(&self, q: f64) -> f64 {
        self.sorted[(q * (self.sorted.len() - 1) as f64).round() as usize]
    }
}

/// The picture of one fixed-depth group: a line from the 5th to the 95th percentile, a box around the middle half, a
/// mark at the median. None for fewer than two positions.
pub(crate) fn speedups(group: &Group<'_>, section: &str) -> Option<Figure> {
    if group.blocks.len() < 2 || group.methods.len() < 2 {
        return None;
    }
    let spreads: Vec<Spread<'_>> = (1..group.methods.len()).map(|index| spread(group, index)).collect();
    let longest = spreads.iter().map(|spread| spread.methods.chars().count()).max().unwrap_or(0);
    let left = (7.0 * longest as f64).clamp(60.0, 330.0);
    let plot = Panel { width: 420.0, height: 80.0 + ROW * spreads.len() as f64 };
    let axis = Log::around(spreads.iter().flat_map(|spread| [spread.at(0.05), spread.at(0.95)]).chain([1.0]));
    let mut body = format!("<g transform=\"translate({left} 0)\">\n");
    let across = format!("nodes of {} over nodes of the method", group.methods[0]);
    plot.frame(&mut body, "Speed-up by position", &across, "");
    for tick in axis.ticks() {
        plot.tick_across(&mut body, plot.x(axis.share(tick)), &short(tick));
    }
    let one = plot.x(axis.share(1.0));
    let _ = writeln!(
        body,
        "<line x1=\"{one:.1}\" y1=\"{}\" x2=\"{one:.1}\" y2=\"{}\" style=\"stroke-width:2\"/>",
        crate::svg::TOP,
        plot.bottom()
    );
    let mut texts = Vec::new();
    for (index, spread) in spreads.iter().enumerate() {
        let y = crate::svg::TOP + ROW * (index as f64 + 0.5);
        draw_spread(&mut body, spread, y, |value| plot.x(axis.share(value)), COLOURS[index % COLOURS.len()]);
        let [low, _, median, _, high] = QUANTILES.map(|q| short(spread.at(q)));
        texts.push(format!("{} {median} ({low} to {high})", spread.methods));
    }
    body += "</g>\n";
    let title = format!("{}: speed-ups of single positions", group.heading());
    let description = format!("Median speed-up and 5th to 95th percentile: {}.", texts.join("; "));
    Some(Figure {
        section: section.to_owned(),
        caption: "Speed-ups of single positions: line from the 5th to the 95th percentile, box around the middle half, mark at \
                  the median."
            .to_owned(),
        svg: document(left + plot.width, plot.height, &title, &description, &body),
        file: format!("speedups-{}-{}.csv", group.game, group.budget),
        csv: speedup_rows(group, &spreads),
    })
}

fn spread<'a>(group: &Group<'a>, index: usize) -> Spread<'a> {
    let ratio =
        |block: &secateur_stats::group::Block<'_>| block.base().some_nodes() / block.rows[index].some_nodes();
    let mut sorted: Vec<f64> = group.blocks.iter().map(ratio).collect();
    sorted.sort_by(f64::total_cmp);
    Spread { methods: group.methods[index], sorted }
}

fn draw_spread(svg: &mut String, spread: &Spread<'_>, y: f64, x: impl Fn(f64) -> f64, colour: &str) {
    let [low, from, median, to, high] = QUANTILES.map(|q| x(spread.at(q)));
    // A little wider than nothing, so that a box without spread is seen.
    let width = (to - from).max(1.5);
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\
         <line x1=\"{low:.1}\" y1=\"{y}\" x2=\"{high:.1}\" y2=\"{y}\" style=\"stroke:{colour}\"/>\
         <rect x=\"{from:.1}\" y=\"{}\" width=\"{width:.1}\" height=\"12\" style=\"fill:{colour};fill-opacity:.35;stroke:{colour}\"/>\
         <line x1=\"{median:.1}\" y1=\"{}\" x2=\"{median:.1}\" y2=\"{}\" style=\"stroke:{colour};stroke-width:2.5\"/>",
        crate::svg::LEFT - 6.0,
        y + 4.0,
        escape(spread.methods),
        y - 6.0,
        y - 6.0,
        y + 6.0
    );
}

fn speedup_rows(group: &Group<'_>, spreads: &[Spread<'_>]) -> String {
    if group.blocks.len() * spreads.len() > MOST_ROWS {
        let rows = spreads.iter().flat_map(|spread| {
            (0..=100).map(|q| {
                let value = spread.at(f64::from(q) / 100.0);
                [spread.methods.to_owned(), q.to_string(), format!("{value:.4}")]
            })
        });
        return csv(["methods", "percentile", "speedup"], rows);
    }
    let rows = group.blocks.iter().flat_map(|block| {
        group.methods.iter().enumerate().skip(1).map(|(index, methods)| {
            let speedup = block.base().some_nodes() / block.rows[index].some_nodes();
            [(*methods).to_owned(), block.base().position.to_string(), format!("{speedup:.4}")]
        })
    });
    csv(["methods", "position", "speedup"], rows)
}

#[cfg(test)]
mod tests;
