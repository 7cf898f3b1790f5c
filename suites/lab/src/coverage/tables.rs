//! The table of what intervals hold: of those printed in simulated experiments, the percentage that held the truth.

use crate::coverage::CoverageRow;
use crate::coverage::games::{DecisionRow, EstimateRow, Law, Way};
use secateur_reports::format::{count, or_dash};
use secateur_reports::table::Table;

/// Printed in fewer experiments than this share, a cell of the table is empty.
const SELDOM: f64 = 0.01;

/// The table: of the intervals printed, the percentage that held the truth.
#[must_use]
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
#[must_use]
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
#[must_use]
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
    use super::*;
    use crate::coverage::games::Kind;
    use crate::coverage::{games, simulate};
    use std::collections::BTreeSet;

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
