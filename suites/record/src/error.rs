//! What can be wrong with a record, and whose fault it is.

use secateur_base::{Fault, fault};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// Whose fault an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The file system, or the tool itself.
    System,
    /// What the caller wrote: an argument or a file.
    Input,
    /// No fault: results that do not belong together.
    Incomparable,
}

/// Why a record cannot be read, written or gone on with.
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
    /// A place in a file is wrong.
    #[error(transparent)]
    Fault(#[from] Box<Fault>),
    /// Arguments that are each right but wrong together.
    #[error("{0}")]
    Usage(String),
    /// The folder holds a run of something else.
    #[error(
        "{}: holds a run with {what} {found}, but this one has {what} {expected}: \
         rows of both would not be comparable; choose another folder", dir.display()
    )]
    Differs {
        /// The run folder.
        dir: PathBuf,
        /// What differs.
        what: &'static str,
        /// What the folder has.
        found: String,
        /// What this run has.
        expected: String,
    },
    /// The folder holds a run of which files were left out, so that new rows would not be like the old ones.
    #[error("{}: was archived without {files}, so it cannot be resumed; choose another folder", dir.display())]
    Archived {
        /// The run folder.
        dir: PathBuf,
        /// What was left out.
        files: String,
    },
    /// A run folder is not as it was written.
    #[error("{}", damaged(dir, damages))]
    Damaged {
        /// The run folder.
        dir: PathBuf,
        /// What was found, at least one.
        damages: Vec<Damage>,
    },
    /// A row or a file that is not as it was written, with its place.
    #[error("{place}: {what}")]
    Place {
        /// File and line.
        place: String,
        /// What was found.
        what: String,
    },
    /// Another process writes there.
    #[error("{}: another run is writing here", dir.display())]
    Locked {
        /// The run folder.
        dir: PathBuf,
    },
}

impl Error {
    /// Whose fault it is.
    pub fn blame(&self) -> Blame {
        match self {
            Error::Io { .. } => Blame::System,
            Error::Differs { .. } | Error::Archived { .. } | Error::Locked { .. } => Blame::Incomparable,
            _ => Blame::Input,
        }
    }

    /// What is wrong with a file, where no line of it is known.
    pub fn place(path: &Path, what: impl Into<String>) -> Error {
        Error::Place { place: path.display().to_string(), what: what.into() }
    }

    /// Refuses a folder with another run, by what differs there: what it is, in the folder and in this run.
    ///
    /// # Errors
    /// [`Error::Differs`] where something does.
    pub fn differs(dir: &Path, difference: Option<(&'static str, String, String)>) -> Result<(), Error> {
        let Some((what, found, expected)) = difference else { return Ok(()) };
        Err(Error::Differs { dir: dir.to_owned(), what, found, expected })
    }

    /// Wraps what the file system says of a file that was to be read.
    pub fn unreadable(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Unreadable { path, source }
    }

    /// Wraps an error of the file system.
    pub fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { path, source }
    }
}

/// An error at the beginning of a line, from 1, of the text of a file.
pub fn fault_on_line(path: &Path, text: &str, line: usize, message: impl Into<String>) -> Box<Fault> {
    Fault::at(path, line, text.lines().nth(line.saturating_sub(1)).unwrap_or_default(), 0, message)
}

/// The text of a file that a user writes.
///
/// # Errors
/// The file system; the place of the first byte that is no UTF-8.
pub fn text_of(path: &Path) -> Result<String, Error> {
    let bytes = std::fs::read(path).map_err(Error::unreadable(path))?;
    String::from_utf8(bytes).map_err(|error| {
        let (at, text) = (error.utf8_error().valid_up_to(), String::from_utf8_lossy(error.as_bytes()));
        let what = format!("found the byte 0x{:02x}, expected a text in UTF-8", error.as_bytes()[at]);
        fault(path, &text, at, what).into()
    })
}

/// What a reader of TOML found wrong, without its words for types of Rust.
pub fn in_plain_words(message: &str) -> String {
    const WORDS: [(&str, &str); 6] = [
        ("wanted exactly 1 element, more than 1 element", "found several keys, expected one"),
        ("wanted exactly 1 element, found 0 elements", "found no key, expected one"),
        ("expected i32", "expected a whole number"),
        ("expected u32", "expected a whole number of at least 0"),
        ("expected f64", "expected a number"),
        ("\n", ", "),
    ];
    WORDS.iter().fold(message.to_owned(), |message, (from, to)| message.replace(from, to))
}

/// What a TOML text says: `body` is the end of the text of a file that is TOML, or all of it.
///
/// # Errors
/// The first place that is wrong.
pub fn from_toml<T: DeserializeOwned>(path: &Path, text: &str, body: &str) -> Result<T, Box<Fault>> {
    toml::from_str(body).map_err(|error| {
        let offset = error.span().map_or(body.len(), |span| span.start) + text.len() - body.len();
        fault(path, text, offset, in_plain_words(error.message()))
    })
}

/// The list of this name in a TOML text that is data of a package.
///
/// # Panics
/// Never in a build whose tests pass.
pub fn listed<T: DeserializeOwned>(text: &str, name: &str) -> Vec<T> {
    let mut file: BTreeMap<String, Vec<T>> = toml::from_str(text).expect("data of the package");
    file.remove(name).unwrap_or_default()
}

/// The first few damages, and what to do.
fn damaged(dir: &Path, damages: &[Damage]) -> String {
    const SHOWN: usize = 5;
    let mut lines: Vec<String> =
        damages.iter().take(SHOWN).map(|damage| dir.join(damage.to_string()).display().to_string()).collect();
    if damages.len() > SHOWN {
        lines.push(format!("and {} more", damages.len() - SHOWN));
    }
    format!(
        "{}\nthe run is not as it was written; `--resume {}` searches the cells concerned again",
        lines.join("\n"),
        secateur_base::words::shell_path(dir)
    )
}

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
