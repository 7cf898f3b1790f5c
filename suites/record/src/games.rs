//! What a reader of records must know of a game, as data: runs written before their manifests said it are read with this.
//!
//! The numbers are the games' own; a test in the suites holds the one against the other.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The games in `data/games.toml`.
const TEXT: &str = include_str!("../data/games.toml");

/// What there is to know of one game.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Traits {
    /// Scores of at least this size are proven.
    pub decisive: i32,
    /// Names of the stages that records have, in the order of a game; empty where they are numbers, which have their own.
    pub stages: Vec<String>,
    /// What people read a score in.
    pub unit: String,
    /// Score units in one of those.
    pub per_unit: i32,
}

/// The games by name.
static GAMES: LazyLock<BTreeMap<String, Traits>> =
    LazyLock::new(|| toml::from_str(TEXT).expect("the table of games is data of this package"));

/// What is known of the game of this name; `None` of a game that this build does not have.
#[must_use]
pub fn traits(game: &str) -> Option<&'static Traits> {
    GAMES.get(game)
}

/// From which size on the scores of a game are proven; `None` of a game that this build does not have.
#[must_use]
pub fn decisive(game: &str) -> Option<i32> {
    traits(game).map(|traits| traits.decisive)
}
