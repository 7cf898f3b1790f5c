//! Where trained weights come from: what is written next to them.
//!
//! Enough to make the same bytes again: the command, the settings, the rules of the games, the files of others
//! by their hashes. And how good the weights are, on games they were not learnt from.

use super::archive::Source;
use super::{OPENING_DISCS, RESERVED_SHARE, TrainSettings, VALIDATION_SHARE, regress, selfplay};
use secateur_games::othello::Weights;
use secateur_positions::import::word;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Where weights come from and how good they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Provenance {
    /// The command that makes the same weights again.
    pub command: String,
    /// [`Weights::id`], 16 hexadecimal digits.
    pub weights: String,
    /// How games begin and end.
    pub scheme: String,
    /// Which random numbers are used.
    pub streams: String,
    /// Strength of the priors of the regression, in sightings, and its passes.
    pub regression: String,
    /// Settings of the run.
    pub settings: TrainSettings,
    /// Games of others that were learnt from in every generation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archive: Option<Source>,
    /// One entry a generation.
    pub generations: Vec<Generation>,
    /// Errors on games not learnt from, by stage, of the last generation.
    pub validation: Vec<StageError>,
}

/// One generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Generation {
    /// Search depth of its games.
    pub depth: i32,
    /// Games played.
    pub games: u32,
    /// Positions learnt from: of this generation and the one before, except generation 0.
    pub positions: u64,
    /// Root mean square error on the validation games, in discs.
    pub rmse: f64,
}

/// How well results are predicted at one stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct StageError {
    /// Stage, a name of the game's.
    pub stage: String,
    /// Validation positions.
    pub positions: u64,
    /// Root mean square error, in discs.
    pub rmse: f64,
    /// Share of the variance of results that is predicted.
    pub r2: f64,
}

impl Provenance {
    pub(super) fn of(
        settings: &TrainSettings,
        weights: &Weights,
        archive: Option<Source>,
        generations: Vec<Generation>,
        validation: Vec<StageError>,
    ) -> Provenance {
        let selfplay = settings.games != 0;
        let streams = "ChaCha8, seeded with the seed, stream generation * 2^32 + game";
        Provenance {
            command: command(settings, archive.as_ref()),
            weights: format!("{:016x}", weights.id()),
            scheme: if selfplay { scheme(settings) } else { "no self-play".to_string() },
            streams: if selfplay { streams } else { "none" }.to_string(),
            regression: format!(
                "least squares, {} passes of conjugate gradients, drawn to zero by {} and to neighbouring knots \
             by {} sightings",
                regress::PASSES,
                regress::TO_ZERO,
                regress::TO_NEIGHBOURS
            ),
            settings: settings.clone(),
            archive,
            generations,
            validation,
        }
    }
}

/// The command that makes the same weights again.
fn command(settings: &TrainSettings, archive: Option<&Source>) -> String {
    let TrainSettings { games, seed, generations, depth, solve_empties, trust, .. } = settings;
    let mut command = "cargo xtask train othello".to_string();
    if *games != 0 {
        command += &format!(
            " --games {games} --seed {seed} --generations {generations} --depth {depth} --trust {trust}"
        );
    }
    command += &format!(" --solve-empties {solve_empties}");
    for file in archive.iter().flat_map(|source| &source.files) {
        command += &format!(" --games {}", word(Path::new(&file.path)));
    }
    command
}

/// How games of self-play begin, end and are labelled.
fn scheme(settings: &TrainSettings) -> String {
    let TrainSettings { solve_empties, trust, .. } = settings;
    format!(
        "random opening of {} to {} plies (1 game in {}: to {}), full-width play to the depth of the \
             generation, exact from {solve_empties} empties on with 1 random move in {} there; every position \
             after the opening is labelled, the solved ones with the exact disc difference, those before with \
             {trust} % of the next one's label and the rest of their own search value (in generation 0 with \
             the result); positions with {OPENING_DISCS} discs and 1 in {RESERVED_SHARE} of the others are left \
             out; 1 game in {VALIDATION_SHARE} validates, \
             against the results",
        selfplay::OPENING_LEAST,
        selfplay::OPENING_MOST,
        selfplay::WILD_SHARE,
        selfplay::WILD_MOST,
        selfplay::ERROR_SHARE,
    )
}
