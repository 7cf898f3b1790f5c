//! Writing to people: results on standard output, everything else on standard error.

use crate::failure::{Failure, Outcome};
use secateur_suites::files::replace;
use secateur_suites::visible::visible_lines;
use std::io::{self, Write};
use std::path::Path;

/// Writes a result for people. A reader that has gone away (`| head`) is no failure.
pub(crate) fn say(text: &str) {
    hand_over(&visible_lines(text));
}

/// Writes a result for programs, as it is.
pub(crate) fn hand_over(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes a message about the work. Names and paths of others may be in it.
pub(crate) fn complain(text: &str) {
    let _ = io::stderr().lock().write_all(visible_lines(text).as_bytes());
}

/// Writes a file for people whole or not at all. What is there and is no plain file, such as a pipe, is written to.
pub(crate) fn put(path: &Path, text: impl AsRef<[u8]>) -> Outcome {
    match path.metadata() {
        Ok(there) if !there.is_file() => std::fs::write(path, text).map_err(Failure::io(path)),
        _ => Ok(replace(path, text.as_ref())?),
    }
}
