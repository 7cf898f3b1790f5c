//! Othello: bitboard rules, a pattern evaluation trained by self-play, and an ordering by mobility.
//!
//! [`Othello`] ties the parts to the [`Game`] seam. A score is in 1/100 disc; a finished game scores the disc
//! difference with the empty squares given to the winner. There is no quiescence.

mod board;
pub mod endgame;
mod flips;
mod four;
mod last;

mod order;
mod pattern;
mod position;
mod text;
mod weights;

pub use board::{Board, Square, squares};
pub use pattern::{INSTANCES, Sharing};
pub use position::Position;
pub use weights::{DISC_COUNTS, KNOTS, Learnt, Weights, knot};

use secateur_base::hash::folded;
use secateur_core::game::{AnyGame, Ending, Evaluation, Game, Has, Hints, Last, Meter, Moves, Rules, Scored};
use secateur_core::prune::Methods;
use secateur_core::search::{Options, Searcher, searcher};
use secateur_core::{Score, Window};
use std::sync::Arc;
use weights::sum;

/// The largest score: 64 discs.
const LARGEST: i32 = 6_400;

/// Othello with one set of weights.
#[derive(Clone, Debug)]
pub struct Othello {
    weights: Arc<Weights>,
}

impl Othello {
    /// Othello with the given weights.
    pub fn new(weights: Arc<Weights>) -> Othello {
        Othello { weights }
    }

    /// The weights in use.
    pub fn weights(&self) -> &Arc<Weights> {
        &self.weights
    }

    /// The start position, X to move.
    pub fn start(&self) -> Position {
        Position::start()
    }

    /// The position under one of the eight symmetries of the board (0..8): same tree, same scores.
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
        let mut unlisted = board.moves();
        if unlisted == 0 && board.replies() != 0 {
            moves.push(Scored { mv: Square::PASS, value: 0 });
        }
        while unlisted != 0 {
            moves.push(Scored { mv: Square::new(unlisted.trailing_zeros() as usize), value: 0 });
            unlisted &= unlisted - 1;
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

impl From<Othello> for AnyGame {
    #[inline(never)]
    fn from(game: Othello) -> AnyGame {
        AnyGame::of(game)
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

/// Othello as a game: what its rules, its evaluation and its texts promise the host.
#[cfg(test)]
mod tests {
    use super::board::random_boards;
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn symmetry_and_colour_leave_the_evaluation_alone() {
        let game = Othello::default();
        let mut different = std::collections::BTreeSet::new();
        for board in random_boards(400) {
            let position = Position::new(board, true);
            let score = game.evaluate(&position);
            different.insert(score);
            assert_eq!(game.evaluate(&game.mirror(&position)), score);
            for symmetry in 0..8 {
                assert_eq!(game.evaluate(&game.transformed(&position, symmetry)), score);
            }
        }
        assert!(different.len() > 100, "an evaluation that tells nothing apart");
    }

    #[test]
    fn the_evaluation_is_the_sum_of_its_classes() {
        let game = Othello::default();
        let (sharing, learnt) = (Sharing::get(), game.weights().learnt());
        let mut tried = 0;
        for board in random_boards(2_000) {
            // At a knot nothing is interpolated.
            let (knot, quarters) = knot(board.discs() as usize);
            if board.discs() < 8 || quarters != 0 {
                continue;
            }
            let position = Position::new(board, tried % 2 == 0);
            let weights = &learnt.patterns[knot * sharing.len()..];
            let classes = position.classes(sharing);
            let sum: i32 = classes.iter().map(|&class| i32::from(weights[class as usize])).sum();
            let sum = sum + i32::from(learnt.constant[board.discs() as usize]);
            assert_eq!(game.evaluate(&position), Score(sum.clamp(-LARGEST, LARGEST)), "{board:?}");
            tried += 1;
        }
        assert!(tried > 300);
    }

    #[test]
    fn keys_belong_to_boards_not_to_the_way_there() {
        let game = Othello::new(Arc::new(Weights::elementary()));
        let mut boards = BTreeMap::new();
        for board in random_boards(50_000) {
            let position = Position::new(board, true);
            let discs = (board.player, board.opponent);
            let before = boards.insert(game.key(&position), discs);
            assert!(before.is_none_or(|before| before == discs), "collision");
            assert_eq!(game.key(&position), game.key(&game.mirror(&position)));
            assert_ne!(game.key(&position), game.key(&position.passed()));
            if let Some(square) = squares(board.moves()).next() {
                assert_eq!(game.key_after(&position, square), game.key(&game.play(&position, square)));
            }
            assert_eq!(game.key_after(&position, Square::PASS), game.key(&position.passed()));
        }
    }

    #[test]
    fn the_horizon_is_exact_at_the_end_and_sees_through_a_pass() {
        let game = Othello::default();
        let (mut ends, mut passes) = (0, 0);
        for board in random_boards(20_000) {
            let position = Position::new(board, false);
            let mut moves = Moves::<Othello>::new();
            game.moves(&position, &mut moves);
            let at = |p: &Position| game.horizon(p, Window::FULL, 0, &mut Meter::default());
            if moves.is_empty() {
                ends += 1;
                assert_eq!(at(&position), game.outcome(&position, 0));
            } else if moves[0].mv == Square::PASS {
                passes += 1;
                assert_eq!(at(&position), -at(&game.play(&position, Square::PASS)));
                assert_eq!(game.plies(Square::PASS), 0);
            } else {
                assert_eq!(at(&position), game.evaluate(&position));
            }
        }
        assert!(ends > 100 && passes > 100);
    }

    #[test]
    fn stages_follow_the_disc_count_and_moves_survive_packing() {
        let game = Othello::new(Arc::new(Weights::elementary()));
        for board in random_boards(120) {
            let position = Position::new(board, true);
            let (from, to) = Othello::STAGES[game.stage(&position)][1..].split_once('-').expect("a range");
            let discs = board.discs();
            assert!(from.parse::<u32>().is_ok_and(|from| from <= discs));
            assert!(to.parse::<u32>().is_ok_and(|to| discs <= to));
            assert_eq!(game.label(&position), discs.to_string());
            assert_eq!(game.remaining(&position), Some(64 - discs as i32));
        }
        for index in 0..Square::COUNT {
            let square = Square::new(index);
            assert_ne!(game.pack(square), 0);
            assert_eq!(game.unpack(game.pack(square)), square);
        }
    }

    #[test]
    fn the_table_move_comes_first_at_every_height() {
        let game = Othello::new(Arc::new(Weights::elementary()));
        for depth in 1..=6 {
            let mut moves = Moves::<Othello>::new();
            let position = game.start();
            game.moves(&position, &mut moves);
            let table = moves[2].mv;
            let history = [0; Othello::HISTORY];
            let hints =
                Hints { depth, table: Some(table), killers: [None; 2], counter: None, history: &history };
            game.order(&position, &hints, &mut moves);
            assert_eq!(moves.iter().max_by_key(|scored| scored.value).map(|s| s.mv), Some(table));
        }
    }
}
