//! The files of `pairs`: one CSV row a pair, and beside it where the pairs come from.

use crate::files::replaced;
use crate::fit::FitError;
use secateur_core::search::Options;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// One pair of values of one position, side to move, in the game's score unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairRow {
    /// Id of the position that the node was drawn below.
    pub source: String,
    /// Game or family of that position: pairs of one cluster are not independent.
    pub cluster: String,
    /// What tables group by, of the node itself: the disc count in Othello.
    pub stage: String,
    /// v', the value of the shallow search.
    pub shallow: i32,
    /// v, the value of the deep search.
    pub deep: i32,
}

/// How to make the pairs again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Origin {
    /// [`secateur_core::Game::NAME`].
    pub game: String,
    /// [`secateur_core::Game::evaluation_id`], 16 hex digits.
    pub evaluation: String,
    /// The command that made the pairs.
    pub command: String,
    /// Day they were made, `YYYY-MM-DD`.
    pub date: String,
    /// Seed of the draws.
    pub seed: u64,
    /// Name of the set of positions.
    pub positions: String,
    /// Hash of that set.
    pub positions_hash: String,
    /// Positions of the set.
    pub positions_count: usize,
    /// Plies that each position was first played on by good moves.
    pub play_on: u32,
    /// Plies between the position then reached and the nodes drawn below it.
    pub plies: u32,
    /// Depth of the shallow search, plies.
    pub shallow: i32,
    /// Depth of the deep search, plies.
    pub deep: i32,
    /// Pairs written.
    pub pairs: usize,
    /// Nodes left out because the same position, up to symmetry, was drawn before.
    pub repeated: usize,
    /// Nodes left out because a value is decisive (a mate).
    pub decisive: usize,
    /// Nodes left out because the deep search reaches the end of the game.
    pub ended: usize,
    /// Options of the host; the search is full width.
    pub host: Options,
}

/// Writes the pairs to `path` and their origin beside it, under the same name with `.toml`. Folders on the
/// way are made.
pub(super) fn write(path: &Path, origin: &Origin, rows: &[PairRow]) -> Result<(), FitError> {
    let csv = |source| FitError::Csv { path: path.to_owned(), source };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|source| FitError::Io { path: folder.to_owned(), source })?;
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.serialize(row)).map_err(csv)?;
    let table = writer.into_inner().expect("written to memory");
    replaced(path, &table).map_err(|source| FitError::Io { path: path.to_owned(), source })?;
    let beside = path.with_extension("toml");
    // Plain names and numbers, the one table last.
    let text = toml::to_string(origin).expect("plain values");
    let text = format!("# Written by `cargo xtask pairs`; not to be changed by hand.\n\n{text}");
    replaced(&beside, text.as_bytes()).map_err(|source| FitError::Io { path: beside.clone(), source })
}
