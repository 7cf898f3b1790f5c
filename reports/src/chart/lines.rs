//! A line for each name over depths, or another whole number, on a logarithmic axis, with its intervals: how something grows.

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
    /// Along the axis across.
    pub(crate) across: &'a str,
    /// Along the axis upwards.
    pub(crate) upwards: &'a str,
    /// Of the whole picture.
    pub(crate) title: &'a str,
    /// What a place on the axis across is called before its number.
    pub(crate) at: &'a str,
    /// What the numbers are, before they are listed for those who cannot see it.
    pub(crate) what: &'a str,
}

/// What stands across where it is depths, and before each of them.
pub(crate) const DEPTHS: (&str, &str) = ("depth (plies)", "depth");

/// The picture; none for fewer than two depths (or whatever is across).
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
    PANEL.frame(&mut body, words.heading, words.across, words.upwards);
    let step = ((last - first) / 20).max(1);
    (first..=last)
        .step_by(step as usize)
        .for_each(|depth| PANEL.tick_across(&mut body, x(depth), &depth.to_string()));
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
            let (at, last) = points.last()?;
            Some(format!("{name} {} at {} {at}", ratio(last.estimate), words.at))
        })
        .collect();
    let description = format!("{}: {}.", words.what, ends.join("; "));
    Some(document(PANEL.width, height, words.title, &description, &body))
}
