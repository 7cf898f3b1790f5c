//! Training of the evaluation of EinStein würfelt nicht! by self-play: games, logistic regression, provenance.
//!
//! Everything follows from [`TrainSettings`]: the same ones give the same numbers on any number of threads. Games begin from layouts
//! drawn by lot and are played to the end. Positions of the built-in sets are never learnt from. Left out: exact values, which
//! cost more than the games.

mod regress;
mod selfplay;

use super::forbidden::Forbidden;
use super::logistic::EPOCHS;
use super::self_play::{
    STREAMS, SelfPlay, Trained, VALIDATION_SHARE, passes, play_all, provenance, section, validates,
};
use super::threads::shared_out;
use super::{Progress, TrainError, in_range, rounded};
use regress::Design;
use secateur_core::game::Notation;
use secateur_games::einstein::{Einstein, Position, Weights};
use selfplay::{Sample, Table};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a training run is determined by (and `threads`, which changes nothing but the time).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct TrainSettings {
    /// Generations play with the weights of the one before, the first with the race alone.
    #[serde(flatten)]
    pub play: SelfPlay,
    /// Search depth of the games, moves.
    pub depth: i32,
    /// How far a label trusts what came later over the search at hand, per cent; 100 learns results alone.
    pub trust: u32,
}

impl Default for TrainSettings {
    fn default() -> TrainSettings {
        let play = SelfPlay { games: 10_000, seed: 1, threads: 1, generations: 2 };
        TrainSettings { play, depth: 3, trust: 80 }
    }
}

impl TrainSettings {
    fn check(&self) -> Result<(), TrainError> {
        in_range("games", self.play.games.into(), 40, 10_000_000, "40 to 10,000,000")?;
        self.play.check()?;
        in_range("depth", self.depth.max(0) as u64, 1, 20, "1 to 20")?;
        in_range("trust", self.trust.into(), 0, 100, "0 to 100")
    }
}

/// One generation of self-play and its regression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Generation {
    /// Positions learnt from, before a throw and after it.
    pub positions: u64,
    /// Positions of the validation games.
    pub validation: u64,
    /// Cross entropy of the results of the validation games, nats a position, by the weights as they are written.
    pub loss: f64,
    /// The same of a prediction by the race alone, with its best curves.
    pub loss_of_race: f64,
}

/// Trains weights from the race, by self-play.
///
/// # Errors
/// [`TrainError::Setting`] before anything is played if a setting is out of range; a built-in set that is broken.
pub fn train(settings: &TrainSettings, progress: &mut dyn FnMut(Progress)) -> Result<Trained, TrainError> {
    settings.check()?;
    let left_out = Forbidden::built_in(&Einstein::default(), stones)?;
    let SelfPlay { seed, threads, generations: count, .. } = settings.play;
    let mut weights = usable(Weights::race())?;
    let mut generations = Vec::new();
    for generation in 0..count {
        let game = Einstein::new(Arc::clone(&weights));
        let teaches = |sample: &Sample| !left_out.contains(&stones(&sample.position));
        let played = play_all(&settings.play, (generation, 512), progress, teaches, |numbers| {
            let table = || Table::new(&game, settings, generation);
            // Labels of validation games are results.
            let trust = |number| if validates(number) { 100 } else { settings.trust };
            Ok(shared_out(numbers, threads, table, |table, &number| table.play(number, trust(number))))
        })?;
        let design = Design::new(&played.learn, seed);
        let found = regress::fit(&design, &mut passes(generation, EPOCHS, progress));
        let check = Design::new(&played.check, seed);
        let learnt = regress::learnt(&found);
        generations.push(Generation {
            positions: design.len() as u64,
            validation: check.len() as u64,
            loss: rounded(check.loss(&regress::logits(&learnt))),
            loss_of_race: rounded(check.loss(&regress::race(&design))),
        });
        weights = usable(learnt)?;
    }
    let sections = [section("settings", settings)?, section("generation", &generations)?];
    let provenance = provenance(&head(settings, &weights, &left_out), &sections);
    Ok(Trained { bytes: weights.to_bytes(), provenance })
}

fn usable(learnt: Vec<i16>) -> Result<Arc<Weights>, TrainError> {
    let wrong = TrainError::Setting { name: "weights", value: 0, expected: "as many as there are terms" };
    Weights::new(learnt).map(Arc::new).ok_or(wrong)
}

/// A position up to symmetry and the throw: what is judged after one throw is not learnt from before it or after another.
fn stones(position: &Position) -> String {
    Einstein::default().canonical(&position.with_die(0))
}

/// What provenance says before its figures. With other sets the same games give other weights, so it tells which
/// positions were left out.
fn head(
    settings: &TrainSettings,
    weights: &Weights,
    left_out: &Forbidden<String>,
) -> [(&'static str, String); 6] {
    let TrainSettings { play, depth, trust } = settings;
    let command = format!("cargo xtask train einstein{} --depth {depth} --trust {trust}", play.options());
    let scheme = format!(
        "layouts drawn by lot, 0 to {} random moves, then full-width play to the depth until the end; every position after them, before \
         the throw and after it, is labelled with the value of the search mixed with the label of the next, the latter {trust} in a hundred, and the \
         last with the result; the stones of the built-in sets are left out, whatever is thrown; 1 game in {VALIDATION_SHARE} validates, by results alone",
        selfplay::RANDOM_MOST
    );
    let (count, hash) = left_out.identity();
    [
        ("command", command),
        ("weights", format!("{:016x}", weights.id())),
        ("scheme", scheme),
        ("streams", STREAMS.to_owned()),
        ("left-out", format!("{count} positions of the built-in sets without their throws, {hash}")),
        ("regression", regress::described()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small(threads: usize) -> TrainSettings {
        let play = SelfPlay { games: 2_000, seed: 9, threads, generations: 1 };
        TrainSettings { play, depth: 1, trust: 80 }
    }

    #[test]
    fn threads_change_nothing_and_something_is_learnt() {
        let one = Trained::on_any_threads(|threads| train(&small(threads), &mut |_| {}));
        let last = one.last::<Generation>("generation");
        assert!(
            last.loss < last.loss_of_race && last.positions > 25_000 && last.validation > 1_000,
            "{last:?}"
        );
    }

    #[test]
    fn settings_out_of_range_are_named() {
        let error = train(&TrainSettings { trust: 101, ..small(1) }, &mut |_| {}).expect_err("too much");
        assert_eq!(error.to_string(), "trust is 101, expected 0 to 100");
    }
}
