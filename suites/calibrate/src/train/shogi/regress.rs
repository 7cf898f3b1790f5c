//! Logistic regression of results on the terms of the evaluation.
//!
//! Weights begin as the worth of pieces that exchanges are counted by; the others begin at nothing.

use super::selfplay::Sample;
use crate::train::logistic::{self, INERTIA, logistic, passes, shuffle, step};
use secateur_games::shogi::{LARGEST, PAWN, PIECES, WEIGHTS, Weights, terms};

/// 1/100 pawn that a logit begins as.
const LOGIT: f32 = 400.0;
/// What the weight of a square counts as moved by before its first step: there are thousands, and few games have any of them.
const FIRM: f32 = 20_000.0;

/// Positions as rows of a regression.
pub(super) struct Design {
    rows: Vec<Row>,
    terms: Vec<(u16, i8)>,
}

struct Row {
    from: u32,
    to: u32,
    result: f32,
}

impl Design {
    pub(super) fn new<'a>(samples: impl Iterator<Item = &'a Sample>, seed: u64) -> Design {
        let mut design = Design { rows: Vec::new(), terms: Vec::new() };
        let mut counts = vec![0i8; WEIGHTS];
        for sample in samples {
            let from = design.terms.len() as u32;
            let mut seen = Vec::with_capacity(200);
            terms(sample.position.board(), |weight, count| {
                counts[weight] += count as i8;
                seen.push(weight);
            });
            // What both sides have alike teaches nothing.
            for weight in seen {
                let count = std::mem::take(&mut counts[weight]);
                if count != 0 {
                    design.terms.push((weight as u16, count));
                }
            }
            design.rows.push(Row { from, to: design.terms.len() as u32, result: sample.result });
        }
        shuffle(&mut design.rows, seed);
        design
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    fn terms(&self, row: &Row) -> &[(u16, i8)] {
        &self.terms[row.from as usize..row.to as usize]
    }

    /// The logit of a row.
    fn predict(&self, row: &Row, weights: &[f32]) -> f32 {
        self.terms(row).iter().map(|&(weight, count)| weights[usize::from(weight)] * f32::from(count)).sum()
    }

    /// Cross entropy, nats a row.
    pub(super) fn loss(&self, weights: &[f32]) -> f64 {
        logistic::loss(self.rows.iter().map(|row| (self.predict(row, weights), row.result)))
    }
}

/// Fits the weights, those of squares if asked; `each` is told the number of passes done.
pub(super) fn fit(design: &Design, squares: bool, each: &mut dyn FnMut(usize)) -> Vec<f32> {
    steps(design, if squares { WEIGHTS } else { PIECES }, each)
}

/// The worth of pieces that training begins with, at the best of forty scales: what a prediction is worth that has learnt nothing else.
pub(super) fn material(design: &Design) -> Vec<f32> {
    let scales = (1..=40).map(|step| logits(Weights::material().learnt(), 50.0 * step as f32));
    let judged = scales.map(|weights| (design.loss(&weights), weights));
    judged.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, weights)| weights).unwrap_or_default()
}

/// Moves the first `free` weights; the others stay as they begin.
fn steps(design: &Design, free: usize, each: &mut dyn FnMut(usize)) -> Vec<f32> {
    let mut weights = logits(Weights::material().learnt(), LOGIT);
    let mut moved: Vec<f32> =
        (0..WEIGHTS).map(|weight| if weight < PIECES { INERTIA } else { FIRM }).collect();
    passes(&design.rows, each, |row, rate| {
        let error = logistic(design.predict(row, &weights)) - row.result;
        for &(weight, count) in design.terms(row) {
            let weight = usize::from(weight);
            if weight < free {
                step(&mut weights[weight], &mut moved[weight], error * f32::from(count), rate);
            }
        }
    });
    weights
}

/// Logits of weights in the units of a file, so that a loss is that of what is written.
pub(super) fn logits(learnt: &[i16], factor: f32) -> Vec<f32> {
    learnt.iter().map(|&weight| f32::from(weight) / factor).collect()
}

/// In the units of a weight file, and how many of them a logit is: material is on average worth what it counts in exchanges.
pub(super) fn learnt(found: &[f32], design: &Design) -> (Vec<i16>, f32) {
    let worth = Weights::material();
    let (mut products, mut squares) = (0.0f64, 0.0f64);
    for row in &design.rows {
        let pieces =
            design.terms(row).iter().filter(|(weight, _)| (PAWN..PIECES).contains(&usize::from(*weight)));
        let ahead: f64 = pieces
            .map(|&(weight, count)| f64::from(worth.learnt()[usize::from(weight)]) * f64::from(count))
            .sum();
        products += ahead * f64::from(design.predict(row, found));
        squares += ahead * ahead;
    }
    let factor = if products > 0.0 { (squares / products) as f32 } else { LOGIT };
    let most = f32::from(LARGEST);
    (found.iter().map(|weight| (factor * weight).round().clamp(-most, most) as i16).collect(), factor)
}

/// What provenance says of it.
pub(super) fn described() -> String {
    format!(
        "logistic, from the worth of pieces at {LOGIT} a logit, {}, {FIRM} for squares; scaled so that material is on average worth what it counts in exchanges",
        logistic::described()
    )
}
