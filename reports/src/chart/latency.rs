//! How long searches take: percentiles of CPU time, from hdrhistogram.

use super::plot::{Axis, Look, Plot, Point, Series};
use crate::distribution::histogram;
use crate::figure::{Figure, csv};
use crate::svg::Panel;
use secateur_record::record::BudgetKind;
use secateur_stats::group::Group;
use secateur_stats::interval::Interval;

/// Percentiles on the axis.
const TICKS: [f64; 6] = [0.0, 0.5, 0.75, 0.9, 0.95, 0.99];
const MOST: usize = 14;

/// The picture of one group; none where time is the budget or was not taken.
#[must_use]
pub(crate) fn figure(group: &Group<'_>, section: &str) -> Option<Figure> {
    let timed = group.blocks.iter().any(|block| block.rows.iter().any(|row| row.time_ns > 0));
    if group.budget_kind == BudgetKind::Time || !timed || group.blocks.len() < 2 {
        return None;
    }
    // The last point of the axis is as far out as there are positions to fill it.
    let last = (1.0 - 0.5 / group.blocks.len() as f64).min(0.995);
    // Spread by ln(1 / (1 - p)), as tails are.
    let tail = |q: f64| -(1.0 - q).ln();
    let points: Vec<f64> = (0..=60).map(|i| 1.0 - (-f64::from(i) / 60.0 * tail(last)).exp()).collect();
    let curves = curves(group, &points);
    let middle = points.iter().position(|q| *q >= 0.5).unwrap_or(0);
    let described: Vec<String> =
        curves.iter().map(|(methods, values)| format!("{methods} {}", time_label(values[middle]))).collect();
    let ticks = TICKS.into_iter().filter(|tick| *tick < last);
    let series = curves.iter().map(|(methods, values)| Series {
        name: (*methods).to_owned(),
        points: points
            .iter()
            .zip(values)
            .map(|(q, time)| Point::new(tail(*q), Interval::none(*time)))
            .collect(),
    });
    let plot = Plot {
        panel: Panel { width: 560.0, height: 300.0 },
        heading: "CPU time of a search",
        across: Axis::marked(
            "percentile of positions",
            tail(last),
            ticks.map(|tick| (tail(tick), format!("{:.0}", 100.0 * tick))).collect(),
        ),
        upwards: Axis::log("CPU time", curves.iter().flat_map(|curve| curve.1.iter().copied()), time_label),
        look: Look::Line,
        guides: Vec::new(),
        series: series.collect(),
    };
    let title = format!("{}: CPU time of a search", group.heading());
    let rows = curves.iter().flat_map(|(methods, values)| {
        points
            .iter()
            .zip(values)
            .map(|(q, value)| [(*methods).to_owned(), format!("{:.2}", 100.0 * q), format!("{value:.0}")])
    });
    Some(Figure {
        section: section.to_owned(),
        caption: format!("{title}, by percentile of positions."),
        svg: plot.svg(&title, &format!("Medians: {}.", described.join("; "))),
        file: format!("latency-{}-{}-{}.csv", group.game, group.budget_kind, group.budget),
        csv: csv(["methods", "percentile", "time_ns"], rows),
    })
}

/// The times at these quantiles, of every method set or, where there are many, of single ones.
fn curves<'a>(group: &Group<'a>, quantiles: &[f64]) -> Vec<(&'a str, Vec<f64>)> {
    let shown =
        |methods: &str| group.methods.len() <= MOST || secateur_stats::arm::members(methods).len() <= 1;
    let times = |index: usize| histogram(group.blocks.iter().map(|block| block.rows[index].time_ns.max(1))).0;
    let curve = |(index, methods): (usize, &&'a str)| {
        let times = times(index);
        (*methods, quantiles.iter().map(|q| times.value_at_quantile(*q) as f64).collect())
    };
    group.methods.iter().enumerate().filter(|(_, methods)| shown(methods)).take(28).map(curve).collect()
}

/// Nanoseconds on an axis.
fn time_label(ns: f64) -> String {
    let (scaled, unit) = match ns {
        v if v >= 1e9 => (v / 1e9, "s"),
        v if v >= 1e6 => (v / 1e6, "ms"),
        v if v >= 1e3 => (v / 1e3, "us"),
        v => (v, "ns"),
    };
    format!("{} {unit}", format!("{scaled:.1}").trim_end_matches(".0"))
}
