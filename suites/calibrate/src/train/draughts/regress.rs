//! Logistic regression of results on the terms of the evaluation.
//!
//! Each term has two weights, for the full board and the empty one, between which the number of pieces interpolates. Weights
//! are found by gradient steps, position by position in a shuffled order, whose size shrinks with what a weight has been moved by
//! already (AdaGrad: Duchi, Hazan & Singer 2011), so that rare configurations move little and late. Left out: anything second order,
//! which this many positions make up for.

use super::selfplay::Sample;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use secateur_games::draughts::pattern::{CROWNED, MEN, WEIGHTS, terms};
use secateur_games::draughts::{LARGEST, Learnt};

/// Passes over all positions.
pub(super) const EPOCHS: usize = 12;
/// Size of a step.
const RATE: f32 = 0.08;
/// What a weight counts as moved by before its first step.
const INERTIA: f32 = 2.0;

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
        let of = |row: &Row| {
            let chance = f64::from(logistic(self.predict(row, weights))).clamp(1e-6, 1.0 - 1e-6);
            let result = f64::from(row.result);
            -(result * chance.ln() + (1.0 - result) * (1.0 - chance).ln())
        };
        self.rows.iter().map(of).sum::<f64>() / self.len().max(1) as f64
    }
}

fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
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
    for epoch in 0..EPOCHS {
        // Smaller steps at the end, so that the last rows count no more than the first.
        let rate = RATE * (1.0 - epoch as f32 / EPOCHS as f32);
        for row in &design.rows {
            let error = logistic(design.predict(row, &weights)) - row.result;
            for &(weight, count) in design.terms(row) {
                let weight = usize::from(weight);
                if !moves(weight) {
                    continue;
                }
                for (half, share) in [row.full, 1.0 - row.full].into_iter().enumerate() {
                    let slope = error * f32::from(count) * share;
                    moved[weight][half] += slope * slope;
                    weights[weight][half] -= rate * slope / moved[weight][half].sqrt();
                }
            }
        }
        each(epoch + 1);
    }
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
        "logistic, {EPOCHS} passes of AdaGrad, rate {RATE} falling to nothing, inertia {INERTIA}; scaled so that a man more is \
         100 on average over positions with as many kings on both sides"
    )
}
