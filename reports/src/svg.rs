//! What all pictures share: the frame of a file, a panel with its axes, and text that cannot break out.
//!
//! Plain SVG with a title and a description for readers who cannot see it. Colours are chosen to be read on
//! a light and on a dark page; text takes the page's colour where the viewer allows it.

use std::fmt::Write;

/// Room left of the plot, for the labels of its vertical axis.
pub const LEFT: f64 = 58.0;
/// Room right of the plot.
pub const RIGHT: f64 = 16.0;
/// Room above the plot, for its heading.
pub const TOP: f64 = 34.0;
/// Room below the plot, for the labels of its horizontal axis.
pub const BOTTOM: f64 = 46.0;

/// Distinct on white and on black, also for most colour-blind readers (after Okabe & Ito 2008).
pub const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b58900", "#56b4e9", "#8250df"];

/// A whole file around `body`, markup of its own.
pub fn document(width: f64, height: f64, title: &str, description: &str, body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\">\n\
         <title>{}</title>\n<desc>{}</desc>\n\
         <style>text{{fill:#57606a}}line,rect{{stroke:#8b949e;fill:none}}\
         text.ink{{fill:currentColor;fill:color-mix(in srgb,currentColor {INK}%,#000)}}\
         @media(prefers-color-scheme:dark){{text{{fill:#c9d1d9}}\
         text.ink{{fill:color-mix(in srgb,currentColor {INK}%,#fff)}}}}</style>\n{body}</svg>\n",
        escape(title),
        escape(description)
    )
}

/// A file of [`document`] with a caption in it, for a document that shows the picture alone.
pub fn captioned(svg: &str, caption: &str) -> String {
    const LEADING: f64 = 16.0;
    let size = |svg: &str| {
        let mut numbers = svg.split_once("viewBox=\"0 0 ")?.1.split('"').next()?.split(' ').map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    };
    let Some((width, height)): Option<(f64, f64)> = size(svg) else { return svg.to_owned() };
    // Letters of this size are hardly ever wider.
    let lines = crate::format::wrapped(caption, (width / 6.3) as usize, 0);
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        let y = height + LEADING * (index as f64 + 0.5);
        let _ = writeln!(text, "<text x=\"8\" y=\"{y}\">{}</text>", escape(line));
    }
    let taller = height + LEADING * lines.len() as f64 + 4.0;
    let resized = svg.replacen(&format!("0 0 {width} {height}"), &format!("0 0 {width} {taller}"), 1);
    resized.replacen("</svg>", &format!("{text}</svg>"), 1)
}

/// How much of a colour is left in letters of it, percent; the rest is black on a light page and white on a dark one.
const INK: u32 = 60;

/// Attributes of a text in one of [`COLOURS`], dark or light enough to be read on the page.
pub fn ink(colour: &str) -> String {
    format!("class=\"ink\" color=\"{colour}\"")
}

/// `text` with what would start or end markup written out.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// One plot with room for its labels.
#[derive(Clone, Copy, Debug)]
pub struct Panel {
    /// Width with all labels.
    pub width: f64,
    /// Height with all labels.
    pub height: f64,
}

impl Panel {
    /// Right end of the plot.
    pub fn right(&self) -> f64 {
        self.width - RIGHT
    }

    /// Lower end of the plot.
    pub fn bottom(&self) -> f64 {
        self.height - BOTTOM
    }

    /// Where a share from 0 (left) to 1 (right) of the horizontal axis is; what is outside is put on the frame.
    pub fn x(&self, share: f64) -> f64 {
        LEFT + share.clamp(0.0, 1.0) * (self.width - LEFT - RIGHT)
    }

    /// Where a share from 0 (bottom) to 1 (top) of the vertical axis is; what is outside is put on the frame.
    pub fn y(&self, share: f64) -> f64 {
        self.bottom() - share.clamp(0.0, 1.0) * (self.height - TOP - BOTTOM)
    }

