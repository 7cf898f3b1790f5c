//! The picture of figures 3 and 4 of Buro 1995: the value of a deep search against that of a shallow one.
//!
//! A pure function of points and lines. All panels have one scale on both axes, so that the eye compares
//! their spreads.

use crate::svg::{Panel, TOP, document, escape, step};
use secateur_record::fitted::Line;
use std::fmt::Write;

/// Square plots.
const PANEL: Panel = Panel { width: 420.0, height: 426.0 };
/// Points are drawn in so many layers: where they lie on one another the picture gets darker.
const LAYERS: usize = 6;

/// One panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Scatter {
    /// Heading, as `28 discs`.
    pub heading: String,
    /// Depths of the shallow and of the deep search, plies.
    pub pair: (i32, i32),
    /// (v', v) in the unit of the picture; finite.
    pub points: Vec<(f64, f64)>,
    /// The regression through them, in the same unit.
    pub line: Line,
}

/// The panels side by side with their lines, the band of `t` sigma around them, and the numbers in the plot.
/// `unit` is that of the values.
pub fn scatter(panels: &[Scatter], t: f64, unit: &str) -> String {
    let square = Square::around(panels);
    let mut body = String::new();
    let mut description = String::new();
    for (index, panel) in panels.iter().enumerate() {
        let _ = writeln!(body, "<g transform=\"translate({} 0)\">", PANEL.width * index as f64);
        draw(&mut body, panel, square, t, unit);
        body += "</g>\n";
        let _ = write!(description, "{}: {}. ", panel.heading, numbers(panel, unit).join(", "));
    }
    let title = "How well a shallow search predicts a deep one";
    let description = format!(
        "The value v of a deep search against the value v' of a shallow one, with the regression line and the \
         band of {t} sigma on either side. {description}"
    );
    document(PANEL.width * panels.len().max(1) as f64, PANEL.height, title, description.trim_end(), &body)
}

/// The numbers of a line, for people.
fn numbers(panel: &Scatter, unit: &str) -> [String; 4] {
    let Line { a, b, sigma, r } = panel.line;
    let sign = if b < 0.0 { '-' } else { '+' };
    [
        format!("v = {a:.3} v' {sign} {:.2}", b.abs()),
        format!("sigma = {sigma:.2} {unit}"),
        format!("r^2 = {:.3}", r * r),
        format!("n = {}", crate::format::count(panel.points.len() as u64)),
    ]
}

/// The part of the plane that is shown: both values from -reach to reach.
#[derive(Clone, Copy)]
struct Square {
    reach: f64,
    tick: f64,
}

impl Square {
    /// The smallest with room for all points, in quarters of a tick.
    fn around(panels: &[Scatter]) -> Square {
        let points = panels.iter().flat_map(|panel| &panel.points);
        let most = points.fold(1.0, |most: f64, (x, y)| most.max(x.abs()).max(y.abs()));
        let tick = step(2.0 * most, 8);
        Square { reach: (4.0 * most / tick).ceil() * tick / 4.0, tick }
    }

    fn x(self, value: f64) -> f64 {
        PANEL.x((value + self.reach) / (2.0 * self.reach))
    }

    fn y(self, value: f64) -> f64 {
        PANEL.y((value + self.reach) / (2.0 * self.reach))
    }

    /// The ends of the part of v = a v' + b that is shown, as (v', v); none if no part is.
    fn chord(self, a: f64, b: f64) -> Option<[(f64, f64); 2]> {
        let (mut low, mut high) = (-self.reach, self.reach);
        if a != 0.0 {
            let (at_bottom, at_top) = ((-self.reach - b) / a, (self.reach - b) / a);
            low = low.max(at_bottom.min(at_top));
            high = high.min(at_bottom.max(at_top));
        }
        let shown = low < high && (a != 0.0 || b.abs() <= self.reach);
        shown.then(|| [low, high].map(|x| (x, a * x + b)))
    }
}

