//! What methods save together: effects, interactions and shares from runs of every combination of several methods.
//!
//! An interaction is I = ln N(A and B) - ln N(A) - ln N(B) + ln N(neither), the mean over positions. Where it is 0 the
//! speed-ups multiply; above 0 both prune the same nodes in part; below 0 each makes the other better. It is measured
//! in whole trees: which nodes were cut twice is not recorded.
//!
//! All numbers are linear in the mean of a measure over positions, so one vector of means, a measure for each combination, gives
//! everything, and leaving out source games one by one gives the intervals.

use crate::contrast::Searches;
use crate::group::Group;
use crate::inference::spread::{Spread, jackknife};
use crate::inference::{Shown, Test, correct, sign_flip};
use crate::interval::Interval;
use crate::labels::{members, name};
use crate::measure::{Absent, Measure};
use crate::spent::{Untimed, timed_arms};
use std::collections::{BTreeMap, BTreeSet};

/// The factorial experiments among groups, with two positions or more.
pub fn designs<'g, 'a>(groups: &'g [Group<'a>]) -> Vec<Design<'g, 'a>> {
    let usable = |group: &&Group<'_>| group.is_fixed_depth() && group.blocks.len() > 1;
    groups.iter().filter(usable).filter_map(Design::find).collect()
}

/// For each design the one whose interactions stand for it: of those with the same methods in the same game and suite the
/// deepest that has half the positions of the largest at least. The others are there for what is too dear to measure at
/// its depth, and ten sentences on each would bury those that count.
pub fn standing_for(designs: &[Design<'_, '_>]) -> Vec<usize> {
    let kind = |design: &Design<'_, '_>| {
        let mut methods: Vec<String> = design.factors.iter().map(|factor| name(factor).to_owned()).collect();
        methods.sort();
        (design.group.game.to_owned(), design.group.suite.to_owned(), methods)
    };
    let kinds: Vec<_> = designs.iter().map(kind).collect();
    let positions = |at: usize| designs[at].group.blocks.len();
    let representative_of = |at: usize| {
        let alike = || (0..designs.len()).filter(|&other| kinds[other] == kinds[at]);
        let most = alike().map(positions).max().unwrap_or(0);
        let fit = alike().filter(|&other| 2 * positions(other) >= most);
        fit.max_by_key(|&other| designs[other].group.budget).unwrap_or(at)
    };
    (0..designs.len()).map(representative_of).collect()
}

/// More factors than this are not looked for: a table of effects could not be read.
const MOST: usize = 8;

/// A group with every combination of `factors`.
#[derive(Clone, Debug)]
pub struct Design<'g, 'a> {
    /// Where it was found.
    pub group: &'g Group<'a>,
    /// The methods, two or more, in the order of the records.
    pub factors: Vec<&'a str>,
    /// `sets[bits]` is the index in [`Group::methods`] of the set of the factors whose bits are set.
    pub sets: Vec<usize>,
}

impl<'g, 'a> Design<'g, 'a> {
    /// The largest factorial experiment in a group; of several as large the first.
    pub fn find(group: &'g Group<'a>) -> Option<Design<'g, 'a>> {
        let by_members: BTreeMap<BTreeSet<&str>, usize> = group
            .methods
            .iter()
            .enumerate()
            // Whatever its name, the baseline is the set without any.
            .map(|(index, methods)| match index {
                0 => (BTreeSet::new(), 0),
                _ => (members(methods).into_iter().collect(), index),
            })
            .collect();
        let single = |methods: &&'a str| match members(methods)[..] {
            [one] => Some(one),
            _ => None,
        };
        let singles: Vec<&str> = group.methods[1..].iter().filter_map(single).take(2 * MOST).collect();
        let mut smallest: Option<Vec<&str>> = None;
        for choice in 1..1_u32 << singles.len() {
            let size = choice.count_ones() as usize;
            if !(2..=MOST).contains(&size) || smallest.as_ref().is_some_and(|best| best.len() >= size) {
                continue;
            }
            let factors = chosen(&singles, choice as usize);
            if combinations(&factors).all(|set| by_members.contains_key(&set)) {
                smallest = Some(factors);
            }
        }
        let factors = smallest?;
        let sets = combinations(&factors).map(|set| by_members[&set]).collect();
        Some(Design { group, factors, sets })
    }

    /// The bits of all factors.
    pub fn all(&self) -> usize {
        self.sets.len() - 1
    }

    /// How many positions are left out of what is said of moves, because it is undecided whether another move is as good.
    pub fn undecided(&self) -> usize {
        let is_open = self.group.is_open();
        self.group.blocks.iter().filter(|block| self.sets.iter().any(|&set| is_open(block, set))).count()
    }

    /// Pairs of factors, by index.
    pub fn factor_pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let count = self.factors.len();
        (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)))
    }
}

fn chosen<'a>(names: &[&'a str], bits: usize) -> Vec<&'a str> {
    names.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, name)| *name).collect()
}

fn combinations<'a>(factors: &[&'a str]) -> impl Iterator<Item = BTreeSet<&'a str>> {
    (0..1_usize << factors.len()).map(|bits| chosen(factors, bits).into_iter().collect())
}

