//! Which cuts of one method another would have made: the tables of what the study `shadow` printed, both games.

use super::printed::{rows, share};
use secateur::cli::failure::Failure;
use secateur_reports::format::count;
use secateur_reports::render::markdown_table;
use secateur_reports::table::Table;
use serde::Deserialize;
use std::path::Path;

/// What the example prints: what the second method says where one thing came of the first method's tests.
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

/// The tables: nodes that were cut at beta, and moves that were left out.
pub(super) fn tables(folder: &Path) -> Result<String, Failure> {
    let all: Vec<Row> = rows(folder, "shadow")?;
    let of = |level: &str, side: &str| -> Vec<&Row> {
        all.iter().filter(|row| row.level == level && [side, "passed"].contains(&row.side.as_str())).collect()
    };
    Ok(markdown_table(&table(&of("node", "high"), "tests"))
        + "\n"
        + &markdown_table(&table(&of("move", "low"), "moves")))
}

/// A line for each game, first method and what it did, a column for each second one.
fn table(rows: &[&Row], what: &str) -> Table {
    let mut seconds: Vec<&str> = Vec::new();
    for row in rows {
        if !seconds.contains(&row.second.as_str()) {
            seconds.push(&row.second);
        }
    }
    let mut headings = vec!["<game".to_owned(), "<where".to_owned(), what.to_owned()];
    headings
        .extend(seconds.iter().map(|second| format!("{} would cut", second.trim_start_matches("would-"))));
    let mut table = Table::new(&headings.iter().map(String::as_str).collect::<Vec<_>>());
    // The rows of one first method stand together, not those of one thing that it did.
    let did = |row: &Row| (row.game.clone(), row.first.clone(), row.side == "passed");
    let mut lines: Vec<(String, String, bool)> = Vec::new();
    for row in rows {
        if !lines.contains(&did(row)) {
            lines.push(did(row));
        }
    }
    for line in lines {
        let own: Vec<&&Row> = rows.iter().filter(|row| did(row) == line).collect();
        let came = if line.2 { "lets pass" } else { "cuts" };
        let mut cells = vec![
            line.0.clone(),
            format!("{} {came}", line.1),
            own.first().map_or(String::new(), |row| count(row.cuts)),
        ];
        let said = |second: &&str| {
            own.iter().find(|row| row.second == **second).map_or("-".to_owned(), |row| cell(row))
        };
        cells.extend(seconds.iter().map(said));
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
        let row = |second: &str, side: &str, tests: f64, made: Option<f64>| Row {
            game: "chess".into(),
            level: "node".into(),
            first: "null-move".into(),
            side: side.into(),
            second: second.into(),
            cuts: 1_000,
            tests,
            of_tests: made,
            of_tests_low: made.map(|x| x - 0.1),
            of_tests_high: made.map(|x| x + 0.1),
        };
        let rows = [
            row("would-mpc", "high", 0.4, Some(0.5)),
            row("would-mpc", "passed", 1.0, Some(0.2)),
            row("would-lmp", "high", 0.0, None),
        ];
        let text = markdown_table(&table(&rows.iter().collect::<Vec<_>>(), "tests"));
        for wanted in [
            "| chess | null-move cuts | 1,000 | 50.0 % [40.0, 60.0] of 40 % | - |",
            "| chess | null-move lets pass | 1,000 | 20.0 % [10.0, 30.0] of 100 % | - |",
        ] {
            assert!(text.contains(wanted), "{text}");
        }
    }
}
