//! Whether wrong cuts come alone: the table of what the study `errors` printed, the games that keep a line's keys.

use super::printed::{rows, share};
use secateur::cli::failure::Failure;
use secateur_reports::format::count;
use secateur_reports::render::markdown_table;
use secateur_reports::table::Table;
use serde::Deserialize;
use std::path::Path;

/// What the example prints: all cuts, or pairs of which one is wrong by what they share.
#[derive(Deserialize)]
struct Row {
    game: String,
    at: String,
    pairs: u64,
    wrong: f64,
    wrong_low: f64,
    wrong_high: f64,
}

/// The table, from the files of these games. What is rarer than a hundred pairs is left out.
pub(super) fn table(folder: &Path, games: &[&str]) -> Result<String, Failure> {
    const LEAST: u64 = 100;
    let mut table = Table::new(&["<game", "<given a wrong cut", "cuts or pairs", "wrong"]);
    for game in games {
        for row in rows::<Row>(folder, &format!("errors-{game}"))?.iter().filter(|row| row.pairs >= LEAST) {
            let given = match row.at.as_str() {
                "any" => "none: all cuts".to_owned(),
                "search" => "anywhere in the iteration".to_owned(),
                at => format!("on a line from the same position {} above", plies(at.trim_end_matches("-up"))),
            };
            let wrong = share(row.wrong, row.wrong_low, row.wrong_high);
            table.push(vec![row.game.clone(), given, count(row.pairs), wrong]);
        }
    }
    Ok(markdown_table(&table))
}

fn plies(number: &str) -> String {
    if number == "1" { "1 ply".to_owned() } else { format!("{number} plies") }
}
