//! Static evaluation of chess: tapered between middlegame and endgame, in centipawns.
//!
//! Material and placement travel with the position as one packed sum; pawn structure and the kings' shelters come from a cache;
//! mobility, attacks on kings and passed pawns are computed at each call. Exchanging the colours changes exactly
//! the sign (the tempo term aside, which belongs to the side to move). The value is a pure function of the position:
//! the cache changes speed only.
//!
//! Half of the quiet positions of a search are reached by more than one order of moves, so values are kept. A slot holds the
//! key's upper bits and the value in one word; the lower bits are part of its place, so all 64 bits of the key are compared.
//!
//! In endgames that are drawn more often than their material says, the endgame half counts for less. Left out: everything that
//! a tablebase would know better.

mod mobility;
mod params;
pub(super) mod pawns;
mod taper;
mod threats;

use self::mobility::Attacks;
use self::params::SCALE;
use self::taper::{Record, Sink, Sum};
use cozy_chess::{BitBoard, Board, Color, Piece, Square};
use pawns::{PawnCache, Pawns};
use secateur_core::Score;
use std::cell::Cell;

pub use self::params::EvalError;
pub use self::taper::Trace;
pub use params::{EvalParams, Group};
pub use taper::Taper;

/// Phase of the start position: knights and bishops 1, rooks 2, queens 4.
pub(super) const FULL_PHASE: i32 = 24;
/// Phase that a man adds, pawn to king.
pub(super) const PHASE: [i16; 6] = [0, 1, 1, 2, 4, 0];
/// Evaluations stay within this, well below the mate scores.
const LIMIT: i32 = 20_000;

/// Numbers, derived tables and cache of one evaluation.
#[derive(Clone, Debug)]
pub(super) struct Evaluator {
    pub(super) params: EvalParams,
    /// Value of a man on a square, by colour, piece and square; Black's are negative.
    placed: Box<[[[Taper; 64]; 6]; 2]>,
    pawns: PawnCache,
    values: ValueCache,
    /// [`EvalParams::id`] of the numbers.
    pub(super) id: u64,
}

impl Evaluator {
    pub(super) fn new(params: EvalParams) -> Evaluator {
        let mut placed = Box::new([[[Taper::ZERO; 64]; 6]; 2]);
        for piece in 0..6 {
            for square in 0..64 {
                let value = params.get(params::MEN, piece) + params.get(params::SQUARES, piece * 64 + square);
                placed[0][piece][square] = value;
                placed[1][piece][square ^ 56] = -value;
            }
        }
        let id = params.id();
        Evaluator { params, placed, pawns: PawnCache::new(), values: ValueCache::new(), id }
    }

    /// Empties both caches.
    pub(super) fn forget(&mut self) {
        self.pawns.clear();
        self.values.clear();
    }

    /// How many values and pawn structures no cache knew so far.
    #[cfg(test)]
    pub(super) fn misses(&self) -> [u64; 2] {
        [self.values.misses.get(), self.pawns.misses.get()]
    }

    /// Material and placement of one man, White's minus Black's.
    #[inline]
    pub(super) fn placed(&self, color: Color, piece: Piece, square: Square) -> Taper {
        self.placed[color as usize][piece as usize][square as usize]
    }

    /// Material and placement of a white man on each square; a black man has the same on the mirrored one.
    #[inline]
    pub(super) fn places(&self, piece: Piece) -> &[Taper; 64] {
        &self.placed[Color::White as usize][piece as usize]
    }

    /// Value for the side to move. `placed` and `phase` are what the position carries: White's material and placement
    /// less Black's, and the men left by [`PHASE`].
    #[inline]
    pub(super) fn evaluate(&self, board: &Board, placed: Taper, phase: i16) -> Score {
        self.values.value(board.hash(), || self.compute(board, placed, phase))
    }

    #[inline(never)]
    fn compute(&self, board: &Board, placed: Taper, phase: i16) -> Score {
        if insufficient_material(board) {
            return Score::ZERO;
        }
        let pawns = self.pawns.probe(board, &self.params);
        let mut sum = Sum::new(&self.params);
        both_sides(&mut sum, board, &pawns);
        sum.total += placed + pawns.score + pawns.shelter();
        let case = case(board, sum.total.endgame());
        to_move(&mut sum, board);
        let phase = i32::from(phase).min(FULL_PHASE);
        let value = match case {
            None => sum.total.blend(phase, FULL_PHASE),
            case => blend(sum.total, phase, FULL_PHASE, factor(case, &self.params)),
        };
        Score(value.clamp(-LIMIT, LIMIT))
    }

