//! Chance nodes: the mean over a throw, searched in a window.
//!
//! A throw takes neither a ply nor depth: a chance node and its outcomes stand at the ply of the move to come, and are
//! valued for its side. Star1 and Star2 of Ballard 1983, in Hauk's formulation (2004), fail-soft: of every outcome a lower
//! and an upper bound is known, at first those of the game, and their means bound the node. Each outcome is
//! searched in the window beyond which it decides the node alone. Means are rounded once ([`expectation`]), so the bounds
//! are those of the sum that a value stands for ([`Sums`]), and the value is exactly that of expectiminimax.
//!
//! Left out: an order of outcomes other than the game's; Star2.5 (several moves probed).

use super::host::{decides, from_table, to_table};
use super::slot::Bound;
use super::{Form, Kind, Node, Path, Search, Star, moments};
use crate::game::{Game, MAX_OUTCOMES, Moves, Outcomes, expectation};
use crate::prune::Verdict;
use crate::score::{Depth, Score, Window};
use arrayvec::ArrayVec;

/// Least depth at which Star2 probes: a probe one ply above the horizon costs what it could save.
const PROBED: Depth = Depth(2);

/// What is known of one outcome.
#[derive(Clone, Copy, Debug)]
struct Known {
    weight: i64,
    lower: i64,
    upper: i64,
}

/// What is known of all outcomes together: bounds of the sum of weight times value.
#[derive(Clone, Copy, Debug)]
struct Sums {
    weights: i64,
    lower: i64,
    upper: i64,
    /// The greatest sum whose mean is at most alpha.
    low: i64,
    /// The least sum whose mean is at least beta.
    high: i64,
}

/// The least sum whose mean, rounded towards zero, is at least `value`.
fn least(value: Score, weights: i64) -> i64 {
    let value = i64::from(value.0);
    if value > 0 { value * weights } else { (value - 1) * weights + 1 }
}

impl Sums {
    fn new(bounds: &[Known], window: Window) -> Sums {
        let weights = bounds.iter().map(|one| one.weight).sum();
        let (low, high) = (least(window.alpha + Score(1), weights) - 1, least(window.beta, weights));
        let lower = bounds.iter().map(|one| one.weight * one.lower).sum();
        let upper = bounds.iter().map(|one| one.weight * one.upper).sum();
        Sums { weights, lower, upper, low, high }
    }

    /// The node's value, or a bound of it outside the window, once that much is known.
    fn decided(&self) -> Option<Score> {
        if self.lower >= self.high || self.lower == self.upper {
            Some(expectation(self.lower, self.weights))
        } else if self.upper <= self.low {
            Some(expectation(self.upper, self.weights))
        } else {
            None
        }
    }

    /// The window of an outcome: at or beyond its bounds, that outcome alone decides the node.
    fn window(&self, outcome: &Known) -> Window {
        let alpha = (self.low - (self.upper - outcome.weight * outcome.upper)).div_euclid(outcome.weight);
        let beta = -(self.lower - outcome.weight * outcome.lower - self.high).div_euclid(outcome.weight);
        let within = |bound: i64| Score(bound.clamp(outcome.lower, outcome.upper) as i32);
        Window { alpha: within(alpha), beta: within(beta) }
    }

    /// An outcome was searched in `window` and came out at `score`, a bound at or beyond the window's.
    fn learn(&mut self, outcome: &mut Known, score: Score, window: Window) {
        let before = *outcome;
        // Outside of what is known already comes only what a method guessed.
        let value = i64::from(score.0).clamp(outcome.lower, outcome.upper);
        if score > window.alpha {
            outcome.lower = value;
        }
        if score < window.beta {
            outcome.upper = value;
        }
        self.lower += outcome.weight * (outcome.lower - before.lower);
        self.upper += outcome.weight * (outcome.upper - before.upper);
    }
}

