//! ProbCut in the selective searches before the exact one (Buro 1995): where a shallow search by the evaluation lies so far
//! outside the window that the result most likely does too, the node is left.
//!
//! How far is a matter of the errors that this evaluation makes at the end of the game. They were measured on positions of
//! games drawn for nothing else: `cargo test --release -p secateur-othello errors_are_fitted -- --ignored --nocapture`.
//!
//! The search by the evaluation ([`Guess`]) also gives a first estimate of the result, and the order of moves in the upper part
//! of the tree. Its values are in 1/100 disc.

use super::Solver;
use super::table::key;
use crate::board::{Square, squares};
use crate::last;
use crate::position::Position;
use arrayvec::ArrayVec;
use secateur_core::game::{Evaluation, Last, Meter};
use secateur_core::search::Bound;
use secateur_core::{Score, Window};

/// With fewer empty squares no search is selective: to reach the end is as cheap.
pub(super) const PROBED_FROM: u32 = 12;
/// The selective searches before the exact one: how many standard errors a value must be outside the window.
pub(super) const CONFIDENCES: [f64; 2] = [0.7, 1.1];

/// Logarithm of the standard error in 1/100 disc: a constant, and what an empty square and the logarithm of the depth plus
/// one add to it. Least squares over the errors of 40 positions each with 12 to 22 empty squares at depths 0 to 10; a test
/// holds them to the errors of other positions.
const FITTED: [f64; 3] = [6.654_9, 0.011_7, -0.370_6];

/// The logarithm's terms.
fn terms(empties: u32, depth: i32) -> [f64; 3] {
    [1.0, f64::from(empties), f64::from(1 + depth).ln()]
}

/// Plies of the shallow search. They are odd where those to the end are, because the evaluation favours one side to move.
fn depth(empties: u32) -> i32 {
    (2 * (3 * empties / 20) + (empties & 1)) as i32
}

/// Standard errors of the evaluation by empty squares, 1/100 disc.
#[derive(Clone, Debug)]
pub(super) struct Errors {
    /// Of itself.
    plain: [i32; 65],
    /// Of a shallow search.
    searched: [i32; 65],
}

impl Errors {
    /// As they were measured. Whole numbers, so that no machine's logarithm makes a difference.
    pub(super) fn measured() -> Errors {
        let error = |empties: usize, depth: i32| {
            let terms = terms(empties as u32, depth);
            let logarithm: f64 = terms.iter().zip(FITTED).map(|(term, fitted)| term * fitted).sum();
            logarithm.exp().round() as i32
        };
        Errors {
            plain: std::array::from_fn(|empties| error(empties, 0)),
            searched: std::array::from_fn(|empties| error(empties, depth(empties as u32))),
        }
    }
}

impl Solver {
    /// The bound in discs that a shallow search makes likely enough, if it is outside the window (`alpha`, `alpha + 1`).
    pub(super) fn probed(&mut self, position: &Position, alpha: i32, empties: u32) -> Option<i32> {
        let sure = CONFIDENCES[usize::from(self.confidence)];
        let [plain, searched] = [&self.errors.plain, &self.errors.searched]
            .map(|errors| (sure * f64::from(errors[empties as usize])) as i32);
        // Results are even and the window lies around an odd one.
        let odd = alpha | 1;
        let middle = 100 * odd;
        let lead = self.game.evaluate(position).0 - middle;
        // A search is only worth its nodes if it is likely to say something. A fifth, where Edax takes half: 6 % fewer nodes in 16
        // endgames of 25 empty squares (hard-25).
        let near = (plain + searched) / 5;
        let depth = depth(empties);
        let (above, below) = (middle + searched, middle - searched);
        if lead > -near && above < 6_400 && self.guess_value(position, depth, above - 1, above) >= above {
            return Some(odd + 1);
        }
        if lead < near && below > -6_400 && self.guess_value(position, depth, below, below + 1) <= below {
            return Some(odd - 1);
        }
        None
    }
}

/// Below every value.
const LEAST: i32 = -32_000;

