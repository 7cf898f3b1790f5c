//! Training of the shogi evaluation by self-play: games, logistic regression of their results, provenance.
//!
//! Everything follows from [`TrainSettings`]: the same ones give the same weights on any number of threads. Positions that sets
//! may hold are never learnt from ([`Evaluation::is_reserved`]). Games are learnt from, or choose the ridge, or test what was found: none
//! does two of these.

mod regress;
mod selfplay;

use super::kept::{Kept, Sample};
use super::logistic::{logistic, slope};
use super::self_play::{Players, STREAMS, SelfPlay, Trained, VALIDATION_SHARE, passes, play_all};
use super::{Progress, TrainError, rounded};
use regress::{Design, Row};
use secateur_core::game::{Evaluation, Notation};
use secateur_games::shogi::{Shogi, Weights};
use selfplay::{METHODS, play};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Games between two reports of progress.
const BLOCK: u32 = 64;

/// What a training run is determined by (and `threads` and `keep`, which change nothing but the time).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct TrainSettings {
    /// Generations play with the weights of the one before, the first with material alone.
    #[serde(flatten)]
    pub play: SelfPlay,
    /// Nodes of the search for each move.
    pub nodes: u64,
    /// Share of the game's result in what is learnt, per cent; the rest is the win expectancy of the search.
    pub trust: u32,
    /// Whether the last generation learns what pieces are worth wherever they stand, and no more: what places are measured against.
    pub pieces: bool,
    /// Folder where positions are kept and found again, so that a run can be taken up and another regression tried.
    #[serde(skip)]
    pub keep: Option<PathBuf>,
}

impl Default for TrainSettings {
    fn default() -> TrainSettings {
        let play = SelfPlay { games: 24_000, seed: 1, threads: 1, generations: 3 };
        TrainSettings { play, nodes: 800, trust: 50, pieces: false, keep: None }
    }
}

/// One generation of self-play and its regression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Generation {
    /// The id of the weights that played.
    pub evaluation: String,
    /// Positions learnt from: of this generation and the one before, except generation 0.
    pub positions: u64,
    /// Positions of the validation games.
    pub validation: u64,
    /// Positions of the test games.
    pub test: u64,
    /// Positions of a thousand whose game somebody won.
    pub decided: u32,
    /// Slope of the logistic function that the players' search values suit best, per 1,000 hundredths of a pawn.
    pub slope: f64,
    /// Loss on the validation games by ridge: cross entropy of the results, nats a position.
    pub validation_loss: BTreeMap<String, f64>,
    /// The ridge that was chosen by it.
    pub ridge: f64,
    /// Loss on the test games, by the weights as they are written.
    pub loss: f64,
    /// The same by the weights of pieces alone that were learnt from the same games.
    pub loss_of_pieces: f64,
    /// How much less the former is, with an interval of 1.96 standard errors over games: low, mean, high.
    pub less: [f64; 3],
    /// Loss on the test games of a prediction by the worth of pieces that training begins with, at its best scale.
    pub loss_of_material: f64,
}

/// A position with the number of its game.
type Numbered = (u32, Sample);

/// Whether a game tests, and is neither learnt from nor chooses anything.
fn is_test(number: u32) -> bool {
    number % VALIDATION_SHARE == VALIDATION_SHARE / 2
}

