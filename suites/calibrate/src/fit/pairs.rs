//! The raw values as CSV, for scatter plots and for whoever wants to fit something else.

use super::collect::Row;
use secateur_base::visible::cell;
use secateur_record::files::replaced;
use std::path::Path;

/// Writes one line a position and baseline: where it comes from, and its value at every depth. Depths that
/// were not searched, or that reach the end of the game, are empty.
///
/// # Errors
/// What the csv crate or the file system says.
pub(super) fn write(
    path: &Path,
    rows: &[Row],
    baselines: &[&str],
    stages: &[&str],
) -> Result<(), csv::Error> {
    let deepest = rows.iter().flat_map(|row| &row.values).map(Vec::len).max().unwrap_or(0);
    let mut writer = csv::Writer::from_writer(Vec::new());
    let fixed = ["baseline", "source", "stage", "position", "balance"].map(str::to_owned);
    writer.write_record(fixed.into_iter().chain((0..deepest).map(|depth| format!("v{depth}"))))?;
    for row in rows {
        for (values, baseline) in row.values.iter().zip(baselines) {
            let fixed = [
                (*baseline).to_owned(),
                cell(&row.source.to_string()).into_owned(),
                stages[row.stage].to_owned(),
                // As the game writes it, and as it is read again: of Othello it begins with squares that are empty.
                row.position.clone(),
                row.balance.to_string(),
            ];
            let value = |depth| values.get(depth).map_or(String::new(), i32::to_string);
            writer.write_record(fixed.into_iter().chain((0..deepest).map(value)))?;
        }
    }
    let table = writer.into_inner().expect("written to memory");
    Ok(replaced(path, &table)?)
}
