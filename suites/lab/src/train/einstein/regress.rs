//! Logistic regression of labels on the terms of the evaluation.
//!
//! Weights begin as those of the race alone.

use super::selfplay::Sample;
use crate::train::logistic::{self, INERTIA, logistic, passes, shuffle, step};
use secateur_games::einstein::evaluation::{LOGIT, ONCE, RACE, WEIGHTS, Weights, terms};

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
        shuffle(&mut design.rows, seed);
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
        logistic::loss(self.rows.iter().map(|row| (self.predict(row, weights), row.won)))
    }
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
    passes(&design.rows, each, |row, rate| {
        let error = logistic(design.predict(row, &weights)) - row.won;
        for &(weight, count) in design.terms(row) {
            let weight = usize::from(weight);
            if weight < free {
                step(&mut weights[weight], &mut moved[weight], error * count, rate);
            }
        }
    });
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
    format!("logistic, from the race, {}", logistic::described())
}
