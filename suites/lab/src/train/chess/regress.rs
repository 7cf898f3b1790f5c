//! Logistic regression: the numbers whose values predict the scores of the games best.
//!
//! Newton's method with conjugate gradients for each step: the loss is convex, so a few steps reach the bottom,
//! without a learning rate to choose. A prior draws every number to where it started, as strongly as so many
//! sightings in even positions, so that what is seldom seen stays sensible. Sums are formed in one order whatever
//! the number of threads.

use crate::train::kept::Sample;
use crate::train::logistic::{Rows, cross_entropy, logistic};
use crate::train::shared_out;
use secateur_core::Notation;
use secateur_games::chess::{Chess, EvalParams, Taper, Trace};

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
        let mut report = |done: usize| each(step * (GRADIENTS + 1) + done);
        let change = solve(design, &weights, prior, &gradient, threads, &mut report);
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
    let mut solution: Numbers = vec![[0.0; 2]; right.len()];
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
        solution = combine(&solution, step, &direction);
        residual = combine(&residual, -step, &image);
        scaled = scale(&residual);
        let next = dot(&residual, &scaled);
        direction = combine(&scaled, next / size, &direction);
        size = next;
        each(pass + 2);
    }
    solution
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

/// Numbers with fractions: middlegame and endgame.
pub(super) type Numbers = Vec<[f64; 2]>;

/// Samples in one piece of work: small enough to share out, the same whatever the threads.
const PIECE: usize = 1 << 12;

/// What is known of a sample, besides its terms.
struct Row {
    /// Share of the middlegame, 0 to 1.
    middlegame: f32,
    /// Share of the endgame, 0 to 1, times its scale.
    endgame: f32,
    /// Which number of the group `scale` applies.
    case: Option<u8>,
    /// Score to be predicted, 0 to 1.
    target: f32,
}

/// Some of the samples.
pub(super) struct Piece {
    rows: Rows<Row, i8>,
    /// How often pawns stood on each square, by share of middlegame and endgame.
    pawns: Vec<[f64; 2]>,
}

/// All samples.
pub(super) struct Design {
    pub(super) pieces: Vec<Piece>,
    len: usize,
}

impl Piece {
    fn new(game: &Chess, learns: &[bool], samples: &[Sample], (k, trust): (f64, f64)) -> Piece {
        let mut piece = Piece { rows: Rows::default(), pawns: vec![[0.0; 2]; 64] };
        for sample in samples {
            // Positions of games are positions; one that is not would only be left out.
            let Ok(pos) = game.parse(&sample.position) else { continue };
            let trace = game.trace(&pos);
            let share = f64::from(trace.phase) / f64::from(Trace::FULL_PHASE);
            let expected = logistic(k * f64::from(sample.value));
            let row = Row {
                middlegame: share as f32,
                endgame: 0.0,
                case: trace.case.map(|case| case as u8),
                target: (trust * sample.outcome() + (1.0 - trust) * expected) as f32,
            };
            let learnt = trace.terms.iter().filter(|(index, _)| learns[*index]);
            piece.rows.push(row, learnt.map(|&(index, times)| (index as u16, times.clamp(-128, 127) as i8)));
            for square in game.pawn_squares(&pos) {
                let seen = &mut piece.pawns[square];
                seen[0] += share;
                seen[1] += 1.0 - share;
            }
        }
        piece.rescale(&scales(game.params()));
        piece
    }

    /// Takes the endgame halves times `scales`.
    fn rescale(&mut self, scales: &[f64]) {
        for row in self.rows.iter_mut() {
            let factor = row.case.map_or(1.0, |case| scales[usize::from(case)]);
            row.endgame = ((1.0 - f64::from(row.middlegame)) * factor) as f32;
        }
    }

    /// For each sample its predicted value and target go to `told`, which returns a weight; the sum over the
    /// samples of weight times the sample's row.
    pub(super) fn collect(
        &self,
        numbers: &Numbers,
        mut weigh: impl FnMut(usize, f64, f64) -> f64,
    ) -> Numbers {
        let mut collected = vec![[0.0; 2]; numbers.len()];
        for (sample, (row, terms)) in self.rows.iter().enumerate() {
            let halves = sums(numbers, terms);
            let (share, endgame) = (f64::from(row.middlegame), f64::from(row.endgame));
            let value = halves[0] * share + halves[1] * endgame;
            let weight = weigh(sample, value, f64::from(row.target));
            let weights = [weight * share, weight * endgame];
            for &(index, times) in terms {
                let (sum, times) = (&mut collected[usize::from(index)], f64::from(times));
                sum[0] += weights[0] * times;
                sum[1] += weights[1] * times;
            }
        }
        collected
    }

    /// Sum over the samples of `weights` times the squares of the row: a diagonal.
    pub(super) fn squares(&self, weights: &[f64], count: usize) -> Numbers {
        let mut squares = vec![[0.0; 2]; count];
        for ((row, terms), &weight) in self.rows.iter().zip(weights) {
            let (share, endgame) = (f64::from(row.middlegame), f64::from(row.endgame));
            for &(index, times) in terms {
                let (sum, times) = (&mut squares[usize::from(index)], f64::from(times));
                sum[0] += weight * (share * times).powi(2);
                sum[1] += weight * (endgame * times).powi(2);
            }
        }
        squares
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }
}

