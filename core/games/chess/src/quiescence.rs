//! The moves beyond the horizon: captures and queen promotions, and every evasion of a check.
//!
//! Captures that lose by exchange ([`see`]) and underpromotions are left out, unless the host wants the former.

use super::eval::pawns;
use super::position::{Position, captured, en_passant};
use super::slides::{get_bishop_moves, get_rook_moves};
use super::{Chess, see};
use crate::slides::squares;
use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, Square, get_king_moves, get_knight_moves, get_line_rays,
    get_pawn_attacks,
};
use secateur_core::game::{Moves, Scored};
use secateur_core::search::Captures;

impl Captures for Chess {
    const MOST_BEYOND: u32 = 64;

    /// Not inlined, or the whole generation of moves would be compiled again for each set of methods.
    fn has_moves(&self, pos: &Position) -> bool {
        // Out of check, a pawn that is not pinned and has room is enough.
        let (board, us) = (&pos.board, pos.board.side_to_move());
        let pawns = board.colored_pieces(us, Piece::Pawn) & !board.pinned();
        let steps = pawns::ahead(pawns.0, us) & !board.occupied().0;
        (board.checkers().is_empty() && steps != 0) || board.generate_moves(|_| true)
    }

    #[inline(always)]
    fn evades(&self, pos: &Position, beyond: u32) -> bool {
        !pos.board.checkers().is_empty() && beyond < Self::MOST_BEYOND
    }

    #[inline(always)]
    fn loud(&self, pos: &Position, evades: bool, moves: &mut Moves<Chess>) {
        let board = &pos.board;
        if evades {
            evasions(board, moves);
        } else {
            captures(board, |mv, mover| push(board, moves, mv, mover));
        }
    }

    #[inline(always)]
    fn loses(&self, pos: &Position, mv: Move) -> bool {
        let mover = pos.board.piece_on(mv.from).unwrap_or(Piece::Pawn);
        see::loses(&pos.board, mv, mover, pos.board.piece_on(mv.to))
    }
}

/// Legal captures and queen promotions of a side that is not in check, with the man that moves.
///
/// Most positions of a search are here, and few of their moves take anything: pawns are looked at all at once, and no man's quiet
/// moves are listed only to be left out, as they are where cozy-chess generates.
#[inline]
pub(super) fn captures(board: &Board, mut take: impl FnMut(Move, Piece)) {
    debug_assert!(board.checkers().is_empty());
    let us = board.side_to_move();
    let (own_men, enemy, occupied) = (board.colors(us), board.colors(!us), board.occupied());
    let king = board.king(us);
    let pinned = board.pinned() & own_men;
    pawn_captures(board, pinned, |mv| take(mv, Piece::Pawn));
    let mut from_men = |piece: Piece, reached: fn(Square, BitBoard) -> BitBoard| {
        for from in squares(own_men & board.pieces(piece)) {
            let mut targets = reached(from, occupied) & enemy;
            if pinned.has(from) {
                targets &= get_line_rays(king, from);
            }
            for to in squares(targets) {
                take(Move { from, to, promotion: None }, piece);
            }
        }
    };
    from_men(Piece::Knight, |from, _| get_knight_moves(from));
    from_men(Piece::Bishop, get_bishop_moves);
    from_men(Piece::Rook, get_rook_moves);
    from_men(Piece::Queen, |from, occupied| {
        get_bishop_moves(from, occupied) | get_rook_moves(from, occupied)
    });
    for to in squares(get_king_moves(king) & enemy) {
        // The king itself hides nothing from the sliders that see it.
        if (see::attackers(board, to, occupied ^ king.bitboard()) & enemy).is_empty() {
            take(Move { from: king, to, promotion: None }, Piece::King);
        }
    }
}

