//! What logistic regressions by gradient steps share: rows in a shuffled order, the size of steps, the loss.
//!
//! Weights are found by gradient steps, position by position in a shuffled order, whose size shrinks with what a weight has
//! been moved by already (AdaGrad: Duchi, Hazan & Singer 2011), so that rare terms move little and late. Left out: anything
//! second order, which this many positions make up for.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// Passes over all positions.
pub(super) const EPOCHS: usize = 12;
/// Size of a step.
const RATE: f32 = 0.08;
/// What a weight counts as moved by before its first step.
pub(super) const INERTIA: f32 = 2.0;

/// Shuffles the rows of a regression.
pub(super) fn shuffle<R>(rows: &mut [R], seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(u64::MAX);
    for at in (1..rows.len()).rev() {
        rows.swap(at, (rng.next_u64() % (at as u64 + 1)) as usize);
    }
}

/// The logistic function.
pub(super) fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// Mean cross entropy of what was predicted, as logits, and what came out, 0 to 1; nats.
pub(super) fn loss(rows: impl ExactSizeIterator<Item = (f32, f32)>) -> f64 {
    let count = rows.len().max(1) as f64;
    let of = |(logit, won): (f32, f32)| {
        let chance = f64::from(logistic(logit)).clamp(1e-6, 1.0 - 1e-6);
        let won = f64::from(won);
        -(won * chance.ln() + (1.0 - won) * (1.0 - chance).ln())
    };
    rows.map(of).sum::<f64>() / count
}

/// Goes over all rows so often, each with the size of its step; `each` is told the number of passes done.
pub(super) fn passes<R>(rows: &[R], each: &mut dyn FnMut(usize), mut visit: impl FnMut(&R, f32)) {
    for epoch in 0..EPOCHS {
        // Smaller steps at the end, so that the last rows count no more than the first.
        let rate = RATE * (1.0 - epoch as f32 / EPOCHS as f32);
        rows.iter().for_each(|row| visit(row, rate));
        each(epoch + 1);
    }
}

/// One step of a weight down a slope.
pub(super) fn step(weight: &mut f32, moved: &mut f32, slope: f32, rate: f32) {
    *moved += slope * slope;
    *weight -= rate * slope / moved.sqrt();
}

/// What provenance says of it.
pub(super) fn described() -> String {
    format!("{EPOCHS} passes of AdaGrad, rate {RATE} falling to nothing, inertia {INERTIA}")
}
