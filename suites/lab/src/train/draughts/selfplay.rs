//! One training game: random opening, fixed-depth play, exact end.
//!
//! A game is a function of the seed, its generation and its number alone, so that threads may share the games out as they
//! like. Openings are random and of varied length, because a search meets bad positions far more often than a good player
//! does.

use super::TrainSettings;
use crate::train::self_play::stream;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::RngCore;
use secateur_core::game::Evaluation;
use secateur_core::search::Budget;
use secateur_core::{Rules, Score};
use secateur_games::draughts::{Board, Draughts, Position};
use secateur_suites::sample::player::Player;

/// Shortest random opening, plies.
pub(super) const OPENING_LEAST: u64 = 2;
/// Longest random opening, plies.
pub(super) const OPENING_MOST: u64 = 18;
/// Plies without capture or move of a man after which a training game ends.
pub(super) const PATIENCE: u32 = 40;
/// Who is so much ahead then has won, 1/100 man: more than a king.
pub(super) const CLEARLY: i32 = 150;

/// One labelled position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    /// The board as the side to move sees it; nothing must be taken.
    pub(super) board: Board,
    /// Result for the side to move: 1 won, 0.5 drawn, 0 lost.
    pub(super) result: f32,
}

impl Sample {
    /// The position, of either side.
    pub(super) fn position(&self) -> Position {
        Position::new(self.board, true, 0)
    }
}

/// Who plays the games of one thread.
pub(super) struct Table<'a> {
    player: Player<'static, Draughts>,
    settings: &'a TrainSettings,
    generation: u32,
}

impl<'a> Table<'a> {
    pub(super) fn new(game: &Draughts, settings: &'a TrainSettings, generation: u32) -> Table<'a> {
        Table { player: Player::new(game), settings, generation }
    }

    /// Plays one game: its quiet positions from the end of the opening on, and whether somebody won.
    pub(super) fn play(&mut self, number: u32) -> (Vec<Sample>, bool) {
        let mut rng = stream(self.settings.play.seed, self.generation, number);
        let mut position = self.opening(&mut rng);
        let depth = Budget::Depth(self.settings.depth);
        let (mut boards, mut idle) = (Vec::with_capacity(100), 0);
        let value = loop {
            if let Some(value) = self.player.game().solved(&position) {
                break value;
            }
            if idle >= PATIENCE {
                // Shallow searches do not find the way to win what is won.
                let ahead = self.player.game().balance(&position);
                break if ahead.0.abs() >= CLEARLY { ahead } else { Score::ZERO };
            }
            // Without a move the side to move has lost.
            let Some((mv, _)) = self.player.best(&position, &depth) else { break Score(-1) };
            if !position.board().must_take() {
                boards.push((*position.board(), position.black_to_move()));
            }
            let game = self.player.game();
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
    fn opening(&self, rng: &mut ChaCha8Rng) -> Position {
        // The bias of the remainder is below 2^-50 for the small bounds used here.
        let mut below = |bound: u64| rng.next_u64() % bound;
        'game: loop {
            let mut position = self.player.game().start();
            for _ in 0..OPENING_LEAST + below(OPENING_MOST - OPENING_LEAST + 1) {
                let moves = self.player.moves(&position);
                if moves.is_empty() {
                    continue 'game;
                }
                let mv = moves[below(moves.len() as u64) as usize];
                position = self.player.game().play(&position, mv);
            }
            if position.board().is_mobile() {
                return position;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_games::draughts::Weights;
    use std::sync::Arc;

    #[test]
    fn a_game_depends_on_its_number_alone_and_has_one_result() {
        let settings = TrainSettings { depth: 2, ..TrainSettings::default() };
        let game = Draughts::new(Arc::new(Weights::material()));
        let mut decided = 0;
        for number in 0..8 {
            let (samples, won) = Table::new(&game, &settings, 0).play(number);
            assert_eq!(samples, Table::new(&game, &settings, 0).play(number).0);
            assert_ne!(samples, Table::new(&game, &settings, 1).play(number).0);
            assert!(samples.iter().all(|sample| !sample.board.must_take()));
            assert!(samples.iter().all(|sample| (sample.result != 0.5) == won));
            decided += usize::from(won);
        }
        assert!(decided > 0);
    }
}
