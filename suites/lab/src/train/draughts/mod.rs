//! Training of the draughts evaluation by self-play: games, logistic regression of their results, provenance.
//!
//! Everything follows from [`TrainSettings`]: the same ones give the same weights on any number of threads. A game ends by
//! the rules, after 40 plies without progress, or where the endgame database knows its result.
//! Positions that sets may hold are never learnt from ([`Evaluation::is_reserved`]).

mod regress;
mod selfplay;

use super::logistic::EPOCHS;
use super::self_play::{STREAMS, SelfPlay, Trained, VALIDATION_SHARE, passes, play_all, provenance, section};
use super::threads::shared_out;
use super::{Phase, Progress, TrainError, in_range, rounded};
use regress::Design;
use secateur_core::game::Evaluation;
use secateur_games::draughts::endgame::{Database, MOST_PIECES};
use secateur_games::draughts::{Draughts, Weights};
use selfplay::{Sample, Table};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a training run is determined by (and `threads`, which changes nothing but the time).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct TrainSettings {
    /// Generations play with the weights of the one before, the first with material alone.
    #[serde(flatten)]
    pub play: SelfPlay,
    /// Search depth of the games, plies.
    pub depth: i32,
    /// Pieces from which on results are exact, 2 to [`MOST_PIECES`].
    pub pieces: usize,
}

impl Default for TrainSettings {
    fn default() -> TrainSettings {
        let play = SelfPlay { games: 20_000, seed: 1, threads: 1, generations: 3 };
        TrainSettings { play, depth: 4, pieces: 5 }
    }
}

impl TrainSettings {
    fn check(&self) -> Result<(), TrainError> {
        in_range("games", self.play.games.into(), 40, 10_000_000, "40 to 10,000,000")?;
        self.play.check()?;
        in_range("depth", self.depth.max(0) as u64, 1, 20, "1 to 20")?;
        in_range("pieces", self.pieces as u64, 2, MOST_PIECES as u64, "2 to 6")
    }
}

/// One generation of self-play and its regression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Generation {
    /// Positions learnt from: of this generation and the one before, except generation 0.
    pub positions: u64,
    /// Games won by either side, of a thousand.
    pub decided: u32,
    /// Cross entropy of the results of the validation games, nats a position.
    pub loss: f64,
    /// The same of a prediction by material alone, with its best factor.
    pub loss_of_material: f64,
}

/// Trains weights from nothing, by self-play.
///
/// # Errors
/// [`TrainError::Setting`] before anything is played if a setting is out of range.
pub fn train(settings: &TrainSettings, progress: &mut dyn FnMut(Progress)) -> Result<Trained, TrainError> {
    settings.check()?;
    let database = Arc::new(Database::build(settings.pieces, &mut |done, total| {
        let (done, total) = (done as u64, total as u64);
        progress(Progress { generation: 0, phase: Phase::Archive, done, total });
    }));
    let SelfPlay { games, seed, threads, generations: count } = settings.play;
    let mut weights = Arc::new(Weights::material());
    let mut generations = Vec::new();
    let mut before: Vec<Sample> = Vec::new();
    for generation in 0..count {
        let game = Draughts::new(Arc::clone(&weights)).with_database(Arc::clone(&database));
        let mut won = 0;
        let teaches = |sample: &Sample| !game.is_reserved(&sample.position());
        let played = play_all(&settings.play, (generation, 512), progress, teaches, |numbers| {
            let table = || Table::new(&game, settings, generation);
            let games = shared_out(numbers, threads, table, |table, &number| table.play(number));
            won += games.iter().filter(|(_, decided)| *decided).count();
            Ok(games.into_iter().map(|(samples, _)| samples).collect())
        })?;
        let design = Design::new(before.iter().chain(&played.learn), seed);
        let found = regress::fit(&design, &mut passes(generation, EPOCHS, progress));
        let check = Design::new(played.check.iter(), seed);
        generations.push(Generation {
            positions: design.len() as u64,
            decided: (1_000 * won as u64 / u64::from(games)) as u32,
            loss: rounded(check.loss(&found)),
            loss_of_material: rounded(check.loss(&regress::material(&design))),
        });
        weights = Arc::new(Weights::new(regress::learnt(&found, &design))?);
        // The games of material alone are too far from good play.
        before = if generation == 0 { Vec::new() } else { played.learn };
    }
    let sections = [section("settings", settings)?, section("generation", &generations)?];
    Ok(Trained { bytes: weights.to_bytes(), provenance: provenance(&head(settings, &weights), &sections) })
}

/// What provenance says before its figures.
fn head(settings: &TrainSettings, weights: &Weights) -> [(&'static str, String); 5] {
    let TrainSettings { play, depth, pieces } = settings;
    let command = format!("cargo xtask train draughts{} --depth {depth} --pieces {pieces}", play.options());
    let scheme = format!(
        "random opening of {} to {} plies, full-width play to the depth, after {} plies without progress won by who is \
         {} hundredths of a man ahead and else drawn, exact from {pieces} pieces on; every position after the opening in which nothing must be taken is labelled with \
         the result; positions that sets may hold are left out; 1 game in {VALIDATION_SHARE} validates",
        selfplay::OPENING_LEAST,
        selfplay::OPENING_MOST,
        selfplay::PATIENCE,
        selfplay::CLEARLY,
    );
    [
        ("command", command),
        ("weights", format!("{:016x}", weights.id())),
        ("scheme", scheme),
        ("streams", STREAMS.to_owned()),
        ("regression", regress::described()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small(threads: usize) -> TrainSettings {
        let play = SelfPlay { games: 60, seed: 9, threads, generations: 2 };
        TrainSettings { play, depth: 1, pieces: 2 }
    }

    #[test]
    fn threads_change_nothing_and_something_is_learnt() {
        let one = Trained::on_any_threads(|threads| train(&small(threads), &mut |_| {}));
        let last = one.last::<Generation>("generation");
        assert!(last.loss < last.loss_of_material && last.positions > 500 && last.decided > 0, "{last:?}");
    }

    #[test]
    fn settings_out_of_range_are_named() {
        let error = train(&TrainSettings { pieces: 7, ..small(1) }, &mut |_| {}).expect_err("too many");
        assert_eq!(error.to_string(), "pieces is 7, expected 2 to 6");
    }
}
