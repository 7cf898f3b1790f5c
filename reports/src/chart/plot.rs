//! One picture of points with intervals, and lines between them, over two axes.
//!
//! Every chart that is no more than that is a [`Plot`]: what it shows is data, how it looks is decided here.
//! Logarithmic axes, which other pictures share, are here too.

use crate::svg::{COLOURS, LEFT, Panel, document, escape, step};
use secateur_stats::interval::Interval;
use std::cmp::Ordering;
use std::fmt::Write;

/// Room beyond the outermost values of an axis, as a share of it.
const MARGIN: f64 = 0.03;

/// How values lie along an axis.
#[derive(Clone, Copy, Debug)]
enum Scale {
    /// From the first number to the second.
    Linear(f64, f64),
    /// By their logarithm. What has none, such as 0, is put on the lower end.
    Log(Log),
}

/// One axis with its marks.
#[derive(Clone, Debug)]
pub struct Axis<'a> {
    /// What it is, with its unit.
    title: &'a str,
    scale: Scale,
    ticks: Vec<(f64, String)>,
}

impl<'a> Axis<'a> {
    /// Whole numbers from the first to the last, at most some twenty of them with a mark.
    pub fn whole(title: &'a str, first: u32, last: u32) -> Axis<'a> {
        let stride = ((last - first) / 20).max(1) as usize;
        let ticks = (first..=last).step_by(stride).map(|at| (f64::from(at), at.to_string())).collect();
        // Room for what is set apart sideways.
        let (low, high) = (f64::from(first), f64::from(last));
        let margin = MARGIN * (high - low);
        Axis { title, scale: Scale::Linear(low - margin, high + margin), ticks }
    }

    /// Positive values, with round numbers of each power of ten as `label` writes them.
    pub fn log(title: &'a str, values: impl Iterator<Item = f64>, label: impl Fn(f64) -> String) -> Axis<'a> {
        let log = Log::around(values);
        let ticks = log.ticks().into_iter().map(|at| (at, label(at))).collect();
        Axis { title, scale: Scale::Log(log), ticks }
    }

    /// All finite values with a margin, and round numbers among them.
    pub fn linear(title: &'a str, values: impl Iterator<Item = f64>) -> Axis<'a> {
        let ends = values.filter(|value| value.is_finite());
        let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        let (low, high) = match low.partial_cmp(&high) {
            Some(Ordering::Less) => (low, high),
            // One value is in the middle.
            Some(Ordering::Equal) => (0.95 * low - 1e-9, 1.05 * high + 1e-9),
            _ => (0.0, 1.0),
        };
        let unit = step(high - low, 8);
        let margin = MARGIN * (high - low);
        let ticks = ((low / unit).ceil() as i64..=(high / unit).floor() as i64).map(|at| at as f64 * unit);
        let ticks = ticks.map(|at| (at, format!("{}", (1e6 * at).round() / 1e6))).collect();
        Axis { title, scale: Scale::Linear(low - margin, high + margin), ticks }
    }

    /// From 0 to `last`, with the marks of the caller.
    pub fn marked(title: &'a str, last: f64, ticks: Vec<(f64, String)>) -> Axis<'a> {
        Axis { title, scale: Scale::Linear(0.0, last), ticks }
    }

    /// Where a value is, from 0 to 1.
    fn share(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear(low, high) => (value - low) / (high - low),
            Scale::Log(log) if value > 0.0 => log.share(value),
            Scale::Log(_) => 0.0,
        }
    }
}

/// One point; its interval is drawn if it has one.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its place on the axis across.
    pub x: f64,
    /// Its place on the axis upwards.
    pub y: Interval,
    /// What shows where the pointer rests on it; nothing if empty.
    pub title: String,
    /// Whether it is drawn as a ring, to stand out.
    pub is_ring: bool,
}

impl Point {
    /// A point without a title.
    pub fn new(x: impl Into<f64>, y: Interval) -> Point {
        Point { x: x.into(), y, title: String::new(), is_ring: false }
    }
}

/// Points of one name and colour.
#[derive(Clone, Debug)]
pub struct Series {
    /// What the legend calls it.
    pub name: String,
    /// In the order in which a line joins them.
    pub points: Vec<Point>,
}

/// A line that points are read against.
#[derive(Clone, Copy, Debug)]
pub enum Guide {
    /// Where both axes have the same value.
    Equal,
    /// From left to right at this value.
    At(f64),
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Points alone.
    Points,
    /// Points with a line from each to the next; those with intervals are set apart sideways.
    Joined,
    /// The same, all set apart: many lines have equal values.
    Apart,
    /// The line alone: so many points that they would hide it.
    Line,
}

/// The picture.
#[derive(Clone, Debug)]
pub struct Plot<'a> {
    /// Its size.
    pub panel: Panel,
    /// Above the panel.
    pub heading: &'a str,
    /// The horizontal axis.
    pub across: Axis<'a>,
    /// The vertical axis.
    pub upwards: Axis<'a>,
    /// How all series are drawn.
    pub look: Look,
    /// Lines behind the points.
    pub guides: Vec<Guide>,
    /// What is drawn, the first below the others.
    pub series: Vec<Series>,
}

/// Pixels between the intervals of two series at one place, so that none hides the other.
const APART: f64 = 3.0;
/// Height of a line of the legend.
const LEADING: f64 = 17.0;

impl Plot<'_> {
    /// As a file of its own, with a title and a description for those who cannot see it.
    pub fn svg(&self, title: &str, description: &str) -> String {
        stacked(std::slice::from_ref(self), title, description)
    }

