//! Training of the learnt evaluation of EinStein würfelt nicht! by self-play: games, logistic regression, provenance.
//!
//! Everything follows from [`TrainSettings`]: the same ones give the same numbers on any number of threads. Games begin from layouts
//! drawn by lot and are played to the end. Positions of the built-in sets are never learnt from. Left out: exact values, which
//! cost more than the games.

mod regress;
mod selfplay;

use super::threads::shared_out;
use super::{Phase, Progress, TrainError, in_range, rounded};
use regress::{Design, EPOCHS};
use secateur_core::game::Notation;
use secateur_games::einstein::{Einstein, Learnt, Position, Weights};
use secateur_positions::{Fnv, builtins};
use selfplay::{Sample, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
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
    /// Generations of self-play, each with the weights of the one before; the first with the race alone.
    pub generations: u32,
    /// Search depth of the games, moves.
    pub depth: i32,
    /// How far a label trusts what came later over the search at hand, per cent; 100 learns results alone.
    pub trust: u32,
}

impl Default for TrainSettings {
    fn default() -> TrainSettings {
        TrainSettings { games: 10_000, seed: 1, threads: 1, generations: 2, depth: 3, trust: 80 }
    }
}

impl TrainSettings {
    fn check(&self) -> Result<(), TrainError> {
        in_range("games", self.games.into(), 40, 10_000_000, "40 to 10,000,000")?;
        in_range("threads", self.threads as u64, 1, 1_024, "1 to 1,024")?;
        in_range("generations", self.generations.into(), 1, 100, "1 to 100")?;
        in_range("depth", self.depth.max(0) as u64, 1, 20, "1 to 20")?;
        in_range("trust", self.trust.into(), 0, 100, "0 to 100")
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
    /// How games begin and end, and what labels are.
    pub scheme: String,
    /// Which random numbers are used.
    pub streams: String,
    /// Number and hash of the positions that are not learnt from: with other sets the same games give other weights.
    pub left_out: String,
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
    // An entry of a loaded set is a position of the game.
    let entries = builtins(&Einstein)?.into_iter().flat_map(|set| set.entries);
    let positions = entries.filter_map(|entry| Einstein.parse(&entry.position).ok());
    let kept_out: BTreeSet<String> = positions.map(|position| stones(&position)).collect();
    let wrong = || TrainError::Setting { name: "weights", value: 0, expected: "as many as there are terms" };
    let mut weights = Arc::new(Weights::new(Weights::race()).ok_or_else(wrong)?);
    let mut generations = Vec::new();
    for generation in 0..settings.generations {
        let game = Learnt::with(Arc::clone(&weights));
        let (learn, check) = play_all(&game, settings, generation, &kept_out, progress);
        let design = Design::new(&learn, settings.seed);
        let mut told = |done: usize| {
            let (done, total) = (done as u64, EPOCHS as u64);
            progress(Progress { generation, phase: Phase::Passes, done, total });
        };
        let found = regress::fit(&design, &mut told);
        let check = Design::new(&check, settings.seed);
        let learnt = regress::learnt(&found);
        generations.push(Generation {
            positions: design.len() as u64,
            validation: check.len() as u64,
            loss: rounded(check.loss(&regress::logits(&learnt))),
            loss_of_race: rounded(check.loss(&regress::race(&design))),
        });
        weights = Arc::new(Weights::new(learnt).ok_or_else(wrong)?);
    }
    Ok(Trained { provenance: provenance(settings, &weights, generations, &kept_out), weights })
}

/// A position up to symmetry and the throw: what is judged after one throw is not learnt from before it or after another.
fn stones(position: &Position) -> String {
    Einstein.canonical(&position.with_die(0))
}

/// The samples of a generation: those to learn from, and those of validation games, whose labels are results.
fn play_all(
    game: &Learnt,
    settings: &TrainSettings,
    generation: u32,
    kept_out: &BTreeSet<String>,
    progress: &mut dyn FnMut(Progress),
) -> (Vec<Sample>, Vec<Sample>) {
    let (mut learn, mut check) = (Vec::new(), Vec::new());
    let mut first = 0;
    while first < settings.games {
        let last = settings.games.min(first + BLOCK);
        let numbers: Vec<u32> = (first..last).collect();
        let table = || Table::new(game, settings, generation);
        let play = |table: &mut Table<'_>, &number: &u32| {
            let trust = if number.is_multiple_of(VALIDATION_SHARE) { 100 } else { settings.trust };
            table.play(number, trust)
        };
        let block = shared_out(&numbers, settings.threads, table, play);
        for (number, samples) in (first..).zip(block) {
            let into = if number.is_multiple_of(VALIDATION_SHARE) { &mut check } else { &mut learn };
            into.extend(samples.into_iter().filter(|sample| !kept_out.contains(&stones(&sample.position))));
        }
        first = last;
        let (done, total) = (u64::from(last), u64::from(settings.games));
        progress(Progress { generation, phase: Phase::Games, done, total });
    }
    (learn, check)
}

fn provenance(
    settings: &TrainSettings,
    weights: &Weights,
    generations: Vec<Generation>,
    kept_out: &BTreeSet<String>,
) -> Provenance {
    let mut hash = Fnv::default();
    for position in kept_out {
        hash.bytes(position.as_bytes()).bytes(b"\n");
    }
    let TrainSettings { games, seed, generations: count, depth, trust, .. } = settings;
    Provenance {
        command: format!(
            "cargo xtask train einstein --games {games} --seed {seed} --generations {count} --depth {depth} --trust {trust}"
        ),
        weights: format!("{:016x}", weights.id()),
        scheme: format!(
            "layouts drawn by lot, 0 to {} random moves, then full-width play to the depth until the end; every position after them, before \
             the throw and after it, is labelled with the value of the search mixed with the label of the next, the latter {trust} in a hundred, and the \
             last with the result; the stones of the built-in sets are left out, whatever is thrown; 1 game in {VALIDATION_SHARE} validates, by results alone",
            selfplay::RANDOM_MOST
        ),
        streams: "ChaCha8, seeded with the seed, stream generation * 2^32 + game".to_owned(),
        left_out: format!(
            "{} positions of the built-in sets without their throws, {}",
            kept_out.len(),
            hash.hex()
        ),
        regression: regress::described(),
        settings: settings.clone(),
        generations,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small(threads: usize) -> TrainSettings {
        TrainSettings { games: 2_000, seed: 9, threads, generations: 1, depth: 1, trust: 80 }
    }

    #[test]
    fn threads_change_nothing_and_something_is_learnt() {
        let one = train(&small(1), &mut |_| {}).expect("valid settings");
        let two = train(&small(2), &mut |_| {}).expect("valid settings");
        assert_eq!(one.weights.to_bytes(), two.weights.to_bytes());
        let last = one.provenance.generations.last().expect("a generation");
        assert!(
            last.loss < last.loss_of_race && last.positions > 25_000 && last.validation > 1_000,
            "{last:?}"
        );
        assert_eq!(one.provenance.generations, two.provenance.generations);
    }

    #[test]
    fn settings_out_of_range_are_named() {
        let error = train(&TrainSettings { trust: 101, ..small(1) }, &mut |_| {}).expect_err("too much");
        assert_eq!(error.to_string(), "trust is 101, expected 0 to 100");
    }
}
