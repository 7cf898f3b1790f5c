//! One regression of all pairs of games in which sides lack some methods: what each method is worth to the whole, and every two
//! beyond their sum.
//!
//! The score of a pair is Elo's curve at the difference of what both sides lack (Bradley & Terry 1952). A side that lacks a set
//! loses the left-out Elo of each of its methods, and for every two of them what they are worth together beyond that: so the
//! coefficient of a method is its left-out Elo itself. Every two share a mean, and differ from it by a normal law. Its scale is
//! not known: the marginal likelihood (Laplace's) weighs a list of them, which is empirical Bayes without the pretence of knowing
//! the best one (Gelman et al. 2013, section 5.4). The variance is that of scores times a dispersion, measured over openings
//! (quasi-likelihood, Wedderburn 1974; Liang & Zeger 1986), since the games of a pair are not independent and many are drawn.

use super::{Located, PairOfGames, TogetherElo};
use crate::elo::expected_score;
use crate::inference::LEVEL;
use crate::interval::Interval;
use crate::linear::{Cholesky, Square};
use statrs::distribution::{ContinuousCDF, Normal};
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::LN_10;

/// Natural logarithm of the odds of an Elo.
const ODDS: f64 = LN_10 / 400.0;
/// Standard deviation of the left-out Elo of a method before any game: so wide that it says nothing.
const WIDE: f64 = 400.0;
/// The same of the mean of what two methods are worth beyond their sum.
const MEAN_OF_PAIRS: f64 = 100.0;
/// Scales of what two methods are worth beyond their sum, about its mean; Elo, alike before any game.
const SCALES: [f64; 8] = [1.0, 4.0, 8.0, 12.0, 18.0, 27.0, 40.0, 60.0];
/// Rounds of Newton's method; each doubles the digits.
const ROUNDS: usize = 4;

/// Halvings of what an end of an interval is searched in: a thousandth of an Elo and less.
const HALVINGS: usize = 40;

/// The terms of a pair of games that are not 0, with their numbers.
type Terms = Vec<(usize, f64)>;

/// All pairs of games whose sides lack the same.
struct Row {
    terms: Terms,
    /// Pairs of games.
    games: f64,
    /// Sum of their scores.
    scores: f64,
    /// Sum of the squares of their scores.
    squares: f64,
}

/// What the terms of the regression are: first the methods, then the mean of every two, then every two that any side lacked.
struct Layout {
    methods: usize,
    together: Vec<[usize; 2]>,
}

impl Layout {
    fn of(methods: usize, pairs: &[&PairOfGames]) -> Layout {
        let lacked = pairs.iter().flat_map(|pair| pair.lacking).flat_map(|side| side.every_two());
        let mut together: Vec<[usize; 2]> = lacked.collect();
        together.sort_unstable();
        together.dedup();
        Layout { methods, together }
    }

    fn size(&self) -> usize {
        self.methods + 1 + self.together.len()
    }

    /// The first side loses by what it lacks and wins by what the second side lacks.
    fn terms(&self, pair: &PairOfGames) -> Terms {
        let mut terms = BTreeMap::new();
        for (side, sign) in pair.lacking.iter().zip([-1.0, 1.0]) {
            for method in side.methods() {
                *terms.entry(method).or_default() += sign;
            }
            for two in side.every_two() {
                *terms.entry(self.methods).or_default() += sign;
                let at = self.together.binary_search(&two).expect("every two that a side lacks are listed");
                *terms.entry(self.methods + 1 + at).or_default() += sign;
            }
        }
        terms.into_iter().filter(|(_, value)| *value != 0.0).collect()
    }

    /// One over the variance of a term before any game.
    fn precision(&self, term: usize, scale: f64) -> f64 {
        let spread = match term {
            term if term < self.methods => WIDE,
            term if term == self.methods => MEAN_OF_PAIRS,
            _ => scale,
        };
        1.0 / (spread * spread)
    }
}

/// What the regression says.
pub(super) struct Fit {
    layout: Layout,
    /// Opening, terms and residual of every pair of games, if an opening has several.
    repeated: Vec<(usize, Terms, f64)>,
    estimates: Vec<f64>,
    covariance: Square,
    /// What is known at each scale of what two methods are worth beyond their sum, with how likely the games leave the scale, 0 to 1.
    by_scale: Vec<(f64, Posterior)>,
    /// Standard deviation of what two methods are worth beyond their sum, about its mean: the mean over what the games leave likely. Elo.
    pub(super) scale: f64,
}

