//! The numbers of a factorial experiment: what each method does alone, on average, last, and side by side one.
//!
//! All are linear in the mean of a measure over positions, so one vector of means, a measure for each combination,
//! gives everything, and leaving out source games one by one gives the intervals.

use super::design::Design;
use crate::clock::{Untimed, timed_arms};
use crate::contrast::Searches;
use crate::inference::spread::{Spread, jackknife};
use crate::inference::{Shown, Test, correct, shapley, shown, sign_flip};
use crate::interval::Interval;
use crate::measure::{Absent, Measure, TIME};
use std::collections::BTreeMap;

/// Effects of one method, all as savings: what the measure is less by when the method is switched on.
#[derive(Clone, Copy, Debug)]
pub struct Factor {
    /// Added to nothing.
    pub alone: Interval,
    /// The mean over all combinations of the others (main effect).
    pub main: Interval,
    /// Added to all the others: what leaving it out would lose.
    pub last: Interval,
    /// p-value of `last` (Student).
    pub p_last: f64,
    /// Shapley's part of the saving of all together.
    pub part: Interval,
    /// The same as a share of the saving of all together.
    pub share: Interval,
}

/// I = y(A and B) - y(A) - y(B) + y(neither) of the measure y: above 0 they save the same things, below they help each
/// other, at 0 they do not interact.
#[derive(Clone, Copy, Debug)]
pub struct Interaction {
    /// Index of a factor.
    pub first: usize,
    /// Index of another.
    pub second: usize,
    /// With all others off: the definition of the literature.
    pub alone: Interval,
    /// The mean over all combinations of the others.
    pub mean: Interval,
    /// Savings of the first alone, the second alone, both.
    pub savings: [f64; 3],
    /// What the first saves added to the second, and the second added to the first.
    pub with_other: [Interval; 2],
    /// p-values of `alone`, `mean` and both of `with_other`, by Student's test over source games; `NaN` where there is none.
    pub p: [f64; 4],
}

impl Interaction {
    /// What is shown of I with all others off; above 0 both save the same things.
    #[must_use]
    pub fn shown_alone(&self) -> Shown {
        shown(Test { effect: self.alone.estimate, p: self.p[0] })
    }

    /// What is shown of the mean of I over all combinations of the others.
    #[must_use]
    pub fn shown_mean(&self) -> Shown {
        shown(Test { effect: self.mean.estimate, p: self.p[1] })
    }

    /// What is shown of the saving of the first (0) or second (1) with the other on.
    #[must_use]
    pub fn shown_beside(&self, which: usize) -> Shown {
        shown(Test { effect: self.with_other[which].estimate, p: self.p[2 + which] })
    }

    /// I over the lesser saving, where both methods save something alone and are shown to overlap.
    #[must_use]
    pub fn overlap(&self) -> Option<f64> {
        let [first, second, _] = self.savings;
        let lesser = first.min(second);
        (lesser > 0.0 && self.shown_alone() == Shown::Above).then(|| self.alone.estimate / lesser)
    }
}

/// All effects on one measure. What a sentence says of them is up to [`crate::inference::shown()`], after the correction for all of them.
#[derive(Clone, Debug)]
pub struct Effects {
    /// In the order of [`Design::factors`].
    pub factors: Vec<Factor>,
    /// In the order of [`Design::factor_pairs`].
    pub interactions: Vec<Interaction>,
    /// What all together save.
    pub whole: Interval,
    /// p-value of `whole`: Student's for logarithms, sign-flip for moves and regret.
    pub p_whole: f64,
}

impl Effects {
    /// The p-values of everything that sentences say, in a fixed order.
    fn p_values(&mut self) -> impl Iterator<Item = &mut f64> {
        let lasts = self.factors.iter_mut().map(|factor| &mut factor.p_last);
        lasts.chain(self.interactions.iter_mut().flat_map(|interaction| &mut interaction.p))
    }

    /// Whether all together are shown to change the measure, so that there is something to divide.
    #[must_use]
    pub fn saves(&self) -> bool {
        shown(Test { effect: self.whole.estimate, p: self.p_whole }).any()
    }

    /// Corrects the p-values of all that is told, for all of it together (Holm).
    pub fn correct<'e>(told: impl Iterator<Item = &'e mut Effects>) {
        correct(told.flat_map(Effects::p_values));
    }
}

