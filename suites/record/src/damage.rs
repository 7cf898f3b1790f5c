//! What is not as it was written, with its file and its line: what reports refuse and a store mends.

use std::fmt;

/// Something in a file that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Name of the file.
    pub file: String,
    /// Line, from 1; 0 for the file as a whole.
    pub line: usize,
    /// What was found.
    pub what: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.what),
            line => write!(f, "{}:{line}: {}", self.file, self.what),
        }
    }
}

/// The bytes of a file with each bit flipped by itself, for tests of its reader.
pub fn flips(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    (0..8 * bytes.len()).map(|bit| {
        let mut flipped = bytes.to_vec();
        flipped[bit / 8] ^= 1 << (bit % 8);
        flipped
    })
}

/// The same, and the bytes cut off at each place: what a reader must refuse, or read as if nothing had happened.
pub fn damages(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    flips(bytes).chain((0..bytes.len()).map(|end| bytes[..end].to_vec()))
}