/// Trains weights from material, by self-play.
///
/// # Errors
/// [`TrainError::Setting`] before anything is played if a setting is out of range; [`TrainError::Kept`] if the folder
/// of kept positions cannot be used.
pub fn train(settings: &TrainSettings, progress: &mut dyn FnMut(Progress)) -> Result<Trained, TrainError> {
    settings.play.check(
        40..=10_000_000,
        [("nodes", settings.nodes, 1..=1_000_000_000), ("trust", settings.trust.into(), 0..=100)],
    )?;
    let players = Players::of::<Shogi>(METHODS)?;
    let mut weights = Arc::new(Weights::material());
    let mut generations = Vec::new();
    let mut before: Vec<Numbered> = Vec::new();
    for generation in 0..settings.play.generations {
        let game = Shogi::new(Arc::clone(&weights));
        let (folder, seed, nodes) = (settings.keep.as_deref(), settings.play.seed, settings.nodes);
        let kept = Kept { folder, generation, seed, nodes, evaluation: weights.id() };
        let teaches = |(_, sample): &Numbered| {
            game.parse(&sample.position).is_ok_and(|position| !game.is_reserved(&position))
        };
        let played = play_all(&settings.play, (generation, BLOCK), progress, teaches, |numbers| {
            let table = || players.player(&game, settings.nodes);
            let games = || settings.play.play(generation, numbers, table, |player, _, rng| play(player, rng));
            let block = kept.or_played(numbers, games)?;
            let number = |(samples, &number): (Vec<Sample>, &u32)| {
                samples.into_iter().map(|sample| (number, sample)).collect()
            };
            Ok(block.into_iter().zip(numbers).map(number).collect())
        })?;
        let (test, learn): (Vec<Numbered>, Vec<Numbered>) =
            played.learn.into_iter().partition(|&(number, _)| is_test(number));
        let last = generation + 1 == settings.play.generations;
        let learns_places = !(settings.pieces && last);
        // The games of material alone are too far from good play.
        let used = before.iter().chain(&learn);
        let (learnt, figures) = learn_from(
            settings,
            &game,
            [used.collect(), played.check.iter().collect(), test.iter().collect()],
            learns_places,
            &mut passes(generation, regress::RIDGES.len(), progress),
        );
        generations.push(figures);
        weights = Arc::new(Weights::new(learnt)?);
        before = if generation == 0 { Vec::new() } else { learn };
    }
    Trained::of(weights.to_bytes(), &head(settings, &weights), settings, &generations)
}

/// The weights that positions teach, with places or without, and what there is to say of them. The sets are learnt from, choose the
/// ridge and test.
fn learn_from(
    settings: &TrainSettings,
    game: &Shogi,
    [learn, check, test]: [Vec<&Numbered>; 3],
    places: bool,
    each: &mut dyn FnMut(usize),
) -> (Vec<i16>, Generation) {
    let k = slope(learn.iter().map(|(_, sample)| (f64::from(sample.value), sample.outcome())));
    let trust = f64::from(settings.trust) / 100.0;
    let design = |samples: &[&Numbered]| {
        let mut design = Design::default();
        for (number, sample) in samples {
            let label = trust * sample.outcome() + (1.0 - trust) * logistic(k * f64::from(sample.value));
            let position = game.parse(&sample.position).expect("a position that was written");
            let row = Row { game: *number, label, result: sample.outcome() };
            design.push(row, regress::uneven(&position));
        }
        design
    };
    let decided = learn.iter().filter(|(_, sample)| sample.result != 0).count();
    let [learn, check, test] = [&learn, &check, &test].map(|samples| design(samples));
    let pieces = regress::pieces(&learn);
    let by_ridge = regress::places(&learn, &pieces, each);
    let judged: Vec<f64> = by_ridge.iter().map(|(_, weights)| regress::loss(&check, weights)).collect();
    let validation_loss =
        by_ridge.iter().zip(&judged).map(|((ridge, _), loss)| (ridge.to_string(), rounded(*loss)));
    let validation_loss = validation_loss.collect();
    let best = (0..judged.len()).min_by(|&a, &b| judged[a].total_cmp(&judged[b])).unwrap_or(0);
    let [alone, with] = [&pieces, &by_ridge[best].1].map(|weights| regress::learnt(weights, &learn));
    let losses =
        [&alone, &with].map(|(learnt, factor)| regress::losses(&test, &regress::logits(learnt, *factor)));
    let generation = Generation {
        evaluation: format!("{:016x}", game.evaluation_id()),
        positions: learn.len() as u64,
        validation: check.len() as u64,
        test: test.len() as u64,
        decided: (1_000 * decided / learn.len().max(1)) as u32,
        slope: rounded(k * 1e3),
        validation_loss,
        ridge: by_ridge[best].0,
        loss: rounded(mean(&losses[1])),
        loss_of_pieces: rounded(mean(&losses[0])),
        less: less(&losses[0], &losses[1]).map(rounded),
        loss_of_material: rounded(regress::loss(&test, &regress::material(&learn))),
    };
    (if places { with.0 } else { alone.0 }, generation)
}

fn mean(losses: &[(u32, f64)]) -> f64 {
    losses.iter().map(|(_, loss)| loss).sum::<f64>() / losses.len().max(1) as f64
}

