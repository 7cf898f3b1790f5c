//! What is known of the position after a move without playing it: whether it gives check, and its hash.
//!
//! Methods ask whether a move gives check of every move that they want to skip. From which squares which man gives check, and
//! which own men stand in the way of others, is found once for all moves of a node; what is left are tests of bits. Discovered
//! checks, castling, en passant and promotions are looked at one by one: the sliders are asked on the board as it will be.
//!
//! The hash lets a search have a bucket of its table fetched ahead. cozy-chess keeps the numbers that it adds up to itself. They
//! are differences of the hashes of boards, and read from those once; for kings, of which there is always one, differences to one
//! square do. Moves that change more of the hash than men and side (castling rights, a square to take on en passant, promotions,
//! a clock near its end) are left to be played.

use crate::draw::CLOCK_MATTERS;
use crate::position::{castled, en_passant, takes_en_passant};
use crate::slides::{get_bishop_moves, get_rook_moves, squares};
use cozy_chess::{
    BitBoard, Board, BoardBuilder, Color, Move, Piece, Rank, Square, get_between_rays, get_bishop_rays,
    get_knight_moves, get_pawn_attacks, get_rook_rays,
};
use std::cell::Cell;
use std::sync::LazyLock;

/// Nodes whose checks are remembered: those of the current line, mostly.
const SLOTS: usize = 64;

/// The checks of the nodes of a line, by hash. Cells make it usable behind a shared reference; a searcher owns its game, so no
/// thread sees another's.
#[derive(Clone, Debug)]
pub(super) struct Checks(Box<[Slot; SLOTS]>);

#[derive(Clone, Debug, Default)]
struct Slot {
    /// The hash of a board that has been asked about.
    key: Cell<Option<u64>>,
    /// Squares from which a rook or a bishop would give check.
    straight: Cell<BitBoard>,
    diagonal: Cell<BitBoard>,
    /// Squares to which a move is more than a man's step without check: check squares of any man, and those of castling and
    /// en passant.
    marked: Cell<BitBoard>,
    /// Own men that may discover a check by moving.
    screens: Cell<BitBoard>,
}

impl Default for Checks {
    fn default() -> Checks {
        Checks(Box::new(std::array::from_fn(|_| Slot::default())))
    }
}

impl Checks {
    /// Whether a move gives check, without playing it.
    #[inline]
    pub(super) fn gives_check(&self, board: &Board, mv: Move) -> bool {
        let slot = self.slot(board);
        if mv.promotion.is_some() || slot.screens.get().has(mv.from) {
            return gives_check(board, mv);
        }
        slot.marked.get().has(mv.to) && slot.arrives_with_check(board, mv)
    }

    /// Squares to which a move, and men with which a move may give check or take en passant. Promotions may give check too.
    pub(super) fn marks(&self, board: &Board) -> (BitBoard, BitBoard) {
        let slot = self.slot(board);
        (slot.marked.get(), slot.screens.get())
    }

    #[inline]
    fn slot(&self, board: &Board) -> &Slot {
        let slot = &self.0[board.hash() as usize % SLOTS];
        if slot.key.get() != Some(board.hash()) {
            slot.look(board);
        }
        slot
    }
}

impl Slot {
    #[inline(never)]
    fn look(&self, board: &Board) {
        let us = board.side_to_move();
        let king = board.king(!us);
        let (own_men, occupied) = (board.colors(us), board.occupied());
        let (straight, diagonal) = (get_rook_moves(king, occupied), get_bishop_moves(king, occupied));
        let lines = get_rook_rays(king) & (board.pieces(Piece::Rook) | board.pieces(Piece::Queen));
        let diagonals = get_bishop_rays(king) & (board.pieces(Piece::Bishop) | board.pieces(Piece::Queen));
        let mut screens = BitBoard::EMPTY;
        for slider in squares(own_men & (lines | diagonals)) {
            let between = get_between_rays(king, slider) & occupied;
            if between.len() == 1 {
                screens |= between & own_men;
            }
        }
        let passing = en_passant(board).map_or(BitBoard::EMPTY, Square::bitboard);
        let steps = get_knight_moves(king) | get_pawn_attacks(king, !us);
        self.key.set(Some(board.hash()));
        self.straight.set(straight);
        self.diagonal.set(diagonal);
        self.marked.set(straight | diagonal | steps | own_men | passing);
        self.screens.set(screens);
    }

