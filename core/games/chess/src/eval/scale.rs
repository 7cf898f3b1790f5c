//! Endgames that are drawn more often than their material says, whose endgame half counts for less.
//!
//! Left out: everything that a tablebase would know better.

use super::params::SCALE;
use super::{EvalParams, Taper};
use cozy_chess::{BitBoard, Board, Color, Piece};

/// 64ths that count in full.
pub(super) const FULL: i32 = 64;

/// Which number of `SCALE` applies if the endgame half of White's value minus Black's is `endgame`.
#[inline]
pub(super) fn case(board: &Board, endgame: i32) -> Option<usize> {
    let bishops = board.pieces(Piece::Bishop);
    if bishops.len() == 2 && opposite(board, bishops) {
        let others = board.pieces(Piece::Knight) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
        return Some(usize::from(!others.is_empty()));
    }
    let strong = if endgame > 0 { Color::White } else { Color::Black };
    let bare = board.colored_pieces(strong, Piece::Pawn).is_empty();
    (bare && endgame != 0 && points(board, strong) - points(board, !strong) <= 3).then_some(2)
}

fn opposite(board: &Board, bishops: BitBoard) -> bool {
    const DARK: BitBoard = BitBoard(0xaa55_aa55_aa55_aa55);
    (bishops & board.colors(Color::White)).len() == 1 && (bishops & DARK).len() == 1
}

/// The pieces of a side, in pawns.
fn points(board: &Board, color: Color) -> i32 {
    let count = |piece| board.colored_pieces(color, piece).len() as i32;
    3 * (count(Piece::Knight) + count(Piece::Bishop)) + 5 * count(Piece::Rook) + 9 * count(Piece::Queen)
}

/// The factor of a case, in 64ths.
#[inline]
pub(super) fn factor(case: Option<usize>, params: &EvalParams) -> i32 {
    case.map_or(FULL, |case| params.get(SCALE, case).middlegame())
}

/// The value at `phase` of `full`, with the endgame half scaled. Rounds towards zero.
#[inline]
pub(super) fn blend(total: Taper, phase: i32, full: i32, factor: i32) -> i32 {
    (total.middlegame() * phase * FULL + total.endgame() * (full - phase) * factor) / (full * FULL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawish_material_is_recognised_for_either_side() {
        for (fen, endgame, expected) in [
            ("4kb2/8/8/8/8/8/4P3/4KB2 w - - 0 1", 100, Some(0)),
            ("2b1k3/8/8/8/8/8/4P3/4KB2 w - - 0 1", 100, None),
            ("3rkb2/8/8/8/8/8/4P3/3RKB2 w - - 0 1", 100, Some(1)),
            ("3rk3/8/8/8/8/8/8/3RKB2 w - - 0 1", 100, Some(2)),
            ("3rk3/8/8/8/8/8/8/3RKB2 w - - 0 1", -100, Some(2)),
            ("3rk3/8/8/8/8/8/4P3/3RKB2 w - - 0 1", 100, None),
            ("3rk3/8/8/8/8/8/8/3RKBB1 w - - 0 1", 100, None),
        ] {
            let board: Board = fen.parse().expect("a legal position");
            assert_eq!(case(&board, endgame), expected, "{fen}");
        }
    }

    #[test]
    fn in_full_it_is_the_plain_blend() {
        for phase in 0..=24 {
            for (middlegame, endgame) in [(37, -111), (-5, 3), (1200, 900)] {
                let pair = Taper::new(middlegame, endgame);
                assert_eq!(blend(pair, phase, 24, FULL), pair.blend(phase, 24));
                assert_eq!(blend(pair, phase, 24, 17), -blend(-pair, phase, 24, 17));
            }
        }
    }
}
