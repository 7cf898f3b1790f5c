//! The pictures of what methods are worth: which of them save the same, and how what they save grows with depth.

use super::{Judged, Measured};
use crate::chart::lines::{self, Words};
use crate::factorial::grid;
use crate::figure::{Figure, csv, ends};
use crate::format::{or_dash, times};
use secateur_stats::interval::Interval;
use secateur_stats::metrics::Iterations;
use secateur_stats::worth::by_depth;

/// Section of the pairs.
pub const PAIRS: &str = "Which methods save the same";
/// Section of growth.
pub const GROWTH: &str = "How it grows with depth";

/// The pictures of every budget; `cells` are the iterations of the searches.
#[must_use]
pub fn figures(judged: &Judged<'_, '_, '_>, cells: &Iterations<'_>) -> Vec<Figure> {
    let figures_of = |measured| [pairs(measured), growth(measured, cells)].into_iter().flatten();
    judged.measured.iter().flat_map(figures_of).collect()
}

/// What every two methods save together less than one by one, as a heat map; none without a pair.
fn pairs(measured: &Measured<'_, '_>) -> Option<Figure> {
    let Measured { group, worths, .. } = measured;
    let at = |name: &str| worths.iter().position(|worth| worth.method == name);
    let mut pairs: Vec<([usize; 2], Interval)> = Vec::new();
    for (first, worth) in worths.iter().enumerate() {
        for (name, shared) in &worth.partners {
            if let Some(second) = at(name).filter(|second| *second > first) {
                pairs.push(([first, second], shared.within.ln()));
            }
        }
    }
    let names: Vec<&str> = worths.iter().map(|worth| worth.method.as_str()).collect();
    let without = |worth: &secateur_stats::worth::Worth| {
        or_dash(worth.nodes.map(|nodes| times(&Interval::none(nodes.within.estimate))))
    };
    let diagonal: Vec<String> = worths.iter().map(without).collect();
    let heading = group.heading();
    let title = format!("{heading}: which methods save the same");
    let pair_texts: Vec<String> = pairs
        .iter()
        .map(|([one, other], i)| {
            format!("{} and {} {}", names[*one], names[*other], times(&Interval::none(i.estimate.exp())))
        })
        .collect();
    let description = format!("Nodes without both, as a factor of the product: {}.", pair_texts.join("; "));
    let rows = pairs.iter().map(|([one, other], i)| {
        let [estimate, low, high] = ends(i);
        [names[*one].to_owned(), names[*other].to_owned(), estimate, low, high]
    });
    let csv = csv(["first", "second", "ln_nodes_without_both", "low", "high"], rows);
    (!pairs.is_empty()).then(|| Figure {
        section: PAIRS.to_owned(),
        caption: "In a cell, the nodes that the program needs without two methods, as a factor of what leaving out one and then the other would \
                  multiply to, with its 95 % interval. Above 1 (orange) the two save some of the same nodes; below 1 (blue) each makes the other \
                  worth more. On the diagonal, the nodes without the method, as a factor of those with it."
            .to_owned(),
        svg: grid(&heading, (&title, &description), &names, &diagonal, &pairs, f64::exp),
        file: format!("pairs-{}-{}.csv", group.game, group.budget),
        csv,
    })
}

/// Nodes without each method over nodes with it, iteration by iteration; none for fewer than two depths.
fn growth(measured: &Measured<'_, '_>, cells: &Iterations<'_>) -> Option<Figure> {
    let Measured { group, worths, .. } = measured;
    let curves: Vec<(&str, Vec<(u32, Interval)>)> =
        worths.iter().map(|worth| (worth.method.as_str(), by_depth(group, cells, &worth.method))).collect();
    let labels = Words {
        heading: &format!("{}: nodes without each method", group.game),
        across: lines::DEPTHS.0,
        at: lines::DEPTHS.1,
        upwards: "nodes without it, as a factor of the program's",
        title: &format!("{}: nodes without each method by depth", group.heading()),
        what: "Nodes without the method, as a factor of the program's",
    };
    let svg = lines::by_depth(&labels, &curves)?;
    let rows = curves.iter().flat_map(|(name, points)| {
        points.iter().map(|(depth, i)| {
            let [estimate, low, high] = ends(i);
            [(*name).to_owned(), depth.to_string(), estimate, low, high]
        })
    });
    Some(Figure {
        section: GROWTH.to_owned(),
        caption: "Nodes without each method over those of the program as it is, up to the end of each iteration of the same searches; \
                  geometric means over the positions at which both came so far."
            .to_owned(),
        svg,
        file: format!("growth-{}-{}.csv", group.game, group.budget),
        csv: csv(["method", "depth", "nodes_without", "low", "high"], rows),
    })
}
