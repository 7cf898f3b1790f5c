//! Do the intervals of reports hold what they promise? The rows and tables of simulated experiments with a known truth.
//!
//! The experiments are made by the example `coverage` of this package.

use secateur_reports::format::{count, or_dash};
use secateur_reports::table::Table;
use secateur_stats::shared::world::Law;
use serde::{Deserialize, Serialize};

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

/// How methods are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// The whole program against the program without one method, the methods in turn.
    OneByOne,
    /// Both sides lack methods at random.
    Shared,
}

/// How near estimates are to the truth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EstimateRow {
    /// What methods are worth where others are missing.
    pub law: Law,
    /// Methods of the program.
    pub methods: usize,
    /// Share of draws between equals.
    pub draws: f64,
    /// Pairs of games for all methods together.
    pub pairs: usize,
    /// How methods are asked.
    pub way: Way,
    /// Programs that were drawn.
    pub experiments: u32,
    /// Share of the 95 % intervals of left-out Elo that held the truth, percent.
    pub held: f64,
    /// Mean of the estimates less the truth, Elo.
    pub bias: f64,
    /// Root mean square error of left-out Elo.
    pub error: f64,
    /// Share of the intervals of what two methods are worth beyond their sum that held the truth, percent; none one by one.
    pub pairs_held: Option<f64>,
    /// Root mean square error of what two methods are worth beyond their sum, Elo.
    pub pairs_error: Option<f64>,
}

/// How many games decisions take, and how often they are wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionRow {
    /// What methods are worth where others are missing.
    pub law: Law,
    /// Methods of the program.
    pub methods: usize,
    /// Share of draws between equals.
    pub draws: f64,
    /// Pairs of games at most.
    pub pairs: usize,
    /// How methods are asked.
    pub way: Way,
    /// Programs that were drawn.
    pub experiments: u32,
    /// Mean of the pairs of games that were played.
    pub played: f64,
    /// Methods that were decided, percent.
    pub decided: f64,
    /// Programs with a wrong decision or more, percent.
    pub wrong: f64,
    /// Methods that as many games decide if their number is fixed before and no method leaves them, by one look, percent.
    pub decided_by_one_look: f64,
    /// Programs with a wrong decision or more among those, percent.
    pub wrong_by_one_look: f64,
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
