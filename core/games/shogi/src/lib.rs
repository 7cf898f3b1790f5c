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
mod text;
mod weights;

pub use haitaka::Move;
pub use position::Position;
pub use weights::{LARGEST, PAWN, PIECES, WEIGHTS, Weights, terms};

use haitaka::{Board, Color, Piece};
use secateur_base::{Fnv, MATE};
use secateur_core::game::{Below, Evaluation, Force, Game, Hints, Meter, Moves, Notation};
use secateur_core::prune::Methods;
use secateur_core::search::{Options, Searcher, searcher};
use secateur_core::{Score, Window};
use std::sync::Arc;

/// One position in this many is never learnt from.
const RESERVED_SHARE: u64 = 8;
/// Evaluations stay within this.
const FAR: i32 = 20_000;

/// Shogi with one set of weights. Positions carry sums of them, so a position belongs to games with equal weights only.
#[derive(Clone, Debug)]
pub struct Shogi {
    weights: Arc<Weights>,
}

impl Shogi {
    /// Shogi with the given weights.
    #[must_use]
    pub fn new(weights: Arc<Weights>) -> Shogi {
        Shogi { weights }
    }

    /// The weights in use.
    #[must_use]
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

impl Evaluation for Shogi {
    const STAGES: &'static [&'static str] = position::STAGES;
    const RECURRING: usize = 1;
    const DECISIVE: Score = Score(29_000);
    const HISTORY: usize = order::HISTORY;
    const COUNTERS: bool = true;

    fn evaluation_id(&self) -> u64 {
        self.weights.id()
    }

    fn stage(&self, pos: &Position) -> usize {
        position::stage(&pos.board)
    }

    #[inline]
    fn evaluate(&self, pos: &Position) -> Score {
        let balance = if pos.board.side_to_move() == Color::Black { pos.placed } else { -pos.placed };
        Score((balance + self.weights.turn()).clamp(-FAR, FAR))
    }

    fn balance(&self, pos: &Position) -> Score {
        Score(material::balance(&pos.board))
    }

    #[inline]
    fn horizon(&self, pos: &Position, window: Window, ply: u32, meter: &mut Meter) -> Score {
        order::horizon(self, pos, window, ply, meter, &mut ())
    }

    fn quiesce(
        &self,
        pos: &Position,
        window: Window,
        ply: u32,
        meter: &mut Meter,
        below: &mut impl Below<Shogi>,
    ) -> Score {
        order::horizon(self, pos, window, ply, meter, below)
    }

    #[inline]
    fn attainable(&self, ply: u32) -> Window {
        Window { alpha: Score(ply as i32 - MATE), beta: Score(MATE - 1 - ply as i32) }
    }

    /// One position in eight; its mirror image with it.
    fn is_reserved(&self, pos: &Position) -> bool {
        Fnv::default().field(&self.canonical(pos)).value().is_multiple_of(RESERVED_SHARE)
    }

    /// Pieces on the board but pawns and the king, and all in hand.
    fn force(&self, pos: &Position, of_mover: bool) -> Force {
        let board = &pos.board;
        let side = if of_mover { board.side_to_move() } else { !board.side_to_move() };
        let (mut count, mut worth) = (0, 0);
        for piece in Piece::ALL.into_iter().filter(|&piece| !matches!(piece, Piece::Pawn | Piece::King)) {
            let pieces = board.colored_pieces(side, piece).len() + u32::from(board.num_in_hand(side, piece));
            let each = match piece.unpromote() {
                Piece::Bishop | Piece::Rook => 5,
                _ => 3,
            };
            (count, worth) = (count + pieces, worth + each * pieces);
        }
        Force { count, worth }
    }

    #[inline]
    fn order(&self, pos: &Position, hints: &Hints<'_, Move>, moves: &mut Moves<Shogi>) {
        order::order(self, pos, hints, moves);
    }

    #[inline]
    fn tactical(&self, pos: &Position, mv: Move) -> bool {
        order::is_tactical(pos, mv)
    }

    #[inline]
    fn gain(&self, pos: &Position, mv: Move) -> Score {
        Score(material::gain(&pos.board, mv))
    }

    fn exchange(&self, pos: &Position, mv: Move) -> Score {
        Score(material::exchange(&pos.board, mv))
    }

    /// The pawns of both sides, by what the mover sees of them, so that mirrored positions have mirrored structures.
    fn structure(&self, pos: &Position) -> Option<u64> {
        let board = &pos.board;
        let us = board.side_to_move();
        let pawns = |color: Color| {
            let pawns = board.colored_pieces(color, Piece::Pawn);
            let seen = if us == Color::Black { pawns } else { pawns.rotate() };
            seen.0 as u64 ^ ((seen.0 >> 64) as u64).wrapping_mul(0xff51_afd7_ed55_8ccd)
        };
        let mixed =
            pawns(us).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ pawns(!us).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        Some((mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9))
    }

    #[inline]
    fn history_index(&self, pos: &Position, mv: Move) -> usize {
        order::history_index(pos, mv)
    }
}

impl Game for Shogi {
    const NAME: &'static str = "shogi";

    #[inline(never)]
    fn searcher(self, methods: &Methods, options: Options) -> Searcher<'_, Self> {
        searcher(self, methods, options)
    }
}

#[cfg(test)]
mod tests;
