//! One training game: random opening, fixed-depth play, exact end.
//!
//! A game is a function of the seed, its generation and its number alone, so that threads may share the
//! games out as they like. Openings are random and of varied length, because a search meets bad positions
//! far more often than a good player does.

use super::TrainSettings;
use crate::train::self_play::below;
use rand_chacha::ChaCha8Rng;
use secateur_core::search::Budget;
use secateur_games::othello::endgame::{Discs, Solver};
use secateur_games::othello::{Board, Othello, Position, Square, squares};
use secateur_suites::sample::gather::Player;

/// One labelled position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    /// The position, seen by the side to move, who has a legal move.
    pub(super) board: Board,
    /// What is learnt, for the side to move, in discs: between what searches found from here on and the result.
    pub(super) label: f32,
    /// Result for the side to move, in discs.
    pub(super) result: i8,
}

impl Sample {
    /// A position that is labelled with its result.
    pub(super) fn decided(board: Board, result: i32) -> Sample {
        Sample { board, label: result as f32, result: result as i8 }
    }
}

/// Shortest random opening, in plies.
pub(super) const OPENING_LEAST: u64 = 6;
/// Longest random opening of an ordinary game.
pub(super) const OPENING_MOST: u64 = 26;
/// Longest random opening of one game in [`WILD_SHARE`].
pub(super) const WILD_MOST: u64 = 44;
/// One game in this many is wild.
pub(super) const WILD_SHARE: u64 = 5;
/// In the solved part of a game, one move in this many is random: its end is solved again.
pub(super) const ERROR_SHARE: u64 = 4;

/// Size of the solver's table: enough for these small endgames, and quickly cleared.
pub(super) const SOLVER_MIB: usize = 1;

/// A position `plies` random plies (passes not counted) from the start, in which a move is possible.
pub(crate) fn random_position(rng: &mut ChaCha8Rng, plies: u64) -> Position {
    'game: loop {
        let mut position = Position::start();
        for played in 0..=plies {
            if position.board().moves() == 0 {
                position = position.passed();
            }
            let moves = position.board().moves();
            if moves == 0 {
                continue 'game;
            }
            if played < plies {
                position = position.play(random_move(rng, moves));
            }
        }
        return position;
    }
}

pub(super) fn random_move(rng: &mut ChaCha8Rng, moves: u64) -> Square {
    let nth = below(rng, u64::from(moves.count_ones())) as usize;
    squares(moves).nth(nth).unwrap_or(Square::PASS)
}

/// Who plays the games of one thread: a searcher for the middle of the game and a solver for its end.
pub(super) struct Table<'a> {
    player: Player<'static, Othello>,
    solver: Solver,
    settings: &'a TrainSettings,
    generation: u32,
}