fn draw(svg: &mut String, panel: &Scatter, square: Square, t: f64, unit: &str) {
    let (shallow, deep) = panel.pair;
    let across = format!("v' ({shallow} plies, {unit})");
    PANEL.frame(svg, &panel.heading, &across, &format!("v ({deep} plies, {unit})"));
    let steps = (square.reach / square.tick).floor() as i32;
    for tick in -steps..=steps {
        let value = f64::from(tick) * square.tick;
        PANEL.tick_across(svg, square.x(value), &value.to_string());
        PANEL.tick_upwards(svg, square.y(value), &value.to_string());
    }
    for layer in 0..LAYERS {
        let points = panel.points.iter().skip(layer).step_by(LAYERS);
        // A line of no length with round ends is a dot, in a third of the bytes of a circle.
        let dots: String =
            points.map(|(x, y)| format!("M{:.1} {:.1}h0", square.x(*x), square.y(*y))).collect();
        let style = "fill:none;stroke:#0072b2;stroke-opacity:.45;stroke-width:2.4;stroke-linecap:round";
        if !dots.is_empty() {
            let _ = writeln!(svg, "<path class=\"points\" d=\"{dots}\" style=\"{style}\"/>");
        }
    }
    let Line { a, b, sigma, .. } = panel.line;
    for (class, offset, dashes) in [
        ("line", 0.0, ""),
        ("band", t * sigma, ";stroke-dasharray:5 4"),
        ("band", -t * sigma, ";stroke-dasharray:5 4"),
    ] {
        if let Some([from, to]) = square.chord(a, b + offset) {
            let _ = writeln!(
                svg,
                "<line class=\"{class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" \
                 style=\"stroke:#d55e00;stroke-width:1.5{dashes}\"/>",
                square.x(from.0),
                square.y(from.1),
                square.x(to.0),
                square.y(to.1)
            );
        }
    }
    let band = format!("dashed: {t} sigma");
    // The upper left corner is empty wherever the values agree at all.
    for (index, text) in numbers(panel, unit).iter().chain([&band]).enumerate() {
        let y = TOP + 18.0 + 16.0 * index as f64;
        let _ =
            writeln!(svg, "<text x=\"{}\" y=\"{y}\">{}</text>", square.x(-square.reach) + 10.0, escape(text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(heading: &str, slope: i32, spread: i32) -> Scatter {
        let points: Vec<(f64, f64)> = (0..50)
            .map(|i| (f64::from(i - 25) * 0.9, f64::from(slope * (i - 25) + i * i % 7 * spread)))
            .collect();
        let line = Line::through(&points).expect("a line");
        Scatter { heading: heading.to_owned(), pair: (4, 8), points, line }
    }

    /// The numbers of an attribute of every element of a class.
    fn ends(svg: &str, class: &str) -> Vec<[f64; 4]> {
        let elements = svg.split('<').filter(|element| element.contains(&format!("class=\"{class}\"")));
        let number = |element: &str, name: &str| {
            let from_value = element.split_once(&format!(" {name}=\"")).expect("an attribute").1;
            from_value.split('"').next().and_then(|text| text.parse().ok()).expect("a number")
        };
        elements.map(|element| ["x1", "y1", "x2", "y2"].map(|name| number(element, name))).collect()
    }

    fn dots(svg: &str) -> Vec<(f64, f64)> {
        let paths = svg.split("class=\"points\" d=\"").skip(1).filter_map(|rest| rest.split('"').next());
        let point = |text: &str| {
            let (x, y) = text.trim_end_matches("h0").split_once(' ').expect("two numbers");
            (x.parse().expect("a number"), y.parse().expect("a number"))
        };
        paths.flat_map(|d| d.split('M').skip(1).map(point).collect::<Vec<_>>()).collect()
    }

    #[test]
    fn every_point_is_drawn_inside_its_panel() {
        let panels = [panel("28 discs", 1, 1), panel("44 discs", 1, 4)];
        let svg = scatter(&panels, 1.5, "discs");
        let dots = dots(&svg);
        assert_eq!(dots.len(), 100);
        for (x, y) in dots {
            assert!((58.0..=404.0).contains(&x) && (34.0..=380.0).contains(&y), "{x} {y}");
        }
    }

    /// The scale is recovered from the points; then both ends of a drawn line must lie on the regression.
    #[test]
    fn lines_are_the_regression_at_both_ends() {
        for (slope, spread) in [(1, 1), (3, 2), (-2, 1), (0, 3)] {
            let panel = panel("x", slope, spread);
            let svg = scatter(std::slice::from_ref(&panel), 1.5, "discs");
            let reach = Square::around(std::slice::from_ref(&panel)).reach;
            let unit = 346.0 / (2.0 * reach);
            let value = |x: f64, y: f64| ((x - 58.0) / unit - reach, (380.0 - y) / unit - reach);
            let (line, band) = (ends(&svg, "line"), ends(&svg, "band"));
            assert_eq!((line.len(), band.len()), (1, 2));
            let offsets = [0.0, 1.5 * panel.line.sigma, -1.5 * panel.line.sigma];
            for ([x1, y1, x2, y2], offset) in line.into_iter().chain(band).zip(offsets) {
                assert!(x2 > x1 + 20.0, "too short to see");
                for (x, y) in [(x1, y1), (x2, y2)] {
                    let (x, y) = value(x, y);
                    let expected = panel.line.a * x + panel.line.b + offset;
                    let rounding = (1.0 + panel.line.a.abs()) * 0.06 / unit;
                    assert!((y - expected).abs() <= rounding, "{y} {expected}");
                    assert!(x.abs() <= reach + rounding && y.abs() <= reach + rounding);
                }
            }
        }
    }

    #[test]
    fn a_line_that_is_not_shown_has_no_chord() {
        let square = Square { reach: 10.0, tick: 5.0 };
        assert_eq!(square.chord(1.0, 25.0), None);
        assert_eq!(square.chord(0.0, 11.0), None);
        assert_eq!(square.chord(0.0, 4.0), Some([(-10.0, 4.0), (10.0, 4.0)]));
        assert_eq!(square.chord(2.0, 0.0), Some([(-5.0, -10.0), (5.0, 10.0)]));
        assert_eq!(square.chord(-2.0, 0.0), Some([(-5.0, 10.0), (5.0, -10.0)]));
    }

    #[test]
    fn words_are_there_and_cannot_break_out() {
        let panel = panel("a<b & \"c\"", 1, 1);
        let r2 = format!("r^2 = {:.3}", panel.line.r.powi(2));
        let svg = scatter(&[panel], 1.5, "<discs>");
        assert!(svg.contains("a&lt;b &amp; &quot;c&quot;") && svg.contains("&lt;discs&gt;"));
        assert!(!svg.contains("a<b") && !svg.contains("<discs>") && !svg.contains("NaN"));
        // In the plot and in the description.
        assert_eq!(svg.matches(&r2).count(), 2, "{svg}");
        assert!(svg.contains("<title>") && svg.contains("n = 50"));
        assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
        assert!(scatter(&[], 1.5, "discs").contains("</svg>"));
    }
}