    /// Heading, frame, and what the axes are.
    pub fn frame(&self, svg: &mut String, heading: &str, across: &str, upwards: &str) {
        let (bottom, right) = (self.bottom(), self.right());
        let _ = writeln!(
            svg,
            "<text x=\"{LEFT}\" y=\"20\" font-weight=\"bold\">{}</text>\
             <rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{}\" height=\"{}\"/>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
             <text transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            escape(heading),
            right - LEFT,
            bottom - TOP,
            (LEFT + right) / 2.0,
            self.height - 8.0,
            escape(across),
            (TOP + bottom) / 2.0,
            escape(upwards)
        );
    }

    /// A line from top to bottom at `x` with its label below.
    pub fn tick_across(&self, svg: &mut String, x: f64, label: &str) {
        let bottom = self.bottom();
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{bottom}\" style=\"stroke-opacity:.25\"/>\
             <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            bottom + 16.0,
            escape(label)
        );
    }

    /// A line from left to right at `y` with its label before it.
    pub fn tick_upwards(&self, svg: &mut String, y: f64, label: &str) {
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{}\" y2=\"{y:.1}\" style=\"stroke-opacity:.25\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            self.right(),
            LEFT - 6.0,
            y + 4.0,
            escape(label)
        );
    }
}

/// The least of 1, 2 and 5 times a power of ten that divides `span` into at most `most` steps. Both positive.
pub fn step(span: f64, most: usize) -> f64 {
    let least = span / most as f64;
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= least * (1.0 - 1e-9)).unwrap_or(span)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Red, green and blue of `#rrggbb`, 0 to 255.
    pub(crate) fn channels(colour: &str) -> [f64; 3] {
        [1, 3, 5].map(|at| f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()))
    }

    /// The contrast ratio of WCAG 2.1, 1 to 21.
    pub(crate) fn contrast(one: [f64; 3], two: [f64; 3]) -> f64 {
        let luminance = |colour: [f64; 3]| {
            let [r, g, b] = colour.map(|channel| {
                let part = channel / 255.0;
                if part <= 0.03928 { part / 12.92 } else { ((part + 0.055) / 1.055_f64).powf(2.4) }
            });
            0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
        };
        let (one, two) = (luminance(one), luminance(two));
        one.max(two) / one.min(two)
    }

    /// Coloured letters on both pages have the contrast that WCAG 2.1 asks of text.
    #[test]
    fn coloured_letters_can_be_read_on_both_pages() {
        for (page, toward, end) in [([255.0; 3], 0.0, "#000"), ([13.0, 17.0, 23.0], 255.0, "#fff")] {
            for colour in COLOURS {
                let share = f64::from(INK) / 100.0;
                let letters = channels(colour).map(|c| share * c + (1.0 - share) * toward);
                let ratio = contrast(letters, page);
                assert!(ratio >= 4.5, "{colour} on {page:?}: {ratio}");
            }
            // A blank before the sign would make a browser ignore the rule.
            let style = document(1.0, 1.0, "", "", "");
            assert!(style.contains(&format!("currentColor {INK}%,{end})")), "{style}");
        }
    }

    #[test]
    fn steps_are_round_and_few() {
        assert_eq!([step(10.0, 5), step(60.0, 4), step(7.0, 7), step(0.9, 4)], [2.0, 20.0, 1.0, 0.5]);
        for span in 1..500 {
            let span = f64::from(span) / 7.0;
            let step = step(span, 6);
            assert!(span / step <= 6.0 + 1e-9 && span / step > 2.0, "{span}: {step}");
        }
    }

    #[test]
    fn nothing_leaves_the_plot() {
        let panel = Panel { width: 300.0, height: 200.0 };
        assert_eq!([panel.x(-3.0), panel.x(0.0), panel.x(1.0), panel.x(9.0)], [58.0, 58.0, 284.0, 284.0]);
        assert_eq!([panel.y(-3.0), panel.y(0.0), panel.y(1.0), panel.y(9.0)], [154.0, 154.0, 34.0, 34.0]);
    }
}
