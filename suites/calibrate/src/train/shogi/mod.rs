//! Training of the shogi evaluation by self-play: games, logistic regression of their results, provenance.
//!
//! Everything follows from [`TrainSettings`]: the same ones give the same weights on any number of threads. Positions that sets
//! may hold are never learnt from ([`Evaluation::is_reserved`]).

mod regress;
mod selfplay;

use super::logistic::EPOCHS;
use super::self_play::{STREAMS, SelfPlay, Trained, VALIDATION_SHARE, passes, play_all, provenance, section};
use super::threads::shared_out;
use super::{Progress, TrainError, in_range, rounded};
use regress::Design;
use secateur_core::game::Evaluation;
use secateur_games::shogi::{Shogi, Weights};
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
    /// Whether what squares are worth is learnt as well. A few thousand games do not bear it: games that were not learnt from are
    /// then predicted worse than by the numbers of pieces alone.
    pub squares: bool,
}

impl Default for TrainSettings {
    fn default() -> TrainSettings {
        let play = SelfPlay { games: 600, seed: 1, threads: 1, generations: 1 };
        TrainSettings { play, depth: 2, squares: false }
    }
}

impl TrainSettings {
    fn check(&self) -> Result<(), TrainError> {
        in_range("games", self.play.games.into(), 40, 10_000_000, "40 to 10,000,000")?;
        self.play.check()?;
        in_range("depth", self.depth.max(0) as u64, 1, 20, "1 to 20")
    }
}

/// One generation of self-play and its regression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Generation {
    /// Positions learnt from: of this generation and the one before, except generation 0.
    pub positions: u64,
    /// Positions of the validation games.
    pub validation: u64,
    /// Games won by either side, of a thousand.
    pub decided: u32,
    /// Cross entropy of the results of the validation games, nats a position, by the weights as they are written.
    pub loss: f64,
    /// The same of a prediction by the worth of pieces that training begins with, at its best scale.
    pub loss_of_material: f64,
}

/// Trains weights from material, by self-play.
///
/// # Errors
/// [`TrainError::Setting`] before anything is played if a setting is out of range.
pub fn train(settings: &TrainSettings, progress: &mut dyn FnMut(Progress)) -> Result<Trained, TrainError> {
    settings.check()?;
    let SelfPlay { games, seed, threads, generations: count } = settings.play;
    let mut weights = Arc::new(Weights::material());
    let mut generations = Vec::new();
    let mut before: Vec<Sample> = Vec::new();
    for generation in 0..count {
        let game = Shogi::new(Arc::clone(&weights));
        let mut won = 0;
        let teaches = |sample: &Sample| !game.is_reserved(&sample.position);
        let played = play_all(&settings.play, (generation, 128), progress, teaches, |numbers| {
            let table = || Table::new(&game, settings, generation);
            let games = shared_out(numbers, threads, table, |table, &number| table.play(number));
            won += games.iter().filter(|(_, decided)| *decided).count();
            Ok(games.into_iter().map(|(samples, _)| samples).collect())
        })?;
        let design = Design::new(before.iter().chain(&played.learn), seed);
        let found = regress::fit(&design, settings.squares, &mut passes(generation, EPOCHS, progress));
        let check = Design::new(played.check.iter(), seed);
        let (learnt, factor) = regress::learnt(&found, &design);
        generations.push(Generation {
            positions: design.len() as u64,
            validation: check.len() as u64,
            decided: (1_000 * won as u64 / u64::from(games)) as u32,
            loss: rounded(check.loss(&regress::logits(&learnt, factor))),
            loss_of_material: rounded(check.loss(&regress::material(&design))),
        });
        weights = Arc::new(Weights::new(learnt)?);
        // The games of material alone are too far from good play.
        before = if generation == 0 { Vec::new() } else { played.learn };
    }
    let sections = [section("settings", settings)?, section("generation", &generations)?];
    Ok(Trained { bytes: weights.to_bytes(), provenance: provenance(&head(settings, &weights), &sections) })
}

/// What provenance says before its figures.
fn head(settings: &TrainSettings, weights: &Weights) -> [(&'static str, String); 5] {
    let TrainSettings { play, depth, squares } = settings;
    let command = format!(
        "cargo xtask train shogi{} --depth {depth}{}",
        play.options(),
        if *squares { " --squares" } else { "" }
    );
    let scheme = format!(
        "random opening of {} to {} plies, full-width play to the depth; after {} plies without another end, and at the fourth \
         occurrence of a position unless checks led to it, drawn; every position after the opening in which the side to move \
         is not in check and neither takes nor promotes next is labelled with the result; positions that sets may hold are left out; 1 game in {VALIDATION_SHARE} validates",
        selfplay::OPENING_LEAST,
        selfplay::OPENING_MOST,
        selfplay::LONGEST,
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
        let play = SelfPlay { games: 80, seed: 9, threads, generations: 1 };
        TrainSettings { play, depth: 2, squares: false }
    }

    #[test]
    fn threads_change_nothing_and_something_is_learnt() {
        let one = Trained::on_any_threads(|threads| train(&small(threads), &mut |_| {}));
        let last = one.last::<Generation>("generation");
        // Who knows nothing has a loss of ln 2.
        assert!(last.loss < 0.69 && last.positions > 2_000 && last.decided > 300, "{last:?}");
        // So few games do not bear thousands of weights, but they move.
        let squares =
            train(&TrainSettings { squares: true, ..small(2) }, &mut |_| {}).expect("valid settings");
        assert_ne!(squares.bytes, one.bytes);
    }

    #[test]
    fn settings_out_of_range_are_named() {
        let error = train(&TrainSettings { depth: 0, ..small(1) }, &mut |_| {}).expect_err("too few");
        assert_eq!(error.to_string(), "depth is 0, expected 1 to 20");
    }
}
