//! Material that no series of moves can mate with: a draw to the rules, and worth nothing to the evaluation.

use cozy_chess::{Board, Piece};

/// Bare kings, or one minor piece against a bare king.
#[inline]
pub(super) fn insufficient_material(board: &Board) -> bool {
    let men = board.occupied().len();
    men == 2 || (men == 3 && !(board.pieces(Piece::Knight) | board.pieces(Piece::Bishop)).is_empty())
}
