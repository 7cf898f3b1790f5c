//! Why pieces cannot be made or put together, and whose fault it is.

use secateur_record::Blame;
use std::path::{Path, PathBuf};

/// Why there is no shard, or no merged record.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or a record.
    #[error(transparent)]
    Record(#[from] secateur_record::Error),
    /// A plan that cannot be made or searched.
    #[error(transparent)]
    Suites(#[from] crate::Error),
    /// What was asked for cannot be.
    #[error("{0}")]
    Usage(String),
    /// Two parts are not of one run.
    #[error("{one} and {other} are not parts of one run: {what}")]
    Foreign {
        /// A part, with the place in its manifest where that is known.
        one: String,
        /// The other.
        other: String,
        /// What differs.
        what: String,
    },
    /// Two rows of one cell do not agree in a column that no clock and no machine decides.
    #[error(
        "{cell}: two searches of one cell disagree in {column}\n  {one}\n  {other}\none of the two machines or programs is wrong; \
         nothing was merged"
    )]
    Disagree {
        /// The cell.
        cell: String,
        /// The first column that differs, with its file where it is not the row itself.
        column: String,
        /// Place, value and build of the first row.
        one: String,
        /// The same of the second.
        other: String,
    },
    /// Rows of several programs of which nothing shows that they search the same trees.
    #[error(
        "rows of two programs, and no unit that both searched shows that they search the same trees: {one}, and {other}; build \
         both from the same sources, or have one of them search a shard of the other again and merge that too"
    )]
    Unproven {
        /// A program.
        one: String,
        /// One that nothing links with it.
        other: String,
    },
    /// Something is there already that is not the same.
    #[error("{}: is there already and is not the same: {what}", path.display())]
    Taken {
        /// The file.
        path: PathBuf,
        /// The difference.
        what: String,
    },
    /// Something is not finished yet.
    #[error("{0}")]
    Unfinished(String),
    /// Another program failed that is needed.
    #[error("{0}")]
    Command(String),
}

impl Error {
    /// Whose fault it is.
    #[must_use]
    pub fn blame(&self) -> Blame {
        match self {
            Error::Record(error) => error.blame(),
            Error::Suites(error) => error.blame(),
            Error::Usage(_) => Blame::Input,
            Error::Command(_) => Blame::System,
            Error::Foreign { .. }
            | Error::Disagree { .. }
            | Error::Unproven { .. }
            | Error::Taken { .. }
            | Error::Unfinished(_) => Blame::Incomparable,
        }
    }

    /// Wraps an error of the file system.
    pub fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let wrap = secateur_record::Error::io(path);
        move |source| wrap(source).into()
    }
}
