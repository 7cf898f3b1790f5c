//! Writing to people: results on standard output, everything else on standard error.

use crate::door::named;
use secateur_suites::visible::visible_lines;
use std::io::{self, Write};

/// Writes a result for people. A reader that has gone away (`| head`) is no failure.
pub(crate) fn say(text: &str) {
    hand_over(&visible_lines(&named(text)));
}

/// Writes a result for programs, as it is.
pub(crate) fn hand_over(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes a message about the work. Names and paths of others may be in it.
pub(crate) fn complain(text: &str) {
    let _ = io::stderr().lock().write_all(visible_lines(&named(text)).as_bytes());
}
