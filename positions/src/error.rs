//! What can be wrong with a position file, told so that it can be mended at once.
//!
//! A fault in a line names file, line and column, what was found and what was expected, and shows the line
//! with a caret below. Faults of the file system are kept apart, because they are not the input's.

use secateur_base::number::grouped;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

pub use secateur_base::Fault;

/// The endings that tell a format, for messages.
pub const ENDINGS: &str =
    ".epd, .fen or .pgn (chess), .obf (Othello), .pdn (draughts), .sfen (shogi) or .pos (any game)";

/// Result of everything that reads position sets.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a set could not be had.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file system said no.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What it said.
        source: std::io::Error,
    },
    /// A file that was named as input cannot be read: it is not there, or no file.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the file system said.
        source: std::io::Error,
    },
    /// A line is wrong.
    #[error(transparent)]
    Line(Box<Fault>),
    /// Several lines are wrong.
    #[error("{}", listed(faults, |fault| &fault.message))]
    Lines {
        /// All of them, in the order of the file.
        faults: Vec<Fault>,
    },
    /// Bytes of a binary file are wrong.
    #[error("{}", listed(faults, |fault| &fault.message))]
    Bytes {
        /// All of them, at least one, in the order of the file.
        faults: Vec<ByteFault>,
    },
    /// A file was given twice.
    #[error("{}: found the same content as in {}, expected every file once", path.display(), first.display())]
    Repeated {
        /// The later file.
        path: PathBuf,
        /// The earlier one.
        first: PathBuf,
    },
    /// A file would be overwritten.
    #[error("{}: found a file there, expected none", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// No game of an archive has a position that would do.
    #[error(
        "found no position to take in {games} games, expected one with {discs} discs, at least two moves, and in no built-in set"
    )]
    Nothing {
        /// Games searched.
        games: usize,
        /// Disc counts, separated by commas.
        discs: String,
    },
    /// The extension does not tell the format.
    #[error("{}: found {found}, expected a file ending in {ENDINGS}", path.display())]
    Extension {
        /// The file.
        path: PathBuf,
        /// Its ending, in words.
        found: String,
    },
    /// A set of one game was asked for in another, or something for a game that there is not.
    #[error("{set}: found the game {found:?}, expected {expected}")]
    WrongGame {
        /// Name or path of the set, or what was asked for.
        set: String,
        /// Its game.
        found: String,
        /// The game, or the games, that would do.
        expected: String,
    },
    /// No built-in set has this name.
    #[error("unknown position set {name:?}{}; the sets are: {known}; a file must end in {ENDINGS}", hint.as_ref().map(|near| format!(", did you mean {near:?}?")).unwrap_or_default())]
    UnknownSet {
        /// The name that was asked for.
        name: String,
        /// All names, separated by commas.
        known: String,
        /// The name that looks most like it, if one does.
        hint: Option<String>,
    },
    /// A set or a file has no position of this name.
    #[error("{set}: found no position `{id}`; expected SET:ID or FILE:ID with an identifier of it")]
    UnknownPosition {
        /// The set or the file.
        set: String,
        /// The identifier that was asked for.
        id: String,
    },
    /// The list of built-in sets itself is broken.
    #[error("{}: {message}", path.display())]
    Index {
        /// The list.
        path: PathBuf,
        /// What the TOML reader found.
        message: String,
    },
}

/// What is wrong with a binary file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: byte {offset}: {message}", path.display())]
pub struct ByteFault {
    /// The file.
    pub path: PathBuf,
    /// Where, from 0.
    pub offset: usize,
    /// What was found and what was expected.
    pub message: String,
}

impl From<ByteFault> for Error {
    fn from(fault: ByteFault) -> Error {
        Error::Bytes { faults: vec![fault] }
    }
}

impl Error {
    /// Whether the file system is to blame rather than the input: exit code 1 instead of 2.
    pub fn is_io(&self) -> bool {
        matches!(self, Error::Io { .. })
    }

    /// Wraps an error of the file system.
    pub fn io(path: &Path, source: std::io::Error) -> Error {
        Error::Io { path: path.to_owned(), source }
    }

    /// Wraps what the file system says of a file that was to be read.
    pub fn unreadable(path: &Path, source: std::io::Error) -> Error {
        Error::Unreadable { path: path.to_owned(), source }
    }

    /// An error of these faults, at least one.
    pub(crate) fn faults(mut faults: Vec<Fault>) -> Error {
        match faults.len() {
            1 => Error::Line(Box::new(faults.remove(0))),
            _ => Error::Lines { faults },
        }
    }

    /// The place of the first fault, if it is in a line: line and column, both from 1.
    pub fn place(&self) -> Option<(usize, usize)> {
        match self {
            Error::Line(fault) => Some((fault.line, fault.column)),
            Error::Lines { faults } => faults.first().map(|fault| (fault.line, fault.column)),
            _ => None,
        }
    }
}