    /// The panel with all that is in it, and the legend below it if that is wanted.
    fn write(&self, body: &mut String, has_legend: bool) {
        self.panel.frame(body, self.heading, self.across.title, self.upwards.title);
        for (at, label) in &self.across.ticks {
            self.panel.tick_across(body, self.x(*at), label);
        }
        for (at, label) in &self.upwards.ticks {
            self.panel.tick_upwards(body, self.y(*at), label);
        }
        for guide in &self.guides {
            self.guide(body, *guide);
        }
        for (index, series) in self.series.iter().enumerate() {
            self.draw(body, index, series);
            if has_legend {
                self.name(body, index, &series.name);
            }
        }
    }

    fn x(&self, value: f64) -> f64 {
        self.panel.x(self.across.share(value))
    }

    fn y(&self, value: f64) -> f64 {
        self.panel.y(self.upwards.share(value))
    }

    fn guide(&self, body: &mut String, guide: Guide) {
        let ends = match guide {
            Guide::At(value) => [(LEFT, self.y(value)), (self.panel.right(), self.y(value))],
            // What both axes hold.
            Guide::Equal => {
                let (across, upwards) = (self.across.ends(), self.upwards.ends());
                [across.0.max(upwards.0), across.1.min(upwards.1)].map(|value| (self.x(value), self.y(value)))
            }
        };
        let [(x1, y1), (x2, y2)] = ends;
        let _ = writeln!(
            body,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" style=\"stroke-dasharray:4 4\"/>"
        );
    }

    fn draw(&self, body: &mut String, index: usize, series: &Series) {
        let style = stroke(index);
        let has_ends = series.points.iter().any(|point| point.y.has_ends());
        let is_apart = self.look == Look::Apart || self.look == Look::Joined && has_ends;
        let aside =
            if is_apart { APART * (index as f64 - (self.series.len() - 1) as f64 / 2.0) } else { 0.0 };
        let place = |point: &Point| (self.x(point.x) + aside, self.y(point.y.estimate));
        if self.look != Look::Points {
            let line = series.points.iter().map(place).map(|(x, y)| format!("{x:.1},{y:.1}"));
            let line = line.collect::<Vec<_>>().join(" ");
            let _ = writeln!(body, "<polyline points=\"{line}\" style=\"{style};stroke-width:2\"/>");
        }
        for point in &series.points {
            let (x, y) = place(point);
            if point.y.has_ends() {
                let [low, high] = [point.y.low, point.y.high].map(|end| self.y(end));
                let _ = writeln!(
                    body,
                    "<path d=\"M{x:.1} {low:.1}V{high:.1}\" style=\"{style};stroke-opacity:.5\"/>"
                );
            }
            if self.look != Look::Line {
                let title = match &*point.title {
                    "" => String::new(),
                    words => format!("<title>{}</title>", escape(words)),
                };
                let colour = COLOURS[index % COLOURS.len()];
                let look = match point.is_ring {
                    true => format!("r=\"5.5\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\""),
                    false => format!("r=\"3.5\" fill=\"{colour}\""),
                };
                let _ = writeln!(body, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" {look}>{title}</circle>");
            }
        }
    }