/// How much less the second losses are on average, between the ends of an interval of 1.96 standard errors. Positions of a game have one
/// result, so games are what is independent.
fn less(first: &[(u32, f64)], second: &[(u32, f64)]) -> [f64; 3] {
    let mean = mean(first) - mean(second);
    let mut games = BTreeMap::<u32, f64>::new();
    for (&(game, first), (_, second)) in first.iter().zip(second) {
        *games.entry(game).or_default() += first - second - mean;
    }
    let squares: f64 = games.values().map(|sum| sum * sum).sum();
    let half = 1.96 * squares.sqrt() / first.len().max(1) as f64;
    [mean - half, mean, mean + half]
}

/// What provenance says before its figures.
fn head(settings: &TrainSettings, weights: &Weights) -> [(&'static str, String); 5] {
    let TrainSettings { play, nodes, trust, pieces, .. } = settings;
    let command = format!(
        "cargo xtask train shogi{} --nodes {nodes} --trust {trust}{}",
        play.options(),
        if *pieces { " --pieces" } else { "" }
    );
    let scheme = format!(
        "{} to {} random plies, taken again unless worth at most {} to the search; both sides {} at {nodes} nodes a move, 1 in {} of which is drawn from those that lose nothing by exchange; won at {} for {} plies or a \
         mate found, drawn after {} plies without another end and at the fourth occurrence of a position unless checks led to it; \
         positions not in check whose static value is their quiescence value and whose move neither takes nor promotes, {} plies \
         apart at least; positions that sets may hold are left out; 1 game in {VALIDATION_SHARE} validates, and as many test",
        selfplay::RANDOM.0,
        selfplay::RANDOM.1,
        selfplay::EVEN,
        METHODS,
        selfplay::DRAWN,
        selfplay::DECIDED,
        selfplay::DECIDED_PLIES,
        selfplay::LONGEST,
        selfplay::APART,
    );
    [
        ("command", command),
        ("weights", format!("{:016x}", weights.id())),
        ("scheme", scheme),
        ("streams", STREAMS.to_owned()),
        ("regression", regress::described(*trust)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small(threads: usize) -> TrainSettings {
        let play = SelfPlay { games: 200, seed: 9, threads, generations: 2 };
        TrainSettings { play, nodes: 100, ..TrainSettings::default() }
    }

    #[test]
    fn threads_and_keeping_change_nothing_and_something_is_learnt() {
        let folder = tempfile::tempdir().expect("a folder");
        let keep = Some(folder.path().join("kept"));
        // Of two trainings one is kept, since a training takes long.
        let one = Trained::on_any_threads(|threads| {
            train(
                &TrainSettings { keep: keep.clone().filter(|_| threads > 1), ..small(threads) },
                &mut |_| {},
            )
        });
        let last = one.last::<Generation>("generation");
        // Who knows nothing has a loss of ln 2.
        assert!(last.loss < 0.69 && last.positions > 2_000 && last.decided > 300, "{last:?}");
        // From what was kept, and without places.
        let pieces = TrainSettings { pieces: true, keep, ..small(2) };
        let bytes = train(&pieces, &mut |_| {}).expect("valid settings").bytes;
        let weights = Weights::from_bytes(&bytes).expect("a weight file");
        assert!(weights.learnt()[secateur_games::shogi::PIECES..].iter().all(|&weight| weight == 0));
        let places = Weights::from_bytes(&one.bytes).expect("a weight file");
        assert!(places.learnt()[secateur_games::shogi::PIECES..].iter().any(|&weight| weight != 0));
    }

    #[test]
    fn settings_out_of_range_are_named() {
        let error = train(&TrainSettings { nodes: 0, ..small(1) }, &mut |_| {}).expect_err("too few");
        assert_eq!(error.to_string(), "nodes is 0, expected 1 to 1,000,000,000");
    }

    #[test]
    fn an_interval_is_over_games() {
        // Two games, within which all positions agree: one observation each.
        let first = [(1, 0.5), (1, 0.5), (2, 0.7), (2, 0.7)];
        let second = [(1, 0.4), (1, 0.4), (2, 0.4), (2, 0.4)];
        let [low, mean, high] = less(&first, &second);
        assert!((mean - 0.2).abs() < 1e-12 && (high + low - 0.4).abs() < 1e-12);
        assert!((high - mean - 1.96 * 0.1 / 2f64.sqrt()).abs() < 1e-12, "{high}");
    }
}
