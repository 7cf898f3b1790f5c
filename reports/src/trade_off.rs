//! The picture of a report: what each method saves against how often it keeps the move.
//!
//! How it is drawn is in `svg`, what is drawn is here.

use crate::svg::{COLOURS, Panel, TOP, document, escape, ink};
use secateur_stats::arm::members;
use secateur_stats::group::Group;
use secateur_stats::metrics::{AgainstBaseline, against_baseline};
use std::fmt::Write;

const PANEL: Panel = Panel { width: 420.0, height: 300.0 };

/// With more method sets than this only single methods and those on the front are named.
const MOST_LABELS: usize = 12;

/// One panel for each group: speed-up (geometric, logarithmic axis) across, same-move rate upwards, both with
/// their 95 % intervals.
#[must_use]
pub fn saving_against_accuracy(groups: &[&Group<'_>]) -> String {
    let mut body = String::new();
    for (index, group) in groups.iter().enumerate() {
        let _ = writeln!(body, "<g transform=\"translate({} 0)\">", PANEL.width * index as f64);
        panel(&mut body, group);
        body += "</g>\n";
    }
    let description: String = groups.iter().map(|group| description(group)).collect();
    let title = "What each pruning method saves, and how often it keeps the move";
    document(PANEL.width * groups.len() as f64, PANEL.height, title, &description, &body)
}

fn points<'a>(group: &'a Group<'_>) -> Vec<(&'a str, AgainstBaseline)> {
    (1..group.methods.len())
        .map(|index| (group.methods[index], against_baseline(group, index, None)))
        .collect()
}

fn description(group: &Group<'_>) -> String {
    let each: Vec<String> = points(group)
        .iter()
        .map(|(name, c)| {
            let kept = c.same_move.map_or(f64::NAN, |i| 100.0 * i.estimate);
            format!("{name} cuts nodes {:.2}x, same move {kept:.0} %", c.speedup_geometric.estimate)
        })
        .collect();
    format!("{}: {}. ", group.heading(), each.join("; "))
}

/// Where values fall in a panel.
struct Axes {
    low: f64,
    high: f64,
    floor: f64,
}

impl Axes {
    fn x(&self, speedup: f64) -> f64 {
        PANEL.x((speedup.ln() - self.low.ln()) / (self.high.ln() - self.low.ln()))
    }

    fn y(&self, share: f64) -> f64 {
        // A little room above 100 %, so that points there do not sit on the frame.
        PANEL.y((share - self.floor) / (1.02 - self.floor))
    }
}

/// What a label must not cover.
pub(crate) struct Labels {
    panel: Panel,
    /// Points, as (x, y).
    dots: Vec<(f64, f64)>,
    /// Labels that are already there, as (left, right, baseline).
    texts: Vec<(f64, f64, f64)>,
}

impl Labels {
    /// No labels yet among the points of a panel.
    pub(crate) fn among(panel: Panel, dots: Vec<(f64, f64)>) -> Labels {
        Labels { panel, dots, texts: Vec::new() }
    }

    /// The baseline nearest to the point, below or above it, at which a label stays within the panel and covers neither
    /// point nor label.
    pub(crate) fn place(&mut self, x: f64, y: f64, letters: usize, leftwards: bool) -> f64 {
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
        let found = steps.flat_map(|by| [y + 18.0 + by, y - 8.0 - by]).find(|at| inside(*at) && clear(*at));
        let baseline = found.unwrap_or(y);
        self.texts.push((left, right, baseline));
        baseline
    }
}

