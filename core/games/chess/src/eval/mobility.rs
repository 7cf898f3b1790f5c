//! What the pieces attack: their mobility, the squares around the enemy king, and whatever other terms ask who guards what.
//!
//! The attack sets are the expensive part of the evaluation, so it is one walk over the pieces, and all terms are read from the
//! same sets. The other half of the safety of a king, the pawns before it, is in `pawns`. Left out: defenders. Safe checks
//! are among the threats.

use super::params::{
    ATTACK_WEIGHT, BISHOP_MOBILITY, BISHOP_PAIR, BISHOP_PAWNS, DANGER, KNIGHT_MOBILITY, MINOR_SHIELDED,
    OUTPOST, QUEEN_MOBILITY, ROOK_FILE, ROOK_MOBILITY, ROOK_SEVENTH,
};
use super::pawns::Pawns;
use super::taper::Sink;
use crate::slides::{get_bishop_moves, get_rook_moves, squares};
use cozy_chess::{BitBoard, Board, Color, Piece, Rank, get_king_moves, get_knight_moves};

/// Counts what a side's pieces are worth where they stand, beyond their squares.
///
/// `guards` are the squares that each side's pawns attack. Returns what the side attacks.
#[inline(always)]
pub(super) fn pieces<S: Sink>(
    sink: &mut S,
    board: &Board,
    color: Color,
    guards: [u64; 2],
    pawns: &Pawns,
) -> Attacks {
    let own_men = board.colors(color);
    let occupied = board.occupied();
    let barred = (board.pieces(Piece::Pawn) | board.pieces(Piece::King)) & own_men;
    let area = !barred & !BitBoard(guards[1 - color as usize]);
    let enemy_king = board.king(!color);
    let ring = get_king_moves(enemy_king) | enemy_king.bitboard();
    let mut pressure = Pressure::default();
    let weight = [0, 1, 2, 3].map(|piece| sink.params().get(ATTACK_WEIGHT, piece).middlegame());

    let mut attacked = Attacks::NONE;
    attacked.add(Piece::Pawn, BitBoard(guards[color as usize]));
    attacked.add(Piece::King, get_king_moves(board.king(color)));

    for square in squares(own_men & board.pieces(Piece::Knight)) {
        let attacks = get_knight_moves(square);
        attacked.add(Piece::Knight, attacks);
        sink.add(KNIGHT_MOBILITY, (attacks & area).len() as usize, 1);
        pressure.add(attacks & ring, weight[0]);
    }
    let bishops = own_men & board.pieces(Piece::Bishop);
    for square in squares(bishops) {
        let attacks = get_bishop_moves(square, occupied);
        attacked.add(Piece::Bishop, attacks);
        sink.add(BISHOP_MOBILITY, (attacks & area).len() as usize, 1);
        pressure.add(attacks & ring, weight[1]);
    }
    if bishops.len() > 1 {
        sink.add(BISHOP_PAIR, 0, 1);
    }
    for square in squares(own_men & board.pieces(Piece::Rook)) {
        let attacks = get_rook_moves(square, occupied);
        attacked.add(Piece::Rook, attacks);
        sink.add(ROOK_MOBILITY, (attacks & area).len() as usize, 1);
        pressure.add(attacks & ring, weight[2]);
    }
    rook_files(sink, board, color, pawns.files);
    for square in squares(own_men & board.pieces(Piece::Queen)) {
        let attacks = get_bishop_moves(square, occupied) | get_rook_moves(square, occupied);
        attacked.add(Piece::Queen, attacks);
        sink.add(QUEEN_MOBILITY, (attacks & area).len() as usize, 1);
        pressure.add(attacks & ring, weight[3]);
    }
    pressure.count(sink);
    minors(sink, board, color, guards[color as usize], pawns);
    seventh(sink, board, color);
    attacked
}

