//! Othello: bitboard rules, a pattern evaluation trained by self-play, and an ordering by mobility.
//!
//! [`Othello`] ties the parts to the [`Game`] seam. A score is in 1/100 disc; a finished game scores the disc
//! difference with the empty squares given to the winner. There is no quiescence.

mod board;
mod elementary;
pub mod endgame;
mod flips;
mod four;
mod gather;
mod last;

mod mobility;
mod order;
mod pattern;
mod position;
mod replies;
mod square;
mod text;
mod weights;

pub use board::{Board, squares};
pub use pattern::{INSTANCES, Sharing};
pub use position::Position;
pub use square::Square;
pub use weights::{DISC_COUNTS, KNOTS, Learnt, Weights, knot};

use gather::sum;
use secateur_core::game::{
    Ending, Evaluation, Game, Has, Hints, Last, Meter, Moves, Notation, ParseError, Rules, Scored, Unit,
};
use secateur_core::prune::Methods;
use secateur_core::search::{Options, Searcher, searcher};
use secateur_core::{Score, Window};
use std::sync::Arc;

/// The largest score: 64 discs.
const LARGEST: i32 = 6_400;

/// Othello with one set of weights.
#[derive(Clone, Debug)]
pub struct Othello {
    weights: Arc<Weights>,
}

impl Othello {
    /// Othello with the given weights.
    #[must_use]
    pub fn new(weights: Arc<Weights>) -> Othello {
        Othello { weights }
    }

    /// The weights in use.
    #[must_use]
    pub fn weights(&self) -> &Arc<Weights> {
        &self.weights
    }

    /// The start position, X to move.
    #[must_use]
    pub fn start(&self) -> Position {
        Position::start()
    }

    /// The position under one of the eight symmetries of the board (0..8): same tree, same scores.
    #[must_use]
    pub fn transformed(&self, pos: &Position, symmetry: usize) -> Position {
        Position::new(pos.board().transformed(symmetry), pos.x_to_move())
    }
}

impl Default for Othello {
    /// Othello with the embedded weights.
    fn default() -> Othello {
        Othello::new(Weights::embedded())
    }
}

impl Rules for Othello {
    type Position = Position;
    type Move = Square;

    #[inline]
    fn key(&self, pos: &Position) -> u64 {
        key(pos.board())
    }

    #[inline]
    fn key_after(&self, pos: &Position, mv: Square) -> u64 {
        key(pos.board().play(mv))
    }

    #[inline]
    fn side(&self, pos: &Position) -> usize {
        usize::from(!pos.x_to_move())
    }

    #[inline]
    fn remaining(&self, pos: &Position) -> Option<i32> {
        Some(pos.board().empty().count_ones() as i32)
    }

    fn mirror(&self, pos: &Position) -> Position {
        pos.mirrored()
    }

    #[inline]
    fn moves(&self, pos: &Position, moves: &mut Moves<Self>) {
        let board = pos.board();
        let mut rest = board.moves();
        if rest == 0 && board.replies() != 0 {
            moves.push(Scored { mv: Square::PASS, value: 0 });
        }
        while rest != 0 {
            moves.push(Scored { mv: Square::new(rest.trailing_zeros() as usize), value: 0 });
            rest &= rest - 1;
        }
    }

    #[inline(always)]
    fn play(&self, pos: &Position, mv: Square) -> Position {
        pos.play(mv)
    }

    #[inline]
    fn plies(&self, mv: Square) -> i32 {
        i32::from(mv != Square::PASS)
    }

    #[inline]
    fn pack(&self, mv: Square) -> u16 {
        mv.index() as u16 + 1
    }

    #[inline]
    fn unpack(&self, bits: u16) -> Square {
        Square::new(usize::from(bits).wrapping_sub(1))
    }

    #[inline]
    fn null(&self, pos: &Position) -> Option<Position> {
        Some(pos.passed())
    }

    fn outcome(&self, pos: &Position, _: u32) -> Score {
        Score(100 * pos.board().result())
    }

    fn ending(&self, pos: &Position, _: usize) -> Option<Ending> {
        let [x, o] = self.points(pos)?;
        let winner = if x == o { None } else { Some(usize::from(x < o)) };
        Some(Ending { winner, why: "discs" })
    }

    /// Empty squares count for the winner.
    fn points(&self, pos: &Position) -> Option<[i32; 2]> {
        let mut moves = Moves::<Othello>::new();
        self.moves(pos, &mut moves);
        let balance = self.outcome(pos, 0).0 / 100;
        let margin = if self.side(pos) == 0 { balance } else { -balance };
        moves.is_empty().then_some([(64 + margin) / 2, (64 - margin) / 2])
    }
}

