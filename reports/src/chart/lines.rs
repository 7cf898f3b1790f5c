//! A line for each name over depths, or another whole number, on a logarithmic axis, with its intervals: how something grows.

use super::plot::{Axis, Guide, Look, Plot, Point, Series, brief};
use crate::format::ratio;
use crate::svg::Panel;
use secateur_stats::interval::Interval;

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
