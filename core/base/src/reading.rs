//! How a file of positions is read: what a command asks, a reader does and a record keeps.

use serde::{Deserialize, Serialize};

/// How a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Reading {
    /// Goes on without wrong lines, and without games with an illegal move; the `skipped` of the set has them.
    pub skip_bad: bool,
    /// Plies from one position of a game to the next, at least 1.
    pub every: usize,
}

impl Reading {
    /// Plies between positions of a game, where nothing else was asked for: far enough apart to differ, near enough to
    /// give some ten positions a game.
    pub const EVERY: usize = 8;

    /// Whether it is the usual one.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == Reading::default()
    }
}

impl Default for Reading {
    fn default() -> Reading {
        Reading { skip_bad: false, every: Reading::EVERY }
    }
}
