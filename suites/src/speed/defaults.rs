//! What is measured in a game if nobody says otherwise: `data/games.toml`.

use crate::Error;
use crate::error::Unknown;
use serde::Deserialize;

/// The file.
const TEXT: &str = include_str!("../../data/speed/games.toml");

/// One game.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Defaults {
    /// Its name.
    pub(crate) name: String,
    /// The programs that it is compared with, the strongest first.
    pub(crate) subjects: Vec<String>,
    /// Variant of the parameters that this program plays with; empty for the usual.
    pub(crate) params: String,
    /// The methods that it plays with.
    pub(crate) methods: String,
    pub(crate) full_width: Option<ToDepth>,
    pub(crate) depth: Option<ToDepth>,
    pub(crate) solve: Option<Solve>,
    pub(crate) endgame: Option<Endgame>,
}

/// Positions to be searched to a depth.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ToDepth {
    /// A built-in set.
    pub(crate) positions: String,
    /// At most so many of each stage.
    pub(crate) limit: usize,
    /// Plies.
    pub(crate) depth: u32,
    /// Plies of a smoke test.
    pub(crate) smoke: u32,
}

/// Positions with a right move.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Solve {
    /// A built-in set with published solutions.
    pub(crate) positions: String,
    /// One of which a judge says the right moves.
    pub(crate) judged: String,
    /// At most so many of each stage of that.
    pub(crate) limit: usize,
    /// Nodes of the judge.
    pub(crate) nodes: u64,
    /// Nodes of the judge in a smoke test.
    pub(crate) smoke: u64,
}

/// Positions to be searched to the end.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Endgame {
    /// A built-in set.
    pub(crate) positions: String,
    /// Number of the first, from 1.
    pub(crate) first: usize,
    /// Number of the last.
    pub(crate) last: usize,
    /// First and last of a smoke test.
    pub(crate) smoke: [usize; 2],
}

#[derive(Deserialize)]
struct File {
    game: Vec<Defaults>,
}

/// All games of which something is measured.
fn all() -> Vec<Defaults> {
    // A file of this package, which the tests read.
    toml::from_str::<File>(TEXT).expect("data/games.toml is fit for use").game
}

/// The names of all games.
pub(crate) fn games() -> Vec<String> {
    all().into_iter().map(|game| game.name).collect()
}

/// What is measured in the game of this name.
///
/// # Errors
/// A game of which nothing is.
pub(crate) fn of(name: &str) -> Result<Defaults, Error> {
    let all = all();
    let names: Vec<&str> = all.iter().map(|game| &*game.name).collect();
    let unknown = Unknown::new("game to compare", name, &names);
    Ok(all.into_iter().find(|game| game.name == name).ok_or(unknown)?)
}
