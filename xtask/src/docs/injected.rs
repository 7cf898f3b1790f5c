//! Where one wrong cut reaches the root: the table of what the study `injected` printed, both games.

use super::printed::{rows, share};
use secateur::cli::failure::Failure;
use secateur_reports::format::count;
use secateur_reports::render::markdown_table;
use secateur_reports::table::Table;
use serde::Deserialize;
use std::path::Path;

/// What the example prints, lies of one type and ply a row.
#[derive(Deserialize)]
struct Row {
    game: String,
    r#type: String,
    ply: u32,
    lies: u64,
    r#move: f64,
    move_low: f64,
    move_high: f64,
    value: f64,
    value_low: f64,
    value_high: f64,
    loss: f64,
    loss_low: f64,
    loss_high: f64,
}

/// The table.
pub(super) fn table(folder: &Path) -> Result<String, Failure> {
    let mut table = Table::new(&[
        "<game",
        "<expected type",
        "ply",
        "wrong cuts",
        "root's move changed",
        "value changed",
        "loss of the move",
    ]);
    rows::<Row>(folder, "injected")?.iter().for_each(|row| table.push(cells(row)));
    Ok(markdown_table(&table))
}

fn cells(row: &Row) -> Vec<String> {
    vec![
        row.game.clone(),
        row.r#type.clone(),
        row.ply.to_string(),
        count(row.lies),
        share(row.r#move, row.move_low, row.move_high),
        share(row.value, row.value_low, row.value_high),
        format!("{:.3} [{:.3}, {:.3}]", unsigned(row.loss), unsigned(row.loss_low), unsigned(row.loss_high)),
    ]
}

/// No sign before what is printed as nought.
fn unsigned(x: f64) -> f64 {
    if x.abs() < 0.0005 { 0.0 } else { x }
}
