//! Nodes by depth: how fast the tree of each method set grows, with its branching factor.

use super::plot::{Axis, Look, Plot, Point, Series, brief};
use crate::figure::{Figure, csv};
use crate::format::fixed;
use crate::svg::Panel;
use secateur_stats::group::Group;
use secateur_stats::growth::curves;
use secateur_stats::interval::Interval;
use secateur_stats::metrics::Iterations;

/// The picture of one fixed-depth group; none without iterations.
#[must_use]
pub(crate) fn figure(group: &Group<'_>, cells: &Iterations<'_>, section: &str) -> Option<Figure> {
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
