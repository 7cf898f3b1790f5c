//! Which cuts of one method another would have made: the tables of what `--example shadow` printed, both games.

use super::printed::{rows, share};
use crate::failure::Failure;
use secateur_reports::format::count;
use secateur_reports::render::markdown_table;
use secateur_reports::table::Table;
use serde::Deserialize;
use std::path::Path;

/// What the example prints: what the second method says at the cuts of the first on one side of the window.
#[derive(Deserialize)]
struct Row {
    game: String,
    level: String,
    first: String,
    side: String,
    second: String,
    cuts: u64,
    tests: f64,
    of_tests: Option<f64>,
    of_tests_low: Option<f64>,
    of_tests_high: Option<f64>,
}

/// The tables, from the files of these games: nodes that were cut at beta, and moves that were left out.
pub(super) fn tables(folder: &Path, games: &[&str]) -> Result<String, Failure> {
    let mut all: Vec<Row> = Vec::new();
    for game in games {
        all.extend(rows::<Row>(folder, &format!("shadow-{game}"))?);
    }
    let node = table(all.iter().filter(|row| row.level == "node" && row.side == "high").collect(), "cuts");
    let moves = table(all.iter().filter(|row| row.level == "move").collect(), "moves left out");
    Ok(markdown_table(&node) + "\n" + &markdown_table(&moves))
}

/// A line for each game and first method, a column for each second one.
fn table(rows: Vec<&Row>, what: &str) -> Table {
    let mut seconds: Vec<&str> = Vec::new();
    for row in &rows {
        if !seconds.contains(&row.second.as_str()) {
            seconds.push(&row.second);
        }
    }
    let mut headings = vec!["<game".to_owned(), "<of the cuts of".to_owned(), what.to_owned()];
    headings.extend(seconds.iter().map(|second| format!("{second} too")));
    let mut table = Table::new(&headings.iter().map(String::as_str).collect::<Vec<_>>());
    for of_first in rows.chunk_by(|a, b| (&a.game, &a.first) == (&b.game, &b.first)) {
        let mut cells = vec![of_first[0].game.clone(), of_first[0].first.clone(), count(of_first[0].cuts)];
        cells.extend(seconds.iter().map(|second| {
            of_first.iter().find(|row| row.second == *second).map_or("-".to_owned(), |row| cell(row))
        }));
        table.push(cells);
    }
    table
}

/// The share that the second makes of those that it tests, and the share that it tests.
fn cell(row: &Row) -> String {
    match (row.of_tests, row.of_tests_low, row.of_tests_high) {
        (Some(x), Some(low), Some(high)) => {
            format!("{} of {:.0} %", share(x, low, high), 100.0 * row.tests)
        }
        _ => "-".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_says_what_is_made_of_what_is_tested() {
        let row = |second: &str, tests: f64, made: Option<f64>| Row {
            game: "chess".into(),
            level: "node".into(),
            first: "null-move".into(),
            side: "high".into(),
            second: second.into(),
            cuts: 1_000,
            tests,
            of_tests: made,
            of_tests_low: made.map(|x| x - 0.1),
            of_tests_high: made.map(|x| x + 0.1),
        };
        let rows = [row("null-move", 1.0, Some(0.9)), row("mpc", 0.4, Some(0.5)), row("lmp", 0.0, None)];
        let text = markdown_table(&table(rows.iter().collect(), "cuts"));
        let wanted =
            "| chess | null-move | 1,000 | 90.0 % [80.0, 100.0] of 100 % | 50.0 % [40.0, 60.0] of 40 % | - |";
        assert!(text.contains(wanted), "{text}");
    }
}
