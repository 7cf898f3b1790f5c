//! The raw values as CSV, for scatter plots and for whoever wants to fit something else.

use super::collect::Row;
use secateur_record::files::replaced;
use secateur_record::table::of_cells;
use std::io;
use std::path::Path;

/// Writes one line a position and baseline: where it comes from, and its value at every depth. Depths that
/// were not searched, or that reach the end of the game, are empty. A position of Othello, which begins with squares that are
/// empty (`-`), has an apostrophe before it, as any cell that a spreadsheet would take for a formula.
///
/// # Errors
/// What the file system says.
pub(super) fn write(path: &Path, rows: &[Row], baselines: &[&str], stages: &[&str]) -> io::Result<()> {
    let deepest = rows.iter().flat_map(|row| &row.values).map(Vec::len).max().unwrap_or(0);
    let fixed = ["baseline", "source", "stage", "position", "balance"].map(str::to_owned);
    let header: Vec<String> =
        fixed.into_iter().chain((0..deepest).map(|depth| format!("v{depth}"))).collect();
    let line = |row: &Row, values: &[i32], baseline: &str| -> Vec<String> {
        let fixed = [
            baseline.to_owned(),
            row.source.to_string(),
            stages[row.stage].to_owned(),
            row.position.clone(),
            row.balance.to_string(),
        ];
        let value = |depth| values.get(depth).map_or(String::new(), i32::to_string);
        fixed.into_iter().chain((0..deepest).map(value)).collect()
    };
    let lines = rows.iter().flat_map(|row| {
        row.values.iter().zip(baselines).map(move |(values, baseline)| line(row, values, baseline))
    });
    replaced(path, of_cells(header, lines).as_bytes())
}
