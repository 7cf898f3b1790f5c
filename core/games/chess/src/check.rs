//! Whether a move gives check, found without playing it.
//!
//! Futility asks this of every move that it wants to skip. Instead of telling direct, discovered, castling
//! and en passant checks apart, the sliders are asked once on the board as it will be.

use super::position::{castled, takes_en_passant};
use cozy_chess::{
    BitBoard, Board, Move, Piece, Square, get_bishop_moves, get_bishop_rays, get_knight_moves,
    get_pawn_attacks, get_rook_moves, get_rook_rays,
};

/// Whether a move gives check, without playing it.
pub(super) fn gives_check(board: &Board, mv: Move) -> bool {
    let us = board.side_to_move();
    let king = board.king(!us);
    let Some(moved) = board.piece_on(mv.from) else { return false };
    let from = mv.from.bitboard();
    let own = board.colors(us);
    let mut occupied = board.occupied() ^ from;
    let mut lines = own & (board.pieces(Piece::Rook) | board.pieces(Piece::Queen)) & !from;
    let mut diagonals = own & (board.pieces(Piece::Bishop) | board.pieces(Piece::Queen)) & !from;
    if own.has(mv.to) {
        let (to, rook) = castled(mv);
        occupied = (occupied ^ mv.to.bitboard()) | to.bitboard() | rook.bitboard();
        lines = (lines ^ mv.to.bitboard()) | rook.bitboard();
    } else {
        let to = mv.to.bitboard();
        occupied |= to;
        if takes_en_passant(board, mv) {
            occupied ^= Square::new(mv.to.file(), mv.from.rank()).bitboard();
        }
        match mv.promotion.unwrap_or(moved) {
            Piece::Pawn if get_pawn_attacks(king, !us).has(mv.to) => return true,
            Piece::Knight if get_knight_moves(king).has(mv.to) => return true,
            Piece::Bishop => diagonals |= to,
            Piece::Rook => lines |= to,
            Piece::Queen => {
                lines |= to;
                diagonals |= to;
            }
            _ => {}
        }
    }
    sees(king, lines, diagonals, occupied)
}

/// Whether one of the sliders reaches `king`.
#[inline]
fn sees(king: Square, lines: BitBoard, diagonals: BitBoard, occupied: BitBoard) -> bool {
    // Most sliders are not even on a line with the king: that is cheaper to ask first.
    (!(lines & get_rook_rays(king)).is_empty() && !(lines & get_rook_moves(king, occupied)).is_empty())
        || (!(diagonals & get_bishop_rays(king)).is_empty()
            && !(diagonals & get_bishop_moves(king, occupied)).is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::{Chess, testing};
    use secateur_core::game::{Notation, Rules};

    #[test]
    fn the_answer_is_what_playing_the_move_shows() {
        let game = Chess::default();
        let (mut checks, mut moves) = (0, 0);
        for pos in testing::positions(5000) {
            for mv in testing::moves(&game, &pos) {
                let expected = !game.play(&pos, mv).board.checkers().is_empty();
                assert_eq!(game.gives_check(&pos, mv), expected, "{mv} in {}", game.format(&pos));
                checks += usize::from(expected);
                moves += 1;
            }
        }
        assert!(checks > 2000 && moves > 50_000, "{checks} of {moves}");
    }

    #[test]
    fn the_rare_kinds_of_check_are_seen() {
        let game = Chess::default();
        for (fen, mv) in [
            ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
            ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"),
            ("8/8/8/R2pP2k/8/8/8/4K3 w - d6 0 1", "e5d6"),
            ("8/8/8/k2pP3/8/8/8/B3K2B w - d6 0 1", "h1d5"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"),
            ("8/P1k5/8/8/8/8/8/4K3 w - - 0 1", "a7a8n"),
        ] {
            let pos = game.parse(fen).expect("a legal position");
            let mv = game.parse_move(&pos, mv).expect("a legal move");
            let expected = !game.play(&pos, mv).board.checkers().is_empty();
            assert_eq!(game.gives_check(&pos, mv), expected, "{fen}");
        }
    }
}
