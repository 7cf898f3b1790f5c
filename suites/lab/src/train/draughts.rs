//! Training of the draughts evaluation by self-play: games, logistic regression of their results, provenance.
//!
//! Everything follows from [`TrainSettings`]: the same ones give the same weights on any number of threads. A game is a function of the
//! seed, its generation and its number alone. It begins with a random opening of varied length, because a search meets bad positions far
//! more often than a good player does, and ends by the rules, after 40 plies without progress, or where the endgame database knows its
//! result. Positions that sets may hold are never learnt from ([`Evaluation::is_reserved`]). Each term has two weights, for the full
//! board and the empty one, between which the number of pieces interpolates.

use super::logistic::{EPOCHS, Labelled, Rows};
use super::self_play::{STREAMS, SelfPlay, Trained, VALIDATION_SHARE, below, passes, play_all};
use super::{Phase, Progress, TrainError, logistic, rounded};
use rand_chacha::ChaCha8Rng;
use secateur_core::game::Evaluation;
use secateur_core::search::Budget;
use secateur_core::{Rules, Score};
use secateur_games::draughts::endgame::{Database, MOST_PIECES};
use secateur_games::draughts::{
    Board, CROWNED, Draughts, LARGEST, Learnt, MEN, Position, WEIGHTS, Weights, terms,
};
use secateur_suites::sample::gather::Player;
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
    let (depth, most) = (settings.depth.max(0) as u64, MOST_PIECES as u64);
    settings
        .play
        .check(40..=10_000_000, [("depth", depth, 1..=20), ("pieces", settings.pieces as u64, 2..=most)])?;
    let database = Arc::new(Database::build(settings.pieces, &mut |done, total| {
        let (done, total) = (done as u64, total as u64);
        progress(Progress { generation: 0, phase: Phase::Archive, done, total });
    }));
    let SelfPlay { games, seed, generations: count, .. } = settings.play;
    let mut weights = Arc::new(Weights::material());
    let mut generations = Vec::new();
    let mut before: Vec<Sample> = Vec::new();
    for generation in 0..count {
        let game = Draughts::new(Arc::clone(&weights)).with_database(Arc::clone(&database));
        let mut won = 0;
        let teaches = |sample: &Sample| !game.is_reserved(&sample.position());
        let played = play_all(&settings.play, (generation, 512), progress, teaches, |numbers| {
            let table = || Player::new(&game);
            let games = settings
                .play
                .play(generation, numbers, table, |player, _, rng| play(player, settings.depth, rng));
            won += games.iter().filter(|(_, decided)| *decided).count();
            Ok(games.into_iter().map(|(samples, _)| samples).collect())
        })?;
        let learn = design(before.iter().chain(&played.learn), seed);
        let check = design(played.check.iter(), seed);
        let start = || vec![[0.0; 2]; WEIGHTS];
        let fitted = learn.fit(start(), |_| true, &mut passes(generation, EPOCHS, progress));
        // What a prediction is worth that knows no patterns.
        let material = learn.fit(start(), |weight| weight == MEN || weight == CROWNED, &mut |_| {});
        generations.push(Generation {
            positions: learn.len() as u64,
            decided: (1_000 * won as u64 / u64::from(games)) as u32,
            loss: rounded(check.loss(&fitted)),
            loss_of_material: rounded(check.loss(&material)),
        });
        weights = Arc::new(Weights::new(learnt(&fitted, &learn))?);
        // The games of material alone are too far from good play.
        before = if generation == 0 { Vec::new() } else { played.learn };
    }
    Trained::of(weights.to_bytes(), &head(settings, &weights), settings, &generations)
}

/// What provenance says before its figures.
fn head(settings: &TrainSettings, weights: &Weights) -> [(&'static str, String); 5] {
    let TrainSettings { play, depth, pieces } = settings;
    let command = format!("cargo xtask train draughts{} --depth {depth} --pieces {pieces}", play.options());
    let scheme = format!(
        "random opening of {} to {} plies, full-width play to the depth, after {} plies without progress won by who is \
         {} hundredths of a man ahead and else drawn, exact from {pieces} pieces on; every position after the opening in which nothing must be taken is labelled with \
         the result; positions that sets may hold are left out; 1 game in {VALIDATION_SHARE} validates",
        OPENING_LEAST, OPENING_MOST, PATIENCE, CLEARLY,
    );
    let regression = format!(
        "logistic, {}; scaled so that a man more is 100 on average over positions with as many kings on both sides",
        logistic::described()
    );
    [
        ("command", command),
        ("weights", format!("{:016x}", weights.id())),
        ("scheme", scheme),
        ("streams", STREAMS.to_owned()),
        ("regression", regression),
    ]
}

/// What is known of a row, besides its terms.
struct Row {
    /// How full the board is, 0 to 1.
    full: f32,
    result: f32,
    /// Difference in men, and in kings.
    material: [i8; 2],
}

/// Each term has two weights, for the full board and the empty one.
impl Labelled<2> for Row {
    fn shares(&self) -> [f32; 2] {
        [self.full, 1.0 - self.full]
    }

    fn result(&self) -> f32 {
        self.result
    }
}

/// Positions as rows of the regression.
type Design = Rows<Row, i8>;

fn design<'a>(samples: impl Iterator<Item = &'a Sample>, seed: u64) -> Design {
    let mut design = Design::default();
    for &Sample { board, result } in samples {
        let (mut uneven, mut material) = (Vec::new(), [0; 2]);
        terms(&board, |weight, count| {
            match weight {
                MEN => material[0] = count as i8,
                CROWNED => material[1] = count as i8,
                _ => {}
            }
            if count != 0 {
                uneven.push((weight as u16, count as i8));
            }
        });
        design.push(Row { full: board.pieces() as f32 / 24.0, result, material }, uneven);
    }
    design.shuffle(seed);
    design
}

