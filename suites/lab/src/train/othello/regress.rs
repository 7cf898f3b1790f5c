//! Least squares: the weights that best predict the labels of the games.
//!
//! The prediction is linear in the weights, so conjugate gradients on the normal equations, scaled by how
//! often each weight is seen, get there in a few dozen passes (Buro 1997 used conjugate gradients too). Two
//! priors fill in what was seldom seen: a weight is near zero, and near the same weight a knot earlier and
//! later. Sums are formed in one order whatever the number of threads.

use super::selfplay::Sample;
use crate::train::shared_out;
use secateur_games::othello::{DISC_COUNTS, INSTANCES, KNOTS, Learnt, Position, Sharing, knot};

/// How strongly weights are drawn to zero, in sightings.
pub(super) const TO_ZERO: f32 = 2.0;
/// How strongly to the same weight at the neighbouring knots, in sightings.
pub(super) const TO_NEIGHBOURS: f32 = 120.0;
/// Passes of conjugate gradients.
pub(super) const PASSES: usize = 60;

/// A sample as the regression reads it.
struct Row {
    discs: u8,
    label: f32,
    /// Its 46 weights, each as an offset from its shape's first, which fits 16 bits.
    offsets: [u16; INSTANCES],
}

/// The samples as the regression reads them.
pub(super) struct Design {
    rows: Vec<Row>,
    starts: [u32; INSTANCES],
    /// Whether an instance counts.
    counts: [bool; INSTANCES],
}

impl Design {
    /// The samples, seen by the shapes of these numbers; by all where there is nothing.
    pub(super) fn new(samples: impl Iterator<Item = Sample>, shapes: Option<&[usize]>) -> Design {
        let sharing = Sharing::get();
        let starts = sharing.starts();
        let mut of_shapes: Vec<u32> = starts.to_vec();
        of_shapes.dedup();
        let counts = starts.map(|start| {
            let shape = of_shapes.iter().position(|of_shape| *of_shape == start);
            shapes.is_none_or(|shapes| shape.is_some_and(|shape| shapes.contains(&shape)))
        });
        let row = |sample: Sample| {
            let classes = Position::new(sample.board, true).classes(sharing);
            let offsets = std::array::from_fn(|lane| (classes[lane] - starts[lane]) as u16);
            Row { discs: sample.board.discs() as u8, label: sample.label, offsets }
        };
        Design { rows: samples.map(row).collect(), starts, counts }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Predictions of all samples, in discs.
    fn predict(&self, weights: &Unknowns, threads: usize) -> Vec<f32> {
        shared_out(&self.rows, threads, || (), |(), row| self.predict_one(weights, row))
    }

    fn predict_one(&self, weights: &Unknowns, row: &Row) -> f32 {
        let discs = usize::from(row.discs);
        let (lower, lower_share, next) = mix(discs);
        let (mut sum_lower, mut sum_next) = (0.0, 0.0);
        let counting = row.offsets.iter().zip(&self.starts).zip(&self.counts);
        for ((&offset, &start), _) in counting.filter(|(_, counts)| **counts) {
            let at = (start as usize + usize::from(offset)) * KNOTS + lower;
            sum_lower += weights.patterns[at];
            sum_next += weights.patterns[at + 1];
        }
        weights.constant[discs] + lower_share * sum_lower + next * sum_next
    }

    /// Adds up, for every weight, `term(residual, share)` over the samples it takes part in. Each thread
    /// does some of the shapes, in the order of the samples.
    fn collect(&self, residual: &[f32], squared: bool, threads: usize) -> Unknowns {
        let mut sums = Unknowns::zero();
        for (row, value) in self.rows.iter().zip(residual) {
            sums.constant[usize::from(row.discs)] += value;
        }
        let mut shapes: Vec<u32> = self.starts.to_vec();
        shapes.dedup();
        let mut parts = Vec::new();
        let mut remaining = sums.patterns.as_mut_slice();
        for (index, &start) in shapes.iter().enumerate() {
            let end = shapes.get(index + 1).map_or(Sharing::get().len(), |&next| next as usize);
            let (part, after) = remaining.split_at_mut((end - start as usize) * KNOTS);
            parts.push((start, part));
            remaining = after;
        }
        // The two big shapes first, each with a thread of its own if there are two.
        let mut queues: Vec<Vec<(u32, &mut [f32])>> = (0..threads.max(1)).map(|_| Vec::new()).collect();
        for (index, part) in parts.into_iter().enumerate() {
            queues[index % threads.max(1)].push(part);
        }
        std::thread::scope(|scope| {
            for queue in queues {
                scope.spawn(move || {
                    for (start, part) in queue {
                        self.collect_shape(residual, squared, start, part);
                    }
                });
            }
        });
        sums
    }

    fn collect_shape(&self, residual: &[f32], squared: bool, start: u32, sums: &mut [f32]) {
        let lanes: Vec<usize> = (0..INSTANCES).filter(|&lane| self.starts[lane] == start).collect();
        let lanes = lanes[0]..lanes[0] + lanes.len();
        if !self.counts[lanes.start] {
            return;
        }
        for (row, value) in self.rows.iter().zip(residual) {
            let (lower, lower_share, next) = mix(usize::from(row.discs));
            let (lower_share, next) =
                if squared { (lower_share * lower_share, next * next) } else { (lower_share, next) };
            for &offset in &row.offsets[lanes.clone()] {
                let at = usize::from(offset) * KNOTS + lower;
                sums[at] += lower_share * value;
                sums[at + 1] += next * value;
            }
        }
    }
}

/// The lower knot of a disc count and the shares of it and of the next.
fn mix(discs: usize) -> (usize, f32, f32) {
    let (lower, quarters) = knot(discs);
    let next = quarters as f32 / 4.0;
    (lower, 1.0 - next, next)
}

/// One number per unknown. Patterns have their knots side by side, as training reads them.
#[derive(Clone)]
pub(super) struct Unknowns {
    constant: Vec<f32>,
    patterns: Vec<f32>,
}

impl Unknowns {
    fn zero() -> Unknowns {
        Unknowns { constant: vec![0.0; DISC_COUNTS], patterns: vec![0.0; KNOTS * Sharing::get().len()] }
    }

