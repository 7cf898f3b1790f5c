//! Training of the Othello evaluation by self-play and on games of others: games, regression, provenance.
//!
//! Everything follows from [`TrainSettings`] and the games given: the same ones give the same bytes on any number of
//! threads. Nothing is written here; the caller decides where the results go. Positions that test or fitting sets
//! may hold are never learnt from ([`reserved`]), nor, from games of others, those that a built-in set does hold.
//!
//! A label lies between what searches find and what came out: each position's is its own search value mixed
//! with the label of the next, lambda of the latter (Sutton 1988, TD(lambda); Baxter, Tridgell & Weaver 1998 for
//! game trees). The results of shallow games alone are so noisy in the opening that five times the games teach
//! less.

mod archive;
mod edax;
mod regress;
mod selfplay;

use super::self_play::{
    Forbidden, STREAMS, SelfPlay, Trained, VALIDATION_SHARE, passes, play_all, provenance, section,
};
use super::{Phase, Progress, TrainError, rounded};
use archive::Labels;
use regress::Design;
use secateur_base::words::shell_path;
use secateur_core::game::Evaluation;
use secateur_core::score::Score;
use secateur_games::othello::{Othello, Position, Weights};
use secateur_positions::wthor::Archive;
use secateur_suites::sample::othello::canonical;
use selfplay::{Sample, Table};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

pub use archive::{Source, SourceFile};
pub use edax::{EdaxProvenance, EdaxSettings, carried_over};
pub use secateur_suites::sample::{OPENING_DISCS, RESERVED_SHARE, reserved};

/// What a training run is determined by (and `threads`, which changes nothing but the time).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct TrainSettings {
    /// No games to learn from an archive alone, in one generation. Generations play with the weights of the one before, the
    /// first with hand-made ones.
    #[serde(flatten)]
    pub play: SelfPlay,
    /// Search depth of the last generation, in plies; each one before plays a ply shallower, 2 at least.
    pub depth: i32,
    /// Empty squares from which games are solved exactly, up to 20.
    pub solve_empties: u32,
    /// How far a label trusts what came later over the search at hand, per cent: lambda of Sutton's TD(lambda). 100
    /// learns results alone.
    pub trust: u32,
    /// Only these shapes of patterns are learnt, by their number, and the rest is nothing: evaluations of graded strength from the
    /// same games. All shapes where there is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shapes: Option<Vec<usize>>,
}

impl Default for TrainSettings {
    fn default() -> TrainSettings {
        let play = SelfPlay { games: 80_000, seed: 1, threads: 1, generations: 4 };
        TrainSettings { play, depth: 5, solve_empties: 12, trust: 85, shapes: None }
    }
}

impl TrainSettings {
    /// `alone`: self-play is all there is to learn from.
    fn check(&self, alone: bool) -> Result<(), TrainError> {
        let games = if self.play.games != 0 || alone { 20..=100_000_000 } else { 0..=0 };
        let depth = self.depth.max(0) as u64;
        let (empties, trust) = (self.solve_empties.into(), self.trust.into());
        self.play.check(
            games,
            [("depth", depth, 1..=20), ("solve-empties", empties, 1..=20), ("trust", trust, 0..=100)],
        )
    }

    /// Without self-play every generation would be the same.
    fn with_generations(&self) -> TrainSettings {
        let generations = if self.play.games == 0 { 1 } else { self.play.generations };
        TrainSettings { play: SelfPlay { generations, ..self.play.clone() }, ..self.clone() }
    }

    /// Depth of a generation's games.
    fn depth_of(&self, generation: u32) -> i32 {
        (self.depth - (self.play.generations - 1 - generation) as i32).max(self.depth.min(2))
    }
}

/// Trains weights from nothing, by self-play, on the games of an archive, or on both together.
///
/// # Errors
/// [`TrainError::Setting`] before anything is played if a setting is out of range; [`TrainError::Games`] if
/// an archive is given that has too few games with a result.
pub fn train(
    settings: &TrainSettings,
    archive: &Archive,
    progress: &mut dyn FnMut(Progress),
) -> Result<Trained, TrainError> {
    settings.check(archive.databases().is_empty())?;
    let settings = &settings.with_generations();
    let others = label_all(archive, settings, progress)?;
    let SelfPlay { games, threads, generations: count, .. } = settings.play;
    let mut game = Othello::new(Arc::new(Weights::elementary()));
    let mut generations = Vec::new();
    let mut before: Vec<Sample> = Vec::new();
    let mut validation = Vec::new();
    for generation in 0..count {
        let teaches = |sample: &Sample| !reserved(sample.board);
        let mut played = play_all(&settings.play, (generation, 256), progress, teaches, |numbers| {
            let table = || Table::new(&game, settings, generation);
            Ok(settings.play.play(generation, numbers, table, |table, _, rng| table.play(rng)))
        })?;
        played.check.extend_from_slice(&others.check);
        // The generation before adds as many positions again for nothing; the one before that, and the
        // games of the hand-made weights, are too far from good play.
        let samples = before.iter().chain(&played.learn).chain(&others.learn).copied();
        let design = Design::new(samples, settings.shapes.as_deref());
        let weights = regress::fit(&design, threads, &mut passes(generation, regress::PASSES, progress));
        game = Othello::new(Arc::new(Weights::new(weights.learnt())?));
        validation = errors(&game, &played.check);
        let (count, squares) = validation
            .iter()
            .fold((0, 0.0), |(n, s), e| (n + e.positions, s + e.positions as f64 * e.rmse * e.rmse));
        generations.push(Generation {
            depth: settings.depth_of(generation),
            games,
            positions: design.len() as u64,
            rmse: rounded((squares / count.max(1) as f64).sqrt()),
        });
        before = if generation == 0 { Vec::new() } else { played.learn };
    }
    let (weights, source) = (game.weights(), others.source.as_ref());
    let provenance = provenance_text(settings, weights, source, &generations, &validation)?;
    Ok(Trained { bytes: weights.to_bytes(), provenance })
}

