//! The stages of a game, which are also the categories of positions that fitted parameters differ by.
//!
//! Shogi does not get emptier, so stages go by how much has changed hands or promoted, and an attack on a king is a category of
//! its own whenever it comes: there, values of searches of different depths agree least.

use super::legal::king;
use super::terms::SQUARES;
use haitaka::{BitBoard, Board, Color, Piece};

/// Names in the order of a game.
pub(crate) const NAMES: &[&str] = &["opening", "middle", "endgame", "attack"];

/// Fewer pieces in hand or promoted are the opening.
const MIDDLE: u32 = 5;
/// So many are the endgame.
const ENDGAME: u32 = 13;
/// So many pieces but pawns within two squares of the enemy king are an attack.
const ATTACKERS: u32 = 3;

/// The squares at most two away.
static NEAR: [BitBoard; SQUARES] = {
    let mut table = [BitBoard::EMPTY; SQUARES];
    let mut king = 0;
    while king < SQUARES {
        let (mut set, mut square) = (0u128, 0);
        while square < SQUARES {
            if (king / 9).abs_diff(square / 9) <= 2 && (king % 9).abs_diff(square % 9) <= 2 {
                set |= 1 << square;
            }
            square += 1;
        }
        table[king] = BitBoard::new(set);
        king += 1;
    }
    table
};

/// The stage of a position.
pub(crate) fn stage(board: &Board) -> usize {
    let pawns = board.pieces(Piece::Pawn) | board.pieces(Piece::King);
    // Nobody attacks a king that is not there.
    let attacked = |color: Color| {
        (NEAR[king(board, color) as usize] & board.colors(!color) & !pawns).len() >= ATTACKERS
            && board.has(color, Piece::King)
    };
    if attacked(Color::White) || attacked(Color::Black) {
        return 3;
    }
    let promoted = board.pseudo_golds() & !board.pieces(Piece::Gold);
    let held: u32 = board.hands().iter().flatten().map(|&count| u32::from(count)).sum();
    match promoted.len() + held {
        0..MIDDLE => 0,
        MIDDLE..ENDGAME => 1,
        _ => 2,
    }
}
