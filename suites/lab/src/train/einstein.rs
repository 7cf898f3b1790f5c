//! Training of the evaluation of EinStein würfelt nicht! by self-play: games, logistic regression, provenance.
//!
//! Everything follows from [`TrainSettings`]: the same ones give the same numbers on any number of threads. A game is a function of the
//! seed, its generation and its number alone. It begins from a layout drawn by lot and is played to the end, after some random moves to
//! a fixed depth. Labels go back from the result: each is the value of the search at hand mixed with what came after it. Positions of the
//! built-in sets are never learnt from. Left out: exact values, which cost more than the games.

use super::logistic::{EPOCHS, Labelled, Rows};
use super::self_play::{
    Forbidden, STREAMS, SelfPlay, Trained, VALIDATION_SHARE, below, passes, play_all, validates,
};
use super::{Progress, TrainError, logistic, rounded};
use rand_chacha::ChaCha8Rng;
use secateur_core::Rules;
use secateur_core::game::{Notation, thrown};
use secateur_core::search::Budget;
use secateur_games::einstein::evaluation::{LOGIT, ONCE, RACE, terms};
use secateur_games::einstein::{Einstein, Position, WIN, Weights};
use secateur_suites::sample::gather::Player;
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
    let (depth, trust) = (settings.depth.max(0) as u64, settings.trust.into());
    settings.play.check(40..=10_000_000, [("depth", depth, 1..=20), ("trust", trust, 0..=100)])?;
    let left_out = Forbidden::built_in(&Einstein::default(), stones)?;
    let SelfPlay { seed, generations: count, .. } = settings.play;
    let mut weights = usable(Weights::race())?;
    let mut generations = Vec::new();
    for generation in 0..count {
        let game = Einstein::new(Arc::clone(&weights));
        let teaches = |sample: &Sample| !left_out.contains(&stones(&sample.position));
        let played = play_all(&settings.play, (generation, 512), progress, teaches, |numbers| {
            // Labels of validation games are results.
            let trust = |number| if validates(number) { 100 } else { settings.trust };
            let table = || Player::new(&game);
            Ok(settings.play.play(generation, numbers, table, |player, number, rng| {
                play(player, settings, trust(number), rng)
            }))
        })?;
        let [learn, check] = [&played.learn, &played.check].map(|samples| design(samples, seed));
        let start = || logits(&Weights::race());
        let learnt = learnt(&learn.fit(start(), |_| true, &mut passes(generation, EPOCHS, progress)));
        // The best curves over the race alone: what a prediction is worth that knows nothing else.
        let race = learn.fit(start(), |weight| weight < RACE, &mut |_| {});
        generations.push(Generation {
            positions: learn.len() as u64,
            validation: check.len() as u64,
            loss: rounded(check.loss(&logits(&learnt))),
            loss_of_race: rounded(check.loss(&race)),
        });
        weights = usable(learnt)?;
    }
    Trained::of(weights.to_bytes(), &head(settings, &weights, &left_out), settings, &generations)
}

fn usable(learnt: Vec<i16>) -> Result<Arc<Weights>, TrainError> {
    let wrong =
        TrainError::Setting { name: "weights", value: 0, expected: "as many as there are terms".to_owned() };
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
        RANDOM_MOST
    );
    let (count, hash) = left_out.identity();
    [
        ("command", command),
        ("weights", format!("{:016x}", weights.id())),
        ("scheme", scheme),
        ("streams", STREAMS.to_owned()),
        ("left-out", format!("{count} positions of the built-in sets without their throws, {hash}")),
        ("regression", format!("logistic, from the race, {}", logistic::described())),
    ]
}

/// Rows with the winning probability that they teach.
type Design = Rows<f32, f32>;

impl Labelled<1> for f32 {
    fn shares(&self) -> [f32; 1] {
        [1.0]
    }

    fn result(&self) -> f32 {
        *self
    }
}

/// The positions as rows of the regression.
fn design(samples: &[Sample], seed: u64) -> Design {
    let mut design = Design::default();
    for sample in samples {
        let mut all = Vec::new();
        terms(&sample.position, |weight, count| all.push((weight as u16, count as f32 / ONCE as f32)));
        design.push(sample.won, all);
    }
    design.shuffle(seed);
    design
}

