//! The table of what intervals hold: of those printed in simulated experiments, the percentage that held the truth.

use crate::format::count;
use crate::table::{Align, Table};
use secateur_stats::coverage::CoverageRow;

/// Printed in fewer experiments than this share, a cell of the table is empty.
const SELDOM: f64 = 0.01;

/// The table: of the intervals printed, the percentage that held the truth.
#[must_use]
pub fn table(rows: &[CoverageRow]) -> Table {
    let mut games: Vec<usize> = rows.iter().map(|row| row.games).collect();
    games.sort_unstable();
    games.dedup();
    let mut table = Table::new(&["<interval of", "<data"]);
    table.columns.extend(games.iter().map(|n| (format!("n = {n}"), Align::Right)));
    let mut kinds: Vec<(&str, &str)> = rows.iter().map(|row| (&*row.measure, &*row.data)).collect();
    kinds.dedup();
    for (measure, data) in kinds {
        let of = |&n: &usize| {
            let found = rows.iter().find(|row| (&*row.measure, &*row.data, row.games) == (measure, data, n));
            found.map_or("-".to_owned(), cell)
        };
        let cells = games.iter().map(of);
        table.push([measure.to_owned(), data.to_owned()].into_iter().chain(cells).collect());
    }
    let experiments = rows.iter().map(|row| row.experiments).max().unwrap_or(0);
    table.notes.push(format!(
        "Percent of the printed intervals that held the truth, in {} experiments each; n source games. In brackets the share \
         of experiments with an interval, where not all had one; a dash: fewer than {:.0} %.",
        count(u64::from(experiments)),
        100.0 * SELDOM
    ));
    table
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
    use secateur_stats::coverage::simulate;
    use std::collections::BTreeSet;

    #[test]
    fn every_kind_of_interval_has_a_row_and_every_number_of_games_a_column() {
        let rows = simulate(&[3, 20], 20);
        let kinds: BTreeSet<_> = rows.iter().map(|row| (&row.measure, &row.data)).collect();
        let table = table(&rows);
        assert_eq!((table.rows.len(), table.columns.len()), (kinds.len(), 4));
        assert!(table.rows.iter().any(|row| row[2] == "-" && row[0].contains("regret")), "{:?}", table.rows);
    }
}
