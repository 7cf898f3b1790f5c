//! Logistic regression: the numbers whose values predict the scores of the games best.
//!
//! Newton's method with conjugate gradients for each step: the loss is convex, so a few steps reach the bottom,
//! without a learning rate to choose. A prior draws every number to where it started, as strongly as so many
//! sightings in even positions, so that what is seldom seen stays sensible. Sums are formed in one order whatever
//! the number of threads.

use super::design::{Design, Numbers, Piece};
use crate::train::expectancy::logistic;
use crate::train::threads::shared_out;
use secateur_games::chess::EvalParams;

/// Newton steps.
const STEPS: usize = 4;
/// Conjugate gradients in each.
const GRADIENTS: usize = 24;
/// Passes over the samples.
pub(super) const PASSES: usize = STEPS * (GRADIENTS + 1);

/// The numbers of an evaluation.
pub(super) fn numbers(params: &EvalParams) -> Numbers {
    params.values().iter().map(|v| [f64::from(v.middlegame()), f64::from(v.endgame())]).collect()
}

/// The numbers with the least loss, drawn to `start`, sought from `from` on, with
/// the slope `k` and a prior of so many sightings.
pub(super) fn fit(
    design: &Design,
    start: &Numbers,
    from: &Numbers,
    (k, prior): (f64, u32),
    threads: usize,
    each: &mut dyn FnMut(usize),
) -> Numbers {
    let prior = f64::from(prior) * k * k / 4.0;
    let mut numbers = from.clone();
    for step in 0..STEPS {
        let (mut gradient, weights) = slopes(design, &numbers, k, threads);
        let mut offset: Numbers = combine(&numbers, -1.0, start);
        // What was chosen otherwise stays.
        let steering = offset.iter_mut().enumerate().filter(|(index, _)| EvalParams::steers(*index));
        steering.for_each(|(_, offset)| *offset = [0.0; 2]);
        gradient = combine(&gradient, prior, &offset);
        let mut told = |done: usize| each(step * (GRADIENTS + 1) + done);
        let change = solve(design, &weights, prior, &gradient, threads, &mut told);
        numbers = combine(&numbers, -1.0, &change);
    }
    numbers
}

/// The gradient of the loss, and the curvature of each sample.
fn slopes(design: &Design, numbers: &Numbers, k: f64, threads: usize) -> (Numbers, Vec<Vec<f64>>) {
    let work = |piece: &Piece| {
        let mut curvature = Vec::with_capacity(piece.len());
        let sums = piece.collect(numbers, |_, value, target| {
            let p = logistic(k * value);
            curvature.push(k * k * p * (1.0 - p));
            k * (p - target)
        });
        (sums, curvature)
    };
    let parts = shared_out(&design.pieces, threads, || (), |(), piece| work(piece));
    let (sums, weights): (Vec<Numbers>, Vec<Vec<f64>>) = parts.into_iter().unzip();
    (total(sums, numbers.len()), weights)
}

/// Solves (A'WA + prior) x = `right` by conjugate gradients, scaled by the diagonal.
fn solve(
    design: &Design,
    weights: &[Vec<f64>],
    prior: f64,
    right: &Numbers,
    threads: usize,
    each: &mut dyn FnMut(usize),
) -> Numbers {
    let pieces: Vec<(&Piece, &Vec<f64>)> = design.pieces.iter().zip(weights).collect();
    let apply = |x: &Numbers| {
        let work =
            |piece: &Piece, weights: &[f64]| piece.collect(x, |sample, value, _| weights[sample] * value);
        let parts = shared_out(&pieces, threads, || (), |(), (piece, weights)| work(piece, weights));
        combine(&total(parts, x.len()), prior, x)
    };
    let squares = |(piece, weights): &(&Piece, &Vec<f64>)| piece.squares(weights, right.len());
    let mut diagonal = total(shared_out(&pieces, threads, || (), |(), pair| squares(pair)), right.len());
    diagonal.iter_mut().flatten().for_each(|entry| *entry += prior);
    let scale = |x: &Numbers| -> Numbers {
        x.iter().zip(&diagonal).map(|(x, d)| [x[0] / d[0], x[1] / d[1]]).collect()
    };
    let mut found: Numbers = vec![[0.0; 2]; right.len()];
    let mut residual = right.clone();
    let mut scaled = scale(&residual);
    let mut direction = scaled.clone();
    let mut size = dot(&residual, &scaled);
    each(1);
    for pass in 0..GRADIENTS {
        if size <= f64::MIN_POSITIVE {
            break;
        }
        let image = apply(&direction);
        let step = size / dot(&direction, &image);
        found = combine(&found, step, &direction);
        residual = combine(&residual, -step, &image);
        scaled = scale(&residual);
        let next = dot(&residual, &scaled);
        direction = combine(&scaled, next / size, &direction);
        size = next;
        each(pass + 2);
    }
    found
}

fn total(parts: Vec<Numbers>, count: usize) -> Numbers {
    let zero = vec![[0.0; 2]; count];
    parts.into_iter().fold(zero, |sum, part| combine(&sum, 1.0, &part))
}

fn combine(a: &Numbers, factor: f64, b: &Numbers) -> Numbers {
    a.iter().zip(b).map(|(a, b)| [a[0] + factor * b[0], a[1] + factor * b[1]]).collect()
}

fn dot(a: &Numbers, b: &Numbers) -> f64 {
    a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::kept::Sample;
    use secateur_core::{Evaluation, Notation};
    use secateur_games::chess::{Chess, Taper};

    /// Positions of the sampled sets, labelled by an evaluation in which knights are worth 200 and rooks 800.
    fn truth() -> (EvalParams, Vec<Sample>) {
        let mut params = EvalParams::zero();
        let men = EvalParams::group("men").expect("a group").at;
        for (piece, value) in [100, 200, 300, 800, 900].into_iter().enumerate() {
            params.values_mut()[men + piece] = Taper::new(value, value);
        }
        let game = Chess::with_params(params.clone());
        let mut samples = Vec::new();
        for name in ["chess-fit", "chess-games", "bratko-kopec"] {
            for entry in secateur_positions::builtin(&game, name).expect("a built-in set").entries {
                let pos = game.parse(&entry.position).expect("a position");
                let value = game.evaluate(&pos).0 as i16;
                samples.push(Sample { position: entry.position, result: 0, value });
            }
        }
        (params, samples)
    }

    #[test]
    fn a_linear_truth_is_found_whatever_the_threads() {
        let (truth, samples) = truth();
        let start = EvalParams::zero();
        let design = Design::new(&start, &[true; EvalParams::COUNT], &samples, (0.004, 0.0), 2);
        let zero = numbers(&start);
        let alone = fit(&design, &zero, &zero, (0.004, 1), 1, &mut |_| {});
        assert_eq!(alone, fit(&design, &zero, &zero, (0.004, 1), 3, &mut |_| {}));
        let found = |params: &EvalParams| {
            let game = Chess::with_params(params.clone());
            let error = |sample: &Sample| {
                let pos = game.parse(&sample.position).expect("a position");
                f64::from(game.evaluate(&pos).0 - i32::from(sample.value)).abs()
            };
            samples.iter().map(error).sum::<f64>() / samples.len() as f64
        };
        assert!(found(&truth) == 0.0 && found(&start) > 100.0);
        let mut rounded = EvalParams::zero();
        for (value, number) in rounded.values_mut().iter_mut().zip(&alone) {
            *value = Taper::new(number[0].round() as i32, number[1].round() as i32);
        }
        assert!(found(&rounded) < found(&start) / 4.0, "{} of {}", found(&rounded), found(&start));
    }
}