impl Fit {
    pub(super) fn of(methods: usize, pairs: &[&PairOfGames]) -> Fit {
        let layout = Layout::of(methods, pairs);
        let mut rows = BTreeMap::new();
        for pair in pairs {
            let empty = || Row { terms: layout.terms(pair), games: 0.0, scores: 0.0, squares: 0.0 };
            let row = rows.entry(pair.lacking).or_insert_with(empty);
            row.games += 1.0;
            row.scores += pair.score();
            row.squares += pair.score().powi(2);
        }
        let rows: Vec<Row> = rows.into_values().collect();
        let openings: BTreeSet<usize> = pairs.iter().map(|pair| pair.opening).collect();
        let mut fit = Fit {
            estimates: vec![0.0; layout.size()],
            covariance: Square::zero(layout.size()),
            by_scale: Vec::new(),
            scale: f64::NAN,
            repeated: Vec::new(),
            layout,
        };
        let mut dispersion = 1.0;
        for _ in 0..ROUNDS {
            let information = fit.step(&rows, dispersion);
            dispersion = fit.dispersion(&rows, &information);
        }
        if openings.len() < pairs.len() {
            let spread_of_pair = |pair: &&PairOfGames| {
                let terms = fit.layout.terms(pair);
                let residual = pair.score() - fit.expected(&terms).0;
                (pair.opening, terms, residual)
            };
            fit.repeated = pairs.iter().map(spread_of_pair).collect();
        }
        fit
    }

    /// Mean and variance of the score of a pair of games, as the estimates have it.
    fn expected(&self, terms: &Terms) -> (f64, f64) {
        let mean = expected_score(terms.iter().map(|(term, value)| value * self.estimates[*term]).sum());
        (mean, mean * (1.0 - mean))
    }

    /// A step of Newton's method for each scale, mixed by their likelihoods; gives the information of the games.
    fn step(&mut self, rows: &[Row], dispersion: f64) -> Square {
        let size = self.layout.size();
        let mut information = Square::zero(size);
        let mut target = vec![0.0; size];
        for Row { terms, games, scores, .. } in rows {
            let (mean, variance) = self.expected(terms);
            for (term, value) in terms {
                target[*term] += value * ODDS * (scores - games * mean) / dispersion;
                for (other, factor) in terms {
                    information.add(
                        *term,
                        *other,
                        games * value * factor * ODDS * ODDS * variance / dispersion,
                    );
                }
            }
        }
        for (target, here) in target.iter_mut().zip(information.times(&self.estimates)) {
            *target += here;
        }
        let posteriors: Vec<Posterior> =
            SCALES.iter().map(|scale| Posterior::of(&self.layout, &information, &target, *scale)).collect();
        let best = posteriors.iter().map(|one| one.log_likelihood).fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = posteriors.iter().map(|one| (one.log_likelihood - best).exp()).collect();
        let total: f64 = weights.iter().sum();
        let mixed = |value: &dyn Fn(&Posterior) -> f64| {
            posteriors.iter().zip(&weights).map(|(one, weight)| weight * value(one)).sum::<f64>() / total
        };
        self.estimates = (0..size).map(|term| mixed(&|one| one.means[term])).collect();
        self.covariance = Square::zero(size);
        for row in 0..size {
            for column in 0..size {
                let about = |one: &Posterior, term: usize| one.means[term] - self.estimates[term];
                let value =
                    mixed(&|one| one.covariance.at(row, column) + about(one, row) * about(one, column));
                self.covariance.add(row, column, value);
            }
        }
        self.scale = SCALES.iter().zip(&weights).map(|(scale, weight)| scale * weight).sum::<f64>() / total;
        self.by_scale = weights.iter().map(|weight| weight / total).zip(posteriors).collect();
        information
    }

    /// Variance of the scores of pairs over that of as many single games without draws.
    fn dispersion(&self, rows: &[Row], information: &Square) -> f64 {
        let ratio = |row: &Row| {
            let (mean, variance) = self.expected(&row.terms);
            (row.squares - 2.0 * mean * row.scores + row.games * mean * mean) / variance
        };
        // Residuals are smaller than what they stand for, by the terms that were fitted; and from a few games that all ended alike
        // it does not follow that games always end so: one pair of which both games were won or lost is added.
        let games: f64 = rows.iter().map(|row| row.games).sum();
        let freedom = games + 1.0 - self.covariance.trace_with(information);
        (rows.iter().map(ratio).sum::<f64>() + 1.0) / freedom.max(1.0)
    }