/// The pawns' part of [`captures`].
#[inline]
fn pawn_captures(board: &Board, pinned: BitBoard, mut take: impl FnMut(Move)) {
    let us = board.side_to_move();
    let (pawns, king) = (board.colored_pieces(us, Piece::Pawn), board.king(us));
    let [seventh, last] = [Rank::Seventh, Rank::Eighth].map(|rank| rank.relative_to(us));
    let passing = en_passant(board);
    let mut step = |from: Square, to: Square| {
        let mv = Move { from, to, promotion: (to.rank() == last).then_some(Piece::Queen) };
        let legal = if passing == Some(to) {
            // Two men leave a line at once: the rules are asked.
            board.is_legal(mv)
        } else {
            !pinned.has(from) || get_line_rays(king, from).has(to)
        };
        if legal {
            take(mv);
        }
    };
    let taken = board.colors(!us) | passing.map_or(BitBoard::EMPTY, Square::bitboard);
    for to in squares(BitBoard(pawns::attacks(pawns.0, us)) & taken) {
        for from in squares(get_pawn_attacks(to, !us) & pawns) {
            step(from, to);
        }
    }
    let promoted = BitBoard(pawns::ahead((pawns & seventh.bitboard()).0, us));
    for to in squares(promoted & !board.occupied()) {
        step(Square::new(to.file(), seventh), to);
    }
}

/// All moves of a side in check.
fn evasions(board: &Board, moves: &mut Moves<Chess>) {
    board.generate_moves(|set| {
        for mv in set {
            push(board, moves, mv, set.piece);
        }
        false
    });
}

#[inline]
fn push(board: &Board, moves: &mut Moves<Chess>, mv: Move, mover: Piece) {
    let taken = captured(board, mv).map_or(0, |(piece, _)| see::value(piece));
    // Knight and bishop are worth the same; their numbers keep the two promotions apart.
    let promoted = mv.promotion.map_or(0, |piece| 8 * (see::value(piece) - 100) + piece as i32);
    let value = 8 * taken + promoted - mover as i32;
    moves.push(Scored { mv, value: distinct(value, mv, board.side_to_move()) });
}

/// Values leave room for what makes them distinct, 12 bits.
pub(super) const FINE: i32 = 4096;

/// A value that is unique among the moves of a position, where `flip` takes a square to where the mover sees it.
#[inline(always)]
pub(super) fn seen(value: i32, mv: Move, flip: i32) -> i32 {
    let (from, to) = (mv.from as i32 ^ flip, mv.to as i32 ^ flip);
    // Advanced destinations first: among equals, forward moves do more.
    value * FINE + to * 64 + from
}

