//! The pictures of what methods are worth: which of them save the same, and how what they save grows with depth.
//! One method at a time next to shared games, what both ways say of the same methods of one program, is a table.

use super::{Judged, Measured, OfMethod, Played};
use crate::chart::{self, Words};
use crate::evidence::Evidence;
use crate::factorial::Grid;
use crate::figure::{Figure, csv, ends};
use crate::format::{or_dash, signed_within, times};
use crate::table::{Section, Table};
use secateur_stats::interval::{Interval, z95};
use secateur_stats::labels::count;
use secateur_stats::metrics::Iterations;
use secateur_stats::runs::Runs;
use secateur_stats::worth::by_depth;

/// Section of the pairs.
pub const PAIRS: &str = "Which methods save the same";
/// Section of growth.
pub const GROWTH: &str = "How it grows with depth";

/// The pictures of every budget; `cells` are the iterations of the searches.
pub fn figures(judged: &Judged<'_>, cells: &Iterations<'_>) -> Vec<Figure> {
    let figures_of = |measured| [pairs(measured), growth(measured, cells)].into_iter().flatten();
    judged.measured.iter().flat_map(figures_of).collect()
}

/// What every two methods save together less than one by one, as a heat map; none without a pair.
fn pairs(measured: &Measured<'_>) -> Option<Figure> {
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
    let without = |worth: &secateur_stats::worth::Worth| {
        or_dash(worth.nodes.map(|nodes| times(&Interval::none(nodes.within.estimate))))
    };
    let grid = Grid {
        group,
        title: "which methods save the same",
        names: &worths.iter().map(|worth| worth.method.as_str()).collect::<Vec<_>>(),
        diagonal: &worths.iter().map(without).collect::<Vec<_>>(),
        pairs: &pairs,
        factor: f64::exp,
        what: "Nodes without both",
        kind: "pairs",
        column: "ln_nodes_without_both",
    };
    let caption = "In a cell, the nodes that the program needs without two methods, as a factor of what leaving out one and then the other would \
                   multiply to, with its 95 % interval. Above 1 (orange) the two save some of the same nodes; below 1 (blue) each makes the other \
                   worth more. On the diagonal, the nodes without the method, as a factor of those with it.";
    (!pairs.is_empty()).then(|| grid.figure(PAIRS, caption))
}

/// Nodes without each method over nodes with it, iteration by iteration; none for fewer than two depths.
fn growth(measured: &Measured<'_>, cells: &Iterations<'_>) -> Option<Figure> {
    let Measured { group, worths, .. } = measured;
    let curves: Vec<(&str, Vec<(u32, Interval)>)> =
        worths.iter().map(|worth| (worth.method.as_str(), by_depth(group, cells, &worth.method))).collect();
    let labels = Words {
        heading: &format!("{}: nodes without each method", group.game),
        across: chart::DEPTHS.0,
        at: chart::DEPTHS.1,
        upwards: "nodes without it, as a factor of the program's",
        title: &format!("{}: nodes without each method by depth", group.heading()),
        what: "Nodes without the method, as a factor of the program's",
    };
    let svg = chart::by_depth(&labels, &curves)?;
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

/// The table of both ways and what it says; `None` where games were not played in both.
pub(super) fn agreement(judged: &Judged<'_>) -> Option<Section> {
    if judged.shared.is_empty() || judged.matches.is_empty() {
        return None;
    }
    let (shared, alone): (Vec<Played>, Vec<Played>) =
        judged.all_played().cloned().partition(|one| one.is_shared());
    let runs = Runs::default();
    let evidence = Evidence::of(&runs);
    let [alone_said, shared_said] = [&alone, &shared].map(|way| Judged::of(&evidence, way));
    let mut table = Table::default();
    let (mut apart, mut errors) = (Vec::new(), [Vec::new(), Vec::new()]);
    for one in &alone_said.each {
        let Some(other) = shared_said.played(&one.method) else { continue };
        let (Some(first), Some(second)) = (elo(one), elo(other)) else { continue };
        let both = [first, second].map(error);
        let difference = (first.estimate - second.estimate) / both[0].hypot(both[1]);
        apart.push(difference);
        both.into_iter().zip(&mut errors).for_each(|(error, all)| all.push(error));
        table.row([
            ("<method", one.method.clone()),
            ("Elo one by one", signed_within(&first)),
            ("games", count(one.games as u64)),
            ("Elo in shared games", signed_within(&second)),
            ("games with it on one side", count(other.games as u64)),
            ("difference, standard errors", format!("{difference:+.1}")),
        ]);
    }
    let largest = apart.iter().map(|apart| apart.abs()).max_by(f64::total_cmp)?;
    let games = |played: &[Played]| {
        let rows = |one: &Played| one.ended.rows.len();
        count(played.iter().filter(|one| one.methods.len() < 2).map(rows).sum::<usize>() as u64)
    };
    let mean =
        |errors: &[f64]| (errors.iter().map(|error| error * error).sum::<f64>() / errors.len() as f64).sqrt();
    let sums = shared_said.sums();
    let pairs: Vec<f64> = sums.iter().map(|sum| error(sum.excess.effect)).collect();
    let text = vec![format!(
        "One by one, {} games give standard errors of {:.0} Elo; shared, {} games give {:.0} Elo and besides {} pairs of methods with {:.0} Elo, of \
         which {} are shown to differ from their sum. The two ways differ by at most {largest:.1} standard errors.",
        games(&alone),
        mean(&errors[0]),
        games(&shared),
        mean(&errors[1]),
        pairs.len(),
        mean(&pairs),
        sums.iter().filter(|sum| sum.excess.shown().any()).count(),
    )];
    table
        .notes
        .push("Left-out Elo with 95 % intervals for a number of games that was fixed before.".to_owned());
    Some(Section { title: "One by one and shared".to_owned(), text, tables: vec![table] })
}

/// Elo with an interval, where games gave one.
fn elo(one: &OfMethod<'_>) -> Option<Interval> {
    one.result.map(|games| games.elo).filter(|elo| elo.estimate.is_finite() && elo.has_ends())
}

/// The standard error that a 95 % interval stands for.
fn error(elo: Interval) -> f64 {
    (elo.high - elo.low) / (2.0 * z95())
}
