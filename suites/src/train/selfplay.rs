//! One training game: random opening, fixed-depth play, exact end.
//!
//! A game is a function of the seed, its generation and its number alone, so that threads may share the
//! games out as they like. Openings are random and of varied length, because a search meets bad positions
//! far more often than a good player does.

use super::{Settings, player, solver};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use secateur_core::game::Game;
use secateur_core::game::othello::{Board, Othello, Position, Square, squares};

/// One labelled position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sample {
    /// The position, seen by the side to move, who has a legal move.
    pub(super) board: Board,
    /// Result for the side to move, in discs.
    pub(super) result: i8,
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

/// The random numbers of one game: one stream each, so that no two games share any.
fn stream(seed: u64, generation: u32, game: u32) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(u64::from(generation) << 32 | u64::from(game));
    rng
}

fn below(rng: &mut ChaCha8Rng, bound: u64) -> u64 {
    // The bias of the remainder is below 2^-50 for the small bounds used here.
    rng.next_u64() % bound
}

/// A position `plies` random plies (passes not counted) from the start, in which a move is possible.
pub(super) fn random_position(rng: &mut ChaCha8Rng, plies: u64) -> Position {
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

fn random_move(rng: &mut ChaCha8Rng, moves: u64) -> Square {
    let nth = below(rng, u64::from(moves.count_ones())) as usize;
    squares(moves).nth(nth).unwrap_or(Square::PASS)
}

/// Plays one game and labels its positions from the end of the opening on.
pub(super) fn play(
    game: &Othello,
    settings: &Settings,
    depth: i32,
    generation: u32,
    number: u32,
) -> Vec<Sample> {
    let mut rng = stream(settings.seed, generation, number);
    let most = if below(&mut rng, WILD_SHARE) == 0 { WILD_MOST } else { OPENING_MOST };
    let plies = OPENING_LEAST + below(&mut rng, most - OPENING_LEAST + 1);
    let mut position = random_position(&mut rng, plies);
    let mut passed_by: Vec<Position> = Vec::with_capacity(60);
    while position.board().empty().count_ones() > settings.solve_empties {
        let Some((mv, _)) = player::best(game, &position, depth) else { break };
        if mv != Square::PASS {
            passed_by.push(position);
        }
        position = game.play(&position, mv);
    }
    let mut samples = Vec::with_capacity(60);
    let result = solver::solve(position.board(), -65, 65);
    for earlier in passed_by {
        let own = if earlier.x_to_move() == position.x_to_move() { result } else { -result };
        samples.push(Sample { board: earlier.board(), result: own as i8 });
    }
    finish(&mut rng, position.board(), &mut samples);
    samples
}

/// Plays out the solved part, every position with its own exact label.
fn finish(rng: &mut ChaCha8Rng, mut board: Board, samples: &mut Vec<Sample>) {
    loop {
        if board.moves() == 0 {
            board = board.passed();
        }
        let Some((best, result)) = solver::best(board) else { return };
        samples.push(Sample { board, result: result as i8 });
        let slip = below(rng, ERROR_SHARE) == 0;
        board = board.play(if slip { random_move(rng, board.moves()) } else { best });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::game::othello::Weights;
    use std::sync::Arc;

    #[test]
    fn a_game_depends_on_its_number_alone_and_its_labels_alternate() {
        let game = Othello::new(Arc::new(Weights::elementary()));
        let settings = Settings { solve_empties: 8, ..Settings::default() };
        let samples = play(&game, &settings, 2, 1, 7);
        assert_eq!(samples, play(&game, &settings, 2, 1, 7));
        assert_ne!(samples, play(&game, &settings, 2, 1, 8));
        assert_ne!(samples, play(&game, &settings, 2, 0, 7));
        assert!(samples.iter().all(|sample| sample.board.moves() != 0));
        let sizes: std::collections::BTreeSet<i8> = samples
            .iter()
            .filter(|sample| sample.board.empty().count_ones() > 8)
            .map(|sample| sample.result.abs())
            .collect();
        assert_eq!(sizes.len(), 1, "one result, seen from either side");
    }
}