/// In the units and the layout of a weight file: a man more is 100 on average over the positions.
fn learnt(fitted: &[[f32; 2]], design: &Design) -> Learnt {
    let (mut products, mut squares) = (0.0f64, 0.0f64);
    for (row, terms) in design.iter().filter(|(row, _)| row.material[1] == 0) {
        let men = f64::from(row.material[0]);
        products += men * f64::from(Rows::predict(row, terms, fitted));
        squares += men * men;
    }
    let factor = if products > 0.0 { 100.0 * squares / products } else { 100.0 };
    let most = f64::from(LARGEST);
    let scaled = |weight: f32| (factor * f64::from(weight)).round().clamp(-most, most) as i16;
    fitted.iter().map(|halves| halves.map(scaled)).collect()
}

/// Shortest random opening, plies.
const OPENING_LEAST: u64 = 2;
/// Longest random opening, plies.
const OPENING_MOST: u64 = 18;
/// Plies without capture or move of a man after which a training game ends.
const PATIENCE: u32 = 40;
/// Who is so much ahead then has won, 1/100 man: more than a king.
const CLEARLY: i32 = 150;

/// One labelled position.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sample {
    /// The board as the side to move sees it; nothing must be taken.
    board: Board,
    /// Result for the side to move: 1 won, 0.5 drawn, 0 lost.
    result: f32,
}

impl Sample {
    /// The position, of either side.
    fn position(&self) -> Position {
        Position::new(self.board, true, 0)
    }
}

/// Plays one game: its quiet positions from the end of the opening on, and whether somebody won.
fn play(player: &mut Player<'static, Draughts>, depth: i32, rng: &mut ChaCha8Rng) -> (Vec<Sample>, bool) {
    let mut position = opening(player, rng);
    let depth = Budget::Depth(depth);
    let (mut boards, mut idle) = (Vec::with_capacity(100), 0);
    let value = loop {
        if let Some(value) = player.game().solved(&position) {
            break value;
        }
        if idle >= PATIENCE {
            // Shallow searches do not find the way to win what is won.
            let ahead = player.game().balance(&position);
            break if ahead.0.abs() >= CLEARLY { ahead } else { Score::ZERO };
        }
        // Without a move the side to move has lost.
        let Some((mv, _)) = player.best(&position, &depth) else { break Score(-1) };
        if !position.board().must_take() {
            boards.push((*position.board(), position.black_to_move()));
        }
        let game = player.game();
        let before = *position.board();
        position = game.play(&position, mv);
        idle = if before.is_progress(mv) { 0 } else { idle + 1 };
    };
    let result = |mine: bool| match value.0.signum() {
        0 => 0.5,
        1 if mine => 1.0,
        -1 if !mine => 1.0,
        _ => 0.0,
    };
    let last = position.black_to_move();
    let label = |(board, black): (Board, bool)| Sample { board, result: result(black == last) };
    (boards.into_iter().map(label).collect(), value != Score::ZERO)
}

/// A position after random moves in which there is a move.
fn opening(player: &Player<'static, Draughts>, rng: &mut ChaCha8Rng) -> Position {
    'game: loop {
        let mut position = player.game().start();
        for _ in 0..OPENING_LEAST + below(rng, OPENING_MOST - OPENING_LEAST + 1) {
            let moves = player.moves(&position);
            if moves.is_empty() {
                continue 'game;
            }
            let mv = moves[below(rng, moves.len() as u64) as usize];
            position = player.game().play(&position, mv);
        }
        if position.board().is_mobile() {
            return position;
        }
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::self_play::stream;

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

    #[test]
    fn a_game_depends_on_its_number_alone_and_has_one_result() {
        let settings = TrainSettings { depth: 2, ..TrainSettings::default() };
        let game = Draughts::new(Arc::new(Weights::material()));
        let played = |generation, number| {
            let mut rng = stream(settings.play.seed, generation, number);
            play(&mut Player::new(&game), settings.depth, &mut rng)
        };
        let mut decided = 0;
        for number in 0..8 {
            let (samples, won) = played(0, number);
            assert_eq!(samples, played(0, number).0);
            assert_ne!(samples, played(1, number).0);
            assert!(samples.iter().all(|sample| !sample.board.must_take()));
            assert!(samples.iter().all(|sample| (sample.result != 0.5) == won));
            decided += usize::from(won);
        }
        assert!(decided > 0);
    }
}
