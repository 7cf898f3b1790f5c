//! What can prevent a fit, or pairs, before anything is searched.

use secateur_base::Unknown;
use secateur_core::Game;
use secateur_core::game::ParseError;
use secateur_core::prune::SetupError;
use secateur_positions::{Entry, Set};
use secateur_suites::setups::setup::SetupFileError;
use std::path::PathBuf;

/// The first of `faults`, given as (whether it is there, the setting, its range).
pub(crate) fn settings_in_range(faults: &[(bool, &'static str, &'static str)]) -> Result<(), FitError> {
    match faults.iter().find(|(wrong, ..)| *wrong) {
        Some(&(_, name, expected)) => Err(FitError::Setting { name, expected }),
        None => Ok(()),
    }
}

/// The positions of some entries of a set.
pub(crate) fn positions_of<'a, G: Game>(
    game: &G,
    set: &Set,
    entries: impl IntoIterator<Item = &'a Entry>,
) -> Result<Vec<G::Position>, FitError> {
    let fault = |error: ParseError| FitError::Position { set: set.name.clone(), message: error.to_string() };
    entries.into_iter().map(|entry| game.parse(&entry.position).map_err(fault)).collect()
}

/// Why nothing was fitted.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// No such game.
    #[error(transparent)]
    Game(#[from] Unknown),
    /// A setting out of range.
    #[error("{name}: expected {expected}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// Its range.
        expected: &'static str,
    },
    /// The position set is unknown or broken.
    #[error(transparent)]
    Positions(#[from] secateur_positions::Error),
    /// A position of the set cannot be read.
    #[error("a position of `{set}` cannot be read: {message}")]
    Position {
        /// Name of the set.
        set: String,
        /// What the game says.
        message: String,
    },
    /// Too few nodes could be drawn for any fit.
    #[error(
        "{count} positions could be drawn, expected at least {expected}: give more positions (--positions, --limit)"
    )]
    TooFew {
        /// Positions drawn.
        count: usize,
        /// Fewest that are fitted.
        expected: usize,
    },
    /// The parameter file is unusable.
    #[error(transparent)]
    Setup(#[from] SetupFileError),
    /// A baseline's parameters are out of range.
    #[error(transparent)]
    Method(#[from] SetupError),
    /// The fit or its raw values cannot be written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}
