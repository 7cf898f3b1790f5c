//! What was searched again to learn from: pairs of a shallow and a deep value, and cuts with what was known when they were made. One CSV
//! row each, and next to it where they come from.

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

/// One cut by a check, with what was known before it and what came of it. Distances are in standard deviations of the check's
/// model, and positive on the side of the bound that the cut claims.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CutRow {
    /// Id of the position that was searched.
    pub source: String,
    /// Game or family of that position: cuts of one cluster are not independent.
    pub cluster: String,
    /// Stage of the node.
    pub stage: String,
    /// One cut in so many of the search was searched again.
    pub every: u64,
    /// Iteration that the cut was made in, plies.
    pub iteration: i32,
    /// Plies from the root to the node.
    pub ply: u32,
    /// Plies from the node to the horizon.
    pub height: i32,
    /// Whether the cut claims a value of at least beta; otherwise, of at most alpha.
    pub high: bool,
    /// Whether the expected type of the node speaks for the cut: high at a cut node, low at an all node.
    pub expected: bool,
    /// How far beyond the bound the model's estimate lies, by the exact value of the check.
    pub distance: f64,
    /// The same by what the check's null window told of it.
    pub shown: f64,
    /// How far beyond the bound the static evaluation lies.
    pub evaluation: f64,
    /// How far beyond the bound the value of the last iteration lies, as the node's side sees it; none in the first.
    pub last: Option<f64>,
    /// 1 if the table's entry on the node, at whatever depth, agrees with the cut, -1 if it contradicts it, 0 if it says
    /// neither or there is none.
    pub table: i32,
    /// How many plies shallower than the node the table's entry is; none without one.
    pub table_lag: Option<i32>,
    /// Nodes of the search that found out: what the cut saved, before its cost.
    pub nodes: u64,
    /// Whether that search contradicts the cut.
    pub broken: bool,
}

/// How to make the cuts again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CutsOrigin {
    /// `Game::NAME`.
    pub game: String,
    /// `Game::evaluation_id`, 16 hex digits.
    pub evaluation: String,
    /// The command that made them.
    pub command: String,
    /// Day they were made, `YYYY-MM-DD`.
    pub date: String,
    /// Name of the set of positions.
    pub positions: String,
    /// Hash of that set.
    pub positions_hash: String,
    /// Positions searched.
    pub positions_count: usize,
    /// The method set; cuts of its checks are taken.
    pub methods: String,
    /// Identity of the set with its parameters.
    pub params: String,
    /// Depth of the searches, plies.
    pub depth: i32,
    /// One cut in so many was searched again.
    pub every: u64,
    /// Least height of their nodes, plies.
    pub height: i32,
    /// Their distances are less than this, standard deviations.
    pub within: f64,
    /// Cuts written.
    pub cuts: usize,
    /// Options of the host.
    pub host: Options,
}