impl Solver {
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
        let window = Window { alpha: Score(alpha), beta: Score(beta) };
        if let Some((score, bound)) = entry.value
            && bound.decides(score, window)
        {
            return score.0;
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
        let bound = Bound::of(Score(best), Window { alpha: Score(floor), beta: Score(beta) });
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

#[cfg(test)]
mod tests {
    use super::super::super::board::Random;
    use super::super::super::board::squares;
    use super::super::{Discs, Othello, Solver};
    use super::*;
    use crate::board::Square;

    /// Positions of games with this many empty squares that are not decided: after a random opening the move that the evaluation
    /// likes best, and 1 in 8 at random.
    fn drawn(seed: u64, empties: u32, count: usize) -> Vec<Position> {
        const DECIDED: i32 = 3_000;
        let (game, mut random, mut drawn) =
            (Othello::default(), Random(seed << 8 | u64::from(empties)), Vec::new());
        while drawn.len() < count {
            let opening = 50 - random.below(12) as u32;
            let mut position = game.start();
            while position.board().empty().count_ones() > empties {
                let moves: Vec<Square> = squares(position.board().moves()).collect();
                let liked = moves.iter().min_by_key(|&&square| game.evaluate(&position.play(square)).0);
                position = match liked {
                    None if position.board().replies() == 0 => break,
                    None => position.passed(),
                    Some(_) if position.board().empty().count_ones() > opening || random.below(8) == 0 => {
                        position.play(moves[random.below(moves.len())])
                    }
                    Some(&square) => position.play(square),
                };
            }
            let is_there = position.board().empty().count_ones() == empties && position.board().moves() != 0;
            if is_there && game.evaluate(&position).0.abs() < DECIDED {
                drawn.push(position);
            }
        }
        drawn
    }

    /// Root mean square of the errors of a search by the evaluation to this depth, 1/100 disc.
    fn error(solver: &mut Solver, exact: &[(Position, i32)], depth: i32) -> f64 {
        let square = |&(position, exact): &(Position, i32)| {
            let error = f64::from(exact - solver.guess_value(&position, depth, -6_400, 6_400));
            error * error
        };
        (exact.iter().map(square).sum::<f64>() / exact.len() as f64).sqrt()
    }

    /// Positions with their results, 1/100 disc.
    fn solved(solver: &mut Solver, seed: u64, empties: u32, count: usize) -> Vec<(Position, i32)> {
        let solve = |position| (position, 100 * solver.solve(&position, Discs::FULL).score_discs);
        drawn(seed, empties, count).into_iter().map(solve).collect()
    }

    /// The solution of the normal equations.
    fn least_squares(rows: &[([f64; 3], f64)]) -> [f64; 3] {
        let mut matrix = [[0.0; 4]; 3];
        for (terms, value) in rows {
            for (row, term) in matrix.iter_mut().zip(terms) {
                for (cell, other) in row.iter_mut().zip(terms.iter().chain([value])) {
                    *cell += term * other;
                }
            }
        }
        for pivot in 0..3 {
            let scale = matrix[pivot][pivot];
            matrix[pivot] = matrix[pivot].map(|cell| cell / scale);
            let chosen = matrix[pivot];
            for (_, row) in matrix.iter_mut().enumerate().filter(|(at, _)| *at != pivot) {
                let factor = row[pivot];
                for (cell, other) in row.iter_mut().zip(chosen) {
                    *cell -= factor * other;
                }
            }
        }
        matrix.map(|row| row[3])
    }

    /// Where [`FITTED`] comes from; it takes a minute or two.
    #[test]
    #[ignore = "solves 440 positions of up to 22 empty squares"]
    #[allow(clippy::print_stdout)]
    fn errors_are_fitted() {
        let mut solver = Solver::new(Othello::default(), 16);
        let mut rows = Vec::new();
        for empties in 12..=22 {
            let exact = solved(&mut solver, 1, empties, 40);
            let has_parity = |depth: &i32| *depth == 0 || depth % 2 == empties as i32 % 2;
            for depth in (0..=10.min(empties as i32 - 5)).filter(has_parity) {
                let error = error(&mut solver, &exact, depth);
                println!("{empties} empty, depth {depth}: {error:.0}");
                rows.push((terms(empties, depth), error.ln()));
            }
        }
        let fitted = least_squares(&rows);
        println!("{fitted:.4?}");
        for (fitted, committed) in fitted.iter().zip(FITTED) {
            assert!((fitted - committed).abs() < 1e-3, "{fitted:?}, committed {FITTED:?}");
        }
    }

    /// On other positions than those of the fit the errors are as large as they are taken to be.
    #[test]
    fn errors_are_those_of_the_evaluation() {
        let mut solver = Solver::new(Othello::default(), 4);
        let taken = Errors::measured();
        for empties in PROBED_FROM..=15 {
            let exact = solved(&mut solver, 2, empties, 60);
            for (depth, taken) in [(0, &taken.plain), (depth(empties), &taken.searched)] {
                let ratio = error(&mut solver, &exact, depth) / f64::from(taken[empties as usize]);
                assert!((0.6..1.6).contains(&ratio), "{empties} empty, depth {depth}: {ratio:.2}");
            }
        }
    }
}
