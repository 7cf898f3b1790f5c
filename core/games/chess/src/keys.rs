//! The hash after a move without the move: what a search needs to have a bucket of its table fetched ahead.
//!
//! cozy-chess keeps the numbers that it adds up to itself. They are differences of the hashes of boards, and read from those
//! once; for kings, of which there is always one, differences to one square do. Moves that change more of the hash than men
//! and side (castling rights, a square to take on en passant, promotions, a clock near its end) are left to be played.

use super::draw::CLOCK_MATTERS;
use super::position::takes_en_passant;
use cozy_chess::{BitBoard, Board, BoardBuilder, Color, Move, Piece, Rank, Square, get_pawn_attacks};
use std::sync::LazyLock;

/// What a man on a square, and Black to move, add to the hash.
struct Keys {
    men: [[[u64; 64]; 6]; 2],
    side: u64,
}

static KEYS: LazyLock<Keys> = LazyLock::new(Keys::read);

/// Reads the numbers, if nobody has: no search is to pay for that.
pub(super) fn read() {
    LazyLock::force(&KEYS);
}

/// Squares that castling rights hang on, next to the king's.
const CORNERS: BitBoard = BitBoard(0x8100_0000_0000_0081);

/// [`super::draw::key`] after a legal move, if that is plain.
#[inline]
pub(super) fn after(board: &Board, mv: Move) -> Option<u64> {
    let us = board.side_to_move();
    let (from, to) = (mv.from.bitboard(), mv.to.bitboard());
    let moved = board.piece_on(mv.from)?;
    let entitled = Color::ALL.iter().any(|&color| {
        let rights = board.castle_rights(color);
        rights.short.is_some() || rights.long.is_some()
    });
    let rights_stay = !entitled || (moved != Piece::King && (CORNERS & (from | to)).is_empty());
    let passes = moved == Piece::Pawn
        && mv.from.rank() as i32 - mv.to.rank() as i32 == if us == Color::White { -2 } else { 2 };
    // The pawn may be taken en passant if another stands next to where it arrives.
    let taken = passes && {
        let behind = Square::new(mv.to.file(), Rank::Third.relative_to(us));
        !(get_pawn_attacks(behind, us) & board.colored_pieces(!us, Piece::Pawn)).is_empty()
    };
    let plain = rights_stay
        && !taken
        && mv.promotion.is_none()
        && board.halfmove_clock() + 1 < CLOCK_MATTERS
        && !board.colors(us).has(mv.to)
        && !takes_en_passant(board, mv);
    if !plain {
        return None;
    }
    let men = &KEYS.men;
    let man_keys = &men[us as usize][moved as usize];
    let key = board.hash_without_ep() ^ KEYS.side ^ man_keys[mv.from as usize] ^ man_keys[mv.to as usize];
    let victim =
        board.piece_on(mv.to).map_or(0, |victim| men[1 - us as usize][victim as usize][mv.to as usize]);
    Some(key ^ victim)
}

impl Keys {
    fn read() -> Keys {
        let mut keys = Keys { men: [[[0; 64]; 6]; 2], side: 0 };
        let kings = |white, black| {
            Men::EMPTY.with(Color::White, Piece::King, white).with(Color::Black, Piece::King, black)
        };
        // The side that is not to move may give check, so any two corners do that leave the square free.
        let pairs = [(Square::A1, Square::H8), (Square::H1, Square::A8)];
        for color in Color::ALL {
            for square in Square::ALL {
                for piece in &Piece::ALL[..5] {
                    let difference = |(white, black)| {
                        let (white, black) =
                            if color == Color::White { (white, black) } else { (black, white) };
                        let bare = kings(white, black);
                        Some(bare.with(color, *piece, square).hash(!color)? ^ bare.hash(!color)?)
                    };
                    let free = |pair: &(Square, Square)| pair.0 != square && pair.1 != square;
                    let key = pairs.into_iter().filter(free).find_map(difference);
                    keys.men[color as usize][*piece as usize][square as usize] = key.unwrap_or(0);
                }
                let difference = |other| {
                    let pair =
                        |king| if color == Color::White { kings(king, other) } else { kings(other, king) };
                    Some(pair(square).hash(color)? ^ pair(Square::D4).hash(color)?)
                };
                let others = [Square::A8, Square::H1].into_iter().filter(|&other| other != square);
                let key = others.filter_map(difference).next();
                keys.men[color as usize][Piece::King as usize][square as usize] = key.unwrap_or(0);
            }
        }
        let bare = kings(Square::A1, Square::H8);
        keys.side =
            bare.hash(Color::White).zip(bare.hash(Color::Black)).map_or(0, |(white, black)| white ^ black);
        keys
    }
}

/// A board to be.
#[derive(Clone, Copy)]
struct Men([Option<(Piece, Color)>; 64]);

impl Men {
    const EMPTY: Men = Men([None; 64]);

    fn with(mut self, color: Color, piece: Piece, square: Square) -> Men {
        self.0[square as usize] = Some((piece, color));
        self
    }

    /// The hash with this side to move, if that is a board.
    fn hash(self, side: Color) -> Option<u64> {
        let builder = BoardBuilder { board: self.0, side_to_move: side, ..BoardBuilder::empty() };
        builder.build().ok().map(|board| board.hash())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Chess, testing};
    use super::*;
    use secateur_core::game::{Notation, Rules};

    #[test]
    fn the_hash_is_what_playing_the_move_gives() {
        let game = Chess::default();
        let (mut plain, mut other) = (0, 0);
        for pos in testing::positions(5000) {
            for mv in testing::moves(&game, &pos) {
                let played = game.key(&game.play(&pos, mv));
                assert_eq!(game.key_after(&pos, mv), played, "{mv} in {}", game.format(&pos));
                match after(&pos.board, mv) {
                    Some(key) => {
                        assert_eq!(key, played, "{mv} in {}", game.format(&pos));
                        plain += 1;
                    }
                    None => other += 1,
                }
            }
        }
        assert!(plain > 20 * other / 10 && other > 100, "{plain} {other}");
    }

    #[test]
    fn every_man_has_a_number_on_every_square_that_it_can_stand_on() {
        for color in &KEYS.men {
            for (piece, squares) in Piece::ALL.into_iter().zip(color) {
                for (square, &key) in Square::ALL.into_iter().zip(squares) {
                    let never = piece == Piece::Pawn && matches!(square.rank(), Rank::First | Rank::Eighth);
                    let base = piece == Piece::King && square == Square::D4;
                    assert_eq!(key == 0, never || base, "{piece} {square}");
                }
            }
        }
        assert_ne!(KEYS.side, 0);
    }
}