/// Why the times of a design are not divided, if they are not.
#[must_use]
pub fn untimed(design: &Design<'_, '_>) -> Option<Untimed> {
    timed_arms(design.group, design.sets.iter().copied()).err()
}

/// The effects on `measure`, over the blocks that count by it for every combination; `None` if a row of one lacks it, or ([`untimed`])
/// has no time.
#[must_use]
pub fn effects(design: &Design<'_, '_>, measure: &Measure) -> Option<Effects> {
    if *measure == TIME && untimed(design).is_some() {
        return None;
    }
    let (searches, mut games) = (Searches::of(design.group), BTreeMap::<&str, Vec<f64>>::new());
    for block in &design.group.blocks {
        let costs = design.sets.iter().map(|&set| measure.cost(&searches.at(block, set)));
        let costs: Vec<f64> = match costs.collect() {
            Ok(costs) => costs,
            Err(Absent::LeftOut) => continue,
            Err(Absent::Missing) => return None,
        };
        let totals = games.entry(block.cluster).or_insert_with(|| vec![0.0; costs.len() + 1]);
        totals.iter_mut().zip(costs.into_iter().chain([1.0])).for_each(|(total, cost)| *total += cost);
    }
    let clusters: Vec<Vec<f64>> = games.into_values().collect();
    let saved: Vec<f64> = clusters.iter().map(|totals| totals[0] - totals[design.all()]).collect();
    let heavy = measure.is_difference();
    let within = |spread: &Spread| if heavy { spread.heavy(spread.changed) } else { spread.student() };
    let spreads = jackknife(&clusters, |sums| linear(design, sums));
    let mut spreads = spreads.into_iter();
    let mut next = || spreads.next().map(|spread| (within(&spread), spread.p()));
    let (whole, p) = next()?;
    let p_whole = if heavy { sign_flip(&saved) } else { p };
    let mut factors = Vec::new();
    for _ in &design.factors {
        let (alone, main) = (next()?.0, next()?.0);
        let (last, p_last) = next()?;
        factors.push(Factor { alone, main, last, p_last, part: next()?.0, share: next()?.0 });
    }
    let mut interactions = Vec::new();
    for (first, second) in design.factor_pairs() {
        let (alone, mean) = (next()?, next()?);
        let savings = [next()?, next()?, next()?].map(|saving| saving.0.estimate);
        let (one, other) = (next()?, next()?);
        let p = [alone.1, mean.1, one.1, other.1];
        let (alone, mean, with_other) = (alone.0, mean.0, [one.0, other.0]);
        interactions.push(Interaction { first, second, alone, mean, savings, with_other, p });
    }
    Some(Effects { factors, interactions, whole, p_whole })
}

fn last(totals: &[f64]) -> f64 {
    totals[totals.len() - 1]
}

fn interaction(y: &[f64], a: usize, b: usize) -> f64 {
    y[a | b] - y[a] - y[b] + y[0]
}

/// Everything that [`effects`] reads off again, in its order, from the sums of a measure and the number of positions.
fn linear(design: &Design<'_, '_>, sums: &[f64]) -> Vec<f64> {
    let y: Vec<f64> = sums[..design.sets.len()].iter().map(|sum| sum / last(sums)).collect();
    let all = design.all();
    let whole = y[0] - y[all];
    let mut out = vec![whole];
    let parts = shapley(&y.iter().map(|y| -y).collect::<Vec<_>>());
    for (factor, part) in parts.into_iter().enumerate() {
        let bit = 1 << factor;
        let others = (0..=all).filter(|set| set & bit == 0);
        let main = others.map(|set| y[set] - y[set | bit]).sum::<f64>() * 2.0 / y.len() as f64;
        out.extend([y[0] - y[bit], main, y[all ^ bit] - y[all], part, part / whole]);
    }
    for (first, second) in design.factor_pairs() {
        let (a, b) = (1 << first, 1 << second);
        let others = (0..=all).filter(|set| set & (a | b) == 0);
        let mean =
            others.map(|o| y[o | a | b] - y[o | a] - y[o | b] + y[o]).sum::<f64>() * 4.0 / y.len() as f64;
        out.extend([interaction(&y, a, b), mean, y[0] - y[a], y[0] - y[b], y[0] - y[a | b]]);
        out.extend([y[b] - y[a | b], y[a] - y[a | b]]);
    }
    out
}