/// Effects of one method, all as savings: what the measure is less by when the method is switched on.
#[derive(Clone, Copy, Debug)]
pub struct Factor {
    /// Added to nothing.
    pub alone: Interval,
    /// The mean over all combinations of the others (main effect).
    pub main: Interval,
    /// Added to all the others: what leaving it out would lose. Student's test.
    pub last: Test,
    /// Shapley's part of the saving of all together.
    pub part: Interval,
    /// The same as a share of the saving of all together.
    pub share: Interval,
}

/// I = y(A and B) - y(A) - y(B) + y(neither) of the measure y: above 0 they save the same things, below they help each
/// other, at 0 they do not interact. Tests are Student's over source games; `NaN` where there is none.
#[derive(Clone, Copy, Debug)]
pub struct Interaction {
    /// Index of a factor.
    pub first: usize,
    /// Index of another.
    pub second: usize,
    /// With all others off: the definition of the literature.
    pub alone: Test,
    /// The mean over all combinations of the others.
    pub mean: Test,
    /// Savings of the first alone, the second alone, both.
    pub savings: [f64; 3],
    /// What the first saves added to the second, and the second added to the first.
    pub with_other: [Test; 2],
}

impl Interaction {
    /// I over the lesser saving, where both methods save something alone and are shown to overlap.
    pub fn overlap(&self) -> Option<f64> {
        let [first, second, _] = self.savings;
        let lesser = first.min(second);
        (lesser > 0.0 && self.alone.shown() == Shown::Above).then(|| self.alone.effect.estimate / lesser)
    }
}

/// All effects on one measure. What a sentence says of them is up to [`Test::shown`], after the correction for all of them.
#[derive(Clone, Debug)]
pub struct Effects {
    /// In the order of [`Design::factors`].
    pub factors: Vec<Factor>,
    /// In the order of [`Design::factor_pairs`].
    pub interactions: Vec<Interaction>,
    /// What all together save: Student's test for logarithms, sign-flip for moves and regret.
    pub whole: Test,
}

impl Effects {
    /// The p-values of everything that sentences say, in a fixed order.
    fn p_values(&mut self) -> impl Iterator<Item = &mut f64> {
        let lasts = self.factors.iter_mut().map(|factor| &mut factor.last);
        let terms = self.interactions.iter_mut();
        let tests =
            terms.flat_map(|term| [&mut term.alone, &mut term.mean].into_iter().chain(&mut term.with_other));
        lasts.chain(tests).map(|test| &mut test.p)
    }

    /// Whether all together are shown to change the measure, so that there is something to divide.
    pub fn saves(&self) -> bool {
        self.whole.shown().any()
    }

    /// Corrects the p-values of all that is reported, for all of it together (Holm).
    pub fn correct<'e>(told: impl Iterator<Item = &'e mut Effects>) {
        correct(told.flat_map(Effects::p_values));
    }
}

/// Why the times of a design are not divided, if they are not.
pub fn untimed(design: &Design<'_, '_>) -> Option<Untimed> {
    timed_arms(design.group, design.sets.iter().copied()).err()
}

/// The effects on `measure`, over the blocks that count by it for every combination; `None` if a row of one lacks it, or ([`untimed`])
/// has no time.
pub fn effects(design: &Design<'_, '_>, measure: &Measure) -> Option<Effects> {
    if measure.is_timed() && untimed(design).is_some() {
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
    let mut next = || spreads.next().map(|spread| Test { effect: within(&spread), p: spread.p() });
    let whole = next()?;
    let whole = Test { p: if heavy { sign_flip(&saved) } else { whole.p }, ..whole };
    let mut factors = Vec::new();
    for _ in &design.factors {
        let (alone, main, last) = (next()?.effect, next()?.effect, next()?);
        factors.push(Factor { alone, main, last, part: next()?.effect, share: next()?.effect });
    }
    let mut interactions = Vec::new();
    for (first, second) in design.factor_pairs() {
        let (alone, mean) = (next()?, next()?);
        let savings = [next()?, next()?, next()?].map(|saving| saving.effect.estimate);
        let with_other = [next()?, next()?];
        interactions.push(Interaction { first, second, alone, mean, savings, with_other });
    }
    Some(Effects { factors, interactions, whole })
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

/// Shapley's value (A Value for n-Person Games, 1953), a fair division of what several methods do together: a method's part is what it
/// adds, averaged over all orders in which the methods could be switched on. The parts add up to the whole, whatever the interactions.
///
/// The part of each of `k` players in `values[all] - values[0]`. `values[set]` is the worth of the players whose bits are
/// set, so its length is 2^k.
///
/// # Panics
/// If the length of `values` is no power of two.
pub fn shapley(values: &[f64]) -> Vec<f64> {
    assert!(values.len().is_power_of_two(), "a value for every set of players");
    let players = values.len().trailing_zeros();
    // Of all orders of k players, the share in which exactly these s come before a given other one: s! (k-1-s)! / k!.
    let mut weights = vec![1.0 / f64::from(players.max(1)); players.max(1) as usize];
    for s in 1..players {
        weights[s as usize] = weights[s as usize - 1] * f64::from(s) / f64::from(players - s);
    }
    (0..players)
        .map(|player| {
            let bit = 1 << player;
            let without = (0..values.len()).filter(|set| set & bit == 0);
            without.map(|set| weights[set.count_ones() as usize] * (values[set | bit] - values[set])).sum()
        })
        .collect()
}

#[cfg(test)]
mod tests;
