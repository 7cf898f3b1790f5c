//! A table of rows (CSV) with where they come from next to it, under the same name with `.toml`.

use secateur_record::Error;
use secateur_record::archive::read_to_string;
use secateur_record::error::from_toml;
use secateur_record::seal::unsealed_with;
use secateur_record::store::rows_of;
use serde::de::DeserializeOwned;
use std::path::Path;

/// Where the rows of the CSV file `path` come from, and the rows.
///
/// # Errors
/// A file that cannot be read or is not as it was written, or its first line that is no such thing.
pub fn read_sidecar<O: DeserializeOwned, R: DeserializeOwned>(path: &Path) -> Result<(O, Vec<R>), Error> {
    let sidecar = path.with_extension("toml");
    let read = |path: &Path| read_to_string(path).map_err(Error::io(path));
    let (whole, table) = (read(&sidecar)?, read(path)?);
    let text = unsealed_with(&sidecar, &whole, path, table.as_bytes())?;
    Ok((from_toml(&sidecar, &whole, text)?, rows_of(path, &table)?))
}
