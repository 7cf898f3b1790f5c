//! Pictures of what each method saves against what that costs: how often it keeps the move, or what its moves lose.
//!
//! How it is drawn is in `svg`, what is drawn is here.

use crate::chart::plot::{Log, short};
use crate::figure::{Figure, csv, ends};
use crate::svg::{COLOURS, Panel, TOP, document, escape, ink};
use secateur_stats::group::Group;
use secateur_stats::interval::Interval;
use secateur_stats::labels::members;
use secateur_stats::metrics::{AgainstBaseline, against_baseline};
use std::fmt::Write;

const PANEL: Panel = Panel { width: 420.0, height: 300.0 };

/// With more method sets than this only single methods and those on the front are named.
const MOST_LABELS: usize = 12;

/// A method set.
pub(crate) struct Point<'a> {
    /// Its name.
    pub(crate) methods: &'a str,
    /// Geometric speed-up.
    pub(crate) saved: Interval,
    /// What that costs; not finite where it is not known.
    pub(crate) cost: Interval,
}

/// The axis of the cost, upwards.
pub(crate) struct Cost {
    /// What it is, in words and as the name of a column.
    pub(crate) names: [&'static str; 2],
    pub(crate) least: f64,
    pub(crate) most: f64,
    /// Values that are marked.
    pub(crate) ticks: Vec<f64>,
    /// How a value is written.
    pub(crate) label: fn(f64) -> String,
    pub(crate) more_is_better: bool,
}

/// The picture of one group.
pub(crate) struct TradeOff<'g, 'a> {
    pub(crate) group: &'g Group<'a>,
    pub(crate) points: Vec<Point<'a>>,
    pub(crate) cost: Cost,
    /// The cost of the baseline, whose speed-up is 1, where it has one.
    pub(crate) baseline: Option<f64>,
}

impl TradeOff<'_, '_> {
    /// The picture with its data; `name` is what its file begins with.
    pub(crate) fn figure(&self, section: &str, caption: &str, name: &str) -> Figure {
        let Cost { names: [_, column], .. } = self.cost;
        let [low, high] = ["low", "high"].map(|end| format!("{column}_{end}"));
        let rows = self.points.iter().map(|point| {
            let ([saved, low, high], [cost, least, most]) = (ends(&point.saved), ends(&point.cost));
            [point.methods.to_owned(), saved, low, high, cost, least, most]
        });
        Figure {
            section: section.to_owned(),
            caption: caption.to_owned(),
            svg: self.svg(),
            file: format!("{name}-{}-{}.csv", self.group.game, self.group.budget),
            csv: csv(["methods", "speedup", "low", "high", column, &low, &high], rows),
        }
    }

    fn svg(&self) -> String {
        let Cost { names: [cost_name, _], least, most, ticks, label, .. } = &self.cost;
        let drawn: Vec<&Point<'_>> =
            self.points.iter().filter(|point| point.cost.estimate.is_finite()).collect();
        // Without an interval it ends where it begins.
        let ends = |i: &Interval| [i.low, i.high].map(|end| if end.is_finite() { end } else { i.estimate });
        let across = Log::around(drawn.iter().flat_map(|point| ends(&point.saved)).chain([1.0]));
        let x = |saved: f64| PANEL.x(across.share(saved));
        let y = |cost: f64| PANEL.y((cost - least) / (most - least));
        let at = |point: &Point<'_>| (x(point.saved.estimate), y(point.cost.estimate));
        let (heading, base) = (self.group.heading(), self.group.methods[0]);
        let mut body = String::new();
        PANEL.frame(&mut body, &heading, &format!("nodes cut against {base}, x"), cost_name);
        across.ticks().into_iter().for_each(|tick| PANEL.tick_across(&mut body, x(tick), &short(tick)));
        ticks.iter().for_each(|tick| PANEL.tick_upwards(&mut body, y(*tick), &label(*tick)));
        let mut described = Vec::new();
        if let Some(cost) = self.baseline {
            let (x, y) = (x(1.0) - 4.0, y(cost) - 4.0);
            let _ = writeln!(body, "<rect x=\"{x}\" y=\"{y}\" width=\"8\" height=\"8\"/>");
            described.push(format!("{base}, {cost_name} {}", label(cost)));
        }
        let front = self.front(&drawn);
        let line: Vec<String> =
            front.iter().map(|index| at(drawn[*index])).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let dashes = "fill:none;stroke:#8b949e;stroke-dasharray:4 4";
        let _ = writeln!(body, "<polyline points=\"{}\" style=\"{dashes}\"/>", line.join(" "));
        let mut labels = Labels::among(PANEL, drawn.iter().map(|point| at(point)).collect());
        for (index, point) in drawn.iter().enumerate() {
            let (colour, name) = (COLOURS[index % COLOURS.len()], escape(point.methods));
            let (x0, y0) = at(point);
            // Where names are too many to be read, one shows where the pointer rests on its point.
            let is_named =
                drawn.len() <= MOST_LABELS || front.contains(&index) || members(point.methods).len() == 1;
            let radius = if is_named { 4 } else { 3 };
            let _ = writeln!(
                body,
                "<circle cx=\"{x0:.1}\" cy=\"{y0:.1}\" r=\"{radius}\" fill=\"{colour}\"><title>{name}</title></circle>"
            );
            if is_named {
                let [left, right] = ends(&point.saved).map(x);
                let [low, high] = ends(&point.cost).map(y);
                let (dx, anchor) = if x0 > PANEL.width * 0.7 { (-6.0, "end") } else { (6.0, "start") };
                let baseline = labels.place(x0 + dx, y0, point.methods.len(), anchor == "end");
                let _ = writeln!(
                    body,
                    "<path d=\"M{left:.1} {y0:.1}H{right:.1}M{x0:.1} {low:.1}V{high:.1}\" style=\"stroke:{colour};stroke-opacity:.5\"/>\
                     <text x=\"{:.1}\" y=\"{baseline:.1}\" text-anchor=\"{anchor}\" {}>{name}</text>",
                    x0 + dx,
                    ink(colour),
                );
            }
            described.push(format!(
                "{} cuts nodes {:.2}x, {cost_name} {}",
                point.methods,
                point.saved.estimate,
                label(point.cost.estimate)
            ));
        }
        let title = format!("{heading}: nodes saved, and {cost_name}");
        let description = format!("{heading}: {}.", described.join("; "));
        document(PANEL.width, PANEL.height, &title, &description, &body)
    }

