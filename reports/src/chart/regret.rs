//! Speed-up against mean regret: the front of cost against accuracy in the unit of scores.

use super::scale::{Log, short};
use crate::svg::{COLOURS, Panel, document, escape, ink, step};
use crate::trade_off::Labels;
use secateur_stats::interval::Interval;
use std::fmt::Write;

const PANEL: Panel = Panel { width: 420.0, height: 300.0 };

/// One method set.
pub(crate) struct Point<'a> {
    /// Its name.
    pub(crate) methods: &'a str,
    /// Geometric speed-up.
    pub(crate) speedup: Interval,
    /// Mean regret.
    pub(crate) regret: Interval,
}

impl Point<'_> {
    /// Whether this one is no worse in both and better in one.
    fn beats(&self, other: &Point<'_>) -> bool {
        let (a, b) = (self.speedup.estimate, other.speedup.estimate);
        let (x, y) = (self.regret.estimate, other.regret.estimate);
        a >= b && x <= y && (a > b || x < y)
    }
}

/// Where values fall: speed-up across on a logarithmic axis, regret upwards from 0.
struct Axes {
    across: Log,
    most: f64,
}

impl Axes {
    fn x(&self, speedup: f64) -> f64 {
        PANEL.x(self.across.share(speedup))
    }

    fn y(&self, regret: f64) -> f64 {
        PANEL.y(regret / self.most)
    }

    fn frame(&self, svg: &mut String, heading: &str, baseline: &str) {
        PANEL.frame(svg, heading, &format!("nodes cut against {baseline}, x"), "mean regret");
        for tick in self.across.ticks() {
            PANEL.tick_across(svg, self.x(tick), &short(tick));
        }
        let by = step(self.most, 5);
        for tick in 0..=(self.most / by) as u32 {
            let value = f64::from(tick) * by;
            PANEL.tick_upwards(svg, self.y(value), &short(value));
        }
    }

    /// The intervals of a point and its name.
    fn name(&self, svg: &mut String, labels: &mut Labels, point: &Point<'_>, colour: &str) {
        let ends = |i: &Interval| [i.low, i.high].map(|end| if end.is_finite() { end } else { i.estimate });
        let (x, y) = (self.x(point.speedup.estimate), self.y(point.regret.estimate));
        let [left, right] = ends(&point.speedup).map(|end| self.x(end));
        let [low, high] = ends(&point.regret).map(|end| self.y(end));
        let (dx, anchor) = if x > PANEL.width * 0.7 { (-6.0, "end") } else { (6.0, "start") };
        let label = labels.place(x + dx, y, point.methods.len(), anchor == "end");
        let _ = writeln!(
            svg,
            "<path d=\"M{left:.1} {y:.1}H{right:.1}M{x:.1} {low:.1}V{high:.1}\" \
             style=\"stroke:{colour};stroke-opacity:.5\"/>\
             <text x=\"{:.1}\" y=\"{label:.1}\" text-anchor=\"{anchor}\" {}>{}</text>",
            x + dx,
            ink(colour),
            escape(point.methods)
        );
    }
}

/// The whole picture; `base` is the mean regret of the baseline of this name, whose speed-up is 1.
pub(crate) fn draw(heading: &str, (baseline, base): (&str, f64), points: &[Point<'_>]) -> String {
    let across = Log::around(points.iter().flat_map(|p| [p.speedup.low, p.speedup.high]).chain([1.0]));
    let highest = points.iter().map(|p| p.regret.high).filter(|r| r.is_finite());
    let axes = Axes { across, most: highest.fold(base.max(1.0), f64::max) * 1.05 };
    let mut body = String::new();
    axes.frame(&mut body, heading, baseline);
    let (x, y) = (axes.x(1.0), axes.y(base));
    let _ = writeln!(body, "<rect x=\"{}\" y=\"{}\" width=\"8\" height=\"8\"/>", x - 4.0, y - 4.0);
    let dots = points.iter().map(|p| (axes.x(p.speedup.estimate), axes.y(p.regret.estimate)));
    let mut labels = Labels::among(PANEL, dots.collect());
    let mut words = vec![format!("{baseline} {}", short(base))];
    for (index, point) in points.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let on_front = !points.iter().any(|other| other.beats(point));
        let named = points.len() <= 12 || on_front || secateur_stats::arm::members(point.methods).len() == 1;
        let _ = writeln!(
            body,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{}\" fill=\"{colour}\"><title>{}</title></circle>",
            axes.x(point.speedup.estimate),
            axes.y(point.regret.estimate),
            if named { 4 } else { 3 },
            escape(point.methods)
        );
        if named {
            axes.name(&mut body, &mut labels, point, colour);
        }
        let [regret, speedup] = [point.regret, point.speedup].map(|i| short(i.estimate));
        words.push(format!("{} {regret} with nodes cut {speedup}x", point.methods));
    }
    let description = format!("Mean regret: {}.", words.join("; "));
    document(PANEL.width, PANEL.height, &format!("{heading}: regret"), &description, &body)
}
