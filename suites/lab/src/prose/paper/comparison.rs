//! A published figure next to ours, and what may be said of the two.

use super::Figure;
use crate::prose::expression::{Measured, measured};
use crate::prose::facts::Facts;
use secateur_reports::format::ratio;

/// The two figures, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// What it is.
    pub what: String,
    /// As published.
    pub published: String,
    /// As measured, with its interval.
    pub ours: String,
    /// What may be said of the two.
    pub verdict: String,
}

impl Compared {
    /// As a row of a table.
    #[must_use]
    pub fn cells(self) -> [(&'static str, String); 4] {
        let Compared { what, published, ours, verdict } = self;
        [("<what", what), ("published", published), ("here", ours), ("<verdict", verdict)]
    }
}

/// A figure next to ours. `printed` are the [numbers of the paper's tables](super::Paper::printed_facts).
///
/// # Errors
/// An expression that cannot be read, or names what is not in the record.
pub fn compared(figure: &Figure, printed: &Facts, facts: &Facts) -> Result<Compared, String> {
    let Measured { number, within, written } = measured(&figure.ours, facts)?;
    let theirs = figure.theirs(printed)?;
    let verdict = theirs.as_ref().map_or("-", |(theirs, _)| verdict(*theirs, number, within, figure.neutral));
    Ok(Compared {
        what: figure.what.clone(),
        published: theirs.map(|(_, written)| written).or_else(|| figure.printed.clone()).unwrap_or_default(),
        ours: written,
        verdict: verdict.to_owned(),
    })
}

/// A number as a paper would print it.
pub(super) fn plain(number: f64) -> String {
    if number.fract() == 0.0 {
        format!("{number:.0}")
    } else if number < 0.0 {
        format!("-{}", ratio(-number))
    } else {
        ratio(number)
    }
}

/// What an interval says of a published number. Direction first: whether both say that there is an effect, and the same.
fn verdict(published: f64, ours: f64, within: Option<(f64, f64)>, neutral: Option<f64>) -> &'static str {
    let Some((low, high)) = within else {
        return match neutral {
            Some(neutral) if (published - neutral) * (ours - neutral) < 0.0 => "opposite sign, no interval",
            Some(_) => "same sign, no interval",
            None => "no interval",
        };
    };
    // An interval is no proof of a number in it.
    if (low..=high).contains(&published) {
        return match neutral {
            Some(neutral) if (low..=high).contains(&neutral) => "nothing shown: holds both",
            Some(_) => "same sign, no difference shown",
            None => "no difference shown",
        };
    }
    match neutral {
        Some(neutral) if (low..=high).contains(&neutral) => "no effect shown here",
        Some(neutral) if (published - neutral) * (ours - neutral) < 0.0 => "opposite sign",
        Some(neutral) if (ours - neutral).abs() < (published - neutral).abs() => "same sign, less here",
        Some(_) => "same sign, more here",
        None if ours < published => "lower here",
        None => "higher here",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prose::facts::Fact;
    use secateur_stats::interval::Interval;

    #[test]
    fn verdicts_compare_the_published_number_with_the_interval() {
        for (published, within, neutral, says) in [
            (6.0, (5.0, 7.0), Some(1.0), "same sign, no difference shown"),
            (6.0, (0.6, 7.0), Some(1.0), "nothing shown: holds both"),
            (6.0, (5.0, 7.0), None, "no difference shown"),
            (6.0, (2.0, 3.0), Some(1.0), "same sign, less here"),
            (2.0, (5.0, 7.0), Some(1.0), "same sign, more here"),
            (0.5, (5.0, 7.0), Some(1.0), "opposite sign"),
            (6.0, (0.5, 2.0), Some(1.0), "no effect shown here"),
            (6.0, (2.0, 3.0), None, "lower here"),
            (1.0, (2.0, 3.0), None, "higher here"),
        ] {
            let ours = (within.0 + within.1) / 2.0;
            assert_eq!(verdict(published, ours, Some(within), neutral), says, "{published} {within:?}");
        }
        assert_eq!(verdict(2.0, 3.0, None, Some(1.0)), "same sign, no interval");
        assert_eq!(verdict(2.0, 0.5, None, Some(1.0)), "opposite sign, no interval");
        assert_eq!(verdict(2.0, 3.0, None, None), "no interval");
    }

    #[test]
    fn a_figure_is_laid_beside_the_record() {
        let mut facts = Facts::default();
        let within = Interval { estimate: 5.0, low: 4.5, high: 5.5 };
        facts.add("r", vec![Fact::within(["probcut", "speedup"], within)]);
        let mut figure = Figure {
            what: "speed-up".to_owned(),
            published: Some(6.0),
            theirs: None,
            printed: None,
            ours: "r: probcut speedup as within".to_owned(),
            neutral: Some(1.0),
        };
        let row = compared(&figure, &Facts::default(), &facts).unwrap();
        assert_eq!((row.published.as_str(), row.ours.as_str()), ("6", "5.00 [4.50, 5.50]"));
        assert_eq!(row.verdict, "same sign, less here");
        figure.printed = Some("\"about six\"".to_owned());
        assert_eq!(compared(&figure, &Facts::default(), &facts).unwrap().published, "\"about six\"");
        figure.ours = "other: probcut".to_owned();
        assert!(compared(&figure, &Facts::default(), &facts).is_err());
    }
}