impl<G: Game, F: Form<G>> Search<'_, G, F> {
    /// [`Search::value`] of a position that awaits chance, above the horizon.
    #[inline(never)]
    pub(super) fn chance(
        &mut self,
        pos: &G::Position,
        depth: Depth,
        window: Window,
        ply: u32,
        path: Path,
    ) -> Score {
        if let Some(score) = self.arrive(pos, window, ply) {
            return score;
        }
        let tabled = depth.0 >= self.options.table_min_depth;
        let key = if tabled || G::REPETITION { self.game.key(pos) } else { 0 };
        let (slot, context) = (self.slot(key, path, depth), self.context(path, depth));
        if tabled
            && self.options.table_values
            && let Some((score, bound)) = self.table.probe(slot, depth.0, context).value
        {
            let score = from_table::<G>(score, ply);
            if decides(score, bound, window) {
                self.tally.tt_hits += 1;
                return score;
            }
        }
        self.throws += 1;
        let score = self.throw(pos, depth, window, ply, path, key);
        self.throws -= 1;
        if path.kind == Kind::Pv {
            // What the outcomes left: the line ends here.
            self.pv.clear(ply);
        }
        let unstored = self.is_unstored(path, score, window);
        if tabled && !self.stopped && !unstored {
            let stored = to_table::<G>(score, ply);
            self.table.store(slot, depth.0, context, stored, Bound::of(score, window), 0);
        }
        score
    }

    /// Asks the methods, then searches the outcomes.
    fn throw(
        &mut self,
        pos: &G::Position,
        depth: Depth,
        window: Window,
        ply: u32,
        path: Path,
        key: u64,
    ) -> Score {
        if F::ANY && ply > 0 && self.moments.spoken(depth, moments::CHANCE) {
            let node = Node::new(&self.game, pos, depth, window, ply, path, key);
            if let Verdict::Cut(score) = F::chance(self, &node) {
                return score;
            }
        }
        let mut outcomes = Outcomes::<G>::new();
        self.game.outcomes(pos, &mut outcomes);
        let attainable = self.game.attainable(ply);
        let (lower, upper) = (i64::from(attainable.alpha.0), i64::from(attainable.beta.0));
        let unsearched = |weight: u32| Known { weight: weight.into(), lower, upper };
        let mut all_bounds: ArrayVec<Known, MAX_OUTCOMES> =
            outcomes.iter().map(|outcome| unsearched(outcome.weight)).collect();
        let mut sums = Sums::new(&all_bounds, window);
        if self.options.star == Star::Two && depth >= PROBED {
            for (outcome, bounds) in outcomes.iter().zip(&mut all_bounds) {
                let window = sums.window(bounds);
                let Some(score) = self.first_move(&outcome.pos, depth, window, ply, path) else { continue };
                if self.stopped {
                    return Score::ZERO;
                }
                // At most alpha, the move says nothing of the others; above, the outcome is worth as much at least.
                sums.learn(bounds, score, Window { alpha: window.alpha, beta: -Score::INFINITE });
                if let Some(score) = sums.decided() {
                    return score;
                }
            }
        }
        for (outcome, bounds) in outcomes.iter().zip(&mut all_bounds) {
            if bounds.lower == bounds.upper {
                continue;
            }
            let window = sums.window(bounds);
            let score = self.value(&outcome.pos, depth, window, ply, path);
            if self.stopped {
                return Score::ZERO;
            }
            sums.learn(bounds, score, window);
            if let Some(score) = sums.decided() {
                return score;
            }
        }
        expectation(sums.lower, sums.weights)
    }

    /// Value of the first move in the order of an outcome, fail-soft; `None` where there is none.
    fn first_move(
        &mut self,
        pos: &G::Position,
        depth: Depth,
        window: Window,
        ply: u32,
        path: Path,
    ) -> Option<Score> {
        let mut moves = Moves::<G>::new();
        self.game.moves(pos, &mut moves);
        if moves.is_empty() {
            return None;
        }
        self.tally.nodes += 1;
        let key = self.game.key(pos);
        let tabled = depth.0 >= self.options.table_min_depth;
        let hint = if tabled { self.table.probe(self.slot(key, path, depth), depth.0, 0).mv } else { 0 };
        let node = Node::new(&self.game, pos, depth, window, ply, path, key);
        if F::ANY && self.moments.asks.looks_back() {
            self.note(&node);
        }
        self.order(&node, hint, &mut moves);
        let mv = super::pick::<G>(&mut moves, 0);
        Some(self.turn(&node, node.parent(), mv, 0, window))
    }
}

#[cfg(test)]
mod tests;
