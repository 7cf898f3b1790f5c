//! A picture with everything a page needs around it: words for those who cannot see it, and its data.
//! Which pictures the page of a run has, and in which section each stands, is here too.

use crate::trade_off::{Cost, Point, TradeOff};
use crate::{chart, distribution, factorial, pooled, regret};
use secateur_stats::group::Group;
use secateur_stats::interval::Interval;
use secateur_stats::metrics::{AgainstBaseline, Iterations, against_baseline};
use secateur_stats::runs::Runs;

pub use secateur_record::table::of_cells as csv;

/// A picture of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Title of the section that it belongs to; the page makes one where the report has none.
    pub section: String,
    /// What it shows, one sentence. Plain text.
    pub caption: String,
    /// SVG with a title and a description, every text in it escaped.
    pub svg: String,
    /// Name of the file with its data, `speedups.csv`.
    pub file: String,
    /// Its data as CSV with a header.
    pub csv: String,
}

/// An estimate with the ends of its interval as cells; empty where there is none.
#[must_use]
pub fn ends(interval: &Interval) -> [String; 3] {
    let cell = |x: f64| if x.is_finite() { x.to_string() } else { String::new() };
    [interval.estimate, interval.low, interval.high].map(cell)
}

/// The pictures of all groups, each with the title of its section. A module with pictures of its own adds them here.
#[must_use]
pub fn figures(groups: &[Group<'_>], runs: &Runs, cells: &Iterations<'_>) -> Vec<Figure> {
    let mut figures = Vec::new();
    let fixed = |group: &&Group<'_>| group.is_fixed_depth() && !group.blocks.is_empty();
    for group in groups.iter().filter(fixed) {
        let title = pooled::title(group);
        figures.extend((group.methods.len() > 1).then(|| front(group, &title)));
        figures.extend(chart::nodes_by_depth(group, cells, &title));
        figures.extend(chart::speedups(group, &title));
    }
    figures.extend(groups.iter().filter_map(regret::figure));
    figures.extend(factorial::figures(groups));
    figures.extend(crate::promises::figures(runs));
    figures.extend(groups.iter().filter_map(|group| distribution::figure(group, distribution::TITLE)));
    figures
}

/// What each method set saves against how often it keeps the move.
fn front(group: &Group<'_>, section: &str) -> Figure {
    let point = |index: usize| {
        let AgainstBaseline { speedup_geometric, same_move, .. } = against_baseline(group, index, None);
        let cost = same_move.unwrap_or(Interval::none(f64::NAN));
        Point { methods: group.methods[index], saved: speedup_geometric, cost }
    };
    let points: Vec<Point<'_>> = (1..group.methods.len()).map(point).collect();
    let lowest = points.iter().map(|point| point.cost.low).fold(1.0, f64::min);
    let least = (lowest * 10.0).floor() / 10.0 - 0.05;
    let cost = Cost {
        names: ["same move", "same_move"],
        least,
        // A little room above 100 %, so that points there do not sit on the frame.
        most: 1.02,
        ticks: (0..=10).map(|tenth| f64::from(tenth) / 10.0).filter(|share| *share >= least).collect(),
        label: |share| format!("{:.0} %", 100.0 * share),
        more_is_better: true,
    };
    let caption = "What is saved against how often the move is kept, with 95 % intervals. On the dashed line no other method set saves more \
                   and keeps the move as often.";
    TradeOff { group, points, cost, baseline: None }.figure(section, caption, "front")
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_stats::fixtures::row;
    use secateur_stats::group::groups;

    #[test]
    fn the_picture_has_words_for_those_who_cannot_see_it() {
        let mut records = Vec::new();
        for i in 0..4 {
            let position = format!("p{i}");
            records.push(row(&position, "28", "none", 1000 + i));
            records.push(row(&position, "28", "a<b", 250));
        }
        let Figure { svg, csv, .. } = front(&groups(&records)[0], "s");
        assert!(svg.contains("<title>") && svg.contains("a&lt;b cuts nodes 4.01x, same move 100 %"), "{svg}");
        assert!(!svg.contains("a<b") && !svg.contains("NaN"), "{svg}");
        assert!(
            csv.starts_with("methods,speedup,low,high,same_move,same_move_low,same_move_high\na<b,"),
            "{csv}"
        );
    }
}
