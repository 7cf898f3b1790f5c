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

/// A column of CSV: its name, and what stands there of a thing.
pub type Column<T> = (&'static str, fn(&T) -> String);

/// Things as CSV with a header.
pub fn by_columns<T, const N: usize>(columns: [Column<T>; N], things: impl IntoIterator<Item = T>) -> String {
    let rows = things.into_iter().map(|thing| columns.map(|(_, cell)| cell(&thing)));
    csv(columns.map(|(name, _)| name), rows)
}

/// An estimate with the ends of its interval as cells; empty where there is none.
pub fn ends(interval: &Interval) -> [String; 3] {
    let cell = |x: f64| if x.is_finite() { x.to_string() } else { String::new() };
    [interval.estimate, interval.low, interval.high].map(cell)
}
