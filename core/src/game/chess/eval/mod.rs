//! Static evaluation of chess: tapered between middlegame and endgame, in centipawns.
//!
//! Material and placement travel with the position as one packed sum; pawn structure comes from a cache;
//! mobility, king safety and passed pawns are computed at each call. Exchanging the colours changes exactly
//! the sign (the tempo term aside, which belongs to the side to move).

mod king;
mod mobility;
mod params;
mod pawns;
mod tables;
mod taper;

pub use params::EvalParams;
pub use taper::Taper;

use super::draw;
use super::position::Position;
use crate::score::Score;
use cozy_chess::{Color, Move, Piece, Square};
use pawns::PawnCache;

/// Phase of the start position: knights and bishops 1, rooks 2, queens 4.
pub(super) const FULL_PHASE: i32 = 24;
/// Phase that a man adds, pawn to king.
pub(super) const PHASE: [i16; 6] = [0, 1, 1, 2, 4, 0];
/// Evaluations stay within this, well below the mate scores.
const LIMIT: i32 = 20_000;

/// Numbers, derived tables and cache of one evaluation.
#[derive(Clone, Debug)]
pub(super) struct Evaluation {
    params: Box<EvalParams>,
    /// Value of a man on a square, by colour, piece and square; Black's are negative.
    placed: Box<[[[Taper; 64]; 6]; 2]>,
    pawns: PawnCache,
    id: u64,
}

impl Evaluation {
    pub(super) fn new(params: EvalParams) -> Evaluation {
        let mut placed = Box::new([[[Taper::ZERO; 64]; 6]; 2]);
        for piece in 0..6 {
            for square in 0..64 {
                let value = params.men[piece] + params.squares[piece][square];
                placed[0][piece][square] = value;
                placed[1][piece][square ^ 56] = -value;
            }
        }
        let id = params.id();
        Evaluation { params: Box::new(params), placed, pawns: PawnCache::new(), id }
    }

    pub(super) fn id(&self) -> u64 {
        self.id
    }

    /// Material and placement of one man, White's minus Black's.
    #[inline]
    pub(super) fn placed(&self, color: Color, piece: Piece, square: Square) -> Taper {
        self.placed[color as usize][piece as usize][square as usize]
    }

    /// What a quiet move adds to its man's placement in the middlegame, for the mover.
    #[inline]
    pub(super) fn improvement(&self, color: Color, piece: Piece, mv: Move) -> i32 {
        let change = self.placed(color, piece, mv.to) - self.placed(color, piece, mv.from);
        if color == Color::White { change.middlegame() } else { -change.middlegame() }
    }

    /// Value for the side to move.
    pub(super) fn evaluate(&self, pos: &Position) -> Score {
        let board = &pos.board;
        if draw::insufficient_material(board) {
            return Score::ZERO;
        }
        let params = &*self.params;
        let pawns = self.pawns.probe(board, params);
        let files = pawns.files;
        let guards = [Color::White, Color::Black]
            .map(|color| pawns::attacks(board.colored_pieces(color, Piece::Pawn).0, color));
        let side = |color| {
            mobility::pieces(board, color, guards, files, params) + king::shelter(board, color, files, params)
        };
        let mut total = pos.placed + pawns.score;
        total += side(Color::White) - side(Color::Black);
        if pawns.passed != 0 {
            total += pawns::passers(board, &pawns, params);
        }
        let mut value = if board.side_to_move() == Color::White { total } else { -total };
        value += params.tempo;
        let phase = i32::from(pos.phase).min(FULL_PHASE);
        Score(value.blend(phase, FULL_PHASE).clamp(-LIMIT, LIMIT))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Chess, testing};
    use crate::game::Game;

    #[test]
    fn exchanging_the_colours_keeps_the_value() {
        let game = Chess::default();
        let mut values = std::collections::BTreeSet::new();
        for pos in testing::positions(5000) {
            let value = game.evaluate(&pos);
            assert_eq!(value, game.evaluate(&game.mirror(&pos)), "{}", game.format(&pos));
            assert!(value.abs() < Chess::DECISIVE);
            values.insert(value);
        }
        assert!(values.len() > 500, "the evaluation tells positions apart");
    }

    #[test]
    fn passing_changes_only_sign_and_tempo() {
        let game = Chess::default();
        for pos in testing::positions(1000) {
            let Some(passed) = game.null(&pos) else { continue };
            let sum = game.evaluate(&pos) + game.evaluate(&passed);
            // Twice the tempo, blended; rounding moves each half by less than one.
            assert!((14..=30).contains(&sum.0) || sum.0 == 0, "{} {}", sum.0, game.format(&pos));
        }
    }

    #[test]
    fn a_warm_cache_gives_the_same_value_as_a_cold_one() {
        let warm = Chess::default();
        for pos in testing::positions(300) {
            let cold = Chess::default();
            warm.evaluate(&pos);
            assert_eq!(warm.evaluate(&pos), cold.evaluate(&pos));
        }
    }
}
