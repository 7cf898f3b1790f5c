//! One training game: random opening, fixed-depth play to an end by the rules.
//!
//! A game is a function of the seed, its generation and its number alone, so that threads may share the games out as they like.

use super::TrainSettings;
use crate::train::self_play::stream;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::RngCore;
use secateur_core::Rules;
use secateur_core::game::{Evaluation, Notation};
use secateur_core::search::Budget;
use secateur_games::shogi::{Position, Shogi};
use secateur_suites::sample::player::Player;
use std::collections::BTreeMap;

/// Shortest random opening, plies.
pub(super) const OPENING_LEAST: u64 = 2;
/// Longest random opening, plies.
pub(super) const OPENING_MOST: u64 = 24;
/// Plies after which a game is drawn.
pub(super) const LONGEST: usize = 256;

/// One labelled position.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sample {
    /// The position, quiet.
    pub(super) position: Position,
    /// Result for the side to move: 1 won, 0.5 drawn, 0 lost.
    pub(super) result: f32,
}

/// Who plays the games of one thread.
pub(super) struct Table<'a> {
    player: Player<'static, Shogi>,
    settings: &'a TrainSettings,
    generation: u32,
}

impl<'a> Table<'a> {
    pub(super) fn new(game: &Shogi, settings: &'a TrainSettings, generation: u32) -> Table<'a> {
        Table { player: Player::new(game), settings, generation }
    }

    /// Plays one game: its quiet positions from the end of the opening on, and whether somebody won.
    pub(super) fn play(&mut self, number: u32) -> (Vec<Sample>, bool) {
        let mut rng = stream(self.settings.play.seed, self.generation, number);
        let mut position = self.opening(&mut rng);
        let depth = Budget::Depth(self.settings.depth);
        let (mut quiet, mut seen) = (Vec::with_capacity(150), BTreeMap::<u64, usize>::new());
        let mut winner = None;
        for _ in 0..LONGEST {
            let game = self.player.game().clone();
            let times = seen.entry(game.key(&position)).or_default();
            *times += 1;
            if let Some(ending) = game.ending(&position, *times) {
                winner = ending.winner;
                break;
            }
            let (mv, _) = self.player.best(&position, &depth).expect("a position with moves");
            if !game.in_check(&position) && !game.tactical(&position, mv) {
                quiet.push(position.clone());
            }
            position = game.play(&position, mv);
        }
        let game = self.player.game();
        let label = |position: Position| {
            let result = winner.map_or(0.5, |winner| f32::from(u8::from(winner == game.side(&position))));
            Sample { position, result }
        };
        (quiet.into_iter().map(label).collect(), winner.is_some())
    }

    /// A position after random moves in which there is a move.
    fn opening(&self, rng: &mut ChaCha8Rng) -> Position {
        // The bias of the remainder is below 2^-50 for the small bounds used here.
        let mut below = |bound: u64| rng.next_u64() % bound;
        let game = self.player.game();
        'game: loop {
            let start = game.start().expect("a game with a start");
            let mut position = game.parse(&start).expect("a start is a position");
            for _ in 0..OPENING_LEAST + below(OPENING_MOST - OPENING_LEAST + 1) {
                let moves = self.player.moves(&position);
                if moves.is_empty() {
                    continue 'game;
                }
                let mv = moves[below(moves.len() as u64) as usize];
                position = game.play(&position, mv);
            }
            return position;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_games::shogi::Weights;
    use std::sync::Arc;

    #[test]
    fn a_game_depends_on_its_number_alone_and_has_one_result() {
        let settings = TrainSettings { depth: 1, ..TrainSettings::default() };
        let game = Shogi::new(Arc::new(Weights::material()));
        let mut decided = 0;
        for number in 0..6 {
            let (samples, won) = Table::new(&game, &settings, 0).play(number);
            assert_eq!(samples, Table::new(&game, &settings, 0).play(number).0);
            assert_ne!(samples, Table::new(&game, &settings, 1).play(number).0);
            assert!(samples.iter().all(|sample| !game.in_check(&sample.position)));
            assert!(samples.iter().all(|sample| (sample.result != 0.5) == won));
            decided += usize::from(won);
        }
        assert!(decided > 0);
    }
}
