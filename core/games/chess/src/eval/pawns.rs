//! Pawn structure and the cache that remembers it.
//!
//! Pawns change with one move in five or so, so the terms that depend on pawns alone are kept by pawn
//! placement. An entry is used only if both sides' pawns are exactly its own: a hit equals a recomputation.
//! Next to them are the shelters of the kings, which move as rarely, for the squares where they stood last.

use super::params::{
    BACKWARD, CONNECTED, DOUBLED, ISOLATED, KING_FILE, PASSED, PASSED_BLOCKED, PASSED_HELPED, PASSED_KING,
    PASSED_PATH, PASSED_STEP, ROOK_BEHIND, SHIELD, SPACE, STORM, WEAK_OPEN,
};
use super::taper::{Sink, Sum};
use super::{EvalParams, Taper};
use crate::slides::squares;
use cozy_chess::{BitBoard, Board, Color, Piece, Square};
use std::cell::Cell;

/// Entries of the cache: 256 KiB, which stays in the second-level cache next to the search's own data.
const ENTRIES: usize = 4096;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
const RANK_1: u64 = 0xff;

/// What depends on the pawns alone, and on them and the kings' squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pawns {
    /// White's pawns, then Black's: the identity of the entry.
    men: [u64; 2],
    /// Passed pawns of both sides.
    pub(super) passed: u64,
    /// White's structure minus Black's.
    pub(super) score: Taper,
    /// Files on which a side has a pawn, one bit a file.
    pub(super) files: [u8; 2],
    /// Squares that a side's pawns attack or could attack after advancing.
    pub(super) spans: [u64; 2],
    /// Where the kings stood, White's and Black's, that the shelters are of.
    kings: [u8; 2],
    /// The shelters of White's and of Black's king.
    shelters: [Taper; 2],
}

impl Pawns {
    /// A board without pawns, and kings on no square.
    const NONE: Pawns = Pawns {
        men: [0; 2],
        passed: 0,
        score: Taper::ZERO,
        files: [0; 2],
        spans: [0; 2],
        kings: [64; 2],
        shelters: [Taper::ZERO; 2],
    };

    /// White's shelter minus Black's.
    #[inline]
    pub(super) fn shelter(&self) -> Taper {
        self.shelters[0] - self.shelters[1]
    }
}

/// The cache. Cells make it usable behind a shared reference; a searcher owns its game, so no thread sees
/// another's.
#[derive(Clone, Debug)]
pub(super) struct PawnCache {
    entries: Box<[Cell<Pawns>]>,
    /// Entries that were brought up to a board.
    #[cfg(test)]
    pub(super) misses: Cell<u64>,
}

impl PawnCache {
    pub(super) fn new() -> PawnCache {
        PawnCache {
            entries: vec![Cell::new(Pawns::NONE); ENTRIES].into_boxed_slice(),
            #[cfg(test)]
            misses: Cell::new(0),
        }
    }

    /// Forgets all entries.
    pub(super) fn clear(&mut self) {
        self.entries.fill(Cell::new(Pawns::NONE));
    }

    /// Inlined, so that only what is asked for is read of an entry.
    #[inline(always)]
    pub(super) fn probe(&self, board: &Board, params: &EvalParams) -> Pawns {
        let men = men(board);
        let mixed = men[0].wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ men[1].wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        let cell = &self.entries[(mixed >> 52) as usize % ENTRIES];
        let entry = cell.get();
        if entry.men != men || entry.kings != kings(board) {
            #[cfg(test)]
            self.misses.set(self.misses.get() + 1);
            renew(cell, board, params);
        }
        cell.get()
    }
}

/// Brings an entry up to this board.
#[inline(never)]
fn renew(cell: &Cell<Pawns>, board: &Board, params: &EvalParams) {
    let entry = cell.get();
    let same = entry.men == men(board);
    cell.set(if same { sheltered(entry, board, params) } else { compute(board, params) });
}

fn men(board: &Board) -> [u64; 2] {
    [Color::White, Color::Black].map(|color| board.colored_pieces(color, Piece::Pawn).0)
}

fn kings(board: &Board) -> [u8; 2] {
    [Color::White, Color::Black].map(|color| board.king(color) as u8)
}