/// Makes a value unique among the moves of a position (promotions of one pawn must already differ), by the
/// squares as the mover sees them. `value` stays within ±500,000.
#[inline]
fn distinct(value: i32, mv: Move, color: Color) -> i32 {
    seen(value, mv, if color == Color::White { 0 } else { 56 })
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::MATE;
    use secateur_core::game::{Evaluation, Meter, Notation, Rules};
    use secateur_core::{Score, Window};

    fn quiet(game: &Chess, pos: &Position, window: Window) -> (Score, Meter) {
        let mut meter = Meter::default();
        (game.horizon(pos, window, 3, &mut meter), meter)
    }

    /// Negamax without windows over the quiescence tree, written from its definition.
    fn plain(game: &Chess, pos: &Position, ply: u32, root: bool, nodes: &mut u64) -> Option<Score> {
        *nodes += 1;
        if *nodes > 20_000 {
            return None;
        }
        let moves = testing::moves(game, pos);
        let in_check = game.in_check(pos);
        if moves.is_empty() && (root || in_check) {
            return Some(game.outcome(pos, ply));
        }
        let mut best = if in_check { -Score::INFINITE } else { game.evaluate(pos) };
        for mv in moves {
            let wanted = game.tactical(pos, mv)
                && mv.promotion.is_none_or(|piece| piece == Piece::Queen)
                && see::see(&pos.board, mv) >= 0;
            if in_check || wanted {
                best = best.max(-plain(game, &game.play(pos, mv), ply + 1, false, nodes)?);
            }
        }
        Some(best)
    }

    #[test]
    fn captures_are_the_legal_moves_that_take_or_promote_to_a_queen() {
        let game = Chess::default();
        // En passant that opens a line to the king, and along a pin; promotions along a pin and not.
        let few = [
            "8/8/8/K2pP2r/8/8/8/7k w - d6 0 2",
            "b7/8/8/3Pp3/8/8/8/k6K w - e6 0 2",
            "7k/8/8/3pP3/8/2K5/8/8 w - d6 0 2",
            "1b5k/2P5/3K4/8/8/8/8/8 w - - 0 1",
            "1r2k3/2P5/8/8/4K3/8/8/8 w - - 0 1",
            "r1b4k/1P6/2K5/8/8/8/8/8 w - - 0 1",
        ];
        let few = few.into_iter().map(|fen| game.parse(fen).expect("a legal position"));
        let (mut compared, mut seen) = (0, 0);
        for pos in testing::positions(4000).into_iter().chain(few) {
            for pos in [game.mirror(&pos), pos] {
                if game.in_check(&pos) {
                    continue;
                }
                let mut taken = Vec::new();
                captures(&pos.board, |mv, mover| {
                    assert_eq!(pos.board.piece_on(mv.from), Some(mover), "{mv} in {}", game.format(&pos));
                    taken.push(mv.to_string());
                });
                let mut wanted: Vec<String> = testing::moves(&game, &pos)
                    .into_iter()
                    .filter(|&mv| {
                        game.tactical(&pos, mv) && mv.promotion.is_none_or(|piece| piece == Piece::Queen)
                    })
                    .map(|mv| mv.to_string())
                    .collect();
                taken.sort();
                wanted.sort();
                assert_eq!(taken, wanted, "{}", game.format(&pos));
                compared += 1;
                seen += taken.len();
            }
        }
        assert!(compared > 2000 && seen > 2000, "{compared} {seen}");
    }

    #[test]
    fn any_window_bounds_the_minimax_value_of_the_tree() {
        let game = Chess::default();
        let (mut compared, mut beyond) = (0, 0);
        for pos in testing::positions(2500) {
            let Some(exact) = plain(&game, &pos, 3, true, &mut 0) else { continue };
            let fen = game.format(&pos);
            assert_eq!(quiet(&game, &pos, Window::FULL).0, exact, "{fen}");
            for bound in [exact.0 - 40, exact.0 - 1, exact.0, exact.0 + 1, exact.0 + 40] {
                let (high, _) = quiet(&game, &pos, Window::at_least(Score(bound)));
                if high.0 >= bound {
                    assert!(high <= exact, "{fen}: {high:?} is no lower bound of {exact:?}");
                } else {
                    assert!(high >= exact, "{fen}: {high:?} is no upper bound of {exact:?}");
                }
            }
            compared += 1;
            beyond += u32::from(exact != game.evaluate(&pos));
        }
        assert!(compared >= 1000 && beyond >= 300, "{compared} {beyond}");
    }

    #[test]
    fn mirrored_positions_have_mirrored_trees() {
        let game = Chess::default();
        for pos in testing::positions(1000) {
            let image = game.mirror(&pos);
            for window in [Window::FULL, Window::at_least(game.evaluate(&pos) + Score(30))] {
                assert_eq!(quiet(&game, &pos, window), quiet(&game, &image, window));
            }
        }
    }

    #[test]
    fn a_finished_game_at_the_horizon_is_exact() {
        let game = Chess::default();
        for (fen, expected) in [
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0),
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 3 - MATE),
            ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", 3 - MATE),
        ] {
            let pos = game.parse(fen).expect("a legal position");
            let (score, meter) = quiet(&game, &pos, Window::FULL);
            assert_eq!((score.0, meter.qnodes, meter.seldepth), (expected, 1, 3), "{fen}");
        }
    }

    #[test]
    fn a_hanging_queen_is_taken() {
        let game = Chess::default();
        let pos = game.parse("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1").expect("a legal position");
        let (score, _) = quiet(&game, &pos, Window::FULL);
        assert!(score > game.evaluate(&pos) + Score(700));
        // Guarded by a pawn, a pawn is not worth a queen.
        let pos = game.parse("4k3/8/4p3/3p4/8/8/3Q4/4K3 w - - 0 1").expect("a legal position");
        assert_eq!(quiet(&game, &pos, Window::FULL).0, game.evaluate(&pos));
    }
}