impl Notation for Othello {
    const UNIT: Unit = Unit { name: "disc", scale: 100, score: "1/100 disc" };

    fn sides(&self) -> [&'static str; 2] {
        ["x", "o"]
    }

    fn start(&self) -> Option<String> {
        Some(self.format(&Position::start()))
    }

    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        text::parse(text)
    }

    fn format(&self, pos: &Position) -> String {
        text::format(pos)
    }

    fn canonical(&self, pos: &Position) -> String {
        text::canonical(pos)
    }

    fn parse_move(&self, pos: &Position, text: &str) -> Result<Square, ParseError> {
        text::parse_move(pos, text)
    }

    fn format_move(&self, _: &Position, mv: Square) -> String {
        mv.to_string()
    }
}

impl Evaluation for Othello {
    const HAS: Has = Has::NOTHING;
    const STAGES: &'static [&'static str] = &[
        "d04-07", "d08-11", "d12-15", "d16-19", "d20-23", "d24-27", "d28-31", "d32-35", "d36-39", "d40-43",
        "d44-47", "d48-51", "d52-55", "d56-59", "d60-64",
    ];
    const DECISIVE: Score = Score(20_000);
    const HISTORY: usize = Square::COUNT;
    const STEADY: bool = true;
    const LAST_PLIES: i32 = last::PLIES;

    fn evaluation_id(&self) -> u64 {
        self.weights.id()
    }

    #[inline]
    fn stage(&self, pos: &Position) -> usize {
        ((pos.board().discs() as usize).saturating_sub(4) / 4).min(Self::STAGES.len() - 1)
    }

    fn label(&self, pos: &Position) -> String {
        pos.board().discs().to_string()
    }

    #[inline]
    fn evaluate(&self, pos: &Position) -> Score {
        let table = self.weights.table(pos.board().discs());
        scaled(sum(table, pos.numbers()))
    }

    /// The evaluation; where the side to move must pass, that of the position after the pass, because the
    /// weights are learnt from positions with a choice. The exact score of a finished game.
    #[inline]
    fn horizon(&self, pos: &Position, _: Window, _: u32, _: &mut Meter) -> Score {
        let board = pos.board();
        if board.is_mobile() {
            self.evaluate(pos)
        } else if board.replies() != 0 {
            -self.evaluate(&pos.passed())
        } else {
            Score(100 * board.result())
        }
    }

    #[inline]
    fn last_plies(
        &self,
        pos: &Position,
        last: Last<Square>,
        nodes: &mut u64,
        meter: &mut Meter,
    ) -> Option<(Score, Option<Square>)> {
        last::search(self, pos, last, nodes, meter)
    }

    fn is_solvable(&self, pos: &Position) -> bool {
        const EMPTIES: i32 = 20;
        self.remaining(pos).is_some_and(|empties| empties <= EMPTIES)
    }

    fn solved(&self, pos: &Position) -> Option<Score> {
        const TABLE_MIB: usize = 8;
        let solve = || endgame::Solver::new(self.clone(), TABLE_MIB).solve(pos, endgame::Discs::FULL);
        self.is_solvable(pos).then(|| Score(100 * solve().score_discs))
    }

    #[inline]
    fn order(&self, pos: &Position, hints: &Hints<'_, Square>, moves: &mut Moves<Self>) {
        order::order(self, pos, hints, moves);
    }

    #[inline]
    fn history_index(&self, _: &Position, mv: Square) -> usize {
        mv.index()
    }
}

impl Game for Othello {
    const NAME: &'static str = "othello";

    #[inline(never)]
    fn searcher(self, methods: &Methods, options: Options) -> Searcher<'_, Self> {
        searcher(self, methods, options)
    }
}

/// A sum of weights within the scale.
#[inline(always)]
fn scaled(sum: i32) -> Score {
    Score(sum.clamp(-LARGEST, LARGEST))
}

/// The key of a board. Two folded multiplications: either word changes about half of the bits of it.
#[inline]
fn key(board: Board) -> u64 {
    let first = folded(board.player ^ 0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03);
    folded(first ^ board.opponent.rotate_left(23), 0xA076_1D64_78BD_642F) ^ first
}

/// The halves of a 128-bit product, folded: a quick mixing step.
#[inline]
fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}

#[cfg(test)]
mod tests;