/// Where knights and bishops stand with respect to the pawns.
#[inline(always)]
fn minors<S: Sink>(sink: &mut S, board: &Board, color: Color, guarded: u64, pawns: &Pawns) {
    const LIGHT: u64 = 0x55aa_55aa_55aa_55aa;
    let own_pieces = |piece| board.colored_pieces(color, piece).0;
    let (knights, bishops) = (own_pieces(Piece::Knight), own_pieces(Piece::Bishop));
    if knights | bishops == 0 {
        return;
    }
    let zone = if color == Color::White { 0xffff_ff00_0000 } else { 0xff_ffff_0000 };
    let outposts = zone & guarded & !pawns.spans[1 - color as usize];
    sink.add(OUTPOST, 0, (knights & outposts).count_ones() as i32);
    sink.add(OUTPOST, 1, (bishops & outposts).count_ones() as i32);
    let behind = super::pawns::ahead(board.pieces(Piece::Pawn).0, !color);
    sink.add(MINOR_SHIELDED, 0, ((knights | bishops) & behind).count_ones() as i32);
    if bishops == 0 {
        return;
    }
    let men = own_pieces(Piece::Pawn);
    let light = (bishops & LIGHT).count_ones() * (men & LIGHT).count_ones();
    let dark = (bishops & !LIGHT).count_ones() * (men & !LIGHT).count_ones();
    sink.add(BISHOP_PAWNS, 0, (light + dark) as i32);
}

/// Rooks on the seventh rank that find something there.
#[inline(always)]
fn seventh<S: Sink>(sink: &mut S, board: &Board, color: Color) {
    let (seventh, eighth) = (Rank::Seventh.relative_to(color), Rank::Eighth.relative_to(color));
    let rooks = board.colored_pieces(color, Piece::Rook) & seventh.bitboard();
    if rooks.is_empty() {
        return;
    }
    let pawns = board.colored_pieces(!color, Piece::Pawn) & seventh.bitboard();
    if !pawns.is_empty() || board.king(!color).rank() == eighth {
        sink.add(ROOK_SEVENTH, 0, rooks.len() as i32);
    }
}

/// Rooks on files without own pawns, and of those the files without any.
#[inline(always)]
fn rook_files<S: Sink>(sink: &mut S, board: &Board, color: Color, files: [u8; 2]) {
    let [ours, other] = [color, !color].map(|side| 0x0101_0101_0101_0101 * u64::from(files[side as usize]));
    let free = board.colored_pieces(color, Piece::Rook).0 & !ours;
    sink.add(ROOK_FILE, 0, (free & other).count_ones() as i32);
    sink.add(ROOK_FILE, 1, (free & !other).count_ones() as i32);
}

/// Attack sets of one side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attacks {
    /// By kind of man, pawn to king.
    by: [BitBoard; 6],
    /// By anything.
    pub(super) all: BitBoard,
    /// By two men or more; two men of one kind count where they were added one by one.
    pub(super) twice: BitBoard,
}

impl Attacks {
    pub(super) const NONE: Attacks =
        Attacks { by: [BitBoard::EMPTY; 6], all: BitBoard::EMPTY, twice: BitBoard::EMPTY };

    /// Adds the attacks of a man, or of men of one kind.
    #[inline]
    pub(super) fn add(&mut self, piece: Piece, set: BitBoard) {
        self.by[piece as usize] |= set;
        self.twice |= self.all & set;
        self.all |= set;
    }

    /// Attacks by men of one kind.
    #[inline]
    pub(super) fn by(&self, piece: Piece) -> BitBoard {
        self.by[piece as usize]
    }
}

/// Attacks of one side on the enemy king's ring, added up piece by piece.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pressure {
    attackers: i32,
    weight: i32,
}

impl Pressure {
    /// Adds a piece that attacks the squares `hits` of the ring.
    #[inline]
    pub(super) fn add(&mut self, hits: BitBoard, weight: i32) {
        self.attackers += i32::from(!hits.is_empty());
        self.weight += weight * hits.len() as i32;
    }

    /// What the attack costs the attacked side, counted for the attacker. One attacker alone gives no mate.
    #[inline]
    pub(super) fn count<S: Sink>(self, sink: &mut S) {
        if self.attackers >= 2 {
            sink.add(DANGER, (self.weight / 2).clamp(0, DANGER.len as i32 - 1) as usize, -1);
        }
    }
}
