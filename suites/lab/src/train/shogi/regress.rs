//! Logistic regression of what games came to on the terms of the evaluation.
//!
//! Newton's method on the penalised loss, which is convex. The worth of pieces is free; where pieces stand is drawn to nothing by a
//! ridge, so that places that few games have stay worth little. The curvature of the loss hardly depends on places, so it is
//! formed once, where pieces alone are fitted, for all ridges that are tried.

use crate::train::logistic::{Rows, cross_entropy, logistic};
use secateur_games::shogi::{LARGEST, PAWN, PIECES, Position, WEIGHTS, Weights, terms};
use secateur_stats::linear::{Cholesky, Square};
use std::collections::BTreeMap;

/// 1/100 pawn that a logit begins as.
const LOGIT: f64 = 400.0;
/// Ridges that are tried, strongest first.
pub(super) const RIDGES: [f64; 7] = [10_000.0, 3_000.0, 1_000.0, 300.0, 100.0, 30.0, 10.0];
/// Ridge of the worth of pieces about what they count in exchanges: enough that every sum has an inverse.
const LOOSE: f64 = 1.0;
/// Steps of Newton's method for pieces alone, and for places from one ridge to the next.
const STEPS: usize = 8;

/// What is known of a position, besides its terms.
pub(super) struct Row {
    /// Number of its game.
    pub(super) game: u32,
    /// What is learnt, 0 to 1.
    pub(super) label: f64,
    /// Result of the game for the side to move, 0 to 1.
    pub(super) result: f64,
}

/// Positions as rows of the regression.
pub(super) type Design = Rows<Row, i8>;

/// The terms of a position: what both sides have alike teaches nothing.
pub(super) fn uneven(position: &Position) -> impl Iterator<Item = (u16, i8)> {
    let mut counts = BTreeMap::<usize, i32>::new();
    terms(position.board(), |weight, count| *counts.entry(weight).or_default() += count);
    let uneven = counts.into_iter().filter(|&(_, count)| count != 0);
    uneven.map(|(weight, count)| (weight as u16, count as i8))
}

/// The logit of a row.
fn predict(terms: &[(u16, i8)], weights: &[f64]) -> f64 {
    terms.iter().map(|&(weight, count)| weights[usize::from(weight)] * f64::from(count)).sum()
}

/// Cross entropy of every row's result, with its game, nats.
pub(super) fn losses(design: &Design, weights: &[f64]) -> Vec<(u32, f64)> {
    let of_row =
        |(row, terms): (&Row, &[(u16, i8)])| (row.game, cross_entropy(predict(terms, weights), row.result));
    design.iter().map(of_row).collect()
}

/// The mean of them.
pub(super) fn loss(design: &Design, weights: &[f64]) -> f64 {
    losses(design, weights).iter().map(|(_, loss)| loss).sum::<f64>() / design.len().max(1) as f64
}

/// What training begins with: the worth of pieces in exchanges, so many 1/100 pawn a logit.
fn beginning(factor: f64) -> Vec<f64> {
    logits(Weights::material().learnt(), factor)
}

/// The worth of pieces that training begins with, at the best of forty scales: what a prediction is worth that has learnt nothing else.
pub(super) fn material(design: &Design) -> Vec<f64> {
    let scales = (1..=40).map(|step| beginning(50.0 * f64::from(step)));
    let judged = scales.map(|weights| (loss(design, &weights), weights));
    judged.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, weights)| weights).unwrap_or_default()
}

/// The worth of pieces, whose places are worth nothing.
pub(super) fn pieces(design: &Design) -> Vec<f64> {
    // Where nothing is known curvature is greatest, so that the first step is not too long.
    let mut weights = vec![0.0; WEIGHTS];
    for _ in 0..STEPS {
        let factor = factor(curvature(design, &weights, PIECES), LOOSE);
        descend(design, &mut weights, &factor, LOOSE);
    }
    weights
}

/// The weights by every ridge, from those of pieces alone; `each` receives the number of ridges done.
pub(super) fn places(design: &Design, pieces: &[f64], each: &mut dyn FnMut(usize)) -> Vec<(f64, Vec<f64>)> {
    let curvature = curvature(design, pieces, WEIGHTS);
    let mut weights = pieces.to_vec();
    let mut by_ridge = Vec::new();
    for ridge in RIDGES {
        let factor = factor(curvature.clone(), ridge);
        for _ in 0..STEPS {
            descend(design, &mut weights, &factor, ridge);
        }
        by_ridge.push((ridge, weights.clone()));
        each(by_ridge.len());
    }
    by_ridge
}

fn stiffness(weight: usize, ridge: f64) -> f64 {
    if weight < PIECES { LOOSE } else { ridge }
}

/// The second derivatives of the loss by the first `free` weights, of which the lower half is formed.
fn curvature(design: &Design, weights: &[f64], free: usize) -> Square {
    let mut sums = Square::zero(free);
    for (_, terms) in design.iter() {
        let chance = logistic(predict(terms, weights));
        let weight = chance * (1.0 - chance);
        // They are in order.
        let terms = &terms[..terms.partition_point(|&(term, _)| usize::from(term) < free)];
        for (at, &(one, count)) in terms.iter().enumerate() {
            let by = weight * f64::from(count);
            for &(other, count) in &terms[..=at] {
                sums.add(usize::from(one), usize::from(other), by * f64::from(count));
            }
        }
    }
    sums
}

