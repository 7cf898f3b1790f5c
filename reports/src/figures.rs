//! Which pictures the page of a run has, and in which section each stands.

use crate::chart::{depths, latency, speedups};
use crate::figure::{Figure, csv, ends};
use crate::trade_off::saving_against_accuracy;
use crate::{distribution, factorial, pooled, regret};
use secateur_stats::group::Group;
use secateur_stats::metrics::{against_baseline, iterations};
use secateur_stats::runs::Runs;

/// The pictures of all groups, each with the title of its section. A module with pictures of its own adds them here.
#[must_use]
pub fn figures(groups: &[Group<'_>], runs: &Runs) -> Vec<Figure> {
    let cells = iterations(&runs.iterations);
    let mut figures = Vec::new();
    let fixed = |group: &&Group<'_>| group.is_fixed_depth() && !group.blocks.is_empty();
    for group in groups.iter().filter(fixed) {
        let title = pooled::title(group);
        figures.extend((group.methods.len() > 1).then(|| front(group, &title)));
        figures.extend(depths::figure(group, &cells, &title));
        figures.extend(speedups::figure(group, &title));
    }
    figures.extend(groups.iter().filter_map(regret::figure));
    figures.extend(factorial::figures(groups));
    figures.extend(crate::promises::figures(runs));
    figures.extend(groups.iter().filter_map(|group| latency::figure(group, distribution::TITLE)));
    figures
}

/// What each method set saves against how often it keeps the move.
fn front(group: &Group<'_>, section: &str) -> Figure {
    let rows = (1..group.methods.len()).map(|index| {
        let c = against_baseline(group, index, None);
        let [a, b] =
            [Some(c.speedup_geometric), c.same_move].map(|i| i.as_ref().map_or_else(Default::default, ends));
        let [speedup, speedup_low, speedup_high]: [String; 3] = a;
        let [same_move, same_move_low, same_move_high]: [String; 3] = b;
        let name = group.methods[index].to_owned();
        [name, speedup, speedup_low, speedup_high, same_move, same_move_low, same_move_high]
    });
    let header = ["methods", "speedup", "low", "high", "same_move", "same_move_low", "same_move_high"];
    Figure {
        section: section.to_owned(),
        caption: "What is saved against how often the move is kept, with 95 % intervals. On the dashed line no other method \
                  set saves more and keeps the move as often."
            .to_owned(),
        svg: saving_against_accuracy(&[group]),
        file: format!("front-{}-{}.csv", group.game, group.budget),
        csv: csv(header, rows),
    }
}