    /// By how much an estimate, the sum of the coefficients of some terms, varies more because pairs of one opening are not
    /// independent; at least 1, and 1 where every pair has an opening of its own.
    fn design_effect(&self, summed: &[usize]) -> f64 {
        let mut openings: BTreeMap<usize, f64> = BTreeMap::new();
        let mut apart = 0.0;
        for (opening, terms, residual) in &self.repeated {
            let influence = |(term, value): &(usize, f64)| {
                value * summed.iter().map(|one| self.covariance.at(*one, *term)).sum::<f64>()
            };
            let moved = residual * terms.iter().map(influence).sum::<f64>();
            *openings.entry(*opening).or_default() += moved;
            apart += moved * moved;
        }
        let together: f64 = openings.values().map(|moved| moved * moved).sum();
        if apart > 0.0 { (together / apart).max(1.0) } else { 1.0 }
    }

    /// Variance of the sum of the coefficients of some terms.
    fn variance(&self, summed: &[usize]) -> f64 {
        summed_over(&self.covariance, summed) * self.design_effect(summed)
    }

    /// The sum of the coefficients of some terms, with the middle 95 % of what the games leave likely. It is a mixture over
    /// scales, and where the games tell little about the scale its ends are farther out than 1.96 standard deviations: few pairs
    /// are worth much beyond their sum, and which is not known.
    fn within(&self, summed: &[usize]) -> Interval {
        let design = self.design_effect(summed);
        let sum = |means: &[f64]| summed.iter().map(|term| means[*term]).sum::<f64>();
        let at = |(weight, one): &(f64, Posterior)| {
            (*weight, sum(&one.means), (summed_over(&one.covariance, summed) * design).sqrt())
        };
        let parts: Vec<(f64, f64, f64)> = self.by_scale.iter().map(at).collect();
        let below = |value: f64| -> f64 {
            let part = |(weight, mean, deviation): &(f64, f64, f64)| {
                weight * Normal::standard().cdf((value - mean) / deviation)
            };
            parts.iter().map(part).sum()
        };
        let far = |side: f64| parts.iter().map(move |(_, mean, deviation)| mean + side * 9.0 * deviation);
        let ends = [far(-1.0).fold(f64::INFINITY, f64::min), far(1.0).fold(f64::NEG_INFINITY, f64::max)];
        let [low, high] = [0.5 * LEVEL, 1.0 - 0.5 * LEVEL].map(|share| {
            let (mut low, mut high) = (ends[0], ends[1]);
            for _ in 0..HALVINGS {
                let middle = f64::midpoint(low, high);
                if below(middle) < share { low = middle } else { high = middle }
            }
            f64::midpoint(low, high)
        });
        Interval { estimate: sum(&self.estimates), low, high }
    }

    /// The score of the program as it is against itself without a method.
    pub(super) fn located(&self, method: usize) -> Located {
        let mean = expected_score(self.estimates[method]);
        let error = self.variance(&[method]).sqrt() * ODDS * mean * (1.0 - mean);
        Located { mean, error }
    }

    /// What every two methods that any side lacked are worth beyond their sum, Elo.
    pub(super) fn together(&self) -> impl Iterator<Item = TogetherElo> {
        let mean = self.layout.methods;
        self.layout.together.iter().enumerate().map(move |(at, two)| {
            let [one, other] = *two;
            let beyond = mean + 1 + at;
            TogetherElo {
                methods: *two,
                beyond_sum: self.within(&[mean, beyond]),
                both: self.within(&[one, other, mean, beyond]),
            }
        })
    }
}

/// The sum of a covariance over every two of some terms.
fn summed_over(covariance: &Square, terms: &[usize]) -> f64 {
    let row = |one: &usize| terms.iter().map(|other| covariance.at(*one, *other)).sum::<f64>();
    terms.iter().map(row).sum()
}

/// The regression with one scale of what two methods are worth beyond their sum.
struct Posterior {
    means: Vec<f64>,
    covariance: Square,
    /// Marginal, but for what is the same at every scale.
    log_likelihood: f64,
}

impl Posterior {
    fn of(layout: &Layout, information: &Square, target: &[f64], scale: f64) -> Posterior {
        let mut precision = information.clone();
        let mut prior = 0.0;
        for term in 0..layout.size() {
            precision.add(term, term, layout.precision(term, scale));
            prior += layout.precision(term, scale).ln();
        }
        let lower = Cholesky::of(&precision);
        let covariance = lower.inverse();
        let means = covariance.times(target);
        let fitted: f64 = means.iter().zip(target).map(|(mean, target)| mean * target).sum();
        let log_likelihood = 0.5 * (fitted + prior - lower.log_determinant());
        Posterior { means, covariance, log_likelihood }
    }
}