/// Faults that a message shows, and how many of one kind; the rest is counted.
const SHOWN: usize = 20;
const ALIKE: usize = 3;

/// Faults one below the other, the first of many and the first of each kind. Like ones differ in nothing but quoted words
/// and numbers of what was found and what was expected, their `message`.
pub fn listed<F: fmt::Display>(faults: &[F], message: fn(&F) -> &str) -> String {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    let mut lines = Vec::new();
    for fault in faults {
        let seen = kinds.entry(kind(message(fault))).or_default();
        *seen += 1;
        if *seen <= ALIKE && lines.len() < SHOWN {
            lines.push(fault.to_string());
        }
    }
    match faults.len() - lines.len() {
        0 => {}
        more => lines.push(format!("and {} more", grouped(more as u64))),
    }
    lines.join("\n")
}

/// A message without what differs between like ones: quoted words, numbers, and what it says of a position behind `for`.
fn kind(message: &str) -> String {
    let mut is_quoted = false;
    let mut quoted = |c: char| {
        let mark = matches!(c, '"' | '\'' | '`');
        is_quoted ^= mark;
        is_quoted || mark || c.is_ascii_digit()
    };
    let message = message.split(" for ").next().unwrap_or_default();
    message.chars().filter(|c| !quoted(*c)).collect()
}

/// The first of like things in one line, and how many more there are.
pub fn some_of<T: AsRef<str>>(like: &[T]) -> String {
    let first: Vec<&str> = like.iter().take(ALIKE).map(AsRef::as_ref).collect();
    let more = like.len() - first.len();
    let more = if more > 0 { format!(", and {} more", grouped(more as u64)) } else { String::new() };
    first.join(", ") + &more
}

/// A line of a file being read: where faults in it are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    pub(crate) path: &'a Path,
    pub(crate) number: usize,
    pub(crate) text: &'a str,
}

impl Line<'_> {
    /// An error at a byte offset of the line; an offset past its end means the end.
    pub(crate) fn fault(&self, offset: usize, message: impl Into<String>) -> Error {
        Error::Line(self.fault_of(offset, message))
    }

    /// The fault itself.
    pub(crate) fn fault_of(&self, offset: usize, message: impl Into<String>) -> Box<Fault> {
        Fault::at(self.path, self.number, self.text, offset, message)
    }

    /// An error that says what was found at the offset (a quoted text, or words for it) and what was expected.
    pub(crate) fn expected(&self, offset: usize, actual: &str, expected: &str) -> Error {
        self.fault(offset, format!("found {actual}, expected {expected}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_points_at_the_character() {
        let line = Line { path: Path::new("a.epd"), number: 7, text: "\tüx y" };
        let error = line.expected(3, "\"x\"", "a board");
        assert_eq!(error.place(), Some((7, 3)));
        assert_eq!(error.to_string(), "a.epd:7:3: found \"x\", expected a board\n  \tüx y\n  \t ^");
        assert_eq!(line.fault(99, "").place(), Some((7, 6)), "past the end is the end");
    }

    #[test]
    fn like_faults_share_a_line() {
        let line = Line { path: Path::new("a.pgn"), number: 7, text: "" };
        let faults = |count: usize, message: fn(usize) -> String| -> Vec<Fault> {
            (0..count).map(|number| *line.fault_of(0, message(number))).collect()
        };
        let mut many = faults(30_000, |number| format!("found move \"Q{number}\", expected a legal one"));
        many.push(*line.fault_of(0, "found `)`, which closes nothing"));
        let text = listed(&many, |fault| &fault.message);
        assert!(text.ends_with("closes nothing\nand 29,997 more"), "{text}");
        assert_eq!(text.lines().count(), 5);
        assert_eq!(
            listed(&faults(100, |number| "x".repeat(number)), |fault| &fault.message).lines().count(),
            SHOWN + 1
        );
        assert_eq!(some_of(&["a", "b"]), "a, b");
        assert_eq!(some_of(&["a"; 1005]), "a, a, a, and 1,002 more");
    }

    #[test]
    fn only_the_file_system_is_io() {
        let gone = Error::io(Path::new("x.epd"), std::io::ErrorKind::NotFound.into());
        assert!(gone.is_io() && gone.to_string().starts_with("x.epd: "));
        let absent = Error::unreadable(Path::new("x.epd"), std::io::ErrorKind::NotFound.into());
        assert!(!absent.is_io() && absent.to_string().starts_with("x.epd: "));
        let odd = Error::Extension { path: "x.txt".into(), found: "the ending .txt".into() };
        assert!(!odd.is_io());
        assert!(odd.to_string().contains(".epd") && odd.to_string().contains(".obf"));
    }
}
