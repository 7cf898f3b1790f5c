//! Lines to the other side: whole, flushed, one at a time from either thread.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Where lines go. Clones write to the same place.
#[derive(Debug)]
pub(super) struct Output<W>(Arc<Mutex<W>>);

impl<W> Clone for Output<W> {
    fn clone(&self) -> Output<W> {
        Output(Arc::clone(&self.0))
    }
}

impl<W: Write> Output<W> {
    pub(super) fn new(writer: W) -> Output<W> {
        Output(Arc::new(Mutex::new(writer)))
    }

    /// Writes one line. A line break inside `text` (from a message of many lines) would begin a command of its
    /// own, so it becomes a space.
    pub(super) fn line(&self, text: &str) -> io::Result<()> {
        let text = text.replace(['\n', '\r'], " ");
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(writer, "{text}")?;
        writer.flush()
    }

    /// Says something in words.
    pub(super) fn note(&self, text: &str) -> io::Result<()> {
        self.line(&format!("info string {text}"))
    }

    /// Says what is wrong.
    pub(super) fn error(&self, text: &str) -> io::Result<()> {
        self.line(&format!("info string error: {text}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_of_two_lines_is_one_line() {
        let output = Output::new(Vec::new());
        output.clone().error("a\nb").unwrap();
        output.note("c").unwrap();
        assert_eq!(*output.0.lock().unwrap(), b"info string error: a b\ninfo string c\n");
    }
}
