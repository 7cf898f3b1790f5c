//! Writing to people: results on standard output, everything else on standard error.

use std::io::{self, Write};

/// Writes a result. A reader that has gone away (`| head`) is no failure.
pub(crate) fn say(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes a message about the work.
pub(crate) fn complain(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
