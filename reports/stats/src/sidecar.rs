//! A table of rows (CSV) with where they come from next to it, under the same name with `.toml`.

use crate::read::{ReadError, read_text};
use secateur_record::seal::unsealed_with;
use serde::de::DeserializeOwned;
use std::path::Path;

/// Where the rows of the CSV file `path` come from, and the rows.
///
/// # Errors
/// A file that cannot be read or is not as it was written, or its first line that is no such thing.
pub(crate) fn read_sidecar<O: DeserializeOwned, R: DeserializeOwned>(
    path: &Path,
) -> Result<(O, Vec<R>), ReadError> {
    let sidecar = path.with_extension("toml");
    let (whole, table) = (read_text(&sidecar)?, read_text(path)?);
    let text = unsealed_with(&sidecar, &whole, path, table.as_bytes())?;
    let before = whole.len() - text.len();
    let origin: O = toml::from_str(text).map_err(|error| ReadError::Row {
        line: error.span().map_or(1, |span| 1 + whole[..before + span.start].matches('\n').count() as u64),
        path: sidecar,
        message: error.message().to_owned(),
    })?;
    let mut rows = Vec::new();
    for row in csv::Reader::from_reader(table.as_bytes()).deserialize() {
        rows.push(row.map_err(|error| ReadError::Row {
            path: path.to_owned(),
            line: error.position().map_or(1, csv::Position::line),
            message: error.to_string(),
        })?);
    }
    Ok((origin, rows))
}
