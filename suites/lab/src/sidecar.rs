//! Writes a table of rows (CSV), and next to it where they come from, under the same name with `.toml`, which seals both.

use crate::fit::FitError;
use secateur_record::files::replaced;
use secateur_record::seal::sealed_with;
use secateur_record::table::of_rows;
use serde::Serialize;
use std::path::Path;

/// Writes the rows to `path` and their origin next to it; `verb` is the command that did. Folders on the way are made.
pub(crate) fn write(
    path: &Path,
    verb: &str,
    origin: &impl Serialize,
    rows: &[impl Serialize],
) -> Result<(), FitError> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|source| FitError::Io { path: folder.to_owned(), source })?;
    }
    let table = of_rows(rows);
    replaced(path, table.as_bytes()).map_err(|source| FitError::Io { path: path.to_owned(), source })?;
    let sidecar = path.with_extension("toml");
    // Plain names and numbers, the one table last.
    let text = toml::to_string(origin).expect("plain values");
    let text = format!("# Written by `cargo xtask {verb}`; not to be changed by hand.\n\n{text}");
    replaced(&sidecar, sealed_with(&text, table.as_bytes()).as_bytes())
        .map_err(|source| FitError::Io { path: sidecar.clone(), source })
}
