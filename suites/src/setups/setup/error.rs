//! What can be wrong with a parameter or fit file.

use secateur_base::Unknown;
use std::path::{Path, PathBuf};

/// Why there is no [`super::Setup`].
#[derive(Debug, thiserror::Error)]
pub enum SetupFileError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A game that is none, or a name that no variant of its numbers has, and no file either.
    #[error(transparent)]
    Unknown(#[from] Unknown),
    /// A transposition table that does not fit the machine.
    #[error("host.table-mib: found {table_mib}, but there is no room for so many MiB")]
    NoRoom {
        /// What was asked for, MiB.
        table_mib: usize,
    },
    /// The file can be read but not understood.
    #[error("{}: {message}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// Where it is wrong (where that is known), what was found and what was expected.
        message: String,
    },
    /// Numbers of another game.
    #[error("these are parameters of {found}, expected those of {expected}")]
    OtherGame {
        /// Game of the numbers.
        found: String,
        /// Game that is to be searched.
        expected: String,
    },
    /// Fits that belong to another evaluation: their sigma promises nothing about this one.
    #[error(
        "the fits of {game} belong to evaluation {fitted:016x}, but the evaluation is {current:016x}: \
         run `{} fit {game}` and build again",
        secateur_base::program::name()
    )]
    Stale {
        /// The game.
        game: String,
        /// Evaluation that was fitted.
        fitted: u64,
        /// Evaluation in use.
        current: u64,
    },
    /// The positions that parameters were fitted on cannot judge them.
    #[error("the parameters of {game} were fitted on the positions `{set}`: judge them by others")]
    FittedOn {
        /// The game.
        game: String,
        /// Name of the set.
        set: String,
    },
}

impl From<secateur_record::fitted::BadFit> for SetupFileError {
    fn from(bad: secateur_record::fitted::BadFit) -> SetupFileError {
        SetupFileError::Content { path: bad.path, message: bad.message }
    }
}

impl SetupFileError {
    pub(super) fn io(path: &Path, source: std::io::Error) -> SetupFileError {
        SetupFileError::Io { path: path.to_owned(), source }
    }

    pub(super) fn content(path: &Path, message: &str) -> SetupFileError {
        SetupFileError::Content { path: path.to_owned(), message: message.to_owned() }
    }
}
