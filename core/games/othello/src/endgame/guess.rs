//! The search by the evaluation: a first estimate of the result, the order of moves in the upper part of the tree, and the
//! shallow searches of ProbCut. Values are in 1/100 disc.

use super::super::board::squares;
use super::super::last;
use super::super::position::Position;
use super::super::square::Square;
use super::search::Search;
use super::table::key;
use arrayvec::ArrayVec;
use secateur_core::Score;
use secateur_core::game::{Evaluation, Last, Meter};
use secateur_core::search::Bound;

/// Below every value.
const LEAST: i32 = -32_000;

impl Search {
    /// The best move of an earlier search of the position by the evaluation; 64 for none.
    pub(super) fn guessed(&self, position: &Position) -> u8 {
        match self.guess.probe(key(position.board()), 0, 0).mv {
            0 => 64,
            mv => (mv - 1) as u8,
        }
    }

    /// Value of a search of `depth` plies by the evaluation in the window (`alpha`, `beta`).
    pub(super) fn guess_value(&mut self, position: &Position, depth: i32, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        let board = position.board();
        let moves = board.moves();
        if moves == 0 {
            if board.replies() == 0 {
                return 100 * board.result();
            }
            return -self.guess_value(&position.passed(), depth, -beta, -alpha);
        }
        if depth == 0 {
            return self.game.evaluate(position).0;
        }
        if beta - alpha == 1 && depth <= last::PLIES {
            let last = Last { depth, ply: 0, alpha: Score(alpha), table: None };
            let mut meter = Meter::default();
            if let Some((Score(value), _)) =
                last::search(&self.game, position, last, &mut self.nodes, &mut meter)
            {
                return value;
            }
        }
        if depth == 1 {
            return self.leaves(position, moves, beta);
        }
        let key = key(position.board());
        let entry = self.guess.probe(key, depth, 0);
        if let Some((Score(value), bound)) = entry.value {
            let decided = match bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if decided {
                return value;
            }
        }
        let floor = alpha;
        let mut best = LEAST;
        let mut best_move = 0;
        for (index, (_, square, after)) in
            self.guess_children(position, moves, depth, entry.mv).iter().enumerate()
        {
            let mut value = LEAST;
            if index > 0 {
                value = -self.guess_value(after, depth - 1, -alpha - 1, -alpha);
            }
            if index == 0 || (value > alpha && value < beta) {
                value = -self.guess_value(after, depth - 1, -beta, -alpha);
            }
            if value > best {
                best = value;
                best_move = square.index() as u16 + 1;
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best <= floor {
            Bound::Upper
        } else {
            Bound::Exact
        };
        self.guess.store(key, depth, 0, Score(best), bound, best_move);
        best
    }

    /// One ply: the best evaluation of a child.
    fn leaves(&mut self, position: &Position, moves: u64, beta: i32) -> i32 {
        let mut best = LEAST;
        for square in squares(moves) {
            let after = position.play(square);
            best = best.max(-self.guess_value(&after, 0, LEAST, -LEAST));
            if best >= beta {
                break;
            }
        }
        best
    }

    fn guess_children(
        &mut self,
        position: &Position,
        moves: u64,
        depth: i32,
        first: u16,
    ) -> ArrayVec<(i32, Square, Position), 34> {
        let mut list = ArrayVec::new();
        for square in squares(moves) {
            let after = position.play(square);
            let value = if square.index() as u16 + 1 == first {
                1 << 28
            } else if depth > 2 {
                -self.game.evaluate(&after).0 - 100 * after.board().moves().count_ones() as i32
            } else {
                -(after.board().moves().count_ones() as i32)
            };
            list.push((value, square, after));
        }
        list.sort_by_key(|&(value, _, _)| -value);
        list
    }
}