    /// Indices of the points that no other beats in both, from the one that saves least.
    fn front(&self, points: &[&Point<'_>]) -> Vec<usize> {
        let sign = if self.cost.more_is_better { 1.0 } else { -1.0 };
        let worth = |point: &Point<'_>| (point.saved.estimate, sign * point.cost.estimate);
        let is_beaten = |point: &Point<'_>| {
            let (saved, cost) = worth(point);
            points
                .iter()
                .map(|other| worth(other))
                .any(|(a, b)| a >= saved && b >= cost && (a, b) != (saved, cost))
        };
        let mut front: Vec<usize> = (0..points.len()).filter(|index| !is_beaten(points[*index])).collect();
        front.sort_by(|a, b| points[*a].saved.estimate.total_cmp(&points[*b].saved.estimate));
        front
    }
}

/// What a label must not cover.
struct Labels {
    panel: Panel,
    /// Points, as (x, y).
    dots: Vec<(f64, f64)>,
    /// Labels that are already there, as (left, right, baseline).
    texts: Vec<(f64, f64, f64)>,
}

impl Labels {
    /// No labels yet among the points of a panel.
    fn among(panel: Panel, dots: Vec<(f64, f64)>) -> Labels {
        Labels { panel, dots, texts: Vec::new() }
    }

    /// The baseline nearest to the point, below or above it, at which a label stays within the panel and covers neither
    /// point nor label.
    fn place(&mut self, x: f64, y: f64, letters: usize, leftwards: bool) -> f64 {
        let width = 7.0 * letters as f64;
        let (left, right) = if leftwards { (x - width, x) } else { (x, x + width) };
        let inside = |at: f64| at > TOP + 12.0 && at < self.panel.bottom() - 4.0;
        let clear = |at: f64| {
            let clear = |&(l, r, b): &(f64, f64, f64)| right < l || r < left || (at - b).abs() >= 13.0;
            let off =
                |&(x, y): &(f64, f64)| x < left - 4.0 || x > right + 4.0 || y < at - 14.0 || y > at + 7.0;
            self.texts.iter().all(clear) && self.dots.iter().all(off)
        };
        let steps = (0..40).map(|step| 6.5 * f64::from(step));
        let free = steps.flat_map(|by| [y + 18.0 + by, y - 8.0 - by]).find(|at| inside(*at) && clear(*at));
        let baseline = free.unwrap_or(y);
        self.texts.push((left, right, baseline));
        baseline
    }
}

/// What each method set saves against how often it keeps the move.
pub(crate) fn front(group: &Group<'_>, section: &str) -> Figure {
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
    fn labels_cover_neither_points_nor_each_other_and_stay_inside() {
        let dots: Vec<(f64, f64)> = (0..6).map(|i| (100.0 + 3.0 * f64::from(i), 240.0)).collect();
        let mut labels = Labels::among(PANEL, dots.clone());
        let lines: Vec<f64> = dots.iter().map(|&(x, y)| labels.place(x + 6.0, y, 12, false)).collect();
        for (index, line) in lines.iter().enumerate() {
            assert!(*line < PANEL.bottom() && *line > TOP, "{lines:?}");
            assert!(lines[..index].iter().all(|other| (line - other).abs() >= 13.0), "{lines:?}");
            assert!((line - 240.0).abs() >= 7.0, "{lines:?}");
        }
    }

    /// `wild` saves most, `calm` keeps most, `lazy` is beaten by both.
    #[test]
    fn on_the_front_nobody_saves_more_and_costs_less() {
        let records = [secateur_stats::fixtures::row("a", "28", "none", 1)];
        let groups = secateur_stats::group::groups(&records);
        let points = |costs: [f64; 3]| {
            let all = [("wild", 9.0, costs[0]), ("lazy", 2.0, costs[1]), ("calm", 3.0, costs[2])];
            all.map(|(methods, saved, cost)| Point {
                methods,
                saved: Interval::none(saved),
                cost: Interval::none(cost),
            })
        };
        for (more_is_better, costs) in [(true, [0.2, 0.5, 0.9]), (false, [9.0, 5.0, 1.0])] {
            let (names, label): (_, fn(f64) -> String) = (["kept", "kept"], short);
            let cost = Cost { names, least: 0.0, most: 10.0, ticks: Vec::new(), label, more_is_better };
            let all = TradeOff { group: &groups[0], points: points(costs).into(), cost, baseline: None };
            assert_eq!(all.front(&all.points.iter().collect::<Vec<_>>()), [2, 0], "{costs:?}");
        }
    }

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