/// Squares that pawns of `color` attack.
#[inline]
pub(crate) fn attacks(pawns: u64, color: Color) -> u64 {
    let (west, east) = (pawns & !FILE_A, pawns & !FILE_H);
    match color {
        Color::White => (west << 7) | (east << 9),
        Color::Black => (west >> 9) | (east >> 7),
    }
}

/// The squares of a set and all squares before them, as `color` moves.
#[inline]
fn forward(mut set: u64, color: Color) -> u64 {
    for shift in [8, 16, 32] {
        set |= if color == Color::White { set << shift } else { set >> shift };
    }
    set
}

/// Squares before those of a set, as `color` moves.
#[inline]
pub(crate) fn ahead(set: u64, color: Color) -> u64 {
    if color == Color::White { set << 8 } else { set >> 8 }
}

#[inline]
fn adjacent(set: u64) -> u64 {
    ((set & !FILE_A) >> 1) | ((set & !FILE_H) << 1)
}

fn compute(board: &Board, params: &EvalParams) -> Pawns {
    let mut sum = Sum::new(params);
    let passed = structure(&mut sum, board);
    let men = men(board);
    let spans = Color::ALL.map(|color| forward(attacks(men[color as usize], color), color));
    let files = men.map(|pawns| forward(pawns, Color::Black) as u8);
    let entry = Pawns { men, passed, score: sum.total, files, spans, ..Pawns::NONE };
    sheltered(entry, board, params)
}

/// The same pawns with the shelters where the kings are now; mostly one of the two has moved.
fn sheltered(mut entry: Pawns, board: &Board, params: &EvalParams) -> Pawns {
    let kings = kings(board);
    for color in Color::ALL {
        let side = color as usize;
        if entry.kings[side] != kings[side] {
            let mut sum = Sum::new(params);
            shelter(&mut sum, board, color, entry.files);
            entry.shelters[side] = sum.total;
        }
    }
    entry.kings = kings;
    entry
}

/// Counts the shelter of both kings, White's minus Black's; `files` are those on which a side has a pawn, one bit a file.
pub(super) fn shelters<S: Sink>(sink: &mut S, board: &Board, files: [u8; 2]) {
    for color in [Color::Black, Color::White] {
        sink.turn();
        shelter(sink, board, color, files);
    }
}

/// The pawns before the king, the files that they leave open, and the enemy pawns on those files.
fn shelter<S: Sink>(sink: &mut S, board: &Board, color: Color, files: [u8; 2]) {
    let king = board.king(color).bitboard().0;
    let pawns = board.colored_pieces(color, Piece::Pawn).0;
    let wide = king | adjacent(king);
    let near = ahead(wide, color);
    let far = ahead(near, color);
    // All three squares of `wide` are on one rank: its bits, moved to the first rank, are its files.
    let back = board.king(color) as u32 & !7;
    let open = ((wide >> back) & RANK_1) as u8 & !files[color as usize];
    let (all, enemy) = (FILE_A * ((wide >> back) & RANK_1), board.colored_pieces(!color, Piece::Pawn).0);
    for square in squares(BitBoard(all & enemy)) {
        sink.add(STORM, rank(square, color), 1);
    }
    sink.add(SHIELD, 0, (near & pawns).count_ones() as i32);
    sink.add(SHIELD, 1, (far & pawns).count_ones() as i32);
    sink.add(KING_FILE, 0, open.count_ones() as i32);
}

/// Counts the structure, White's minus Black's, and finds the passed pawns of both.
pub(super) fn structure<S: Sink>(sink: &mut S, board: &Board) -> u64 {
    let men = men(board);
    let mut passed = 0;
    for color in [Color::Black, Color::White] {
        sink.turn();
        passed |= side(sink, men[color as usize], men[1 - color as usize], color);
    }
    passed
}

