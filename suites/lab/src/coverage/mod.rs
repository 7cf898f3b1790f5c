//! Do the intervals of reports hold what they promise? Experiments with a known truth, judged by the same functions.
//!
//! An interval of 95 % should have the truth in 95 of 100 experiments, however few positions there are. Here it is asked of
//! every kind of interval that reports print, on data drawn like theirs. Which data are drawn is in `scenarios`.

pub mod games;
mod scenarios;

use self::games::{DecisionRow, EstimateRow, Law, Way};
use scenarios::SCENARIOS;
use secateur_reports::format::{count, or_dash};
use secateur_reports::table::Table;
use secateur_stats::inference::SplitMix;
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

/// Reads rows of CSV.
///
/// # Errors
/// The first row that is none.
pub fn read<R: DeserializeOwned>(text: &str) -> Result<Vec<R>, csv::Error> {
    csv::Reader::from_reader(text.as_bytes()).deserialize().collect()
}

/// Printed in fewer experiments than this share, a cell of the table is empty.
const SELDOM: f64 = 0.01;

/// The table: of the intervals printed, the percentage that held the truth.
pub fn table(rows: &[CoverageRow]) -> Table {
    let of_row = |row: &CoverageRow| {
        let lead = [("<interval of", row.measure.clone()), ("<data", row.data.clone())];
        (lead, (format!("n = {}", row.games), cell(row)))
    };
    Table::crossed(rows.iter().map(of_row)).noted(format!(
        "Percent of the printed intervals that held the truth, in {} experiments each; n source games. In brackets the share \
         of experiments with an interval, where not all had one; a dash: fewer than {:.0} %.",
        most(rows, |row| row.experiments),
        100.0 * SELDOM
    ))
}

/// Experiments of the row that has most.
fn most<R>(rows: &[R], experiments: fn(&R) -> u32) -> String {
    count(u64::from(rows.iter().map(experiments).max().unwrap_or(0)))
}

fn law(law: Law) -> &'static str {
    match law {
        Law::Additive => "additive",
        Law::HalfOverlapping => "half overlapping",
        Law::Interacting => "interactions of 15 Elo",
    }
}

fn way(way: Way) -> &'static str {
    match way {
        Way::OneByOne => "one by one",
        Way::Shared => "shared",
    }
}

/// How near left-out Elo comes to the truth, one by one and in shared games.
pub fn estimates(rows: &[EstimateRow]) -> Table {
    let cells = |row: &EstimateRow| {
        [
            ("<methods are", law(row.law).to_owned()),
            ("methods", row.methods.to_string()),
            ("draws", format!("{:.0} %", 100.0 * row.draws)),
            ("pairs of games", count(row.pairs as u64)),
            ("<games", way(row.way).to_owned()),
            ("intervals that hold", format!("{:.1} %", row.held)),
            ("bias", format!("{:+.1}", row.bias)),
            ("error", format!("{:.1}", row.error)),
            (
                "intervals of two methods that hold",
                or_dash(row.pairs_held.map(|held| format!("{held:.1} %"))),
            ),
            ("error of two methods", or_dash(row.pairs_error.map(|error| format!("{error:.1}")))),
        ]
    };
    rows.iter().map(cells).collect::<Table>().noted(format!(
        "Left-out Elo of all methods of {} programs each, whose Elo is known. Pairs of games are for all methods together; draws between equals. Bias is the mean of the estimates less the truth, error their root mean square, both in Elo.",
        most(rows, |row| row.experiments)
    ))
}

/// How many games decisions take, and how often they are wrong.
pub fn decisions(rows: &[DecisionRow]) -> Table {
    let cells = |row: &DecisionRow| {
        [
            ("<methods are", law(row.law).to_owned()),
            ("methods", row.methods.to_string()),
            ("draws", format!("{:.0} %", 100.0 * row.draws)),
            ("<games", way(row.way).to_owned()),
            ("pairs at most", count(row.pairs as u64)),
            ("pairs played", count(row.played.round() as u64)),
            ("decided", format!("{:.1} %", row.decided)),
            ("programs with an error", format!("{:.1} %", row.wrong)),
            ("decided by one look", format!("{:.1} %", row.decided_by_one_look)),
            ("programs with an error by one look", format!("{:.1} %", row.wrong_by_one_look)),
        ]
    };
    rows.iter().map(cells).collect::<Table>().noted(format!(
        "{} programs each. Decided methods leave the games; the last two columns are one look at as many games, whose number was fixed \
         before and which go on with all methods. A program has an error if one decision or more about its methods is wrong.",
        most(rows, |row| row.experiments)
    ))
}

fn cell(row: &CoverageRow) -> String {
    let share = f64::from(row.printed) / f64::from(row.experiments.max(1));
    let covered = 100.0 * f64::from(row.covered) / f64::from(row.printed.max(1));
    match share {
        share if share < SELDOM => "-".to_owned(),
        share if share < 0.995 => format!("{covered:.1} ({:.0} %)", 100.0 * share),
        _ => format!("{covered:.1}"),
    }
}

#[cfg(test)]
mod tests {
    use super::games::Kind;
    use super::*;
    use std::collections::BTreeSet;

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
        assert_eq!(read::<CoverageRow>(&secateur_record::table::of_rows(&rows)).unwrap(), rows);
        assert_eq!(simulate(&[3, 20], 20), rows);
        let mut kinds: Vec<_> = rows.iter().map(|row| (&row.measure, &row.data)).collect();
        kinds.dedup();
        assert_eq!(kinds.len(), SCENARIOS.len());
    }

    #[test]
    fn every_kind_of_interval_has_a_row_and_every_number_of_games_a_column() {
        let rows = simulate(&[3, 20], 20);
        let kinds: BTreeSet<_> = rows.iter().map(|row| (&row.measure, &row.data)).collect();
        let table = table(&rows);
        assert_eq!((table.rows.len(), table.columns.len()), (kinds.len(), 4));
        assert!(table.rows.iter().any(|row| row[2] == "-" && row[0].contains("regret")), "{:?}", table.rows);
    }

    #[test]
    fn both_ways_have_a_row_and_what_only_one_has_is_a_dash() {
        let kind = Kind { law: Law::Interacting, methods: 3, draws: 0.5, pairs: 500 };
        let ways = [Way::OneByOne, Way::Shared];
        let near = estimates(&ways.map(|way| games::estimates(kind, way, 2)));
        assert_eq!(near.rows.iter().map(|row| row[8] == "-").collect::<Vec<_>>(), [true, false]);
        assert_eq!((&*near.rows[0][4], &*near.rows[1][4]), ("one by one", "shared"));
        let decided = decisions(&ways.map(|way| games::decisions(kind, way, 2)));
        assert!(
            decided.rows.iter().all(|row| row.len() == decided.columns.len() && row[5] == "500"),
            "{:?}",
            decided.rows
        );
    }
}