fn panel(svg: &mut String, group: &Group<'_>) {
    let points = points(group);
    let finite = |x: f64| if x.is_finite() { x } else { 1.0 };
    let ends = |c: &AgainstBaseline| (finite(c.speedup_geometric.low), finite(c.speedup_geometric.high));
    let low = points.iter().map(|(_, c)| ends(c).0).fold(0.9, f64::min) * 0.95;
    let high = points.iter().map(|(_, c)| ends(c).1).fold(2.0, f64::max) * 1.15;
    let lowest = points.iter().filter_map(|(_, c)| Some(c.same_move?.low)).fold(1.0, f64::min);
    let axes = Axes { low, high, floor: (lowest * 10.0).floor() / 10.0 - 0.05 };
    frame(svg, group, &axes);
    let dot = |(_, c): &(&str, AgainstBaseline)| {
        Some((axes.x(c.speedup_geometric.estimate), axes.y(c.same_move?.estimate)))
    };
    let mut labels = Labels::among(PANEL, points.iter().filter_map(dot).collect());
    let front = front(&points);
    *svg += &front_line(&points, &front, &axes);
    for (index, (name, c)) in points.iter().enumerate() {
        let Some(kept) = c.same_move else { continue };
        let (x, y) = (axes.x(c.speedup_geometric.estimate), axes.y(kept.estimate));
        let colour = COLOURS[index % COLOURS.len()];
        let bar = |x1: f64, y1: f64, x2: f64, y2: f64| {
            format!(
                "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" \
                 style=\"stroke:{colour};stroke-opacity:.5\"/>"
            )
        };
        if points.len() > MOST_LABELS && !front.contains(&index) && members(name).len() > 1 {
            // Too many names to be read: this one shows where the pointer rests on its point, without its intervals.
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"><title>{}</title></circle>",
                escape(name)
            );
            continue;
        }
        *svg += &bar(axes.x(ends(c).0), y, axes.x(ends(c).1), y);
        *svg += &bar(x, axes.y(kept.low), x, axes.y(kept.high));
        let (dx, anchor) = if x > PANEL.width * 0.7 { (-6.0, "end") } else { (6.0, "start") };
        let label = labels.place(x + dx, y, name.len(), anchor == "end");
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"/>\
             <text x=\"{:.1}\" y=\"{label:.1}\" text-anchor=\"{anchor}\" {}>{}</text>",
            x + dx,
            ink(colour),
            escape(name)
        );
    }
}

/// A dashed line through the points of the front.
fn front_line(points: &[(&str, AgainstBaseline)], front: &[usize], axes: &Axes) -> String {
    let at = |&i: &usize| {
        let c = &points[i].1;
        Some(format!("{:.1},{:.1}", axes.x(c.speedup_geometric.estimate), axes.y(c.same_move?.estimate)))
    };
    let line: Vec<String> = front.iter().filter_map(at).collect();
    let dashes = "fill:none;stroke:#8b949e;stroke-dasharray:4 4";
    format!("<polyline points=\"{}\" style=\"{dashes}\"/>\n", line.join(" "))
}

/// Indices of the method sets that no other beats in both, from the one that keeps most.
fn front(points: &[(&str, AgainstBaseline)]) -> Vec<usize> {
    let worth = |i: usize| {
        let c = &points[i].1;
        (c.same_move.map_or(0.0, |kept| kept.estimate), c.speedup_geometric.estimate)
    };
    let beats = |a: (f64, f64), b: (f64, f64)| a.0 >= b.0 && a.1 >= b.1 && a != b;
    let mut front: Vec<usize> = (0..points.len())
        .filter(|&i| !(0..points.len()).any(|other| beats(worth(other), worth(i))))
        .collect();
    front.sort_by(|&a, &b| worth(a).1.total_cmp(&worth(b).1));
    front
}

fn frame(svg: &mut String, group: &Group<'_>, axes: &Axes) {
    PANEL.frame(svg, &group.heading(), &format!("nodes cut against {}, x", group.methods[0]), "same move");
    for tick in [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0] {
        if (axes.low..=axes.high).contains(&tick) {
            PANEL.tick_across(svg, axes.x(tick), &tick.to_string());
        }
    }
    for tenth in 0..=10 {
        let share = f64::from(tenth) / 10.0;
        if share >= axes.floor {
            PANEL.tick_upwards(svg, axes.y(share), &format!("{} %", tenth * 10));
        }
    }
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

    #[test]
    fn the_picture_has_words_for_those_who_cannot_see_it() {
        let mut records = Vec::new();
        for i in 0..4 {
            let position = format!("p{i}");
            records.push(row(&position, "28", "none", 1000 + i));
            records.push(row(&position, "28", "a<b", 250));
        }
        let groups = groups(&records);
        let svg = saving_against_accuracy(&groups.iter().collect::<Vec<_>>());
        assert!(svg.contains("<title>") && svg.contains("a&lt;b cuts nodes 4.01x, same move 100 %"));
        assert!(!svg.contains("a<b") && !svg.contains("NaN"), "{svg}");
    }
}