    /// Whether a move to a marked square gives check, of a man that discovers no check and does not promote.
    #[inline(never)]
    fn arrives_with_check(&self, board: &Board, mv: Move) -> bool {
        let us = board.side_to_move();
        if board.colors(us).has(mv.to) || takes_en_passant(board, mv) {
            return gives_check(board, mv);
        }
        let king = board.king(!us);
        match board.piece_on(mv.from) {
            Some(Piece::Pawn) => get_pawn_attacks(king, !us).has(mv.to),
            Some(Piece::Knight) => get_knight_moves(king).has(mv.to),
            Some(Piece::Bishop) => self.diagonal.get().has(mv.to),
            Some(Piece::Rook) => self.straight.get().has(mv.to),
            Some(Piece::Queen) => (self.straight.get() | self.diagonal.get()).has(mv.to),
            Some(Piece::King) | None => false,
        }
    }
}

/// Whether a move of any kind gives check.
fn gives_check(board: &Board, mv: Move) -> bool {
    let us = board.side_to_move();
    let king = board.king(!us);
    let Some(moved) = board.piece_on(mv.from) else { return false };
    let from = mv.from.bitboard();
    let own_men = board.colors(us);
    let mut occupied = board.occupied() ^ from;
    let mut lines = own_men & (board.pieces(Piece::Rook) | board.pieces(Piece::Queen)) & !from;
    let mut diagonals = own_men & (board.pieces(Piece::Bishop) | board.pieces(Piece::Queen)) & !from;
    if own_men.has(mv.to) {
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

/// What a man on a square, and Black to move, add to the hash.
struct Keys {
    men: [[[u64; 64]; 6]; 2],
    side: u64,
}

static KEYS: LazyLock<Keys> = LazyLock::new(Keys::read);

/// Reads the numbers if they have not been read yet: no search is to pay for that.
pub(super) fn read_keys() {
    LazyLock::force(&KEYS);
}

/// Squares that castling rights hang on, next to the king's.
const CORNERS: BitBoard = BitBoard(0x8100_0000_0000_0081);

/// [`crate::draw::key`] after a legal move, if that is plain.
#[inline]
pub(super) fn key_after(board: &Board, mv: Move) -> Option<u64> {
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
        let kings = |color: Color, king, other| {
            Men::EMPTY.with(color, Piece::King, king).with(!color, Piece::King, other)
        };
        // The side that is not to move may give check, so any two corners do that leave the square free.
        let corners = [(Square::A1, Square::H8), (Square::H1, Square::A8)];
        for color in Color::ALL {
            for square in Square::ALL {
                for &piece in &Piece::ALL[..5] {
                    let difference = |(king, other)| {
                        let bare = kings(color, king, other);
                        Some(bare.with(color, piece, square).hash(!color)? ^ bare.hash(!color)?)
                    };
                    let free = corners.into_iter().filter(|pair| pair.0 != square && pair.1 != square);
                    keys.men[color as usize][piece as usize][square as usize] =
                        free.filter_map(difference).next().unwrap_or(0);
                }
                let difference = |other| {
                    Some(
                        kings(color, square, other).hash(color)?
                            ^ kings(color, Square::D4, other).hash(color)?,
                    )
                };
                let others = [Square::A8, Square::H1].into_iter().filter(|&other| other != square);
                keys.men[color as usize][Piece::King as usize][square as usize] =
                    others.filter_map(difference).next().unwrap_or(0);
            }
        }
        let bare = kings(Color::White, Square::A1, Square::H8);
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
    use secateur_core::game::{Evaluation, Notation, Rules, Scored};

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
            let scored = testing::moves(&game, &pos).into_iter().map(|mv| Scored { mv, value: 0 });
            let scored: Vec<_> = scored.collect();
            for from in 0..scored.len() {
                let expected =
                    scored[from..].iter().take_while(|scored| game.is_calm(&pos, scored.mv)).count();
                assert_eq!(game.calm(&pos, &scored[from..]), expected, "{from} in {}", game.format(&pos));
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

    #[test]
    fn the_hash_is_what_playing_the_move_gives() {
        let game = Chess::default();
        let (mut plain, mut other) = (0, 0);
        for pos in testing::positions(5000) {
            for mv in testing::moves(&game, &pos) {
                let played = game.key(&game.play(&pos, mv));
                assert_eq!(game.key_after(&pos, mv), played, "{mv} in {}", game.format(&pos));
                match key_after(&pos.board, mv) {
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
