//! Do the intervals of reports hold what they promise? Experiments with a known truth, judged by the same functions.
//!
//! An interval of 95 % should have the truth in 95 of 100 experiments, however few positions there are. Here it is asked of
//! every kind of interval that reports print, on data drawn like theirs. Which data are drawn is in `scenarios`; the table is
//! made by those who print.

pub mod games;
mod scenarios;
pub mod tables;

use scenarios::SCENARIOS;
use secateur_stats::inference::random::SplitMix;
use secateur_stats::interval::Interval;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The numbers of source games that are tried.
pub const GAMES: [usize; 6] = [3, 5, 10, 20, 50, 200];

/// A kind of interval on one kind of data.
struct Scenario {
    measure: &'static str,
    data: &'static str,
    /// What is known to be true.
    truth: fn() -> f64,
    /// The interval that a report would print for an experiment with so many source games.
    draw: fn(&mut SplitMix, usize) -> Option<Interval>,
}

/// What came of one scenario with one number of source games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageRow {
    /// What has the interval.
    pub measure: String,
    /// What the data are like.
    pub data: String,
    /// Source games.
    pub games: usize,
    /// Experiments made.
    pub experiments: u32,
    /// Those in which an interval was printed.
    pub printed: u32,
    /// Those of them in which it held the truth.
    pub covered: u32,
}

/// Makes so many experiments of each kind; the same ones whenever it is asked.
#[must_use]
pub fn simulate(games: &[usize], experiments: u32) -> Vec<CoverageRow> {
    let all = SCENARIOS.iter().enumerate().flat_map(|at| games.iter().map(move |&n| (at, n)));
    let run = |((index, scenario), games): ((usize, &Scenario), usize)| {
        let mut random = SplitMix((index * 1_000 + games) as u64);
        let truth = (scenario.truth)();
        let (mut printed, mut covered) = (0, 0);
        for _ in 0..experiments {
            if let Some(i) = (scenario.draw)(&mut random, games).filter(Interval::has_ends) {
                printed += 1;
                covered += u32::from(i.low <= truth && truth <= i.high);
            }
        }
        let (measure, data) = (scenario.measure.to_owned(), scenario.data.to_owned());
        CoverageRow { measure, data, games, experiments, printed, covered }
    };
    all.map(run).collect()
}

/// The rows as CSV.
#[must_use]
pub fn csv<R: Serialize>(rows: &[R]) -> String {
    secateur_record::table::of_rows(rows)
}

/// Reads what [`csv()`] wrote.
///
/// # Errors
/// The first row that is none.
pub fn read<R: DeserializeOwned>(text: &str) -> Result<Vec<R>, csv::Error> {
    csv::Reader::from_reader(text.as_bytes()).deserialize().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every kind of interval at sizes that suites have, and one that does not hold, so that the judge is seen to say no. With
    /// 400 experiments three standard errors are 3.3 points.
    #[test]
    fn intervals_hold_what_they_promise() {
        for row in simulate(&[5, 40], 400) {
            let covered = 100.0 * f64::from(row.covered) / f64::from(row.printed.max(1));
            match (&*row.measure, row.games) {
                // Five moves come in six steps.
                ("share (same move)", 5) => assert!(covered >= 85.0, "{covered:.1} % {row:?}"),
                (scenarios::BOOTSTRAP, 5) => assert!(covered < 90.0, "{covered:.1} % {row:?}"),
                _ => assert!(row.printed < 100 || covered >= 90.5, "{covered:.1} % {row:?}"),
            }
        }
    }

    #[test]
    fn what_is_written_is_read_and_repeats() {
        let rows = simulate(&[3, 20], 20);
        assert_eq!(read::<CoverageRow>(&csv(&rows)).unwrap(), rows);
        assert_eq!(simulate(&[3, 20], 20), rows);
        let mut kinds: Vec<_> = rows.iter().map(|row| (&row.measure, &row.data)).collect();
        kinds.dedup();
        assert_eq!(kinds.len(), SCENARIOS.len());
    }
}
