//! Everything that can keep a run from starting or going on, sorted by whose fault it is.
//!
//! The exit code of a command follows from [`Error::blame`] alone.

use crate::arm::BadArm;
use crate::setup::SetupFileError;
use crate::store::Wound;
use secateur_core::prune::SetupError;
use secateur_positions::near::nearest;
use secateur_positions::{Error as PositionsError, Fault};
use std::path::{Path, PathBuf};

/// Whose fault an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The file system, or the tool itself.
    System,
    /// What the caller wrote: an argument or a file.
    Input,
    /// Nobody's: results that do not belong together.
    Incomparable,
}

/// Why there is no run, or no more of it.
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
    /// A place in a suite or record file is wrong.
    #[error(transparent)]
    Fault(#[from] Box<Fault>),
    /// A position set cannot be had.
    #[error(transparent)]
    Positions(#[from] PositionsError),
    /// The numbers of a game cannot be had, or do not fit it.
    #[error(transparent)]
    Setup(#[from] SetupFileError),
    /// A method cannot be set up with its numbers.
    #[error("{game}: {source}")]
    Method {
        /// The game.
        game: String,
        /// What the method says.
        source: SetupError,
    },
    /// A name that nothing has.
    #[error(transparent)]
    Unknown(#[from] Unknown),
    /// A text that is no arm.
    #[error(transparent)]
    Arm(#[from] BadArm),
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
    /// A run folder is not as it was written.
    #[error("{}", wounded(dir, wounds))]
    Wounded {
        /// The run folder.
        dir: PathBuf,
        /// What was found, at least one.
        wounds: Vec<Wound>,
    },
    /// Another program than the one that began the run searches other trees.
    #[error(
        "{}: begun by another program ({maker}), and this one does not search the same: {what}; rows of both would not be \
         comparable; choose another folder", dir.display()
    )]
    OtherTrees {
        /// The run folder.
        dir: PathBuf,
        /// The other program.
        maker: String,
        /// The search that came out differently.
        what: String,
    },
    /// Instructions could not be counted, or the counts do not belong to the recorded searches.
    #[error("instructions: {0}")]
    Count(String),
    /// Another process writes there.
    #[error("{}: another run is writing here", dir.display())]
    Locked {
        /// The run folder.
        dir: PathBuf,
    },
}

impl Error {
    /// Whose fault it is.
    #[must_use]
    pub fn blame(&self) -> Blame {
        match self {
            Error::Io { .. } | Error::Count(_) => Blame::System,
            Error::Positions(error) if error.is_io() => Blame::System,
            Error::Differs { .. } | Error::OtherTrees { .. } | Error::Locked { .. } => Blame::Incomparable,
            _ => Blame::Input,
        }
    }

    /// Wraps what the file system says of a file that was to be read.
    pub(crate) fn unreadable(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Unreadable { path, source }
    }

    /// Wraps an error of the file system.
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { path, source }
    }
}

/// The first few wounds, and what to do.
fn wounded(dir: &Path, wounds: &[Wound]) -> String {
    const SHOWN: usize = 5;
    let mut lines: Vec<String> =
        wounds.iter().take(SHOWN).map(|wound| dir.join(wound.to_string()).display().to_string()).collect();
    if wounds.len() > SHOWN {
        lines.push(format!("and {} more", wounds.len() - SHOWN));
    }
    format!(
        "{}\nthe run is not as it was written; `--resume {}` searches the cells concerned again",
        lines.join("\n"),
        dir.display()
    )
}

/// A name that nothing has, with those that exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {kind} `{found}`: expected {known}{}", hint.as_ref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default())]
pub struct Unknown {
    /// What was to be named: `suite`, `game`, `method`.
    pub kind: &'static str,
    /// The name that was found.
    pub found: String,
    /// The names that exist, in words.
    pub known: String,
    /// The name that looks most like it, if one does.
    pub hint: Option<String>,
}

impl Unknown {
    /// An error about a name that is none of `names`.
    pub(crate) fn new(kind: &'static str, found: &str, names: &[&str]) -> Unknown {
        Unknown {
            kind,
            found: found.to_owned(),
            known: format!("one of {}", names.join(", ")),
            hint: nearest(found, names).map(str::to_owned),
        }
    }
}

/// An error at a byte offset of a text file.
pub(crate) fn fault(path: &Path, text: &str, offset: usize, message: impl Into<String>) -> Box<Fault> {
    let offset = offset.min(text.len());
    let begin = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    Box::new(Fault {
        path: path.to_owned(),
        line: text[..offset].matches('\n').count() + 1,
        column: text[begin..offset].chars().count() + 1,
        message: message.into(),
        text: text[begin..].lines().next().unwrap_or_default().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_count_lines_and_characters_from_one() {
        let text = "a\nbü = 3\nc";
        let at = |offset| {
            let fault = fault(Path::new("f"), text, offset, "x");
            (fault.line, fault.column, fault.text)
        };
        assert_eq!(at(0), (1, 1, "a".to_owned()));
        assert_eq!(at(text.find('3').unwrap()), (2, 6, "bü = 3".to_owned()));
        assert_eq!(at(999), (3, 2, "c".to_owned()));
    }

    #[test]
    fn the_nearest_name_is_offered() {
        let error = Unknown::new("suite", "quik", &["quick", "table2"]).to_string();
        assert_eq!(error, "unknown suite `quik`: expected one of quick, table2; did you mean `quick`?");
        assert!(!Unknown::new("suite", "zzz", &["quick"]).to_string().contains("did you mean"));
    }
}
