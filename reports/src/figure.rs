//! A picture with everything a page needs around it: words for those who cannot see it, and its data.

use secateur_stats::interval::Interval;

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
