//! Mobility of the pieces and what they attack around the enemy king, in one walk over the pieces.
//!
//! The attack sets are the expensive part of the evaluation, so both terms are read from the same sets.

use super::{EvalParams, Taper, king};
use cozy_chess::{
    BitBoard, Board, Color, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves,
};

/// What a side's pieces are worth where they stand, beyond their squares.
///
/// `guards` are the squares that each side's pawns attack, `files` the files on which it has pawns.
#[inline]
pub(super) fn pieces(
    board: &Board,
    color: Color,
    guards: [u64; 2],
    files: [u8; 2],
    params: &EvalParams,
) -> Taper {
    let own = board.colors(color);
    let occupied = board.occupied();
    let barred = (board.pieces(Piece::Pawn) | board.pieces(Piece::King)) & own;
    let area = !barred & !BitBoard(guards[1 - color as usize]);
    let enemy_king = board.king(!color);
    let ring = get_king_moves(enemy_king) | enemy_king.bitboard();
    let mut pressure = king::Pressure::default();
    let mut total = Taper::ZERO;

    for square in own & board.pieces(Piece::Knight) {
        let attacks = get_knight_moves(square);
        total += params.knight_mobility[(attacks & area).len() as usize];
        pressure.add(attacks & ring, params.attack_weight[0]);
    }
    let bishops = own & board.pieces(Piece::Bishop);
    for square in bishops {
        let attacks = get_bishop_moves(square, occupied);
        total += params.bishop_mobility[(attacks & area).len() as usize];
        pressure.add(attacks & ring, params.attack_weight[1]);
    }
    if bishops.len() > 1 {
        total += params.bishop_pair;
    }
    for square in own & board.pieces(Piece::Rook) {
        let attacks = get_rook_moves(square, occupied);
        total += params.rook_mobility[(attacks & area).len() as usize];
        pressure.add(attacks & ring, params.attack_weight[2]);
        total += rook_file(square, color, files, params);
    }
    for square in own & board.pieces(Piece::Queen) {
        let attacks = get_bishop_moves(square, occupied) | get_rook_moves(square, occupied);
        total += params.queen_mobility[(attacks & area).len() as usize];
        pressure.add(attacks & ring, params.attack_weight[3]);
    }
    // The enemy's danger is this side's gain.
    total - pressure.danger(params)
}

#[inline]
fn rook_file(square: Square, color: Color, files: [u8; 2], params: &EvalParams) -> Taper {
    let file = 1_u8 << (square as usize % 8);
    if files[color as usize] & file != 0 {
        Taper::ZERO
    } else {
        params.rook_file[usize::from(files[1 - color as usize] & file == 0)]
    }
}
