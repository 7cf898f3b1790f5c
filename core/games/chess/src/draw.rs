//! Draws by rule while moves are left, and the hash that knows about them.
//!
//! Inside a search one repetition is enough: if a side can reach a position again it can do so twice, so
//! waiting for the third time only hides the draw behind the horizon.

use crate::eval::insufficient_material;
use crate::position::{Position, en_passant};
use cozy_chess::{Board, Move, Piece, get_pawn_attacks};

/// Plies without capture and pawn move after which the game is a draw.
const FIFTY_MOVES: u8 = 100;
/// From here on the clock is part of the hash. Below, a subtree of usual depth cannot reach the limit, and
/// positions that differ in the clock alone should share their table entry.
pub(super) const CLOCK_MATTERS: u8 = 80;

/// Hash of what decides the value of the subtree: men, side, castling, a possible en passant capture, and
/// the clock where the fifty-move rule is near.
#[inline]
pub(super) fn key(pos: &Position) -> u64 {
    identity(&pos.board) ^ clock(pos.board.halfmove_clock())
}

/// Hash by which the rules call two positions the same: an en passant square counts only if a pawn may
/// legally take there (FIDE Laws of Chess, article 9.2.3).
#[inline]
pub(super) fn identity(board: &Board) -> u64 {
    if board.en_passant().is_none() || can_take_en_passant(board) {
        board.hash()
    } else {
        board.hash_without_ep()
    }
}

/// Whether the side to move has a legal en passant capture.
pub(super) fn can_take_en_passant(board: &Board) -> bool {
    let us = board.side_to_move();
    en_passant(board).is_some_and(|to| {
        let pawns = get_pawn_attacks(to, !us) & board.colored_pieces(us, Piece::Pawn);
        pawns.iter().any(|from| board.is_legal(Move { from, to, promotion: None }))
    })
}

#[inline]
fn clock(halfmoves: u8) -> u64 {
    if halfmoves < CLOCK_MATTERS {
        return 0;
    }
    let mixed = u64::from(halfmoves).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// Whether the game is drawn although the side to move has moves. `keys` are the [`key`]s of the positions
/// before this one, oldest first.
#[inline]
pub(super) fn drawn(pos: &Position, keys: &[u64]) -> bool {
    let span = usize::from(pos.reversible).min(keys.len());
    (span >= 4 && repeated(pos, keys, span))
        || insufficient_material(&pos.board)
        || (pos.board.halfmove_clock() >= FIFTY_MOVES && fifty_moves(&pos.board))
}

/// Checkmate with the hundredth ply is checkmate; stalemate is a draw anyway.
#[inline(never)]
fn fifty_moves(board: &Board) -> bool {
    board.checkers().is_empty() || board.generate_moves(|_| true)
}

/// Whether one of the `span` positions before this one is the same. Not inlined: few nodes have so many behind them.
#[inline(never)]
fn repeated(pos: &Position, keys: &[u64], span: usize) -> bool {
    let (board_key, now) = (identity(&pos.board), pos.board.halfmove_clock());
    // Two plies cannot lead back: both sides would have to undo a move they have not made yet.
    (4..=span).step_by(2).any(|back| {
        // The clock of the earlier position follows from the distance, so its share of the key is known.
        keys[keys.len() - back] == board_key ^ clock(now.saturating_sub(back as u8))
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Chess, testing};
    use secateur_core::game::{Evaluation, Notation, Rules};

    /// Plays moves from a position and says after each whether the rules end the game.
    fn line(fen: &str, moves: &str) -> Vec<bool> {
        let game = Chess::default();
        let mut pos = game.parse(fen).expect("a legal position");
        let mut keys = Vec::new();
        moves
            .split(' ')
            .map(|text| {
                keys.push(game.key(&pos));
                pos = match text {
                    "null" => game.null(&pos).expect("not in check"),
                    _ => game.play(&pos, game.parse_move(&pos, text).expect("a legal move")),
                };
                game.drawn(&pos, &keys)
            })
            .collect()
    }

    const KNIGHTS: &str = "g1f3 g8f6 f3g1 f6g8";

    #[test]
    fn a_position_reached_again_is_a_draw() {
        assert_eq!(line(testing::FENS[0], KNIGHTS), [false, false, false, true]);
    }

    #[test]
    fn a_right_to_castle_or_take_lost_makes_another_position() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let moves = "h1g1 h8g8 g1h1 g8h8 h1g1 h8g8";
        assert_eq!(line(fen, moves), [false, false, false, false, false, true]);
        // The pawn on e4 could be taken en passant the first time only.
        let fen = "6k1/8/8/8/3p4/8/4P3/6K1 w - - 0 1";
        let moves = "e2e4 g8f8 g1f1 f8g8 f1g1 g8f8";
        assert_eq!(line(fen, moves), [false, false, false, false, false, true]);
        // No pawn can take: the square behind e4 means nothing.
        let fen = "6k1/8/8/8/8/p7/4P3/6K1 w - - 0 1";
        let moves = "e2e4 g8f8 g1f1 f8g8 f1g1";
        assert_eq!(line(fen, moves), [false, false, false, false, true]);
    }

    #[test]
    fn a_null_move_starts_a_new_line() {
        let moves = "g1f3 null f3g1 null g1f3 null";
        assert_eq!(line(testing::FENS[0], moves), [false; 6]);
        let moves = format!("g1f3 null {KNIGHTS}").replace("g1f3 g8f6 f3g1 f6g8", "f3g1 g8f6 g1f3 f6g8");
        assert_eq!(line(testing::FENS[0], &moves), [false, false, false, false, false, true]);
    }

    #[test]
    fn repetitions_are_found_where_the_clock_is_part_of_the_key() {
        for clock in [70, 78, 79, 80, 90] {
            let fen = format!("6k1/8/8/8/8/8/4R3/6K1 w - - {clock} 90");
            assert_eq!(line(&fen, "e2e3 g8f8 e3e2 f8g8"), [false, false, false, true], "{clock}");
        }
    }

    #[test]
    fn fifty_moves_end_the_game_but_not_before_mate() {
        assert_eq!(line("6k1/8/8/8/8/8/4R3/6K1 w - - 98 90", "e2e3 g8f8"), [false, true]);
        assert_eq!(line("6k1/8/8/8/8/8/4R3/6K1 w - - 99 90", "e2e8"), [true], "check, but no mate");
        assert_eq!(line("6k1/5ppp/8/8/8/8/4R3/6K1 w - - 99 90", "e2e8"), [false], "mate");
    }

    #[test]
    fn the_clock_changes_the_key_only_near_the_limit() {
        let game = Chess::default();
        let key = |clock| {
            let fen = format!("6k1/8/8/8/8/8/4R3/6K1 w - - {clock} 90");
            game.key(&game.parse(&fen).expect("a legal position"))
        };
        assert_eq!(key(0), key(79));
        let late: std::collections::BTreeSet<u64> = (79..=100).map(key).collect();
        assert_eq!(late.len(), 22);
    }

    #[test]
    fn too_little_material_is_a_draw() {
        let game = Chess::default();
        for (fen, expected) in [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
            ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true),
            ("4kb2/8/8/8/8/8/8/4K3 w - - 0 1", true),
            ("4k3/8/8/8/8/8/8/4KR2 w - - 0 1", false),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false),
            ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", false),
        ] {
            let pos = game.parse(fen).expect("a legal position");
            assert_eq!(game.drawn(&pos, &[]), expected, "{fen}");
            assert!(!expected || game.evaluate(&pos).0 == 0);
        }
    }
}
