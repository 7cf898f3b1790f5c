//! The search that plays the training games: fixed depth, full width, nothing that could change.
//!
//! It stands apart from the search host on purpose: weights must be reproducible from their seed even after
//! the host has learnt something new.

use secateur_core::game::othello::{Othello, Position, Square};
use secateur_core::game::{Game, Hints, Meter, Moves};
use secateur_core::score::{Score, Window};

/// Below this height moves are tried as generated: sorting would cost more than it saves.
const SORTED_FROM: i32 = 2;

/// The best move of a position that has one, and its value in 1/100 disc, searched `depth` plies (at least
/// 1). Among equals the first in the order of the game wins.
pub(super) fn best(game: &Othello, position: &Position, depth: i32) -> Option<(Square, i32)> {
    let mut best: Option<(Square, i32)> = None;
    for mv in ordered(game, position, depth) {
        let child = game.play(position, mv);
        let alpha = best.map_or(-Score::INFINITE.0, |(_, value)| value);
        let value = -negamax(game, &child, depth - game.plies(mv), -Score::INFINITE.0, -alpha);
        if value > alpha {
            best = Some((mv, value));
        }
    }
    best
}

fn ordered(game: &Othello, position: &Position, depth: i32) -> impl Iterator<Item = Square> {
    let mut moves = Moves::<Othello>::new();
    game.moves(position, &mut moves);
    if depth >= SORTED_FROM {
        let hints = Hints { depth, table: None, killers: [None; 2], history: &[] };
        game.order(position, &hints, &mut moves);
        moves.sort_by_key(|scored| -scored.value);
    }
    moves.into_iter().map(|scored| scored.mv)
}

/// Fail-soft principal variation search.
fn negamax(game: &Othello, position: &Position, depth: i32, alpha: i32, beta: i32) -> i32 {
    if depth <= 0 {
        return game.horizon(position, Window::FULL, 0, &mut Meter::default()).0;
    }
    let mut best = None;
    let mut alpha = alpha;
    for mv in ordered(game, position, depth) {
        let child = game.play(position, mv);
        let below = depth - game.plies(mv);
        let mut value = match best {
            None => -negamax(game, &child, below, -beta, -alpha),
            Some(_) => -negamax(game, &child, below, -alpha - 1, -alpha),
        };
        if best.is_some() && value > alpha && value < beta {
            value = -negamax(game, &child, below, -beta, -alpha);
        }
        best = best.max(Some(value));
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    best.unwrap_or_else(|| game.outcome(position, 0).0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::game::othello::Weights;
    use std::sync::Arc;

    fn minimax(game: &Othello, position: &Position, depth: i32) -> i32 {
        if depth <= 0 {
            return game.horizon(position, Window::FULL, 0, &mut Meter::default()).0;
        }
        let children = ordered(game, position, 0)
            .map(|mv| -minimax(game, &game.play(position, mv), depth - game.plies(mv)));
        children.max().unwrap_or_else(|| game.outcome(position, 0).0)
    }

    #[test]
    fn the_player_finds_the_minimax_value() {
        let game = Othello::new(Arc::new(Weights::elementary()));
        let mut position = game.start();
        while let Some((mv, value)) = best(&game, &position, 3) {
            assert_eq!(value, minimax(&game, &position, 3), "{}", game.format(&position));
            position = game.play(&position, mv);
        }
        assert!(position.board().discs() > 40);
    }
}
