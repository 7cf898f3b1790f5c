//! Pairs of a shallow and a deep value: one CSV row a pair, and next to it where the pairs come from.

use secateur_base::Options;
use serde::{Deserialize, Serialize};

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
    /// `Game::NAME`.
    pub game: String,
    /// `Game::evaluation_id`, 16 hex digits.
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
    /// The method set of both searches; `none` is full width.
    #[serde(default = "full_width")]
    pub methods: String,
    /// Most that v' may be away from 0, score units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<i32>,
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
    /// Nodes left out because v' is out of range.
    #[serde(default)]
    pub out_of_range: usize,
    /// Options of the host.
    pub host: Options,
}

/// The method set of files that name none.
fn full_width() -> String {
    "none".to_owned()
}
