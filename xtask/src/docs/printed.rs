//! Rows of what an example printed: CSV under `docs/runs/printed`, with the command in a first line that begins with `#`.

use secateur::cli::failure::Failure;
use serde::de::DeserializeOwned;
use std::path::Path;

/// The rows of the file of this name (without its ending) in a folder.
pub(super) fn rows<T: DeserializeOwned>(folder: &Path, name: &str) -> Result<Vec<T>, Failure> {
    Ok(secateur_record::table::rows(&folder.join(name).with_extension("csv"))?)
}

/// A share with its interval, as in `12.5 % [10.1, 15.0]`.
pub(super) fn share(x: f64, low: f64, high: f64) -> String {
    format!("{:.1} % [{:.1}, {:.1}]", 100.0 * x, 100.0 * low.max(0.0), 100.0 * high)
}
