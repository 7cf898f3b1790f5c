//! A searcher of forty lines with a triangular table of lines, for the one fault that no method can have: a row that is
//! not reset before a node returns early (the truncated and wrong-coloured lines of many first programs).

use secateur_core::game::{Game, Meter, Moves};
use secateur_core::search::Iteration;
use secateur_core::{Score, Window};

/// Plain fail-soft alpha-beta.
pub(super) struct Small<'g, G: Game> {
    pub(super) game: &'g G,
    /// Whether a node's row is cleared before anything else, rather than once it is known that the game goes on.
    pub(super) resets: bool,
    pub(super) rows: Vec<Vec<G::Move>>,
}

impl<G: Game> Small<'_, G> {
    /// Searches to one depth.
    pub(super) fn run(&mut self, root: &G::Position, depth: i32) -> Iteration<G::Move> {
        self.rows = vec![Vec::new(); 2 * depth as usize + 2];
        let score = self.value(root, depth, Window::FULL, &mut Vec::new());
        Iteration { depth, score, pv: self.rows[0].clone(), nodes: 0, qnodes: 0, seldepth: 0 }
    }

    fn value(&mut self, pos: &G::Position, depth: i32, window: Window, keys: &mut Vec<u64>) -> Score {
        let (game, ply) = (self.game, keys.len());
        if self.resets {
            self.rows[ply].clear();
        }
        if ply > 0 && G::REPETITION && game.drawn(pos, keys) {
            return Score::ZERO;
        }
        let mut moves = Moves::<G>::new();
        game.moves(pos, &mut moves);
        if moves.is_empty() {
            return game.outcome(pos, ply as u32);
        }
        if depth <= 0 {
            return game.horizon(pos, window, ply as u32, &mut Meter::default());
        }
        self.rows[ply].clear();
        let (mut best, mut alpha) = (-Score::INFINITE, window.alpha);
        keys.push(game.key(pos));
        for scored in &moves {
            let child = game.play(pos, scored.mv);
            let below = -Window { alpha, beta: window.beta };
            let score = -self.value(&child, depth - game.plies(scored.mv), below, keys);
            best = best.max(score);
            if score > alpha {
                alpha = score;
                let rest = self.rows[ply + 1].clone();
                self.rows[ply] = std::iter::once(scored.mv).chain(rest).collect();
            }
            if best >= window.beta {
                break;
            }
        }
        keys.pop();
        best
    }
}
