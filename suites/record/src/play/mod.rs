//! The record of a match: what it is, its games, and whether they are as they were written. Playing is left to the suites.

pub mod file;
pub mod record;
pub mod settings;

pub use self::record::Reason;
pub use self::settings::{Adjudication, DrawRule, Limit, Resign};
pub use file::{PlayFile, SETTINGS};
pub use record::{Effort, GameRow, OpeningRow};
pub use settings::{MatchSettings, PlayerSpec};

use crate::error::Error;
use std::path::Path;

/// What there is of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// Its settings and where it comes from; says whether the match is complete.
    pub file: PlayFile,
    /// The games in order.
    pub rows: Vec<GameRow>,
    /// What was not as it was written and was mended, in words; nothing as a rule.
    pub mended: Vec<String>,
}

impl Ended {
    /// What the folder of a match holds; plays nothing.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Fault`] at the first entry that is wrong or not as it was written.
    pub fn read(dir: &Path) -> Result<Ended, Error> {
        let file = PlayFile::read(dir)?;
        let rows = file.games(dir)?;
        Ok(Ended { file, rows, mended: Vec::new() })
    }
}
