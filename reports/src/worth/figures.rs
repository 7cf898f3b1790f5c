//! The pictures of what methods are worth: which of them save the same, and how what they save grows with depth.

use super::{Judged, Measured};
use crate::chart::scale::{Log, legend, short, stroke};
use crate::factorial::grid;
use crate::figure::{Figure, csv, ends};
use crate::format::ratio;
use crate::svg::{Panel, document};
use secateur_stats::interval::Interval;
use secateur_stats::metrics::Iterations;
use secateur_stats::worth::by_depth;
use std::fmt::Write;

/// Section of the pairs.
pub const PAIRS: &str = "Which methods save the same";
/// Section of growth.
pub const GROWTH: &str = "How it grows with depth";

const PANEL: Panel = Panel { width: 560.0, height: 330.0 };

/// The pictures of every budget; `cells` are the iterations of the searches.
#[must_use]
pub fn figures(judged: &Judged<'_, '_, '_>, cells: &Iterations<'_>) -> Vec<Figure> {
    let of = |measured| [pairs(measured), growth(measured, cells)].into_iter().flatten();
    judged.measured.iter().flat_map(of).collect()
}

/// What every two methods save together less than one by one, as a heat map; none without a pair.
fn pairs(measured: &Measured<'_, '_>) -> Option<Figure> {
    let Measured { group, worths } = measured;
    let at = |name: &str| worths.iter().position(|worth| worth.method == name);
    let mut pairs: Vec<([usize; 2], Interval)> = Vec::new();
    for (first, worth) in worths.iter().enumerate() {
        for (name, shared) in &worth.partners {
            if let Some(second) = at(name).filter(|second| *second > first) {
                let Interval { estimate, low, high } = shared.within;
                let ln = Interval { estimate: estimate.ln(), low: low.ln(), high: high.ln() };
                pairs.push(([first, second], ln));
            }
        }
    }
    let names: Vec<&str> = worths.iter().map(|worth| worth.method.as_str()).collect();
    let without = |worth: &secateur_stats::worth::Worth| {
        worth.nodes.map_or_else(|| "-".to_owned(), |nodes| format!("x {}", ratio(nodes.within.estimate)))
    };
    let diagonal: Vec<String> = worths.iter().map(without).collect();
    let heading = group.heading();
    let title = format!("{heading}: which methods save the same");
    let words: Vec<String> = pairs
        .iter()
        .map(|([one, other], i)| format!("{} and {} {:+.2}", names[*one], names[*other], i.estimate))
        .collect();
    let rows = pairs.iter().map(|([one, other], i)| {
        let [estimate, low, high] = ends(i);
        [names[*one].to_owned(), names[*other].to_owned(), estimate, low, high]
    });
    let csv = csv(["first", "second", "ln_nodes_without_both", "low", "high"], rows);
    (!pairs.is_empty()).then(|| Figure {
        section: PAIRS.to_owned(),
        caption: "What the program needs more without two methods than it would if each were missed by itself, ln nodes with 95 % \
                  intervals: above 0 (orange) the two save some of the same nodes, below 0 (blue) one makes the other worth more. On the \
                  diagonal the nodes without each method, times."
            .to_owned(),
        svg: grid(&heading, (&title, &format!("ln nodes without both beyond one by one: {}.", words.join("; "))), &names, &diagonal, &pairs),
        file: format!("pairs-{}-{}.csv", group.game, group.budget),
        csv,
    })
}

/// Nodes without each method over nodes with it, iteration by iteration; none for fewer than two depths.
fn growth(measured: &Measured<'_, '_>, cells: &Iterations<'_>) -> Option<Figure> {
    let Measured { group, worths } = measured;
    let curves: Vec<(&str, Vec<(u32, Interval)>)> =
        worths.iter().map(|worth| (worth.method.as_str(), by_depth(group, cells, &worth.method))).collect();
    let points = || curves.iter().flat_map(|(_, points)| points);
    let (first, last) = (points().map(|point| point.0).min()?, points().map(|point| point.0).max()?);
    if first == last {
        return None;
    }
    let times = Log::around(points().map(|point| point.1.estimate).chain([1.0]));
    let x = |depth: u32| PANEL.x(f64::from(depth - first) / f64::from(last - first));
    let mut body = String::new();
    PANEL.frame(
        &mut body,
        &format!("{}: nodes without each method", group.game),
        "depth (plies)",
        "times the nodes of all",
    );
    (first..=last).for_each(|depth| PANEL.tick_across(&mut body, x(depth), &depth.to_string()));
    for tick in times.ticks() {
        PANEL.tick_upwards(&mut body, PANEL.y(times.share(tick)), &short(tick));
    }
    let mut names = Vec::new();
    for (index, (name, points)) in curves.iter().enumerate() {
        let line: Vec<String> = points
            .iter()
            .map(|(depth, i)| format!("{:.1},{:.1}", x(*depth), PANEL.y(times.share(i.estimate))))
            .collect();
        let style = stroke(index);
        let _ = writeln!(body, "<polyline points=\"{}\" style=\"{style};stroke-width:2\"/>", line.join(" "));
        names.push((*name, style));
    }
    let height = PANEL.height + legend(&mut body, PANEL, &names) + 8.0;
    let rows = curves.iter().flat_map(|(name, points)| {
        points.iter().map(|(depth, i)| {
            let [estimate, low, high] = ends(i);
            [(*name).to_owned(), depth.to_string(), estimate, low, high]
        })
    });
    let ends: Vec<String> = curves
        .iter()
        .filter_map(|(name, points)| {
            Some(format!("{name} {} at depth {}", ratio(points.last()?.1.estimate), points.last()?.0))
        })
        .collect();
    Some(Figure {
        section: GROWTH.to_owned(),
        caption: "Nodes without each method over those of the program as it is, up to the end of each iteration of the same searches; \
                  geometric means over the positions at which both came so far."
            .to_owned(),
        svg: document(
            PANEL.width,
            height,
            &format!("{}: nodes without each method by depth", group.heading()),
            &format!("Times the nodes of the program as it is: {}.", ends.join("; ")),
            &body,
        ),
        file: format!("growth-{}-{}.csv", group.game, group.budget),
        csv: csv(["method", "depth", "nodes_without", "low", "high"], rows),
    })
}
