//! A line for each name over depths, on a logarithmic axis, with its intervals: how something grows.

use super::scale::{Log, legend, short, stroke};
use crate::format::ratio;
use crate::svg::{Panel, document};
use secateur_stats::interval::Interval;
use std::fmt::Write;

const PANEL: Panel = Panel { width: 560.0, height: 330.0 };

/// What stands around the lines.
pub(crate) struct Words<'a> {
    /// Above the panel.
    pub(crate) heading: &'a str,
    /// Along the axis upwards.
    pub(crate) upwards: &'a str,
    /// Of the whole picture.
    pub(crate) title: &'a str,
    /// What the numbers are, before they are listed for those who cannot see it.
    pub(crate) what: &'a str,
}

/// The picture; none for fewer than two depths.
pub(crate) fn by_depth(words: &Words<'_>, curves: &[(&str, Vec<(u32, Interval)>)]) -> Option<String> {
    let points = || curves.iter().flat_map(|(_, points)| points);
    let (first, last) = (points().map(|point| point.0).min()?, points().map(|point| point.0).max()?);
    if first == last {
        return None;
    }
    let times = Log::around(points().map(|point| point.1.estimate).chain([1.0]));
    let x = |depth: u32| PANEL.x(f64::from(depth - first) / f64::from(last - first));
    let y = |value: f64| PANEL.y(times.share(value).clamp(0.0, 1.0));
    let mut body = String::new();
    PANEL.frame(&mut body, words.heading, "depth (plies)", words.upwards);
    (first..=last).for_each(|depth| PANEL.tick_across(&mut body, x(depth), &depth.to_string()));
    for tick in times.ticks() {
        PANEL.tick_upwards(&mut body, y(tick), &short(tick));
    }
    let mut names = Vec::new();
    for (index, (name, points)) in curves.iter().enumerate() {
        let line: Vec<String> =
            points.iter().map(|(depth, i)| format!("{:.1},{:.1}", x(*depth), y(i.estimate))).collect();
        let style = stroke(index);
        let _ = writeln!(body, "<polyline points=\"{}\" style=\"{style};stroke-width:2\"/>", line.join(" "));
        for (depth, i) in points.iter().filter(|(_, i)| i.has_ends()) {
            let _ = writeln!(
                body,
                "<line x1=\"{0:.1}\" y1=\"{1:.1}\" x2=\"{0:.1}\" y2=\"{2:.1}\" style=\"{style};stroke-opacity:.4\"/>",
                x(*depth),
                y(i.low),
                y(i.high)
            );
        }
        names.push((*name, style));
    }
    let height = PANEL.height + legend(&mut body, PANEL, &names) + 8.0;
    let ends: Vec<String> = curves
        .iter()
        .filter_map(|(name, points)| {
            Some(format!("{name} {} at depth {}", ratio(points.last()?.1.estimate), points.last()?.0))
        })
        .collect();
    let description = format!("{}: {}.", words.what, ends.join("; "));
    Some(document(PANEL.width, height, words.title, &description, &body))
}
