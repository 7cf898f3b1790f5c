//! Percentiles of nodes, of time per node and of time by method set, from hdrhistogram.
//!
//! A histogram quantises (three significant digits) and loses the pairing, so it is never the record and
//! never the source of a ratio; it shows tails that means hide.
//!
//! How long searches take is a picture as well, of percentiles of CPU time.

use crate::chart::plot::{Axis, Look, Plot, Point, Series};
use crate::figure::{Figure, csv};
use crate::format::{count, only_if};
use crate::svg::Panel;
use crate::table::{Section, Table};
use hdrhistogram::Histogram;
use secateur_record::record::BudgetKind;
use secateur_stats::group::Group;
use secateur_stats::interval::Interval;
use secateur_stats::spent::timed_arms;

/// Largest value that a histogram here can hold; anything beyond is counted apart.
const LARGEST: u64 = 1 << 40;

/// A histogram and how many values did not fit into it.
pub(crate) fn histogram(values: impl Iterator<Item = u64>) -> (Histogram<u64>, u64) {
    let mut histogram = Histogram::new_with_bounds(1, LARGEST, 3).expect("bounds in order, three digits");
    let mut outside = 0;
    for value in values {
        if histogram.record(value).is_err() {
            outside += 1;
        }
    }
    (histogram, outside)
}

/// Title of the section.
pub const TITLE: &str = "Distributions";

/// The section of all groups.
pub fn section(groups: &[Group<'_>]) -> Section {
    let mut table = Table::default();
    let mut outside = 0;
    for group in groups {
        for (index, method) in group.methods.iter().enumerate() {
            outside += add_row(&mut table, group, index, method);
        }
    }
    if outside > 0 {
        table.notes.push(format!("{outside} values were outside the histograms' range."));
    }
    table.notes.push("Percentiles over positions, to three significant digits.".to_owned());
    Section { title: TITLE.to_owned(), text: Vec::new(), tables: vec![table] }
}

/// Adds the percentiles of one method set, and says how many values did not fit.
fn add_row(table: &mut Table, group: &Group<'_>, index: usize, method: &str) -> u64 {
    let rows = || group.blocks.iter().map(|block| block.rows[index]);
    let per_node = |ns: u64, nodes: u64| (ns / nodes.max(1)).max(1);
    let untimed = timed_arms(group, std::iter::once(index)).err();
    let (nodes, lost) = histogram(rows().filter_map(|row| row.nodes));
    let times = rows().filter(|_| untimed.is_none());
    let (time, more) = histogram(times.filter_map(|row| Some(per_node(row.time_ns, row.nodes?))));
    let (latency, late) = histogram(rows().map(|row| row.time_ns.max(1)));
    let if_any = |histogram: &Histogram<u64>, n| only_if(!histogram.is_empty(), || count(n));
    let at = |histogram: &Histogram<u64>, q| if_any(histogram, histogram.value_at_quantile(q));
    let millis = |ns: u64| format!("{:.1}", ns as f64 / 1e6);
    table.row([
        ("<game", group.game.to_owned()),
        ("<budget", group.budget_label()),
        ("<methods", method.to_owned()),
        ("nodes p50", at(&nodes, 0.5)),
        ("p90", at(&nodes, 0.9)),
        ("p99", at(&nodes, 0.99)),
        ("max", if_any(&nodes, nodes.max())),
        ("ns/node p50", untimed.map_or_else(|| at(&time, 0.5), |untimed| untimed.to_string())),
        ("p90", at(&time, 0.9)),
        ("max", if_any(&time, time.max())),
        ("ms p50", millis(latency.value_at_quantile(0.5))),
        ("p90", millis(latency.value_at_quantile(0.9))),
        ("p99", millis(latency.value_at_quantile(0.99))),
        ("max", millis(latency.max())),
    ]);
    lost + more + late
}

/// Percentiles on the axis.
const TICKS: [f64; 6] = [0.0, 0.5, 0.75, 0.9, 0.95, 0.99];
const MOST: usize = 14;

/// The picture of one group; none where time is the budget or was not taken.
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
        |methods: &str| group.methods.len() <= MOST || secateur_stats::labels::members(methods).len() <= 1;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_out_of_range_are_counted_not_dropped() {
        let (histogram, outside) = histogram([5, 7, u64::MAX].into_iter());
        assert_eq!(histogram.len(), 2);
        assert_eq!(outside, 1);
        assert_eq!(histogram.max(), 7);
    }
}
