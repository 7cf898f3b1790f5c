//! Writing files for people: whole or not at all.

use crate::failure::{Failure, Outcome};
use secateur_suites::files::replace;
use std::path::Path;

/// Writes a file for people whole or not at all. What is there and is no plain file, such as a pipe, is written to.
pub(crate) fn put(path: &Path, text: impl AsRef<[u8]>) -> Outcome {
    match path.metadata() {
        Ok(there) if !there.is_file() => std::fs::write(path, text).map_err(Failure::io(path)),
        _ => Ok(replace(path, text.as_ref())?),
    }
}
