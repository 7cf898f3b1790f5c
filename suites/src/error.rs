//! Everything that can keep a run from starting or going on, sorted by whose fault it is.
//!
//! The exit code of a command follows from [`Error::blame`] alone.

use crate::setups::arm::BadArm;
use crate::setups::games;
use crate::setups::setup::SetupFileError;
use secateur_base::Unknown;
use secateur_core::prune::SetupError;
use secateur_engines::EngineError;
use secateur_positions::{Error as PositionsError, Fault};
use secateur_record::Blame;
use secateur_record::error::from_toml;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use toml::Spanned;

pub(crate) use secateur_base::fault;

/// Why there is no run, or no more of it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or a record cannot be read, written or gone on with.
    #[error(transparent)]
    Record(#[from] secateur_record::Error),
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
    /// Another program than the one that began the run searches other trees.
    #[error(
        "{}: begun by another program ({build}), and this one does not search the same: {what}; rows of both would not be \
         comparable; choose another folder", dir.display()
    )]
    OtherTrees {
        /// The run folder.
        dir: PathBuf,
        /// The other program.
        build: String,
        /// The search that came out differently.
        what: String,
    },
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
        "{cell}: two searches of one cell disagree in {column}\n  {rows}\none of the two machines or programs is wrong; \
         nothing was merged"
    )]
    Disagree {
        /// The cell.
        cell: String,
        /// The first column that differs, with its file where it is not the row itself.
        column: String,
        /// Place, value and build of both rows, a line each.
        rows: String,
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
    /// Instructions could not be counted, or the counts do not belong to the recorded searches.
    #[error("instructions: {0}")]
    Count(String),
}

impl From<EngineError> for Error {
    fn from(error: EngineError) -> Error {
        Error::Usage(error.to_string())
    }
}

impl From<Box<Fault>> for Error {
    fn from(fault: Box<Fault>) -> Error {
        secateur_record::Error::from(fault).into()
    }
}

impl Error {
    /// Whose fault it is.
    pub fn blame(&self) -> Blame {
        match self {
            Error::Count(_) | Error::Command(_) => Blame::System,
            Error::Positions(error) if error.is_io() => Blame::System,
            Error::OtherTrees { .. }
            | Error::Foreign { .. }
            | Error::Disagree { .. }
            | Error::Unproven { .. }
            | Error::Taken { .. }
            | Error::Unfinished(_) => Blame::Incomparable,
            Error::Record(error) => error.blame(),
            _ => Blame::Input,
        }
    }

    /// Wraps what the file system says of a file that was to be read.
    pub fn unreadable(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let wrap = secateur_record::Error::unreadable(path);
        move |source| wrap(source).into()
    }

    /// Wraps an error of the file system.
    pub fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let wrap = secateur_record::Error::io(path);
        move |source| wrap(source).into()
    }
}

/// A file as it is read.
pub(crate) struct Place<'a> {
    /// Its path, for messages and as the base of relative paths.
    pub(crate) path: &'a Path,
    /// Its text.
    pub(crate) text: &'a str,
}

impl<'a> Place<'a> {
    /// What the file holds.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Box<Fault>> {
        from_toml(self.path, self.text, self.text)
    }

    /// What is wrong with a value.
    pub(crate) fn at<T>(&self, value: &Spanned<T>, message: impl Into<String>) -> Box<Fault> {
        fault(self.path, self.text, value.span().start, message)
    }

    /// What is wrong with the file.
    pub(crate) fn whole(&self, message: impl Into<String>) -> Box<Fault> {
        fault(self.path, self.text, 0, message)
    }

    /// The folder that relative paths are relative to.
    pub(crate) fn folder(&self) -> &'a Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// The items of a list of `what`, of which there must be one.
    pub(crate) fn filled<'v, T>(&self, what: &str, list: &'v Spanned<Vec<T>>) -> Result<&'v [T], Box<Fault>> {
        match list.get_ref().as_slice() {
            [] => Err(self.at(list, format!("found no {what}, expected at least one"))),
            items => Ok(items),
        }
    }

    /// The name of a game that is known.
    pub(crate) fn game<'v>(&self, name: &'v Spanned<String>) -> Result<&'v String, Box<Fault>> {
        let text = name.get_ref();
        match games::find(text) {
            Ok(_) => Ok(text),
            Err(_) => Err(self.at(name, Unknown::new("game", text, &games::names()).to_string())),
        }
    }
}
