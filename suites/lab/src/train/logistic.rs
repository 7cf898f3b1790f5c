//! The logistic function and its losses: the slope that makes win expectancies of values, and what regressions by gradient steps share.
//!
//! Weights are found by gradient steps, position by position in a shuffled order, whose size shrinks with what a weight has
//! been moved by already (AdaGrad: Duchi, Hazan & Singer 2011), so that rare terms move little and late. Left out: anything
//! second order, which this many positions make up for.

use super::self_play::below;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::ops::Range;

/// Passes over all positions.
pub(super) const EPOCHS: usize = 12;
/// Size of a step.
const RATE: f32 = 0.08;
/// What a weight counts as moved by before its first step.
const INERTIA: f32 = 2.0;

/// Positions as rows of a regression, each with the terms of its evaluation: which weight counts, and how often.
pub(super) struct Rows<R, C> {
    rows: Vec<(R, Range<u32>)>,
    terms: Vec<(u16, C)>,
}

impl<R, C> Default for Rows<R, C> {
    fn default() -> Rows<R, C> {
        Rows { rows: Vec::new(), terms: Vec::new() }
    }
}

impl<R, C> Rows<R, C> {
    /// Adds a row.
    pub(super) fn push(&mut self, row: R, terms: impl IntoIterator<Item = (u16, C)>) {
        let from = self.terms.len() as u32;
        self.terms.extend(terms);
        self.rows.push((row, from..self.terms.len() as u32));
    }

    /// Shuffles the rows.
    pub(super) fn shuffle(&mut self, seed: u64) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(u64::MAX);
        for at in (1..self.rows.len()).rev() {
            self.rows.swap(at, below(&mut rng, at as u64 + 1) as usize);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The rows with their terms.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (&R, &[(u16, C)])> {
        self.rows.iter().map(|(row, terms)| (row, &self.terms[terms.start as usize..terms.end as usize]))
    }

    /// The rows without their terms, to be changed.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut R> {
        self.rows.iter_mut().map(|(row, _)| row)
    }
}

/// What a row is of, besides its terms: each of these counts with `N` weights.
pub(super) trait Labelled<const N: usize> {
    /// How much each of its weights counts.
    fn shares(&self) -> [f32; N];

    /// What came out, 0 to 1.
    fn result(&self) -> f32;
}

impl<R, C: Copy + Into<f32>> Rows<R, C> {
    /// The logit of a row.
    pub(super) fn predict<const N: usize>(row: &R, terms: &[(u16, C)], weights: &[[f32; N]]) -> f32
    where
        R: Labelled<N>,
    {
        let shares = row.shares();
        let value = |&(weight, count): &(u16, C)| {
            let weights = weights[usize::from(weight)].iter().zip(shares);
            count.into() * weights.map(|(weight, share)| weight * share).sum::<f32>()
        };
        terms.iter().map(value).sum()
    }

    /// Mean cross entropy of the results, nats a row.
    pub(super) fn loss<const N: usize>(&self, weights: &[[f32; N]]) -> f64
    where
        R: Labelled<N>,
    {
        let of_row = |(row, terms): (&R, &[(u16, C)])| {
            let chance = f64::from(chance(Self::predict(row, terms, weights))).clamp(1e-6, 1.0 - 1e-6);
            let won = f64::from(row.result());
            -(won * chance.ln() + (1.0 - won) * (1.0 - chance).ln())
        };
        self.iter().map(of_row).sum::<f64>() / self.len().max(1) as f64
    }

    /// The weights with the least loss, sought from `weights` on; those that `moves` says no to stay. `each` receives the number of passes
    /// done.
    pub(super) fn fit<const N: usize>(
        &self,
        mut weights: Vec<[f32; N]>,
        moves: impl Fn(usize) -> bool,
        each: &mut dyn FnMut(usize),
    ) -> Vec<[f32; N]>
    where
        R: Labelled<N>,
    {
        let mut moved = vec![[INERTIA; N]; weights.len()];
        for epoch in 0..EPOCHS {
            // Smaller steps at the end, so that the last rows count no more than the first.
            let rate = RATE * (1.0 - epoch as f32 / EPOCHS as f32);
            for (row, terms) in self.iter() {
                let error = chance(Self::predict(row, terms, &weights)) - row.result();
                for &(weight, count) in terms.iter().filter(|(weight, _)| moves(usize::from(*weight))) {
                    let (weights, moved) =
                        (&mut weights[usize::from(weight)], &mut moved[usize::from(weight)]);
                    for (at, share) in row.shares().into_iter().enumerate() {
                        let slope = error * count.into() * share;
                        moved[at] += slope * slope;
                        weights[at] -= rate * slope / moved[at].sqrt();
                    }
                }
            }
            each(epoch + 1);
        }
        weights
    }
}

/// The logistic function.
fn chance(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// What provenance says of it.
pub(super) fn described() -> String {
    format!("{EPOCHS} passes of AdaGrad, rate {RATE} falling to nothing, inertia {INERTIA}")
}

/// The logistic function.
pub(crate) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Cross-entropy of a score `target` (0 to 1) and the logistic function of `x`, in nats.
pub(crate) fn cross_entropy(x: f64, target: f64) -> f64 {
    // ln(1 + e^x) - target x, without overflow.
    x.max(0.0) + (-x.abs()).exp().ln_1p() - target * x
}

/// Slope at which the logistic function of the values predicts the scores best, per unit of a value: Newton's method.
pub(crate) fn slope(pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
    // Beyond this all is won, and a few mates must not decide.
    let pairs: Vec<(f64, f64)> =
        pairs.map(|(value, score)| (value.clamp(-1_500.0, 1_500.0), score)).collect();
    let mut k = 0.004;
    for _ in 0..20 {
        let (mut gradient, mut curvature) = (0.0, 1e-9);
        for &(value, score) in &pairs {
            let p = logistic(k * value);
            gradient += (p - score) * value;
            curvature += p * (1.0 - p) * value * value;
        }
        k = (k - gradient / curvature).clamp(1e-4, 0.1);
    }
    k
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_of_a_logistic_truth_is_found() {
        let pairs = (-300..300).map(|value| (f64::from(value), logistic(0.007 * f64::from(value))));
        assert!((slope(pairs) - 0.007).abs() < 1e-6);
        for x in [-900.0, -2.0, 0.0, 3.0, 900.0] {
            let p: f64 = logistic(x).clamp(1e-300, 1.0 - 1e-16);
            let plain = -0.3 * p.ln() - 0.7 * (1.0 - p).ln();
            assert!(x.abs() > 100.0 || (cross_entropy(x, 0.3) - plain).abs() < 1e-9);
            assert!(cross_entropy(x, 0.3).is_finite());
        }
    }
}
