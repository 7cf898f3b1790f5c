//! Shogi: rules from haitaka, everything a search needs next to them written here.
//!
//! Scores are in 1/100 pawn; a lost game is [`MATE`] from its end, as a mate in chess. Who has no move has lost, mated or not.
//! Inside a search the first repetition is a draw, unless checks alone led to it; in a game it takes the fourth, and who gave
//! perpetual check has lost. A king that has entered wins by the rule of 27 points in a game ([`Position::may_declare`]); searches
//! know nothing of it. Of a
//! problem (tsume) the attacker may have no king. Left out: handicaps and draws by agreement.

mod legal;
pub mod mate;
mod material;
mod order;
mod position;
mod rules;
mod text;
mod weights;

pub use haitaka::Move;
pub use position::Position;
pub use weights::{LARGEST, PAWN, PIECES, WEIGHTS, Weights, terms};

use haitaka::Board;
use secateur_base::MATE;
use secateur_core::game::{AnyGame, Game};
use secateur_core::prune::Methods;
use secateur_core::search::{Options, Searcher, searcher};
use std::sync::Arc;

/// Shogi with one set of weights. Positions carry sums of them, so a position belongs to games with equal weights only.
#[derive(Clone, Debug)]
pub struct Shogi {
    weights: Arc<Weights>,
}

impl Shogi {
    /// Shogi with the given weights.
    pub fn new(weights: Arc<Weights>) -> Shogi {
        Shogi { weights }
    }

    /// The weights in use.
    pub fn weights(&self) -> &Arc<Weights> {
        &self.weights
    }

    fn position(&self, board: Board) -> Position {
        Position::new(board, &self.weights)
    }
}

impl Default for Shogi {
    /// Shogi with the embedded weights.
    fn default() -> Shogi {
        Shogi::new(Weights::embedded())
    }
}

impl Game for Shogi {
    const NAME: &'static str = "shogi";

    #[inline(never)]
    fn searcher(self, methods: &Methods, options: Options) -> Searcher<'_, Self> {
        searcher(self, methods, options)
    }
}

impl From<Shogi> for AnyGame {
    #[inline(never)]
    fn from(game: Shogi) -> AnyGame {
        AnyGame::of(game)
    }
}

#[cfg(test)]
mod tests;
