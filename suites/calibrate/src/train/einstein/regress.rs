//! Logistic regression of labels on the terms of the evaluation.
//!
//! Weights begin as those of the race alone and are found by gradient steps, position by position in a shuffled order, whose size
//! shrinks with what a weight has been moved by already (AdaGrad: Duchi, Hazan & Singer 2011), so that rare terms move little
//! and late. Left out: anything second order, which this many positions make up for.

use super::selfplay::Sample;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use secateur_games::einstein::learnt::{LOGIT, ONCE, RACE, WEIGHTS, Weights, terms};

/// Passes over all positions.
pub(super) const EPOCHS: usize = 12;
/// Size of a step.
const RATE: f32 = 0.08;
/// What a weight counts as moved by before its first step.
const INERTIA: f32 = 2.0;

/// Positions as rows of a regression.
pub(super) struct Design {
    rows: Vec<Row>,
    terms: Vec<(u16, f32)>,
}

struct Row {
    from: u32,
    to: u32,
    won: f32,
}

impl Design {
    pub(super) fn new(samples: &[Sample], seed: u64) -> Design {
        let mut design = Design { rows: Vec::new(), terms: Vec::new() };
        for sample in samples {
            let from = design.terms.len() as u32;
            terms(&sample.position, |weight, count| {
                design.terms.push((weight as u16, count as f32 / ONCE as f32));
            });
            design.rows.push(Row { from, to: design.terms.len() as u32, won: sample.won });
        }
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(u64::MAX);
        for at in (1..design.rows.len()).rev() {
            design.rows.swap(at, (rng.next_u64() % (at as u64 + 1)) as usize);
        }
        design
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    fn terms(&self, row: &Row) -> &[(u16, f32)] {
        &self.terms[row.from as usize..row.to as usize]
    }

    /// The logit of a row.
    fn predict(&self, row: &Row, weights: &[f32]) -> f32 {
        self.terms(row).iter().map(|&(weight, count)| weights[usize::from(weight)] * count).sum()
    }

    /// Cross entropy, nats a row.
    pub(super) fn loss(&self, weights: &[f32]) -> f64 {
        let of = |row: &Row| {
            let chance = f64::from(logistic(self.predict(row, weights))).clamp(1e-6, 1.0 - 1e-6);
            let won = f64::from(row.won);
            -(won * chance.ln() + (1.0 - won) * (1.0 - chance).ln())
        };
        self.rows.iter().map(of).sum::<f64>() / self.len().max(1) as f64
    }
}

fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// The weights of the race alone, in logits.
fn start() -> Vec<f32> {
    logits(&Weights::race())
}

/// Fits the weights; `each` is told the number of passes done.
pub(super) fn fit(design: &Design, each: &mut dyn FnMut(usize)) -> Vec<f32> {
    steps(design, WEIGHTS, each)
}

/// The best curves over the race alone: what a prediction is worth that knows nothing else.
pub(super) fn race(design: &Design) -> Vec<f32> {
    steps(design, RACE, &mut |_| {})
}

/// Moves the first `free` weights; the others stay as they begin.
fn steps(design: &Design, free: usize, each: &mut dyn FnMut(usize)) -> Vec<f32> {
    let mut weights = start();
    let mut moved = vec![INERTIA; WEIGHTS];
    for epoch in 0..EPOCHS {
        // Smaller steps at the end, so that the last rows count no more than the first.
        let rate = RATE * (1.0 - epoch as f32 / EPOCHS as f32);
        for row in &design.rows {
            let error = logistic(design.predict(row, &weights)) - row.won;
            for &(weight, count) in design.terms(row) {
                let (weight, slope) = (usize::from(weight), error * count);
                if weight >= free {
                    continue;
                }
                moved[weight] += slope * slope;
                weights[weight] -= rate * slope / moved[weight].sqrt();
            }
        }
        each(epoch + 1);
    }
    weights
}

/// Logits of weights in the units of a file, so that a loss is that of what is written.
pub(super) fn logits(learnt: &[i16]) -> Vec<f32> {
    learnt.iter().map(|&weight| f32::from(weight) / LOGIT as f32).collect()
}

/// In the units of a weight file.
pub(super) fn learnt(found: &[f32]) -> Vec<i16> {
    let most = f32::from(i16::MAX);
    found.iter().map(|weight| (weight * LOGIT as f32).round().clamp(-most, most) as i16).collect()
}

/// What provenance says of it.
pub(super) fn described() -> String {
    format!(
        "logistic, from the race, {EPOCHS} passes of AdaGrad, rate {RATE} falling to nothing, inertia {INERTIA}"
    )
}
