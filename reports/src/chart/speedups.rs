//! How the speed-ups of single positions are spread: means hide that a method loses on some.

use super::scale::{Log, short};
use crate::figure::{Figure, csv};
use crate::svg::{COLOURS, Panel, document, escape};
use secateur_stats::group::Group;
use std::fmt::Write;

const ROW: f64 = 20.0;
/// More rows of data than this are given as quantiles: the page must stay small.
const MOST_ROWS: usize = 8_000;
const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// The speed-ups of one method set by position, least first.
struct Spread<'a> {
    methods: &'a str,
    sorted: Vec<f64>,
}

impl Spread<'_> {
    fn at(&self, q: f64) -> f64 {
        self.sorted[(q * (self.sorted.len() - 1) as f64).round() as usize]
    }
}

/// The picture of one fixed-depth group: a line from the 5th to the 95th percentile, a box around the middle half, a
/// mark at the median. None for fewer than two positions.
#[must_use]
pub(crate) fn figure(group: &Group<'_>, section: &str) -> Option<Figure> {
    if group.blocks.len() < 2 || group.methods.len() < 2 {
        return None;
    }
    let spreads: Vec<Spread<'_>> = (1..group.methods.len()).map(|index| spread(group, index)).collect();
    let longest = spreads.iter().map(|spread| spread.methods.chars().count()).max().unwrap_or(0);
    let left = (7.0 * longest as f64).clamp(60.0, 330.0);
    let plot = Panel { width: 420.0, height: 80.0 + ROW * spreads.len() as f64 };
    let axis = Log::around(spreads.iter().flat_map(|spread| [spread.at(0.05), spread.at(0.95)]).chain([1.0]));
    let mut body = format!("<g transform=\"translate({left} 0)\">\n");
    let across = format!("nodes of {} over nodes of the method", group.methods[0]);
    plot.frame(&mut body, "Speed-up by position", &across, "");
    for tick in axis.ticks() {
        plot.tick_across(&mut body, plot.x(axis.share(tick)), &short(tick));
    }
    let one = plot.x(axis.share(1.0));
    let _ = writeln!(
        body,
        "<line x1=\"{one:.1}\" y1=\"{}\" x2=\"{one:.1}\" y2=\"{}\" style=\"stroke-width:2\"/>",
        crate::svg::TOP,
        plot.bottom()
    );
    let mut texts = Vec::new();
    for (index, spread) in spreads.iter().enumerate() {
        let y = crate::svg::TOP + ROW * (index as f64 + 0.5);
        draw(&mut body, spread, y, |value| plot.x(axis.share(value)), COLOURS[index % COLOURS.len()]);
        let [low, _, median, _, high] = QUANTILES.map(|q| short(spread.at(q)));
        texts.push(format!("{} {median} ({low} to {high})", spread.methods));
    }
    body += "</g>\n";
    let title = format!("{}: speed-ups of single positions", group.heading());
    let description = format!("Median speed-up and 5th to 95th percentile: {}.", texts.join("; "));
    Some(Figure {
        section: section.to_owned(),
        caption: "Speed-ups of single positions: line from the 5th to the 95th percentile, box around the middle half, mark at \
                  the median."
            .to_owned(),
        svg: document(left + plot.width, plot.height, &title, &description, &body),
        file: format!("speedups-{}-{}.csv", group.game, group.budget),
        csv: data(group, &spreads),
    })
}

fn spread<'a>(group: &Group<'a>, index: usize) -> Spread<'a> {
    let ratio =
        |block: &secateur_stats::group::Block<'_>| block.base().some_nodes() / block.rows[index].some_nodes();
    let mut sorted: Vec<f64> = group.blocks.iter().map(ratio).collect();
    sorted.sort_by(f64::total_cmp);
    Spread { methods: group.methods[index], sorted }
}

fn draw(svg: &mut String, spread: &Spread<'_>, y: f64, x: impl Fn(f64) -> f64, colour: &str) {
    let [low, from, median, to, high] = QUANTILES.map(|q| x(spread.at(q)));
    // A little wider than nothing, so that a box without spread is seen.
    let width = (to - from).max(1.5);
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\
         <line x1=\"{low:.1}\" y1=\"{y}\" x2=\"{high:.1}\" y2=\"{y}\" style=\"stroke:{colour}\"/>\
         <rect x=\"{from:.1}\" y=\"{}\" width=\"{width:.1}\" height=\"12\" style=\"fill:{colour};fill-opacity:.35;stroke:{colour}\"/>\
         <line x1=\"{median:.1}\" y1=\"{}\" x2=\"{median:.1}\" y2=\"{}\" style=\"stroke:{colour};stroke-width:2.5\"/>",
        crate::svg::LEFT - 6.0,
        y + 4.0,
        escape(spread.methods),
        y - 6.0,
        y - 6.0,
        y + 6.0
    );
}

fn data(group: &Group<'_>, spreads: &[Spread<'_>]) -> String {
    if group.blocks.len() * spreads.len() > MOST_ROWS {
        let rows = spreads.iter().flat_map(|spread| {
            (0..=100).map(|q| {
                let value = spread.at(f64::from(q) / 100.0);
                [spread.methods.to_owned(), q.to_string(), format!("{value:.4}")]
            })
        });
        return csv(["methods", "percentile", "speedup"], rows);
    }
    let rows = group.blocks.iter().flat_map(|block| {
        group.methods.iter().enumerate().skip(1).map(|(index, methods)| {
            let speedup = block.base().some_nodes() / block.rows[index].some_nodes();
            [(*methods).to_owned(), block.base().position.to_string(), format!("{speedup:.4}")]
        })
    });
    csv(["methods", "position", "speedup"], rows)
}
