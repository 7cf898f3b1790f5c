//! Where trained numbers come from: what is written next to them.

use super::{Forbidden, PAWN, TrainSettings, regress, selfplay};
use crate::train::TrainError;
use crate::train::self_play::{SelfPlay, VALIDATION_SHARE, provenance, section};
use secateur_games::chess::EvalParams;
use serde::{Deserialize, Serialize};

/// One generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Generation {
    /// The id of the numbers that played.
    pub evaluation: String,
    /// Games played.
    pub games: u32,
    /// Positions learnt from: of this generation and the one before.
    pub positions: u64,
    /// Positions of the validation games.
    pub validation: u64,
    /// Slope of the logistic function that the players' search values suit best, per 1,000 centipawns.
    pub slope: f64,
    /// Mean cross-entropy of the validation games' results given the players' static values, in nats.
    pub loss_before: f64,
    /// The same with the numbers found.
    pub loss: f64,
}

/// What is written next to the numbers. The command makes the same ones again with the same version of search and parameters.
pub(super) fn of(
    settings: &TrainSettings,
    params: &EvalParams,
    forbidden: &Forbidden<String>,
    generations: &[Generation],
) -> Result<String, TrainError> {
    let TrainSettings { play, nodes, trust, prior, .. } = settings;
    let options = play.options();
    let groups =
        settings.groups.as_ref().map(|groups| format!(" --groups {}", groups.join(","))).unwrap_or_default();
    let (positions, hash) = forbidden.identity();
    let regression = format!(
        "cross-entropy of {trust} % of the result and the rest of the win expectancy of the search, at the slope that suits the \
         search values; Newton's method, {} passes; every number drawn to its start by {prior} sightings; twice, with the \
         endgame scales chosen in between",
        regress::PASSES
    );
    let head = [
        (
            "command",
            format!(
                "cargo xtask train chess{options} --nodes {nodes} --trust {trust} --prior {prior}{groups}"
            ),
        ),
        ("evaluation", format!("{:016x}", params.id())),
        // What the first generation started from.
        ("start", format!("{:016x}", EvalParams::start().id())),
        ("scheme", scheme(settings)),
        ("streams", "ChaCha8, seeded with the seed, stream 2^63 + generation * 2^32 + game".to_owned()),
        ("regression", regression),
        // What 100 means.
        (
            "scale",
            format!(
                "a pawn with its placement is worth {PAWN} on average over all pawns of all positions learnt from"
            ),
        ),
        ("forbidden", format!("{positions} positions of built-in sets, FNV-1a {hash}")),
    ];
    let settings = TrainSettings { play: SelfPlay { threads: 0, ..play.clone() }, ..settings.clone() };
    Ok(provenance(&head, &[section("settings", settings)?, section("generations", generations)?]))
}

/// How games begin and end, and which of their positions teach.
fn scheme(settings: &TrainSettings) -> String {
    use selfplay::{DECIDED, DECIDED_PLIES, EVEN, LEVEL_PLIES, LONGEST, METHODS, RANDOM, STALE};
    format!(
        "opening lines of the sampler and {} to {} random plies, taken again unless worth at most {EVEN}; both sides \
         {METHODS} at {} nodes a move; won at {DECIDED} for {DECIDED_PLIES} plies or a mate found, drawn at 0 for \
         {LEVEL_PLIES} plies or after {LONGEST}; positions not in check whose static value is their quiescence value \
         and whose move is no capture or promotion, up to {STALE} plies on the fifty-move clock; 1 game in \
         {VALIDATION_SHARE} validates",
        RANDOM.0, RANDOM.1, settings.nodes
    )
}