    fn iter(&self) -> impl Iterator<Item = f32> + '_ {
        self.constant.iter().chain(&self.patterns).copied()
    }

    fn iter_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.constant.iter_mut().chain(&mut self.patterns)
    }

    fn dot(&self, other: &Unknowns) -> f64 {
        self.iter().zip(other.iter()).map(|(a, b)| f64::from(a) * f64::from(b)).sum()
    }

    /// `self = scale * self + other`.
    fn scale_and_add(&mut self, scale: f32, other: &Unknowns) {
        self.iter_mut().zip(other.iter()).for_each(|(number, other)| *number = scale * *number + other);
    }

    /// `self += factor * other`.
    fn add_scaled(&mut self, factor: f32, other: &Unknowns) {
        self.iter_mut().zip(other.iter()).for_each(|(number, other)| *number += factor * other);
    }

    /// Adds what the priors contribute to the normal equations' product with `weights`.
    fn add_priors(&mut self, weights: &Unknowns) {
        for (sums, weights) in self.patterns.chunks_mut(KNOTS).zip(weights.patterns.chunks(KNOTS)) {
            for knot in 0..KNOTS {
                sums[knot] += TO_ZERO * weights[knot];
                if knot + 1 < KNOTS {
                    let step = TO_NEIGHBOURS * (weights[knot + 1] - weights[knot]);
                    sums[knot] -= step;
                    sums[knot + 1] += step;
                }
            }
        }
    }

    /// Diagonal of the normal equations from the sightings: what conjugate gradients are scaled by.
    fn into_diagonal(mut self) -> Unknowns {
        for sums in self.patterns.chunks_mut(KNOTS) {
            for (knot, sum) in sums.iter_mut().enumerate() {
                let neighbours = if knot == 0 || knot + 1 == KNOTS { 1.0 } else { 2.0 };
                *sum += TO_ZERO + neighbours * TO_NEIGHBOURS;
            }
        }
        self.constant.iter_mut().for_each(|sum| *sum += 1.0);
        self
    }

    fn divided_by(&self, diagonal: &Unknowns) -> Unknowns {
        let mut quotient = self.clone();
        quotient.iter_mut().zip(diagonal.iter()).for_each(|(number, other)| *number /= other);
        quotient
    }

    /// In the units and the layout of a weight file.
    pub(super) fn learnt(&self) -> Learnt {
        let hundredths = |discs: f32| (100.0 * discs).round().clamp(-32_767.0, 32_767.0) as i16;
        let classes = Sharing::get().len();
        let mut learnt = Learnt::zero();
        learnt.constant = self.constant.iter().map(|&discs| hundredths(discs)).collect();
        for (class, knots) in self.patterns.chunks(KNOTS).enumerate() {
            for (knot, &discs) in knots.iter().enumerate() {
                learnt.patterns[knot * classes + class] = hundredths(discs);
            }
        }
        learnt
    }
}

/// Fits the weights; `each` receives the number of passes done.
pub(super) fn fit(design: &Design, threads: usize, each: &mut dyn FnMut(usize)) -> Unknowns {
    let threads = threads.max(1);
    let diagonal = design.collect(&vec![1.0; design.len()], true, threads).into_diagonal();
    let mut weights = Unknowns::zero();
    let labels: Vec<f32> = design.rows.iter().map(|row| row.label).collect();
    let mut residual = design.collect(&labels, false, threads);
    let mut scaled = residual.divided_by(&diagonal);
    let mut direction = scaled.clone();
    let mut size = residual.dot(&scaled);
    for pass in 0..PASSES {
        if size <= 0.0 {
            break;
        }
        let predicted = design.predict(&direction, threads);
        let mut image = design.collect(&predicted, false, threads);
        image.add_priors(&direction);
        let step = (size / direction.dot(&image)) as f32;
        weights.add_scaled(step, &direction);
        residual.add_scaled(-step, &image);
        scaled = residual.divided_by(&diagonal);
        let next = residual.dot(&scaled);
        direction.scale_and_add((next / size) as f32, &scaled);
        size = next;
        each(pass + 1);
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::super::selfplay::random_position;
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    fn samples() -> Vec<Sample> {
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        (0..4_000)
            .map(|index| {
                let board = random_position(&mut rng, 6 + index % 40).board();
                let corners = |discs: u64| (discs & 0x8100_0000_0000_0081).count_ones() as i8;
                let result = 10 * (corners(board.player) - corners(board.opponent));
                Sample { board, label: f32::from(result), result }
            })
            .collect()
    }

    #[test]
    fn a_linear_truth_is_found_whatever_the_threads() {
        let samples = samples();
        let design = Design::new(samples.iter().copied(), None);
        let alone = fit(&design, 1, &mut |_| {});
        let three = fit(&design, 3, &mut |_| {});
        assert_eq!(alone.learnt(), three.learnt());
        let mean_square = |predicted: Vec<f32>| {
            let errors = predicted.iter().zip(&samples).map(|(p, s)| (p - f32::from(s.result)).powi(2));
            errors.sum::<f32>() / samples.len() as f32
        };
        let before = mean_square(vec![0.0; samples.len()]);
        let after = mean_square(design.predict(&alone, 2));
        assert!(after < before / 2.0, "{after} of {before}");
    }
}
