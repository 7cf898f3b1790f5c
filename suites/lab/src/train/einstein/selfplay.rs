//! One training game: a layout by lot, some random moves, fixed-depth play to the end.
//!
//! A game is a function of the seed, its generation and its number alone, so that threads may share the games out as they like.
//! Labels go back from the result: each is the value of the search at hand mixed with what came after it.

use super::TrainSettings;
use crate::train::self_play::stream;
use rand_chacha::rand_core::RngCore;
use secateur_core::Rules;
use secateur_core::game::{Notation, thrown};
use secateur_core::search::Budget;
use secateur_games::einstein::{Einstein, Position, WIN};
use secateur_suites::sample::player::Player;

/// Most random moves that a game begins with.
pub(super) const RANDOM_MOST: u32 = 6;

/// One labelled position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    /// The position, before a throw or after it.
    pub(super) position: Position,
    /// Winning probability of the side to throw or to move.
    pub(super) won: f32,
}

/// Who plays the games of one thread.
pub(super) struct Table<'a> {
    player: Player<'static, Einstein>,
    settings: &'a TrainSettings,
    generation: u32,
}

impl<'a> Table<'a> {
    pub(super) fn new(game: &Einstein, settings: &'a TrainSettings, generation: u32) -> Table<'a> {
        Table { player: Player::new(game), settings, generation }
    }

    /// Plays one game; labels trust what came later so many per cent.
    pub(super) fn play(&mut self, number: u32, trust: u32) -> Vec<Sample> {
        let mut rng = stream(self.settings.play.seed, self.generation, number);
        // The bias of the remainder is below 2^-50 for the small bounds used here.
        let mut below = |bound: u32| (rng.next_u64() % u64::from(bound)) as u32;
        let game = self.player.game().clone();
        let layout = game.layout(&mut below).expect("a game with layouts");
        let mut position = game.parse(&layout).expect("a layout is a position");
        let mut random = below(RANDOM_MOST + 1);
        let depth = Budget::Depth(self.settings.depth);
        let mut turns: Vec<(Position, Position, f32)> = Vec::with_capacity(40);
        while game.ending(&position, 1).is_none() {
            let after = thrown(&game, &position, &mut below);
            let mv = if random > 0 {
                random -= 1;
                let moves = self.player.moves(&after);
                moves[below(moves.len() as u32) as usize]
            } else {
                let (mv, value) = self.player.best(&after, &depth).expect("a position with moves");
                turns.push((position, after, won(value.0)));
                mv
            };
            position = game.play(&after, mv);
        }
        labelled(&turns, trust as f32 / 100.0)
    }
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
    use secateur_games::einstein::Weights;
    use std::sync::Arc;

    #[test]
    fn a_game_depends_on_its_number_alone_and_one_side_wins_it() {
        let settings = TrainSettings { depth: 1, ..TrainSettings::default() };
        let game = Einstein::new(Arc::new(Weights::new(Weights::race()).unwrap()));
        let mut sides = [0; 2];
        for number in 0..12 {
            let samples = Table::new(&game, &settings, 0).play(number, 100);
            assert_eq!(samples, Table::new(&game, &settings, 0).play(number, 100));
            assert_ne!(samples, Table::new(&game, &settings, 1).play(number, 100));
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
