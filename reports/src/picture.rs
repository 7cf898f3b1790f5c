//! The picture of a report: what each method saves against how often it keeps the move.
//!
//! Plain SVG with a title and a description for readers who cannot see it. Colours are chosen to be read on
//! a light and on a dark page; text takes the page's colour where the viewer allows it.

use crate::metrics::{Comparison, compare};
use crate::pair::Group;
use std::fmt::Write;

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 58.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 46.0;

/// One panel for each group: speed-up (geometric, logarithmic axis) across, same-move rate upwards, both with
/// their 95 % intervals.
#[must_use]
pub fn saving_against_accuracy(groups: &[&Group<'_>]) -> String {
    let width = WIDTH * groups.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {HEIGHT}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\">\n\
         <title>What each pruning method saves, and how often it keeps the move</title>\n<desc>"
    );
    for group in groups {
        let _ = write!(svg, "{}", escape(&description(group)));
    }
    svg += "</desc>\n<style>text{fill:#57606a}line,rect{stroke:#8b949e;fill:none}\
            @media(prefers-color-scheme:dark){text{fill:#c9d1d9}}</style>\n";
    for (index, group) in groups.iter().enumerate() {
        let _ = writeln!(svg, "<g transform=\"translate({} 0)\">", WIDTH * index as f64);
        panel(&mut svg, group);
        svg += "</g>\n";
    }
    svg + "</svg>\n"
}

fn points<'a>(group: &'a Group<'_>) -> Vec<(&'a str, Comparison)> {
    (1..group.methods.len()).map(|index| (group.methods[index], compare(group, index, None))).collect()
}

fn description(group: &Group<'_>) -> String {
    let each: Vec<String> = points(group)
        .iter()
        .map(|(name, c)| {
            let kept = c.same_move.map_or(f64::NAN, |i| 100.0 * i.estimate);
            format!("{name} {:.2} times fewer nodes, same move {kept:.0} %", c.speedup_geometric.estimate)
        })
        .collect();
    format!("{}, {}: {}. ", group.game, group.budget_words(), each.join("; "))
}

/// Where values fall in a panel.
struct Axes {
    low: f64,
    high: f64,
    floor: f64,
}

impl Axes {
    fn x(&self, speedup: f64) -> f64 {
        let part = (speedup.ln() - self.low.ln()) / (self.high.ln() - self.low.ln());
        LEFT + part.clamp(0.0, 1.0) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, share: f64) -> f64 {
        // A little room above 100 %, so that points there do not sit on the frame.
        let part = (share - self.floor) / (1.02 - self.floor);
        HEIGHT - BOTTOM - part.clamp(0.0, 1.0) * (HEIGHT - TOP - BOTTOM)
    }
}

/// Labels that are already there, as (left, right, baseline).
#[derive(Default)]
struct Labels(Vec<(f64, f64, f64)>);

impl Labels {
    /// The first baseline, beside the point or in steps below it, at which a label covers no other.
    fn place(&mut self, x: f64, y: f64, letters: usize, leftwards: bool) -> f64 {
        let width = 7.0 * letters as f64;
        let (left, right) = if leftwards { (x - width, x) } else { (x, x + width) };
        let free = |at: &f64| self.0.iter().all(|&(l, r, b)| right < l || r < left || (at - b).abs() >= 13.0);
        let baseline = (0..20).map(|step| y + 14.0 + 13.0 * f64::from(step)).find(free).unwrap_or(y);
        self.0.push((left, right, baseline));
        baseline
    }
}

fn panel(svg: &mut String, group: &Group<'_>) {
    let points = points(group);
    let finite = |x: f64| if x.is_finite() { x } else { 1.0 };
    let ends = |c: &Comparison| (finite(c.speedup_geometric.low), finite(c.speedup_geometric.high));
    let low = points.iter().map(|(_, c)| ends(c).0).fold(0.9, f64::min) * 0.95;
    let high = points.iter().map(|(_, c)| ends(c).1).fold(2.0, f64::max) * 1.15;
    let lowest = points.iter().filter_map(|(_, c)| Some(c.same_move?.low)).fold(1.0, f64::min);
    let axes = Axes { low, high, floor: (lowest * 10.0).floor() / 10.0 - 0.05 };
    frame(svg, group, &axes);
    let mut labels = Labels::default();
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
        *svg += &bar(axes.x(ends(c).0), y, axes.x(ends(c).1), y);
        *svg += &bar(x, axes.y(kept.low), x, axes.y(kept.high));
        let (dx, anchor) = if x > WIDTH * 0.7 { (-6.0, "end") } else { (6.0, "start") };
        let label = labels.place(x + dx, y, name.len(), anchor == "end");
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"/>\
             <text x=\"{:.1}\" y=\"{label:.1}\" text-anchor=\"{anchor}\" style=\"fill:{colour}\">{}</text>",
            x + dx,
            escape(name)
        );
    }
}

/// Distinct on white and on black, also for most colour-blind readers (after Okabe & Ito 2008).
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b58900", "#56b4e9", "#8250df"];

fn frame(svg: &mut String, group: &Group<'_>, axes: &Axes) {
    let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"20\" font-weight=\"bold\">{}, {}</text>\
         <rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{}\" height=\"{}\"/>\
         <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">times fewer nodes than none</text>\
         <text transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">same move</text>",
        escape(group.game),
        escape(&group.budget_words()),
        right - LEFT,
        bottom - TOP,
        (LEFT + right) / 2.0,
        HEIGHT - 8.0,
        (TOP + bottom) / 2.0
    );
    for tick in [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0] {
        if (axes.low..=axes.high).contains(&tick) {
            let x = axes.x(tick);
            let _ = writeln!(
                svg,
                "<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{bottom}\" style=\"stroke-opacity:.25\"/>\
                 <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{tick}</text>",
                bottom + 16.0
            );
        }
    }
    for tenth in 0..=10 {
        let share = f64::from(tenth) / 10.0;
        if share >= axes.floor {
            let y = axes.y(share);
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" style=\"stroke-opacity:.25\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{} %</text>",
                LEFT - 6.0,
                y + 4.0,
                tenth * 10
            );
        }
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::groups;
    use crate::pair::tests::row;

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
        assert!(svg.contains("<title>") && svg.contains("a&lt;b 4.01 times fewer nodes, same move 100 %"));
        assert!(!svg.contains("a<b") && !svg.contains("NaN"), "{svg}");
    }
}
