//! Writes the files of `pairs`: one CSV row a pair, and beside it where the pairs come from.

use crate::fit::FitError;
use secateur_record::files::replaced;
use std::path::Path;

pub use secateur_record::pairs::{Origin, PairRow};

/// Writes the pairs to `path` and their origin beside it, under the same name with `.toml`. Folders on the
/// way are made.
pub(super) fn write(path: &Path, origin: &Origin, rows: &[PairRow]) -> Result<(), FitError> {
    let csv = |source| FitError::Csv { path: path.to_owned(), source };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|source| FitError::Io { path: folder.to_owned(), source })?;
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.serialize(row)).map_err(csv)?;
    let table = writer.into_inner().expect("written to memory");
    replaced(path, &table).map_err(|source| FitError::Io { path: path.to_owned(), source })?;
    let beside = path.with_extension("toml");
    // Plain names and numbers, the one table last.
    let text = toml::to_string(origin).expect("plain values");
    let text = format!("# Written by `cargo xtask pairs`; not to be changed by hand.\n\n{text}");
    replaced(&beside, text.as_bytes()).map_err(|source| FitError::Io { path: beside.clone(), source })
}
