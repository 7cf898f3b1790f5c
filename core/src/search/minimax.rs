//! Plain minimax: the definition that the host without methods is held to. With chance in the game, plain expectiminimax.
//!
//! No window, no table, no ordering, no iteration: every move at every node, the horizon function with the
//! full window at the leaves. Exponential, and meant for tests and the gate.

use super::Options;
use crate::game::{Below, Game, Meter, Moves, Outcomes, QuietNode, expectation};
use crate::score::{Depth, Score, Window};

/// Value of `pos` searched `depth` plies by plain minimax, as [`super::Search`] defines depth: a forced pass
/// costs none, and a repetition of the line from the root is a draw.
pub fn minimax<G: Game>(game: &G, pos: &G::Position, depth: Depth) -> Score {
    minimax_with(game, &Options::default(), pos, depth)
}

/// [`minimax`] of the tree that a host with these options searches at full width: with a node in check a ply deeper
/// ([`Options::check_extension`]), with another horizon ([`Options::losing_captures`]). The others change no value.
pub fn minimax_with<G: Game>(game: &G, options: &Options, pos: &G::Position, depth: Depth) -> Score {
    let (extension, losing) = (options.check_extension, Losing(options.losing_captures));
    Plain { game, extension, losing, line: Vec::new() }.descend(pos, depth, 0)
}

/// Value at the horizon, `ply` plies from the root, of a host with these options.
pub fn horizon_with<G: Game>(game: &G, options: &Options, pos: &G::Position, ply: u32) -> Score {
    quiet(game, Losing(options.losing_captures), pos, ply)
}

fn quiet<G: Game>(game: &G, mut losing: Losing, pos: &G::Position, ply: u32) -> Score {
    game.quiesce(pos, Window::FULL, ply, &mut Meter::default(), &mut losing)
}

struct Plain<'a, G> {
    game: &'a G,
    extension: bool,
    losing: Losing,
    line: Vec<u64>,
}

/// Leaves out nothing but, unless the flag is set, captures that lose by exchange.
#[derive(Clone, Copy)]
struct Losing(bool);

impl<G: Game> Below<G> for Losing {
    fn losing(&self) -> bool {
        self.0
    }

    fn skip(&mut self, _: &G, _: &QuietNode<'_, G>, _: Score, _: G::Move) -> Option<Score> {
        None
    }
}

impl<G: Game> Plain<'_, G> {
    fn descend(&mut self, pos: &G::Position, mut depth: Depth, ply: u32) -> Score {
        let game = self.game;
        if ply > 0 && G::REPETITION && game.drawn(pos, &self.line) {
            return Score::ZERO;
        }
        if depth.0 <= 0 {
            return quiet(game, self.losing, pos, ply);
        }
        if G::CHANCE && game.awaits(pos) {
            return self.mean(pos, depth, ply);
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
    /// Expectiminimax: the mean over a throw, which takes no depth.
    fn mean(&mut self, pos: &G::Position, depth: Depth, ply: u32) -> Score {
        let mut outcomes = Outcomes::<G>::new();
        self.game.outcomes(pos, &mut outcomes);
        let (mut sum, mut weights) = (0, 0);
        for outcome in &outcomes {
            sum += i64::from(outcome.weight) * i64::from(self.descend(&outcome.pos, depth, ply).0);
            weights += i64::from(outcome.weight);
        }
        expectation(sum, weights)
    }
}