    /// What [`Evaluator::evaluate`] adds up, term by term; no terms where it knows the value.
    pub(super) fn trace(&self, board: &Board, phase: i16) -> Trace {
        if insufficient_material(board) {
            return Trace::default();
        }
        let mut record = Record::new(&self.params);
        let pawns = self.pawns.probe(board, &self.params);
        both_sides(&mut record, board, &pawns);
        for color in [Color::Black, Color::White] {
            record.turn();
            for piece in Piece::ALL {
                for square in board.colored_pieces(color, piece) {
                    let square = square as usize ^ if color == Color::White { 0 } else { 56 };
                    record.add(params::MEN, piece as usize, 1);
                    record.add(params::SQUARES, piece as usize * 64 + square, 1);
                }
            }
        }
        pawns::structure(&mut record, board);
        pawns::shelters(&mut record, board, pawns.files);
        let case = case(board, record.trace(0, None).total(&self.params)[1]);
        to_move(&mut record, board);
        record.trace(i32::from(phase).min(FULL_PHASE), case)
    }
}

/// White's terms minus Black's, as far as neither the position nor the cache keeps them.
#[inline]
fn both_sides<S: Sink>(sink: &mut S, board: &Board, pawns: &Pawns) {
    let guard = |color| pawns::attacks(board.colored_pieces(color, Piece::Pawn).0, color);
    let guards = [guard(Color::White), guard(Color::Black)];
    sink.turn();
    let black = mobility::pieces(sink, board, Color::Black, guards, pawns);
    sink.turn();
    let white = mobility::pieces(sink, board, Color::White, guards, pawns);
    sink.turn();
    threaten(sink, board, Color::Black, &black, &white, pawns);
    sink.turn();
    threaten(sink, board, Color::White, &white, &black, pawns);
}

/// What a side's men threaten, where it and the other attack this. Compiled for either side, as [`mobility::pieces`].
#[inline(always)]
fn threaten<S: Sink>(
    sink: &mut S,
    board: &Board,
    color: Color,
    own_attacks: &Attacks,
    other: &Attacks,
    pawns: &Pawns,
) {
    threats::threats(sink, board, color, own_attacks, other);
    threats::checks(sink, board, color, own_attacks, other);
    let passed = BitBoard(pawns.passed) & board.colors(color);
    if !passed.is_empty() {
        pawns::passers(sink, board, color, passed, [own_attacks.all, other.all]);
    }
}

/// From White's view to that of the side to move, whose right to move counts.
#[inline]
fn to_move<S: Sink>(sink: &mut S, board: &Board) {
    if board.side_to_move() == Color::Black {
        sink.turn();
    }
    sink.add(params::TEMPO, 0, 1);
}

/// Bits that a value takes of a slot, and the place tells of the key.
const VALUE_BITS: u32 = 16;
const SLOTS: usize = 1 << 17;

/// The cache, a MiB. Cells make it usable behind a shared reference; a searcher owns its game, so no thread sees
/// another's.
#[derive(Clone, Debug)]
struct ValueCache {
    slots: Box<[Cell<u64>]>,
    /// Values that were computed.
    #[cfg(test)]
    misses: Cell<u64>,
}

impl ValueCache {
    fn new() -> ValueCache {
        // A zero is the value 0 of one key in 2^48, at slot 0 of a key of zeros: it is written over before it could matter.
        let slots = vec![Cell::new(0); SLOTS].into_boxed_slice();
        ValueCache {
            slots,
            #[cfg(test)]
            misses: Cell::new(0),
        }
    }

    /// Forgets all values.
    fn clear(&mut self) {
        self.slots.fill(Cell::new(0));
    }

    /// The value of the position with this key, from the point of view that `compute` takes.
    #[inline]
    fn value(&self, key: u64, compute: impl FnOnce() -> Score) -> Score {
        let slot = &self.slots[key as usize % SLOTS];
        let entry = slot.get();
        if (entry ^ key) >> VALUE_BITS == 0 {
            return Score(i32::from(entry as u16 as i16));
        }
        #[cfg(test)]
        self.misses.set(self.misses.get() + 1);
        let score = compute();
        slot.set((key >> VALUE_BITS << VALUE_BITS) | u64::from(score.0 as i16 as u16));
        score
    }
}

/// 64ths that count in full.
const FULL: i32 = 64;

/// Which number of `SCALE` applies if the endgame half of White's value minus Black's is `endgame`.
#[inline]
fn case(board: &Board, endgame: i32) -> Option<usize> {
    let bishops = board.pieces(Piece::Bishop);
    if bishops.len() == 2 && opposite(board, bishops) {
        let others = board.pieces(Piece::Knight) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
        return Some(usize::from(!others.is_empty()));
    }
    let strong = if endgame > 0 { Color::White } else { Color::Black };
    let bare = board.colored_pieces(strong, Piece::Pawn).is_empty();
    (bare && endgame != 0 && points(board, strong) <= points(board, !strong) + 3).then_some(2)
}

