//! Nodes by depth: how fast the tree of each method set grows, with its branching factor.

use super::scale::{Log, legend, short, stroke};
use crate::depth::is_settled;
use crate::figure::{Figure, csv};
use crate::format::fixed;
use crate::interval::mean;
use crate::metrics::Iterations;
use crate::pair::{Block, Group};
use crate::svg::{Panel, document};
use std::collections::BTreeMap;
use std::fmt::Write;

const PANEL: Panel = Panel { width: 560.0, height: 330.0 };
/// More lines than this cannot be told apart: then single methods, and all together, stand for the rest.
const MOST: usize = 14;

/// Cumulative nodes of one method set by depth: geometric means over the positions that reached the depth with every
/// method set shown.
struct Curve<'a> {
    methods: &'a str,
    points: Vec<(u32, f64)>,
    /// (N_D / N_{D-2k})^(1/(2k)) of the means, k = 2 or 1.
    branching: Option<f64>,
}

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
            "Nodes by depth, geometric means over positions that none of these settled; b is the growth a ply over the last four plies \
                  (two in shallow searches)."
                .to_owned(),
        svg: document(PANEL.width, height, &title, &description, &body),
        file: format!("nodes-by-depth-{}-{}.csv", group.game, group.budget),
        csv: csv(["methods", "depth", "nodes"], rows),
    })
}

fn curves<'a>(group: &Group<'a>, cells: &Iterations<'_>) -> Vec<Curve<'a>> {
    let many = group.methods.len() > MOST;
    let largest = group.methods.iter().map(|m| crate::arm::members(m).len()).max().unwrap_or(0);
    let shown = |methods: &str| {
        let count = crate::arm::members(methods).len();
        !many || count <= 1 || count == largest
    };
    let wanted: Vec<usize> = (0..group.methods.len()).filter(|&i| shown(group.methods[i])).take(28).collect();
    // By depth, by position: the nodes of each wanted method set.
    let mut sums = BTreeMap::<u32, Vec<Vec<f64>>>::new();
    // Where a mate was found, further iterations are next to free.
    let open = |block: &&Block<'_>| !wanted.iter().any(|&set| is_settled(&group.traits, block.rows[set]));
    for block in group.blocks.iter().filter(open) {
        let own: Option<Vec<&Vec<(u32, u64)>>> = wanted
            .iter()
            .map(|&i| {
                let row = block.rows[i];
                cells.get(&(&*row.game, &*row.position, &*row.methods, row.budget_kind, row.budget))
            })
            .collect();
        let Some(own) = own else { continue };
        let shallowest = own.iter().filter_map(|depths| depths.last()).map(|last| last.0).min().unwrap_or(0);
        for depth in 1..=shallowest {
            let at = |depths: &&Vec<(u32, u64)>| {
                depths.iter().find(|d| d.0 == depth).map(|d| (d.1.max(1) as f64).ln())
            };
            if let Some(logs) = own.iter().map(at).collect() {
                sums.entry(depth).or_default().push(logs);
            }
        }
    }
    // A depth that only some positions reached would bend the curve.
    let most = sums.values().map(Vec::len).max().unwrap_or(0);
    sums.retain(|_, positions| positions.len() == most);
    let curve = |(at, &index): (usize, &usize)| {
        let points: Vec<(u32, f64)> = sums
            .iter()
            .map(|(depth, logs)| (*depth, mean(&logs.iter().map(|l| l[at]).collect::<Vec<_>>()).exp()))
            .collect();
        let branching = branching(&points);
        Curve { methods: group.methods[index], points, branching }
    };
    wanted.iter().enumerate().map(curve).collect()
}

fn branching(points: &[(u32, f64)]) -> Option<f64> {
    let &(deepest, last) = points.last()?;
    [2, 1].into_iter().find_map(|k| {
        let &(_, first) = points.iter().find(|(depth, _)| depth + 2 * k == deepest)?;
        Some((last / first).powf(1.0 / f64::from(2 * k)))
    })
}
