//! Where trained weights come from: what is written next to them.
//!
//! Enough to make the same bytes again: the command, the settings, the rules of the games, the files of others
//! by their hashes. And how good the weights are, on games they were not learnt from.

use super::archive::Source;
use super::{OPENING_DISCS, RESERVED_SHARE, TrainSettings, VALIDATION_SHARE, regress, selfplay};
use crate::train::TrainError;
use crate::train::self_play::{STREAMS, provenance, section};
use secateur_base::words::shell_path;
use secateur_games::othello::Weights;
use serde::{Deserialize, Serialize};
use std::path::Path;

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

/// What is written next to the weights: `archive` are the games of others that were learnt from in every generation,
/// `validation` the errors of the last generation on games not learnt from.
pub(super) fn of(
    settings: &TrainSettings,
    weights: &Weights,
    archive: Option<&Source>,
    generations: &[Generation],
    validation: &[StageError],
) -> Result<String, TrainError> {
    let selfplay = settings.play.games != 0;
    let regression = format!(
        "least squares, {} passes of conjugate gradients, drawn to zero by {} and to neighbouring knots by {} sightings",
        regress::PASSES,
        regress::TO_ZERO,
        regress::TO_NEIGHBOURS
    );
    let head = [
        ("command", command(settings, archive)),
        ("weights", format!("{:016x}", weights.id())),
        ("scheme", if selfplay { scheme(settings) } else { "no self-play".to_owned() }),
        ("streams", if selfplay { STREAMS } else { "none" }.to_owned()),
        ("regression", regression),
    ];
    let mut sections = vec![section("settings", settings)?];
    if let Some(archive) = archive {
        sections.push(section("archive", archive)?);
    }
    sections.extend([section("generations", generations)?, section("validation", validation)?]);
    Ok(provenance(&head, &sections))
}

/// The command that makes the same weights again.
fn command(settings: &TrainSettings, archive: Option<&Source>) -> String {
    let TrainSettings { play, depth, solve_empties, trust, shapes } = settings;
    let mut command = "cargo xtask train othello".to_owned();
    if play.games != 0 {
        command += &format!("{} --depth {depth} --trust {trust}", play.options());
    }
    command += &format!(" --solve-empties {solve_empties}");
    if let Some(shapes) = shapes {
        let shapes: Vec<String> = shapes.iter().map(ToString::to_string).collect();
        command += &format!(" --shapes {}", shapes.join(","));
    }
    for file in archive.iter().flat_map(|source| &source.files) {
        command += &format!(" --games {}", shell_path(Path::new(&file.path)));
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