impl<'a> Table<'a> {
    pub(super) fn new(game: &Othello, settings: &'a TrainSettings, generation: u32) -> Table<'a> {
        Table {
            player: Player::new(game),
            solver: Solver::new(game.clone(), SOLVER_MIB),
            settings,
            generation,
        }
    }

    /// Plays one game and labels its positions from the end of the opening on.
    pub(super) fn play(&mut self, rng: &mut ChaCha8Rng) -> Vec<Sample> {
        let solve_empties = self.settings.solve_empties;
        let most = if below(rng, WILD_SHARE) == 0 { WILD_MOST } else { OPENING_MOST };
        let plies = OPENING_LEAST + below(rng, most - OPENING_LEAST + 1);
        let mut position = random_position(rng, plies);
        let depth = Budget::Depth(self.settings.depth_of(self.generation));
        let mut passed_by: Vec<(Position, f32)> = Vec::with_capacity(60);
        while position.board().empty().count_ones() > solve_empties {
            let Some((mv, value)) = self.player.best(&position, &depth) else { break };
            if mv != Square::PASS {
                passed_by.push((position, value.0 as f32 / 100.0));
            }
            position = position.play(mv);
        }
        let mut samples = Vec::with_capacity(60);
        let result = self.solver.exact(position.board());
        // The hand-made weights of generation 0 find nothing that is worth learning.
        let trust = if self.generation == 0 { 1.0 } else { self.settings.trust as f32 / 100.0 };
        let mut ahead = (position.x_to_move(), result as f32);
        for &(earlier, value) in passed_by.iter().rev() {
            let same = earlier.x_to_move() == ahead.0;
            let later = if same { ahead.1 } else { -ahead.1 };
            let label = trust * later + (1.0 - trust) * value;
            ahead = (earlier.x_to_move(), label);
            let of_mover = if earlier.x_to_move() == position.x_to_move() { result } else { -result };
            samples.push(Sample { board: earlier.board(), label, result: of_mover as i8 });
        }
        self.finish(rng, position.board(), &mut samples);
        samples
    }

    /// Plays out the solved part, every position with its own exact label.
    fn finish(&mut self, rng: &mut ChaCha8Rng, mut board: Board, samples: &mut Vec<Sample>) {
        loop {
            if board.moves() == 0 {
                board = board.passed();
            }
            if board.moves() == 0 {
                return;
            }
            let solved = self.solver.solve(&Position::new(board, true), Discs::FULL);
            samples.push(Sample::decided(board, solved.score_discs));
            let slip = below(rng, ERROR_SHARE) == 0;
            board = board.play(if slip { random_move(rng, board.moves()) } else { solved.best });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::self_play::{SelfPlay, stream};
    use rand_chacha::rand_core::SeedableRng;
    use secateur_games::othello::Weights;
    use secateur_suites::sample::othello::reserved;
    use std::sync::Arc;

    fn played(settings: &TrainSettings, generation: u32, number: u32) -> Vec<Sample> {
        let game = Othello::new(Arc::new(Weights::elementary()));
        let mut rng = stream(settings.play.seed, generation, number);
        Table::new(&game, settings, generation).play(&mut rng)
    }

    fn settings(trust: u32) -> TrainSettings {
        let usual = TrainSettings::default();
        let play = SelfPlay { generations: 2, ..usual.play };
        TrainSettings { play, solve_empties: 8, depth: 2, trust, shapes: None }
    }

    #[test]
    fn a_game_depends_on_its_number_alone_and_its_results_alternate() {
        let samples = played(&settings(85), 1, 7);
        assert_eq!(samples, played(&settings(85), 1, 7));
        assert_ne!(samples, played(&settings(85), 1, 8));
        assert_ne!(samples, played(&settings(85), 0, 7));
        assert!(samples.iter().all(|sample| sample.board.moves() != 0));
        let sizes: std::collections::BTreeSet<i8> =
            before_the_end(&samples).map(|sample| sample.result.abs()).collect();
        assert_eq!(sizes.len(), 1, "one result, seen from either side");
    }

    fn before_the_end(samples: &[Sample]) -> impl Iterator<Item = &Sample> {
        samples.iter().filter(|sample| sample.board.empty().count_ones() > 8)
    }

    #[test]
    fn labels_go_from_the_searches_own_value_to_the_result() {
        let game = Othello::new(Arc::new(Weights::elementary()));
        let mut player = Player::new(&game);
        let (values, results, between) =
            (played(&settings(0), 1, 7), played(&settings(100), 1, 7), played(&settings(50), 1, 7));
        assert!(before_the_end(&values).count() > 10);
        for ((value, result), middle) in
            before_the_end(&values).zip(before_the_end(&results)).zip(before_the_end(&between))
        {
            let searched =
                player.best(&Position::new(value.board, true), &Budget::Depth(2)).expect("a move").1;
            assert_eq!(value.label, searched.0 as f32 / 100.0);
            assert_eq!(result.label, f32::from(result.result));
            assert_eq!((value.board, value.result), (middle.board, middle.result), "labels change no game");
        }
        for samples in [&values, &results, &between] {
            let solved = samples.iter().filter(|sample| sample.board.empty().count_ones() <= 8);
            assert!(solved.into_iter().all(|sample| sample.label == f32::from(sample.result)));
        }
        assert_ne!(values, between);
    }

    #[test]
    fn one_position_in_eight_is_reserved_with_all_its_images() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let boards: Vec<Board> = (0..8_000).map(|n| random_position(&mut rng, 9 + n % 44).board()).collect();
        let mut kept = 0;
        for board in &boards {
            kept += usize::from(reserved(*board));
            assert!((1..8).all(|symmetry| reserved(board.transformed(symmetry)) == reserved(*board)));
        }
        assert!((900..1_100).contains(&kept), "{kept} of 8,000");
        assert!(reserved(random_position(&mut rng, 8).board()));
    }
}