/// The sums of terms in the middlegame and in the endgame.
fn sums(numbers: &Numbers, terms: &[(u16, i8)]) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for &(index, times) in terms {
        let number = numbers[usize::from(index)];
        sums[0] += number[0] * f64::from(times);
        sums[1] += number[1] * f64::from(times);
    }
    sums
}

/// The middlegame and endgame parts of a sample's value, the latter unscaled.
fn halves(numbers: &Numbers, row: &Row, terms: &[(u16, i8)]) -> [f64; 2] {
    let [middlegame, endgame] = sums(numbers, terms);
    let share = f64::from(row.middlegame);
    [middlegame * share, endgame * (1.0 - share)]
}

impl Design {
    /// What is learnt is `trust` times the result plus the rest times the win expectancy of the value found, at
    /// slope `k`. Numbers that `learns` leaves out count nowhere.
    pub(super) fn new(
        params: &EvalParams,
        learns: &[bool],
        samples: &[Sample],
        (k, trust): (f64, f64),
        threads: usize,
    ) -> Design {
        let parts: Vec<&[Sample]> = samples.chunks(PIECE).collect();
        let pieces = shared_out(
            &parts,
            threads,
            || Chess::with_params(params.clone()),
            |game, part| Piece::new(game, learns, part, (k, trust)),
        );
        Design { len: pieces.iter().map(Piece::len).sum(), pieces }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The numbers times what makes the average pawn on its square worth `pawn`, over all pawns of all samples as
    /// far into the game as they are.
    pub(super) fn scaled(&self, numbers: &Numbers, pawn: f64) -> EvalParams {
        let (mut worth, mut count) = (0.0, 0.0);
        let group = |name| EvalParams::group(name).map_or(0, |group| group.at);
        let (man, squares) = (numbers[group("men")], group("squares"));
        for piece in &self.pieces {
            for (square, seen) in piece.pawns.iter().enumerate() {
                for half in 0..2 {
                    worth += seen[half] * (man[half] + numbers[squares + square][half]);
                    count += seen[half];
                }
            }
        }
        let factor = if worth > 0.0 { pawn * count / worth } else { 1.0 };
        let mut params = EvalParams::zero();
        for (index, (value, number)) in params.values_mut().iter_mut().zip(numbers).enumerate() {
            let factor = if EvalParams::steers(index) { 1.0 } else { factor };
            let [middlegame, endgame] = number.map(|half| (half * factor).round() as i32);
            *value = Taper::new(middlegame, endgame);
        }
        params
    }

    /// Chooses the scales with the least loss, each on its own, writes them to `numbers` and goes on with them.
    pub(super) fn choose_scales(&mut self, numbers: &mut Numbers, k: f64) {
        let range = EvalParams::group(SCALE).map_or(0..0, |group| group.range());
        for case in 0..range.len() {
            let number = numbers[range.start + case];
            let mut samples = Vec::new();
            for piece in &self.pieces {
                let of_case = piece.rows.iter().filter(|(row, _)| row.case == Some(case as u8));
                samples
                    .extend(of_case.map(|(row, terms)| (halves(numbers, row, terms), f64::from(row.target))));
            }
            if samples.len() < LEAST {
                continue;
            }
            let loss = |scale: i32| {
                let factor = f64::from(scale) / f64::from(Trace::FULL_SCALE);
                let one = |&([middlegame, endgame], target): &([f64; 2], f64)| {
                    cross_entropy(k * (middlegame + factor * endgame), target)
                };
                samples.iter().map(one).sum::<f64>()
            };
            let candidates = (0..=Trace::FULL_SCALE).step_by(4).map(|scale| (loss(scale), scale));
            let best = candidates.min_by(|a, b| a.0.total_cmp(&b.0));
            numbers[range.start + case] = [best.map_or(number[0], |best| f64::from(best.1)), number[1]];
        }
        let scales: Vec<f64> =
            numbers[range].iter().map(|number| number[0] / f64::from(Trace::FULL_SCALE)).collect();
        self.pieces.iter_mut().for_each(|piece| piece.rescale(&scales));
    }
}

/// Name of the group of scales.
const SCALE: &str = "scale";
/// Fewest positions of a case from which its scale is learnt.
const LEAST: usize = 500;

/// The scales as factors.
fn scales(params: &EvalParams) -> Vec<f64> {
    let range = EvalParams::group(SCALE).map_or(0..0, |group| group.range());
    let factor = |value: &Taper| f64::from(value.middlegame()) / f64::from(Trace::FULL_SCALE);
    params.values()[range].iter().map(factor).collect()
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
        let mean_error = |params: &EvalParams| {
            let game = Chess::with_params(params.clone());
            let error = |sample: &Sample| {
                let pos = game.parse(&sample.position).expect("a position");
                f64::from(game.evaluate(&pos).0 - i32::from(sample.value)).abs()
            };
            samples.iter().map(error).sum::<f64>() / samples.len() as f64
        };
        assert!(mean_error(&truth) == 0.0 && mean_error(&start) > 100.0);
        let mut rounded = EvalParams::zero();
        for (value, number) in rounded.values_mut().iter_mut().zip(&alone) {
            *value = Taper::new(number[0].round() as i32, number[1].round() as i32);
        }
        assert!(
            mean_error(&rounded) < mean_error(&start) / 4.0,
            "{} of {}",
            mean_error(&rounded),
            mean_error(&start)
        );
    }
}
