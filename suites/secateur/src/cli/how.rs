//! How the searches of a command are made, whichever command it is.

use secateur_gate::instructions::Source;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The file that keeps what the oracle said, if nobody says otherwise.
pub const ORACLE_BOOK: &str = "runs/oracle.csv";

/// How the searches of a command are made and counted.
#[derive(Clone, Copy)]
pub struct How<'a> {
    /// Searches at a time, and processes that count.
    pub jobs: usize,
    /// Whether what ended with an error is searched and counted again.
    pub retry: bool,
    /// Who counts instructions of our own search; programs of others are counted by callgrind.
    pub source: Source,
    /// The file of the oracle's answers.
    pub book: &'a Path,
    /// Set by Ctrl-C.
    pub stop: &'a Arc<AtomicBool>,
    /// What goes on with a run that was stopped, in words.
    pub again: &'a str,
}

impl<'a> How<'a> {
    /// One search at a time, each once.
    pub fn new(stop: &'a Arc<AtomicBool>, again: &'a str) -> How<'a> {
        let book = Path::new(ORACLE_BOOK);
        How { jobs: 1, retry: false, source: Source::Callgrind, book, stop, again }
    }
}