/// The factor of the curvature with its ridge.
fn factor(mut curvature: Square, ridge: f64) -> Cholesky {
    (0..curvature.size()).for_each(|weight| curvature.add(weight, weight, stiffness(weight, ridge)));
    Cholesky::of(&curvature)
}

/// One step of Newton's method.
fn descend(design: &Design, weights: &mut [f64], factor: &Cholesky, ridge: f64) {
    let (free, start) = (factor.size(), beginning(LOGIT));
    let mut step: Vec<f64> = (0..free).map(|at| stiffness(at, ridge) * (weights[at] - start[at])).collect();
    for (row, terms) in design.iter() {
        let error = logistic(predict(terms, weights)) - row.label;
        for &(weight, count) in terms {
            if let Some(slope) = step.get_mut(usize::from(weight)) {
                *slope += error * f64::from(count);
            }
        }
    }
    let step = factor.solved(step).expect("a ridge makes the curvature positive definite");
    for (weight, step) in weights.iter_mut().zip(step) {
        *weight -= step;
    }
}

/// Logits of weights in the units of a file, so that a loss is that of what is written.
pub(super) fn logits(learnt: &[i16], factor: f64) -> Vec<f64> {
    learnt.iter().map(|&weight| f64::from(weight) / factor).collect()
}

/// In the units of a weight file, and how many of them a logit is: material is on average worth what it counts in exchanges.
pub(super) fn learnt(logits: &[f64], design: &Design) -> (Vec<i16>, f64) {
    let worth = Weights::material();
    let (mut products, mut squares) = (0.0, 0.0);
    for (_, terms) in design.iter() {
        let pieces = terms.iter().filter(|(weight, _)| (PAWN..PIECES).contains(&usize::from(*weight)));
        let ahead: f64 = pieces
            .map(|&(weight, count)| f64::from(worth.learnt()[usize::from(weight)]) * f64::from(count))
            .sum();
        products += ahead * predict(terms, logits);
        squares += ahead * ahead;
    }
    let factor = if products > 0.0 { squares / products } else { LOGIT };
    let most = f64::from(LARGEST);
    (logits.iter().map(|weight| (factor * weight).round().clamp(-most, most) as i16).collect(), factor)
}

/// What provenance says of it.
pub(super) fn described(trust: u32) -> String {
    format!(
        "cross-entropy of {trust} % of the result and the rest of the win expectancy of the search, at the slope that suits the search \
         values; Newton's method, {STEPS} steps for pieces alone, then as many for each ridge about nothing on places, of {RIDGES:?} the one of \
         the least loss on the validation games; scaled so that material is on average worth what it counts in exchanges"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::Notation;
    use secateur_core::game::random_games;
    use secateur_games::shogi::Shogi;

    /// Positions of random games, labelled by the worth of pieces and of where pawns stand.
    fn design() -> Design {
        let game = Shogi::default();
        let start = game.start().expect("a start");
        let mut truth = beginning(LOGIT);
        // A pawn the more, the further it is from the first of its places.
        (PIECES..PIECES + 45).for_each(|weight| truth[weight] = 0.02 * ((weight - PIECES) % 9) as f64);
        let mut design = Design::default();
        for (game, position) in random_games(&game, &[&start], 120, 1).take(1_500).enumerate() {
            let terms: Vec<(u16, i8)> = uneven(&position).collect();
            let label = logistic(predict(&terms, &truth));
            design.push(Row { game: game as u32, label, result: label }, terms);
        }
        design
    }

    #[test]
    fn the_least_penalised_loss_is_found_and_a_ridge_draws_places_to_nothing() {
        let design = design();
        let pieces = pieces(&design);
        let mut ridges_done = 0;
        let by_ridge = places(&design, &pieces, &mut |done| ridges_done = done);
        assert_eq!((ridges_done, by_ridge.len()), (RIDGES.len(), RIDGES.len()));
        let sizes: Vec<f64> =
            by_ridge.iter().map(|(_, weights)| weights[PIECES..].iter().map(|w| w * w).sum()).collect();
        assert!(sizes.is_sorted() && sizes[0] < sizes[RIDGES.len() - 1] / 10.0, "{sizes:?}");
        let losses: Vec<f64> = by_ridge.iter().map(|(_, weights)| loss(&design, weights)).collect();
        assert!(losses.iter().rev().is_sorted() && losses[0] < loss(&design, &pieces), "{losses:?}");
        // One step more goes nowhere.
        let (ridge, weights) = &by_ridge[3];
        let mut further = weights.clone();
        descend(&design, &mut further, &factor(curvature(&design, weights, WEIGHTS), *ridge), *ridge);
        let moved = further.iter().zip(weights).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(moved < 1e-4, "{moved}");
    }
}