fn opposite(board: &Board, bishops: BitBoard) -> bool {
    const DARK: BitBoard = BitBoard(0xaa55_aa55_aa55_aa55);
    (bishops & board.colors(Color::White)).len() == 1 && (bishops & DARK).len() == 1
}

/// The pieces of a side, in pawns.
pub(crate) fn points(board: &Board, color: Color) -> u32 {
    let minor = board.pieces(Piece::Knight) | board.pieces(Piece::Bishop);
    [(minor, 3), (board.pieces(Piece::Rook), 5), (board.pieces(Piece::Queen), 9)]
        .into_iter()
        .map(|(pieces, points)| points * (pieces & board.colors(color)).len())
        .sum()
}

/// The factor of a case, in 64ths.
#[inline]
fn factor(case: Option<usize>, params: &EvalParams) -> i32 {
    case.map_or(FULL, |case| params.get(SCALE, case).middlegame())
}

/// The value at `phase` of `full`, with the endgame half scaled. Rounds towards zero.
#[inline]
fn blend(total: Taper, phase: i32, full: i32, factor: i32) -> i32 {
    (total.middlegame() * phase * FULL + total.endgame() * (full - phase) * factor) / (full * FULL)
}

/// Bare kings, or one minor piece against a bare king.
#[inline]
pub(crate) fn insufficient_material(board: &Board) -> bool {
    let men = board.occupied().len();
    men == 2 || (men == 3 && !(board.pieces(Piece::Knight) | board.pieces(Piece::Bishop)).is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::{Chess, testing};
    use super::*;
    use secateur_core::game::{Evaluation, Notation, Rules};

    #[test]
    fn exchanging_the_colours_keeps_the_value() {
        let game = Chess::default();
        let mut values = std::collections::BTreeSet::new();
        for pos in testing::positions(5000) {
            let value = game.evaluate(&pos);
            assert_eq!(value, game.evaluate(&game.mirror(&pos)), "{}", game.format(&pos));
            assert!(value.abs() < Chess::DECISIVE);
            values.insert(value);
        }
        assert!(values.len() > 500, "the evaluation tells positions apart");
    }

    #[test]
    fn passing_changes_only_sign_and_tempo() {
        let game = Chess::default();
        let mut still = EvalParams::default();
        still.values_mut()[params::TEMPO.range()].fill(Taper::ZERO);
        let still = Chess::with_params(still);
        for pos in testing::positions(1000) {
            let Some(passed) = game.null(&pos) else { continue };
            assert_eq!(still.evaluate(&pos), -still.evaluate(&passed), "{}", game.format(&pos));
            let phase = i32::from(pos.phase).min(FULL_PHASE);
            let endgame = case(&pos.board, 1).or(case(&pos.board, -1));
            if endgame.is_some() {
                continue;
            }
            let tempo = game.params().get(params::TEMPO, 0).blend(phase, FULL_PHASE);
            let sum = game.evaluate(&pos) + game.evaluate(&passed);
            // Rounding moves each of the three by less than one.
            assert!((sum.0 - 2 * tempo).abs() <= 3 || sum.0 == 0, "{} {}", sum.0, game.format(&pos));
        }
    }

    /// The trace tells every number's part: with other numbers, too, it gives the value.
    #[test]
    fn the_trace_times_the_numbers_is_the_value() {
        let mut other = EvalParams::default();
        for (index, value) in other.values_mut().iter_mut().enumerate() {
            if !EvalParams::steers(index) {
                *value = Taper::new(index as i32 * 37 % 101 - 50, index as i32 * 53 % 97 - 48);
            }
        }
        let (game, other) = (Chess::default(), Chess::with_params(other));
        let mut seen = vec![false; EvalParams::COUNT];
        for pos in testing::positions(5000) {
            let fen = game.format(&pos);
            let other_pos = other.parse(&fen).expect("a formatted position");
            let trace = game.trace(&pos);
            assert_eq!(trace.terms, other.trace(&other_pos).terms, "{fen}");
            for (game, pos) in [(&game, &pos), (&other, &other_pos)] {
                let value = game.trace(pos).value(game.params());
                assert_eq!(value.trunc() as i32, game.evaluate(pos).0, "{fen}");
            }
            trace.terms.iter().for_each(|&(index, _)| seen[index] = true);
        }
        assert!(seen.iter().filter(|seen| **seen).count() > EvalParams::COUNT * 4 / 5);
    }

    #[test]
    fn a_warm_cache_gives_the_same_value_as_a_cold_one() {
        let warm = Chess::default();
        for pos in testing::positions(300) {
            let cold = Chess::default();
            warm.evaluate(&pos);
            assert_eq!(warm.evaluate(&pos), cold.evaluate(&pos));
        }
    }

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
