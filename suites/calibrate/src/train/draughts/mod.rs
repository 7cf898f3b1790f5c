//! Training of the draughts evaluation by self-play: games, logistic regression of their results, provenance.
//!
//! Everything follows from [`TrainSettings`]: the same ones give the same weights on any number of threads. A game ends by
//! the rules, after 40 plies without progress, or where the endgame database knows its result.
//! Positions that sets may hold are never learnt from ([`Evaluation::is_reserved`]).

mod regress;
mod selfplay;

use super::threads::shared_out;
use super::{Phase, Progress, TrainError, in_range, rounded};
use regress::{Design, EPOCHS};
use secateur_core::game::Evaluation;
use secateur_games::draughts::endgame::{Database, MOST_PIECES};
use secateur_games::draughts::{Draughts, Weights};
use selfplay::{Sample, Table};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Games between two reports of progress.
const BLOCK: u32 = 512;
/// One game in this many is kept for validation and never learnt from.
const VALIDATION_SHARE: u32 = 20;

/// What a training run is determined by (and `threads`, which changes nothing but the time).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct TrainSettings {
    /// Self-play games of each generation.
    pub games: u32,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// Generations of self-play, each with the weights of the one before; the first with material alone.
    pub generations: u32,
    /// Search depth of the games, plies.
    pub depth: i32,
    /// Pieces from which on results are exact, 2 to [`MOST_PIECES`].
    pub pieces: usize,
}

impl Default for TrainSettings {
    fn default() -> TrainSettings {
        TrainSettings { games: 20_000, seed: 1, threads: 1, generations: 3, depth: 4, pieces: 5 }
    }
}

impl TrainSettings {
    fn check(&self) -> Result<(), TrainError> {
        in_range("games", self.games.into(), 40, 10_000_000, "40 to 10,000,000")?;
        in_range("threads", self.threads as u64, 1, 1_024, "1 to 1,024")?;
        in_range("generations", self.generations.into(), 1, 100, "1 to 100")?;
        in_range("depth", self.depth.max(0) as u64, 1, 20, "1 to 20")?;
        in_range("pieces", self.pieces as u64, 2, MOST_PIECES as u64, "2 to 6")
    }
}

/// A finished training.
#[derive(Debug)]
pub struct Trained {
    /// The weights of the last generation; [`Weights::to_bytes`] makes the file.
    pub weights: Arc<Weights>,
    /// Where they come from, to be written next to them.
    pub provenance: Provenance,
}

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
    /// How weights are found.
    pub regression: String,
    /// The settings.
    pub settings: TrainSettings,
    /// What each generation came to.
    #[serde(rename = "generation")]
    pub generations: Vec<Generation>,
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
    let mut weights = Arc::new(Weights::material());
    let mut generations = Vec::new();
    let mut before: Vec<Sample> = Vec::new();
    for generation in 0..settings.generations {
        let game = Draughts::new(Arc::clone(&weights)).with_database(Arc::clone(&database));
        let Played { learn, check, decided } = play_all(&game, settings, generation, progress);
        let design = Design::new(before.iter().chain(&learn), settings.seed);
        let mut told = |done: usize| {
            let (done, total) = (done as u64, EPOCHS as u64);
            progress(Progress { generation, phase: Phase::Passes, done, total });
        };
        let found = regress::fit(&design, &mut told);
        let check = Design::new(check.iter(), settings.seed);
        generations.push(Generation {
            positions: design.len() as u64,
            decided: (1_000 * u64::from(decided) / u64::from(settings.games)) as u32,
            loss: rounded(check.loss(&found)),
            loss_of_material: rounded(check.loss(&regress::material(&design))),
        });
        weights = Arc::new(Weights::new(regress::learnt(&found, &design))?);
        // The games of material alone are too far from good play.
        before = if generation == 0 { Vec::new() } else { learn };
    }
    Ok(Trained { provenance: provenance(settings, &weights, generations), weights })
}

/// The games of a generation.
struct Played {
    learn: Vec<Sample>,
    check: Vec<Sample>,
    /// Games that somebody won.
    decided: u32,
}

fn play_all(
    game: &Draughts,
    settings: &TrainSettings,
    generation: u32,
    progress: &mut dyn FnMut(Progress),
) -> Played {
    let mut played = Played { learn: Vec::new(), check: Vec::new(), decided: 0 };
    let mut first = 0;
    while first < settings.games {
        let last = settings.games.min(first + BLOCK);
        let numbers: Vec<u32> = (first..last).collect();
        let table = || Table::new(game, settings, generation);
        let block = shared_out(&numbers, settings.threads, table, |table, &number| table.play(number));
        for (number, (samples, decided)) in (first..).zip(block) {
            played.decided += u32::from(decided);
            let into = if number % VALIDATION_SHARE == 0 { &mut played.check } else { &mut played.learn };
            into.extend(samples.into_iter().filter(|sample| !game.is_reserved(&sample.position())));
        }
        first = last;
        let (done, total) = (u64::from(last), u64::from(settings.games));
        progress(Progress { generation, phase: Phase::Games, done, total });
    }
    played
}

fn provenance(settings: &TrainSettings, weights: &Weights, generations: Vec<Generation>) -> Provenance {
    let TrainSettings { games, seed, generations: count, depth, pieces, .. } = settings;
    Provenance {
        command: format!(
            "cargo xtask train draughts --games {games} --seed {seed} --generations {count} --depth {depth} --pieces {pieces}"
        ),
        weights: format!("{:016x}", weights.id()),
        scheme: format!(
            "random opening of {} to {} plies, full-width play to the depth, after {} plies without progress won by who is \
             {} hundredths of a man ahead and else drawn, exact from {pieces} pieces on; every position after the opening in which nothing must be taken is labelled with \
             the result; positions that sets may hold are left out; 1 game in {VALIDATION_SHARE} validates",
            selfplay::OPENING_LEAST,
            selfplay::OPENING_MOST,
            selfplay::PATIENCE,
            selfplay::CLEARLY,
        ),
        streams: "ChaCha8, seeded with the seed, stream generation * 2^32 + game".to_owned(),
        regression: regress::described(),
        settings: settings.clone(),
        generations,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small(threads: usize) -> TrainSettings {
        TrainSettings { games: 60, seed: 9, threads, generations: 2, depth: 1, pieces: 2 }
    }

    #[test]
    fn threads_change_nothing_and_something_is_learnt() {
        let one = train(&small(1), &mut |_| {}).expect("valid settings");
        let two = train(&small(2), &mut |_| {}).expect("valid settings");
        assert_eq!(one.weights.to_bytes(), two.weights.to_bytes());
        let last = one.provenance.generations.last().expect("two generations");
        assert!(last.loss < last.loss_of_material && last.positions > 500 && last.decided > 0, "{last:?}");
        assert_eq!(one.provenance.generations, two.provenance.generations);
    }

    #[test]
    fn settings_out_of_range_are_named() {
        let error = train(&TrainSettings { pieces: 7, ..small(1) }, &mut |_| {}).expect_err("too many");
        assert_eq!(error.to_string(), "pieces is 7, expected 2 to 6");
    }
}