    /// A line of the legend, below the panel.
    fn name(&self, body: &mut String, index: usize, name: &str) {
        let y = self.panel.height + 6.0 + LEADING * index as f64;
        let sample = match self.look {
            Look::Points => {
                let colour = COLOURS[index % COLOURS.len()];
                format!("<circle cx=\"{}\" cy=\"{y}\" r=\"3.5\" fill=\"{colour}\"/>", LEFT + 12.0)
            }
            _ => format!(
                "<line x1=\"{LEFT}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" style=\"{};stroke-width:2.5\"/>",
                LEFT + 24.0,
                stroke(index)
            ),
        };
        let _ =
            writeln!(body, "{sample}<text x=\"{}\" y=\"{}\">{}</text>", LEFT + 32.0, y + 4.0, escape(name));
    }
}

/// Plots of the same series in the same order, one below the other, with one legend below all.
pub fn stacked(plots: &[Plot<'_>], title: &str, description: &str) -> String {
    let Some((last, upper)) = plots.split_last() else { return String::new() };
    let mut body = String::new();
    for plot in upper {
        plot.write(&mut body, false);
        let _ = writeln!(body, "<g transform=\"translate(0 {})\">", plot.panel.height);
    }
    last.write(&mut body, true);
    body += &"</g>\n".repeat(upper.len());
    let panels: f64 = plots.iter().map(|plot| plot.panel.height).sum();
    let height = panels + LEADING * last.series.len() as f64 + 8.0;
    document(last.panel.width, height, title, description, &body)
}

impl Axis<'_> {
    /// The least and the greatest value.
    fn ends(&self) -> (f64, f64) {
        match self.scale {
            Scale::Linear(low, high) => (low, high),
            Scale::Log(log) => log.ends(),
        }
    }
}

/// The style of line number `index`: seven colours, then the same with dashes.
fn stroke(index: usize) -> String {
    let dashes = ["", ";stroke-dasharray:6 3", ";stroke-dasharray:2 3", ";stroke-dasharray:8 3 2 3"];
    let dash = dashes[(index / COLOURS.len()) % dashes.len()];
    format!("fill:none;stroke:{}{dash}", COLOURS[index % COLOURS.len()])
}

/// Axis upwards of positive values, labelled briefly.
pub fn brief<'a>(title: &'a str, values: impl Iterator<Item = f64>) -> Axis<'a> {
    Axis::log(title, values, short)
}

/// A logarithmic axis over positive values.
#[derive(Clone, Copy, Debug)]
pub struct Log {
    low: f64,
    high: f64,
}

impl Log {
    /// The decades, or parts of them, that hold all finite positive values; 1 to 10 without any.
    pub fn around(values: impl Iterator<Item = f64>) -> Log {
        let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
        for value in values.filter(|value| value.is_finite() && *value > 0.0) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            return Log { low: 1.0, high: 10.0 };
        }
        Log { low: low / 1.1, high: (high * 1.1).max(low * 2.0) }
    }

    /// The least and the greatest value.
    pub(crate) fn ends(self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// Where a value is, from 0 to 1.
    pub fn share(self, value: f64) -> f64 {
        (value.ln() - self.low.ln()) / (self.high.ln() - self.low.ln())
    }

    /// Round values on the axis, at most about eight.
    pub fn ticks(self) -> Vec<f64> {
        let decades = (self.high / self.low).log10();
        let steps: &[f64] = match decades {
            d if d < 1.2 => &[1.0, 1.5, 2.0, 3.0, 5.0, 7.0],
            d if d < 3.0 => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
        let first = self.low.log10().floor() as i32;
        let last = self.high.log10().ceil() as i32;
        let stride = if decades > 8.0 { 2 } else { 1 };
        (first..=last)
            .step_by(stride)
            .flat_map(|power| steps.iter().map(move |step| step * 10_f64.powi(power)))
            .filter(|tick| (self.low..=self.high).contains(tick))
            .collect()
    }
}

/// A number on an axis: `2M`, `50k`, `0.5`.
pub fn short(value: f64) -> String {
    let (scaled, unit) = match value {
        v if v >= 1e9 => (v / 1e9, "G"),
        v if v >= 1e6 => (v / 1e6, "M"),
        v if v >= 1e3 => (v / 1e3, "k"),
        v => (v, ""),
    };
    let text = format!("{scaled:.2}");
    format!("{}{unit}", text.trim_end_matches('0').trim_end_matches('.'))
}
