//! Nodes by depth: how fast the tree of each method set grows, with its branching factor.

use super::scale::{Log, legend, short, stroke};
use crate::figure::{Figure, csv};
use crate::format::fixed;
use crate::svg::{Panel, document};
use secateur_stats::group::Group;
use secateur_stats::growth::curves;
use secateur_stats::metrics::Iterations;
use std::fmt::Write;

const PANEL: Panel = Panel { width: 560.0, height: 330.0 };
/// The picture of one fixed-depth group; none without iterations.
#[must_use]
pub(crate) fn figure(group: &Group<'_>, cells: &Iterations<'_>, section: &str) -> Option<Figure> {
    let curves = curves(group, cells);
    if curves.iter().all(|curve| curve.points.len() < 2) {
        return None;
    }
    let nodes = Log::around(curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.1)));
    let deepest = curves.iter().flat_map(|c| &c.points).map(|p| p.0).max()?;
    let x = |depth: u32| PANEL.x(f64::from(depth - 1) / f64::from(deepest.max(2) - 1));
    let mut body = String::new();
    PANEL.frame(&mut body, &format!("{}: nodes by depth", group.game), "depth (plies)", "nodes, cumulative");
    (1..=deepest).for_each(|depth| PANEL.tick_across(&mut body, x(depth), &depth.to_string()));
    for tick in nodes.ticks() {
        PANEL.tick_upwards(&mut body, PANEL.y(nodes.share(tick)), &short(tick));
    }
    let mut names = Vec::new();
    for (index, curve) in curves.iter().enumerate() {
        let points: Vec<String> = curve
            .points
            .iter()
            .map(|(depth, n)| format!("{:.1},{:.1}", x(*depth), PANEL.y(nodes.share(*n))))
            .collect();
        let style = stroke(index);
        let _ =
            writeln!(body, "<polyline points=\"{}\" style=\"{style};stroke-width:2\"/>", points.join(" "));
        names.push((format!("{}, b = {}", curve.methods, fixed(curve.branching)), style));
    }
    let names: Vec<(&str, String)> =
        names.iter().map(|(name, style)| (name.as_str(), style.clone())).collect();
    let height = PANEL.height + legend(&mut body, PANEL, &names) + 8.0;
    let each: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
    let description =
        format!("Nodes by depth on a logarithmic axis, with branching factors: {}.", each.join("; "));
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
        svg: document(PANEL.width, height, &title, &description, &body),
        file: format!("nodes-by-depth-{}-{}.csv", group.game, group.budget),
        csv: csv(["methods", "depth", "nodes"], rows),
    })
}
