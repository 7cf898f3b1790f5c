//! A picture with everything a page needs around it: words for those who cannot see it, and its data.

use secateur_stats::interval::Interval;

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

/// CSV of a header and rows.
#[must_use]
pub fn csv<const N: usize>(header: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing text into memory does not fail.
    writer.write_record(header).expect("memory takes everything");
    for row in rows {
        writer.write_record(row).expect("memory takes everything");
    }
    String::from_utf8(writer.into_inner().expect("memory takes everything")).expect("CSV of text is text")
}

/// An estimate with the ends of its interval as cells; empty where there is none.
#[must_use]
pub fn ends(interval: &Interval) -> [String; 3] {
    let cell = |x: f64| if x.is_finite() { x.to_string() } else { String::new() };
    [interval.estimate, interval.low, interval.high].map(cell)
}

#[cfg(test)]
mod tests {
    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let text = super::csv(["a", "b"], [["x,y".to_owned(), "\"".to_owned()]]);
        assert_eq!(text, "a,b\n\"x,y\",\"\"\"\"\n");
    }
}
