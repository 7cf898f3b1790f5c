//! Writing files for people and programs next to a record: whole or not at all.

use crate::cli::failure::{Failure, Outcome};
use secateur_record::files::replace;
use secateur_reports::measures::{PACKAGE, package};
use std::path::Path;

/// The tables of a run.
pub const RUN: [&str; 3] = ["records.csv", "iterations.csv", "counters.csv"];
/// The tables of a match.
pub const MATCH: [&str; 2] = ["games.csv", "openings.csv"];

/// Writes a file for people whole or not at all. What is there and is no plain file, such as a pipe, is written to.
pub fn put(path: &Path, text: impl AsRef<[u8]>) -> Outcome {
    match path.metadata() {
        Ok(there) if !there.is_file() => std::fs::write(path, text).map_err(Failure::io(path)),
        _ => Ok(replace(path, text.as_ref())?),
    }
}

/// Writes what the columns of a folder's tables are, for programs ([`package`]). Nothing vouches for it, and nothing reads it here.
pub fn describe(folder: &Path, tables: &[&str]) -> Outcome {
    let name = folder.file_name().map_or_else(|| "run".into(), |name| name.to_string_lossy());
    put(&folder.join(PACKAGE), package(&name, tables))
}