/// Passed pawns and structure of one side.
fn side<S: Sink>(sink: &mut S, pawns: u64, enemy: u64, color: Color) -> u64 {
    let guarded = attacks(pawns, color);
    let enemy_guards = attacks(enemy, !color);
    let enemy_span = ahead(forward(enemy, !color), !color);
    let barred = enemy_span | adjacent(enemy_span);
    // Every square that a pawn of this side attacks now or could attack after advancing.
    let supportable = forward(guarded, color);
    let behind = ahead(forward(pawns, !color), !color);
    let neighbours = {
        let files = forward(forward(pawns, color), !color);
        adjacent(files)
    };

    let doubled = pawns & behind;
    let passed = pawns & !barred & !behind;
    let isolated = pawns & !neighbours;
    let backward = pawns & !isolated & !supportable & !adjacent(pawns) & ahead(enemy_guards, !color);
    let connected = pawns & (guarded | adjacent(pawns));

    sink.add(DOUBLED, 0, doubled.count_ones() as i32);
    sink.add(ISOLATED, 0, isolated.count_ones() as i32);
    sink.add(BACKWARD, 0, backward.count_ones() as i32);
    let opposed = forward(forward(enemy, color), !color);
    sink.add(WEAK_OPEN, 0, (isolated & !opposed).count_ones() as i32);
    sink.add(WEAK_OPEN, 1, (backward & !opposed).count_ones() as i32);
    for square in BitBoard(connected) {
        sink.add(CONNECTED, rank(square, color), 1);
    }
    for square in BitBoard(passed) {
        sink.add(PASSED, rank(square, color), 1);
    }
    let center = 0x3c3c_3c3c_3c3c_3c3c & if color == Color::White { 0xffff_ff00 } else { 0x00ff_ffff << 32 };
    sink.add(SPACE, 0, (center & !pawns & !enemy_guards).count_ones() as i32);
    passed
}

/// Rank seen by `color`, 0 to 7.
#[inline]
pub(super) fn rank(square: Square, color: Color) -> usize {
    let rank = square as usize / 8;
    if color == Color::White { rank } else { 7 - rank }
}

/// Counts the part of a side's passed pawns that other men decide: who blocks, stops or helps them, whose king is
/// near. `attacked` are the squares that the side and the other attack.
#[inline]
pub(super) fn passers<S: Sink>(
    sink: &mut S,
    board: &Board,
    color: Color,
    passed: BitBoard,
    attacked: [BitBoard; 2],
) {
    let enemy = board.colors(!color).0;
    let [helped, stopped] = attacked.map(|set| set.0);
    for square in squares(passed) {
        let rank = rank(square, color);
        let stop = ahead(square.bitboard().0, color);
        if enemy & stop != 0 {
            sink.add(PASSED_BLOCKED, rank, 1);
        }
        if rank < 3 {
            continue;
        }
        let next = stop.trailing_zeros() as i32;
        let near = |color| distance(board.king(color) as i32, next).min(5) * (rank as i32 - 2);
        sink.add(PASSED_KING, 0, near(color));
        sink.add(PASSED_KING, 1, near(!color));
        let barred = board.occupied().0 | stopped;
        if stop & barred == 0 {
            sink.add(PASSED_STEP, rank, 1);
            sink.add(PASSED_PATH, rank, i32::from(forward(stop, color) & barred == 0));
        }
        sink.add(PASSED_HELPED, rank, i32::from(stop & helped != 0));
        let behind = BitBoard(forward(square.bitboard().0, !color)) & board.pieces(Piece::Rook);
        if !behind.is_empty() {
            sink.add(ROOK_BEHIND, 0, i32::from(!(behind & board.colors(color)).is_empty()));
            sink.add(ROOK_BEHIND, 1, i32::from(!(behind & board.colors(!color)).is_empty()));
        }
    }
}