/// Logits of weights in the units of a file, so that a loss is that of what is written.
fn logits(learnt: &[i16]) -> Vec<[f32; 1]> {
    learnt.iter().map(|&weight| [f32::from(weight) / LOGIT as f32]).collect()
}

/// In the units of a weight file.
fn learnt(logits: &[[f32; 1]]) -> Vec<i16> {
    let most = f32::from(i16::MAX);
    logits.iter().map(|[weight]| (weight * LOGIT as f32).round().clamp(-most, most) as i16).collect()
}

/// Most random moves that a game begins with.
const RANDOM_MOST: u32 = 6;

/// One labelled position.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sample {
    /// The position, before a throw or after it.
    position: Position,
    /// Winning probability of the side to throw or to move.
    won: f32,
}

/// Plays one game; labels trust what came later so many per cent.
fn play(
    player: &mut Player<'static, Einstein>,
    settings: &TrainSettings,
    trust: u32,
    rng: &mut ChaCha8Rng,
) -> Vec<Sample> {
    let mut below = |bound: u32| below(rng, bound.into()) as u32;
    let game = player.game().clone();
    let layout = game.layout(&mut below).expect("a game with layouts");
    let mut position = game.parse(&layout).expect("a layout is a position");
    let mut random = below(RANDOM_MOST + 1);
    let depth = Budget::Depth(settings.depth);
    let mut turns: Vec<(Position, Position, f32)> = Vec::with_capacity(40);
    while game.ending(&position, 1).is_none() {
        let after = thrown(&game, &position, &mut below);
        let mv = if random > 0 {
            random -= 1;
            let moves = player.moves(&after);
            moves[below(moves.len() as u32) as usize]
        } else {
            let (mv, value) = player.best(&after, &depth).expect("a position with moves");
            turns.push((position, after, won(value.0)));
            mv
        };
        position = game.play(&after, mv);
    }
    labelled(&turns, trust as f32 / 100.0)
}

/// The winning probability that a score is.
fn won(score: i32) -> f32 {
    (score as f32 / WIN as f32 + 1.0) / 2.0
}

/// Positions before and after each throw with their labels, from the last to the first. Who made the last move has won.
fn labelled(turns: &[(Position, Position, f32)], trust: f32) -> Vec<Sample> {
    let mut samples = Vec::with_capacity(2 * turns.len());
    let mut later = 1.0;
    for &(before, after, searched) in turns.iter().rev() {
        let label = trust * later + (1.0 - trust) * searched;
        samples.extend([before, after].map(|position| Sample { position, won: label }));
        later = 1.0 - label;
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::self_play::stream;

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

    #[test]
    fn a_game_depends_on_its_number_alone_and_one_side_wins_it() {
        let settings = TrainSettings { depth: 1, ..TrainSettings::default() };
        let game = Einstein::new(Arc::new(Weights::new(Weights::race()).unwrap()));
        let mut sides = [0; 2];
        let played = |generation, number| {
            play(&mut Player::new(&game), &settings, 100, &mut stream(settings.play.seed, generation, number))
        };
        for number in 0..12 {
            let samples = played(0, number);
            assert_eq!(samples, played(0, number));
            assert_ne!(samples, played(1, number));
            let winner = |sample: &Sample| {
                let side = game.side(&sample.position);
                if sample.won == 1.0 { side } else { 1 - side }
            };
            assert!(samples.iter().all(|sample| sample.won == 1.0 || sample.won == 0.0));
            assert!(samples.iter().all(|sample| winner(sample) == winner(&samples[0])));
            sides[winner(&samples[0])] += 1;
        }
        assert!(sides[0] > 0 && sides[1] > 0, "{sides:?}");
    }

    #[test]
    fn labels_mix_the_search_with_what_came_later() {
        let pos = Einstein::default().parse("..CBA/...ED/6...F/45.../123.. b -").unwrap();
        let turns = [(pos, pos.with_die(1), 0.6), (pos, pos.with_die(2), 0.5)];
        let labels: Vec<f32> = labelled(&turns, 0.5).iter().map(|sample| sample.won).collect();
        // The last: half of 1 and half of 0.5; before it: half of what that leaves, half of 0.6.
        assert_eq!(labels, [0.75, 0.75, 0.425, 0.425]);
    }
}
