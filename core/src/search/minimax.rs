//! Plain minimax: the definition that the host without methods is held to.
//!
//! No window, no table, no ordering, no iteration: every move at every node, the horizon function with the
//! full window at the leaves. Exponential, and meant for tests and the gate.

use crate::game::{Game, Meter, Moves};
use crate::score::{Depth, Score, Window};

/// Value of `pos` searched `depth` plies by plain minimax, as [`super::Search`] defines depth: a forced pass
/// costs none, and a repetition of the line from the root is a draw.
pub fn minimax<G: Game>(game: &G, pos: &G::Position, depth: Depth) -> Score {
    Plain { game, extension: false, line: Vec::new() }.descend(pos, depth, 0)
}

/// [`minimax`] of the tree in which a node in check is searched a ply deeper ([`super::Options::check_extension`]).
pub fn extended_minimax<G: Game>(game: &G, pos: &G::Position, depth: Depth) -> Score {
    Plain { game, extension: true, line: Vec::new() }.descend(pos, depth, 0)
}

struct Plain<'a, G> {
    game: &'a G,
    extension: bool,
    line: Vec<u64>,
}

impl<G: Game> Plain<'_, G> {
    fn descend(&mut self, pos: &G::Position, mut depth: Depth, ply: u32) -> Score {
        let game = self.game;
        if ply > 0 && G::REPETITION && game.drawn(pos, &self.line) {
            return Score::ZERO;
        }
        if depth.0 <= 0 {
            return game.horizon(pos, Window::FULL, ply, &mut Meter::default());
        }
        if self.extension && game.in_check(pos) {
            depth = depth + 1;
        }
        let mut moves = Moves::<G>::new();
        game.moves(pos, &mut moves);
        if moves.is_empty() {
            return game.outcome(pos, ply);
        }
        self.line.push(game.key(pos));
        let mut best = -Score::INFINITE;
        for scored in &moves {
            let child = game.play(pos, scored.mv);
            best = best.max(-self.descend(&child, depth - game.plies(scored.mv), ply + 1));
        }
        self.line.pop();
        best
    }
}