/// King moves between two squares of an empty board.
#[inline]
fn distance(a: i32, b: i32) -> i32 {
    ((a & 7) - (b & 7)).abs().max(((a >> 3) - (b >> 3)).abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(squares: &[Square]) -> u64 {
        squares.iter().fold(0, |set, square| set | square.bitboard().0)
    }

    /// Passed, isolated, doubled and backward, straight from their definitions.
    fn kinds(pawns: u64, enemy: u64, square: Square) -> (bool, bool, bool) {
        let (file, rank) = (square as i32 % 8, square as i32 / 8);
        let any = |set: u64, test: &dyn Fn(i32, i32) -> bool| {
            BitBoard(set).iter().any(|other| test(other as i32 % 8 - file, other as i32 / 8 - rank))
        };
        let doubled = any(pawns, &|df, dr| df == 0 && dr > 0);
        let passed = !doubled && !any(enemy, &|df, dr| df.abs() <= 1 && dr > 0);
        let isolated = !any(pawns, &|df, _| df.abs() == 1);
        (passed, isolated, doubled)
    }

    #[test]
    fn structure_counts_what_the_definitions_say() {
        let mut params = EvalParams::zero();
        params.values_mut()[ISOLATED.at] = Taper::new(1, 0);
        params.values_mut()[DOUBLED.at] = Taper::new(100, 0);
        let mut random = secateur_base::hash::SplitMix(1);
        for _ in 0..2000 {
            let mut draw = || random.word();
            let pawns = draw() & draw() & draw() & 0x00ff_ffff_ffff_ff00;
            let enemy = draw() & draw() & draw() & !pawns & 0x00ff_ffff_ffff_ff00;
            let mut sum = Sum::new(&params);
            let passed = side(&mut sum, pawns, enemy, Color::White);
            let (mut expected, mut points) = (0, 0);
            for square in BitBoard(pawns) {
                let (free, isolated, doubled) = kinds(pawns, enemy, square);
                expected |= if free { square.bitboard().0 } else { 0 };
                points += i32::from(isolated) + 100 * i32::from(doubled);
            }
            assert_eq!((passed, sum.total.middlegame()), (expected, points), "{pawns:#x} {enemy:#x}");
        }
    }

    #[test]
    fn a_backward_pawn_is_found() {
        let mut params = EvalParams::zero();
        params.values_mut()[BACKWARD.at] = Taper::new(1, 0);
        let side = |pawns, enemy| {
            let mut sum = Sum::new(&params);
            side(&mut sum, pawns, enemy, Color::White);
            sum.total
        };
        let pawns = set(&[Square::D3, Square::C4, Square::E4]);
        let held = side(pawns, set(&[Square::E5]));
        assert_eq!(held.middlegame(), 1, "d3 cannot be guarded, d4 is attacked");
        let free = side(pawns, set(&[Square::A7]));
        assert_eq!(free.middlegame(), 0, "nobody attacks d4");
    }

    #[test]
    fn the_cache_returns_what_it_would_compute() {
        let cache = PawnCache::new();
        let params = EvalParams::default();
        let mut sheltered = std::collections::BTreeSet::new();
        // Games go on with the same pawns and other squares of the kings.
        for pos in crate::testing::positions(4000) {
            let fresh = compute(&pos.board, &params);
            for _ in 0..2 {
                assert_eq!(cache.probe(&pos.board, &params), fresh, "{}", pos.board);
            }
            sheltered.insert((fresh.men, fresh.kings));
        }
        let pawns: std::collections::BTreeSet<_> = sheltered.iter().map(|(men, _)| men).collect();
        assert!(sheltered.len() > pawns.len() + 100, "{} {}", sheltered.len(), pawns.len());
    }

    #[test]
    fn shelter_counts_pawns_and_open_files() {
        let mut params = EvalParams::zero();
        for (index, value) in [(SHIELD.at, 100), (SHIELD.at + 1, 10), (KING_FILE.at, 1)] {
            params.values_mut()[index] = Taper::new(value, 0);
        }
        for (fen, expected) in [
            ("4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1", 300),
            ("4k3/8/8/8/8/6P1/5P1P/6K1 w - - 0 1", 210),
            ("4k3/8/8/8/6P1/8/5P2/6K1 w - - 0 1", 101),
            ("4k3/8/8/8/8/8/7P/7K w - - 0 1", 101),
            ("4k3/8/8/8/8/8/P7/7K w - - 0 1", 2),
        ] {
            let board: Board = fen.parse().expect("a legal position");
            let pawns = PawnCache::new().probe(&board, &params);
            let mut sum = Sum::new(&params);
            shelter(&mut sum, &board, Color::White, pawns.files);
            assert_eq!(sum.total.middlegame(), expected, "{fen}");
        }
    }
}
