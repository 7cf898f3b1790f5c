//! A worse evaluation in steps: the table of what the study `noise` printed.

use super::printed::{rows, share};
use secateur::cli::failure::Failure;
use secateur_reports::render::markdown_table;
use secateur_reports::table::Table;
use serde::Deserialize;
use std::path::Path;

/// What the example prints, a method with one evaluation a row.
#[derive(Deserialize)]
struct Row {
    kind: String,
    level: f64,
    sigma: f64,
    r: f64,
    method: String,
    saved: f64,
    saved_low: f64,
    saved_high: f64,
    r#move: f64,
    move_low: f64,
    move_high: f64,
    loss: f64,
    loss_low: f64,
    loss_high: f64,
}

/// The table: an evaluation and a method a line.
pub(super) fn table(folder: &Path) -> Result<String, Failure> {
    let mut table = Table::new(&[
        "<added",
        "in sigmas",
        "sigma of (4, 8), discs",
        "r",
        "<method",
        "nodes saved",
        "same move",
        "loss of its moves, discs",
    ]);
    for row in rows::<Row>(folder, "noise")? {
        let is_full = row.method == "none";
        let saved = format!("{:.2} [{:.2}, {:.2}]", row.saved, row.saved_low, row.saved_high);
        let loss = format!("{:.2} [{:.2}, {:.2}]", row.loss, row.loss_low, row.loss_high);
        table.push(vec![
            row.kind.clone(),
            format!("{:.2}", row.level),
            format!("{:.2}", row.sigma),
            format!("{:.3}", row.r),
            row.method.clone(),
            if is_full { "-".to_owned() } else { saved },
            if is_full { "-".to_owned() } else { share(row.r#move, row.move_low, row.move_high) },
            loss,
        ]);
    }
    Ok(markdown_table(&table))
}
