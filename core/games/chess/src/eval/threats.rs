//! Threats: enemy men that are attacked and cannot well be held, and checks that cost nothing.
//!
//! Nothing is played out. What is won at once the quiescence search sees; here it is about having to defend.

use super::mobility::Attacks;
use super::params::{
    HANGING, SAFE_CHECK, THREAT_KING, THREAT_MINOR, THREAT_PAWN, THREAT_PUSH, THREAT_ROOK, WEAK_RING,
};
use super::pawns;
use super::taper::Sink;
use crate::slides::{get_bishop_moves, get_rook_moves};
use cozy_chess::{BitBoard, Board, Color, Piece, get_king_moves, get_knight_moves};

/// Counts the threats of a side that attacks `ours`, where the other attacks `other`.
#[inline(always)]
pub(super) fn threats<S: Sink>(sink: &mut S, board: &Board, color: Color, ours: &Attacks, other: &Attacks) {
    let enemy = board.colors(!color);
    let pieces = enemy & !board.pieces(Piece::Pawn) & !board.pieces(Piece::King);
    let held = other.by(Piece::Pawn) | (other.twice & !ours.twice);
    let weak = enemy & ours.all & !held;

    let by_pawn = ours.by(Piece::Pawn) & pieces;
    if !by_pawn.is_empty() {
        for piece in 1..5 {
            sink.add(THREAT_PAWN, piece - 1, count(by_pawn & board.pieces(Piece::ALL[piece])));
        }
    }
    let by_minor = (ours.by(Piece::Knight) | ours.by(Piece::Bishop)) & (weak | pieces);
    if !by_minor.is_empty() {
        victims(sink, THREAT_MINOR, board, by_minor);
    }
    let by_rook = ours.by(Piece::Rook) & (weak | (enemy & board.pieces(Piece::Queen)));
    if !by_rook.is_empty() {
        victims(sink, THREAT_ROOK, board, by_rook);
    }
    if !weak.is_empty() {
        sink.add(THREAT_KING, 0, i32::from(!(weak & ours.by(Piece::King)).is_empty()));
        sink.add(HANGING, 0, count(weak & !other.all));
    }
    pushes(sink, board, color, ours, other, pieces);
}

#[inline(always)]
fn victims<S: Sink>(sink: &mut S, group: super::Group, board: &Board, hit: BitBoard) {
    for piece in 0..5 {
        sink.add(group, piece, count(hit & board.pieces(Piece::ALL[piece])));
    }
}

/// Pieces that a pawn's step would attack, if the pawn is guarded there or nothing attacks it.
#[inline(always)]
fn pushes<S: Sink>(
    sink: &mut S,
    board: &Board,
    color: Color,
    ours: &Attacks,
    other: &Attacks,
    pieces: BitBoard,
) {
    let pawns = board.colored_pieces(color, Piece::Pawn);
    let empty = !board.occupied().0;
    let third = if color == Color::White { 0xff_0000 } else { 0xff_0000_0000_0000 >> 8 };
    let once = pawns::ahead(pawns.0, color) & empty;
    let twice = pawns::ahead(once & third, color) & empty;
    let safe = (ours.all | !other.all).0 & !other.by(Piece::Pawn).0;
    let hits = pawns::attacks((once | twice) & safe, color) & !ours.by(Piece::Pawn).0;
    sink.add(THREAT_PUSH, 0, count(BitBoard(hits) & pieces));
}

/// Counts the weak squares around the enemy king and the checks that could be given for nothing.
#[inline(always)]
pub(super) fn checks<S: Sink>(sink: &mut S, board: &Board, color: Color, ours: &Attacks, other: &Attacks) {
    let king = board.king(!color);
    // Guarded by king or queen alone, and attacked twice.
    let barely = !other.twice & (!other.all | other.by(Piece::King) | other.by(Piece::Queen));
    sink.add(WEAK_RING, 0, count(get_king_moves(king) & ours.all & barely));

    let safe = !board.colors(color) & (!other.all | (barely & ours.twice));
    let occupied = board.occupied();
    let knights = get_knight_moves(king) & safe & ours.by(Piece::Knight);
    sink.add(SAFE_CHECK, 0, i32::from(!knights.is_empty()));
    let slides = ours.by(Piece::Bishop) | ours.by(Piece::Rook) | ours.by(Piece::Queen);
    if (slides & safe).is_empty() {
        return;
    }
    let diagonal = get_bishop_moves(king, occupied) & safe;
    let straight = get_rook_moves(king, occupied) & safe;
    sink.add(SAFE_CHECK, 1, i32::from(!(diagonal & ours.by(Piece::Bishop)).is_empty()));
    sink.add(SAFE_CHECK, 2, i32::from(!(straight & ours.by(Piece::Rook)).is_empty()));
    sink.add(SAFE_CHECK, 3, i32::from(!((diagonal | straight) & ours.by(Piece::Queen)).is_empty()));
}

#[inline]
fn count(set: BitBoard) -> i32 {
    set.len() as i32
}

#[cfg(test)]
mod tests {
    use super::super::{EvalParams, Group};
    use crate::Chess;
    use secateur_core::game::Notation;

    /// Coefficient of a number of a group, White to move.
    fn times(fen: &str, group: Group, index: usize) -> i32 {
        let game = Chess::with_params(EvalParams::start().clone());
        let pos = game.parse(fen).expect("a legal position");
        let trace = game.trace(&pos);
        trace.terms.iter().find(|term| term.0 == group.at + index).map_or(0, |term| term.1)
    }

    #[test]
    fn threats_are_counted_by_attacker_and_victim() {
        use super::*;
        for (fen, group, index, expected) in [
            ("4k3/8/8/3n1r2/4P3/8/8/4K3 w - - 0 1", THREAT_PAWN, 0, 1),
            ("4k3/8/8/3n1r2/4P3/8/8/4K3 w - - 0 1", THREAT_PAWN, 2, 1),
            ("4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1", THREAT_MINOR, 4, 1),
            ("4k3/8/2p5/3p4/8/2N5/8/4K3 w - - 0 1", THREAT_MINOR, 0, 0),
            ("4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1", THREAT_MINOR, 0, 1),
            ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", THREAT_ROOK, 0, 1),
            ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", HANGING, 0, 1),
            ("8/3k4/8/3p4/2K5/8/8/8 w - - 0 1", THREAT_KING, 0, 1),
            ("4k3/8/2n5/8/8/3P4/8/4K3 w - - 0 1", THREAT_PUSH, 0, 0),
            ("4k3/8/2n5/8/3P4/8/8/4K3 w - - 0 1", THREAT_PUSH, 0, 1),
            ("4k3/8/2r5/8/1P6/8/8/4K3 w - - 0 1", THREAT_PUSH, 0, 1),
        ] {
            assert_eq!(times(fen, group, index), expected, "{fen} {}", group.name);
        }
    }

    #[test]
    fn a_check_is_safe_where_the_enemy_guards_nothing() {
        use super::*;
        assert_eq!(times("6k1/8/8/8/8/8/8/R3K3 w - - 0 1", SAFE_CHECK, 2), 1);
        assert_eq!(times("r5k1/8/8/8/8/8/8/R3K3 w - - 0 1", SAFE_CHECK, 2), 0);
        assert_eq!(times("6k1/8/8/8/6N1/8/P7/4K3 w - - 0 1", SAFE_CHECK, 0), 1);
    }
}
