//! Plain minimax: the definition that the host without methods is held to.
//!
//! No window, no table, no ordering, no iteration: every move at every node, the horizon function with the
//! full window at the leaves. Exponential, and meant for tests and the gate.

use crate::game::{Game, Meter, Moves};
use crate::score::{Depth, Score, Window};

/// Value of `pos` searched `depth` plies by plain minimax, as [`super::Search`] defines depth: a forced pass
/// costs none, and a repetition of the line from the root is a draw.
pub fn minimax<G: Game>(game: &G, pos: &G::Position, depth: Depth) -> Score {
    descend(game, pos, depth, 0, &mut Vec::new())
}

fn descend<G: Game>(game: &G, pos: &G::Position, depth: Depth, ply: u32, line: &mut Vec<u64>) -> Score {
    if ply > 0 && G::REPETITION && game.drawn(pos, line) {
        return Score::ZERO;
    }
    if depth.0 <= 0 {
        return game.horizon(pos, Window::FULL, ply, &mut Meter::default());
    }
    let mut moves = Moves::<G>::new();
    game.moves(pos, &mut moves);
    if moves.is_empty() {
        return game.outcome(pos, ply);
    }
    line.push(game.key(pos));
    let mut best = -Score::INFINITE;
    for scored in &moves {
        let child = game.play(pos, scored.mv);
        best = best.max(-descend(game, &child, depth - game.plies(scored.mv), ply + 1, line));
    }
    line.pop();
    best
}
