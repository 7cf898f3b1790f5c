//! Logistic regression of results on the terms of the evaluation.
//!
//! Each term has two weights, for the full board and the empty one, between which the number of pieces interpolates.

use super::selfplay::Sample;
use crate::train::logistic::{self, INERTIA, logistic, passes, shuffle, step};
use secateur_games::draughts::pattern::{CROWNED, MEN, WEIGHTS, terms};
use secateur_games::draughts::{LARGEST, Learnt};

/// What is found: two weights a term, in logits.
pub(super) type Found = Vec<[f32; 2]>;

/// Positions as rows of a regression.
pub(super) struct Design {
    rows: Vec<Row>,
    terms: Vec<(u16, i8)>,
}

struct Row {
    from: u32,
    to: u32,
    /// How full the board is, 0 to 1.
    full: f32,
    result: f32,
    /// Difference in men, and in kings.
    material: [i8; 2],
}

impl Design {
    pub(super) fn new<'a>(samples: impl Iterator<Item = &'a Sample>, seed: u64) -> Design {
        let mut design = Design { rows: Vec::new(), terms: Vec::new() };
        for sample in samples {
            let from = design.terms.len() as u32;
            let mut material = [0; 2];
            terms(&sample.board, |weight, count| {
                match weight {
                    MEN => material[0] = count as i8,
                    CROWNED => material[1] = count as i8,
                    _ => {}
                }
                if count != 0 {
                    design.terms.push((weight as u16, count as i8));
                }
            });
            let to = design.terms.len() as u32;
            let full = sample.board.pieces() as f32 / 24.0;
            design.rows.push(Row { from, to, full, result: sample.result, material });
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
    fn predict(&self, row: &Row, weights: &Found) -> f32 {
        let value = |&(weight, count): &(u16, i8)| {
            let [full, empty] = weights[usize::from(weight)];
            f32::from(count) * (full * row.full + empty * (1.0 - row.full))
        };
        self.terms(row).iter().map(value).sum()
    }

    /// Cross entropy, nats a row.
    pub(super) fn loss(&self, weights: &Found) -> f64 {
        logistic::loss(self.rows.iter().map(|row| (self.predict(row, weights), row.result)))
    }
}

/// Fits the weights; `each` is told the number of passes done.
pub(super) fn fit(design: &Design, each: &mut dyn FnMut(usize)) -> Found {
    steps(design, |_| true, each)
}

/// The best weights of men and kings alone: what a prediction is worth that knows no patterns.
pub(super) fn material(design: &Design) -> Found {
    steps(design, |weight| weight == MEN || weight == CROWNED, &mut |_| {})
}

fn steps(design: &Design, moves: impl Fn(usize) -> bool, each: &mut dyn FnMut(usize)) -> Found {
    let mut weights = vec![[0.0f32; 2]; WEIGHTS];
    let mut moved = vec![[INERTIA; 2]; WEIGHTS];
    passes(&design.rows, each, |row, rate| {
        let error = logistic(design.predict(row, &weights)) - row.result;
        for &(weight, count) in design.terms(row) {
            let weight = usize::from(weight);
            if !moves(weight) {
                continue;
            }
            for (half, share) in [row.full, 1.0 - row.full].into_iter().enumerate() {
                let slope = error * f32::from(count) * share;
                step(&mut weights[weight][half], &mut moved[weight][half], slope, rate);
            }
        }
    });
    weights
}

/// In the units and the layout of a weight file: a man more is 100 on average over the positions.
pub(super) fn learnt(found: &Found, design: &Design) -> Learnt {
    let (mut products, mut squares) = (0.0f64, 0.0f64);
    for row in design.rows.iter().filter(|row| row.material[1] == 0) {
        let men = f64::from(row.material[0]);
        products += men * f64::from(design.predict(row, found));
        squares += men * men;
    }
    let factor = if products > 0.0 { 100.0 * squares / products } else { 100.0 };
    let most = f64::from(LARGEST);
    let scaled = |weight: f32| (factor * f64::from(weight)).round().clamp(-most, most) as i16;
    found.iter().map(|halves| halves.map(scaled)).collect()
}

/// What provenance says of it.
pub(super) fn described() -> String {
    format!(
        "logistic, {}; scaled so that a man more is 100 on average over positions with as many kings on both sides",
        logistic::described()
    )
}