/// The labelled positions of an archive; none of an empty one.
fn label_all(
    archive: &Archive,
    settings: &TrainSettings,
    progress: &mut dyn FnMut(Progress),
) -> Result<Labels, TrainError> {
    let total = archive.len() as u64;
    let mut report = |done| progress(Progress { generation: 0, phase: Phase::Archive, done, total });
    let labels = archive::labels(
        archive,
        settings.solve_empties,
        &Forbidden::built_in(&Othello::default(), |position| canonical(position.board()))?,
        settings.play.threads,
        &mut report,
    );
    let least = archive::VALIDATION_SHARE as u64;
    match &labels.source {
        Some(source) if source.games < least => Err(TrainError::Games { found: source.games, least }),
        _ => Ok(labels),
    }
}

/// Errors of the evaluation on labelled positions, by stage; stages without positions are left out.
fn errors(game: &Othello, samples: &[Sample]) -> Vec<StageError> {
    let mut sums = vec![[0.0f64; 4]; Othello::STAGES.len()];
    for sample in samples {
        let position = Position::new(sample.board, true);
        let Score(score) = game.evaluate(&position);
        let result = f64::from(sample.result);
        let sum = &mut sums[game.stage(&position)];
        let terms = [1.0, result, result * result, (f64::from(score) / 100.0 - result).powi(2)];
        sum.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
    }
    let stages = Othello::STAGES.iter().zip(sums).filter(|(_, [count, ..])| *count > 0.0);
    stages
        .map(|(stage, [count, sum, squares, errors])| StageError {
            stage: (*stage).to_string(),
            positions: count as u64,
            rmse: rounded((errors / count).sqrt()),
            r2: rounded(1.0 - errors / (squares - sum * sum / count).max(f64::MIN_POSITIVE)),
        })
        .collect()
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

/// What is written next to the weights: `archive` are the games of others that were learnt from in every generation,
/// `validation` the errors of the last generation on games not learnt from.
fn provenance_text(
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn small(threads: usize) -> TrainSettings {
        let play = SelfPlay { games: 24, seed: 9, threads, generations: 2 };
        TrainSettings { play, depth: 2, solve_empties: 7, trust: 85, shapes: None }
    }

    #[test]
    fn threads_change_nothing_and_seeds_do() {
        let reports = Cell::new(0);
        let trained =
            |threads| train(&small(threads), &Archive::default(), &mut |_| reports.set(reports.get() + 1));
        let one = Trained::on_any_threads(trained);
        assert!(reports.get() > 4);
        let mut other = small(1);
        other.play.seed = 10;
        let other = train(&other, &Archive::default(), &mut |_| {}).expect("valid settings");
        assert_ne!(one.bytes, other.bytes);
    }

    #[test]
    fn fewer_shapes_learn_less() {
        let play = SelfPlay { generations: 1, ..small(1).play };
        let learnt = |shapes| {
            let settings = TrainSettings { play: play.clone(), shapes, ..small(1) };
            let trained = train(&settings, &Archive::default(), &mut |_| {}).expect("valid settings");
            let weights = Weights::from_bytes(&trained.bytes).expect("a weight file");
            weights.learnt().patterns.iter().filter(|weight| **weight != 0).count()
        };
        let (grade, whole) = (learnt(Some(vec![2])), learnt(None));
        assert!(0 < grade && 2 * grade < whole);
    }

    #[test]
    fn settings_out_of_range_are_named() {
        let mut few = small(1);
        few.play.games = 3;
        let error = train(&few, &Archive::default(), &mut |_| {}).expect_err("too few games");
        assert_eq!(error.to_string(), "games is 3, expected 20 to 100,000,000");
        assert!(train(&TrainSettings { depth: -1, ..small(1) }, &Archive::default(), &mut |_| {}).is_err());
    }

    #[test]
    fn later_generations_play_deeper() {
        let settings = TrainSettings { depth: 4, ..TrainSettings::default() };
        assert_eq!((0..4).map(|g| settings.depth_of(g)).collect::<Vec<_>>(), [2, 2, 3, 4]);
    }
}
