//! The search that plays the training games: fixed depth, full width, nothing that could change.
//!
//! It stands apart from the search host on purpose, and orders moves by rules of its own: the first of
//! several equally good moves is played, so weights are reproducible from their seed only if the order
//! stays as it was, whatever the game's ordering has learnt since.

use secateur_core::game::othello::{Board, Othello, Position, Square, squares};
use secateur_core::game::{Game, Meter};
use secateur_core::score::{Score, Window};

/// Below this height moves are tried as generated: sorting would cost more than it saves.
const SORTED_FROM: i32 = 2;
/// From this height on the replies are counted too.
const LOOK_FROM: i32 = 3;
/// What the squares of a quarter are worth, from the corner on.
const SQUARE: [i32; 16] = [1000, -220, 160, 60, -220, -420, -60, -40, 160, -60, 40, 20, 60, -40, 20, 0];

/// The best move of a position that has one, and its value in 1/100 disc, searched `depth` plies (at least
/// 1). Among equals the first in the order of the game wins.
pub(super) fn best(game: &Othello, position: &Position, depth: i32) -> Option<(Square, i32)> {
    let mut best: Option<(Square, i32)> = None;
    for mv in ordered(position, depth) {
        let child = game.play(position, mv);
        let alpha = best.map_or(-Score::INFINITE.0, |(_, value)| value);
        let value = -negamax(game, &child, depth - game.plies(mv), -Score::INFINITE.0, -alpha);
        if value > alpha {
            best = Some((mv, value));
        }
    }
    best
}

/// The moves in the order in which they are tried; the pass if it is forced.
fn ordered(position: &Position, depth: i32) -> impl Iterator<Item = Square> {
    let board = position.board();
    let mut moves: Vec<(i32, Square)> = squares(board.moves()).map(|square| (0, square)).collect();
    if moves.is_empty() && board.replies() != 0 {
        moves.push((0, Square::PASS));
    }
    if depth >= SORTED_FROM {
        for (value, square) in &mut moves {
            *value = if depth < LOOK_FROM { looks(*square) } else { looked_at(board, *square) };
        }
        moves.sort_by_key(|&(value, _)| -value);
    }
    moves.into_iter().map(|(_, square)| square)
}

/// What a square is worth by itself.
fn looks(square: Square) -> i32 {
    let fold = |at: usize| if at < 4 { at } else { 7 - at };
    SQUARE[fold(square.index() / 8 % 8) * 4 + fold(square.index() % 8)]
}

/// That, less what the opponent is left with: replies (corners twice) and empty squares beside our discs.
fn looked_at(board: Board, square: Square) -> i32 {
    if square == Square::PASS {
        return 0;
    }
    let after = board.play(square);
    let replies = after.moves();
    let corners = replies & 0x8100_0000_0000_0081;
    let prospects = neighbours(after.opponent) & after.empty();
    looks(square)
        - 256 * (replies.count_ones() + corners.count_ones()) as i32
        - 64 * prospects.count_ones() as i32
}

fn neighbours(discs: u64) -> u64 {
    let wide = discs | ((discs << 1) & 0xFEFE_FEFE_FEFE_FEFE) | ((discs >> 1) & 0x7F7F_7F7F_7F7F_7F7F);
    wide | (wide << 8) | (wide >> 8)
}

/// Fail-soft principal variation search.
fn negamax(game: &Othello, position: &Position, depth: i32, alpha: i32, beta: i32) -> i32 {
    if depth <= 0 {
        return game.horizon(position, Window::FULL, 0, &mut Meter::default()).0;
    }
    let mut best = None;
    let mut alpha = alpha;
    for mv in ordered(position, depth) {
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
        let children =
            ordered(position, 0).map(|mv| -minimax(game, &game.play(position, mv), depth - game.plies(mv)));
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
