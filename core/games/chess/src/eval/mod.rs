//! Static evaluation of chess: tapered between middlegame and endgame, in centipawns.
//!
//! Material and placement travel with the position as one packed sum; pawn structure and the kings' shelters come from a cache;
//! mobility, attacks on kings and passed pawns are computed at each call. Exchanging the colours changes exactly
//! the sign (the tempo term aside, which belongs to the side to move). The value is a pure function of the position:
//! the cache changes speed only.

mod attacks;
mod cache;
mod king;
mod mobility;
mod params;
pub(super) mod pawns;
mod scale;
mod sink;
mod taper;
mod text;
mod threats;

pub use params::{EvalParams, Group};
pub use sink::Trace;
pub use taper::Taper;
pub use text::EvalError;

use super::material::insufficient_material;
use attacks::Attacks;
use cache::ValueCache;
use cozy_chess::{BitBoard, Board, Color, Piece, Square};
use pawns::{PawnCache, Pawns};
use secateur_core::Score;
use sink::{Record, Sink, Sum};

/// Phase of the start position: knights and bishops 1, rooks 2, queens 4.
pub(super) const FULL_PHASE: i32 = 24;
/// Phase that a man adds, pawn to king.
pub(super) const PHASE: [i16; 6] = [0, 1, 1, 2, 4, 0];
/// Evaluations stay within this, well below the mate scores.
const LIMIT: i32 = 20_000;

/// Numbers, derived tables and cache of one evaluation.
#[derive(Clone, Debug)]
pub(super) struct Evaluator {
    params: EvalParams,
    /// Value of a man on a square, by colour, piece and square; Black's are negative.
    placed: Box<[[[Taper; 64]; 6]; 2]>,
    pawns: PawnCache,
    values: ValueCache,
    id: u64,
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

    pub(super) fn params(&self) -> &EvalParams {
        &self.params
    }

    pub(super) fn id(&self) -> u64 {
        self.id
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
        let case = scale::case(board, sum.total.endgame());
        to_move(&mut sum, board);
        let phase = i32::from(phase).min(FULL_PHASE);
        let value = match case {
            None => sum.total.blend(phase, FULL_PHASE),
            case => scale::blend(sum.total, phase, FULL_PHASE, scale::factor(case, &self.params)),
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
        king::shelters(&mut record, board, pawns.files);
        let case = scale::case(board, record.trace(0, None).total(&self.params)[1]);
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
            let endgame = scale::case(&pos.board, 1).or(scale::case(&pos.board, -1));
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
            let again = other.parse(&fen).expect("a formatted position");
            let trace = game.trace(&pos);
            assert_eq!(trace.terms, other.trace(&again).terms, "{fen}");
            for (game, pos) in [(&game, &pos), (&other, &again)] {
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
}
