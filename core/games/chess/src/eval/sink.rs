//! Where the terms of the evaluation go: into a sum, or into a list of what was added.
//!
//! The evaluation is linear in its numbers (attack weights and scales aside, which choose and multiply others). Written
//! once against [`Sink`], it is the fast sum of a search and the design row of a regression.

use super::params::Group;
use super::{EvalParams, Taper, scale};

/// Takes the terms of a position.
pub(super) trait Sink {
    /// The numbers in use, for terms that choose by them.
    fn params(&self) -> &EvalParams;
    /// Adds `times` the number `index` of `group`.
    fn add(&mut self, group: Group, index: usize, times: i32);
    /// Changes the sign of all that was added, and so the side that is being counted for.
    fn turn(&mut self);
}

/// The value.
pub(super) struct Sum<'a> {
    params: &'a EvalParams,
    pub(super) total: Taper,
}

impl<'a> Sum<'a> {
    #[inline]
    pub(super) fn new(params: &'a EvalParams) -> Sum<'a> {
        Sum { params, total: Taper::ZERO }
    }
}

impl Sink for Sum<'_> {
    #[inline]
    fn params(&self) -> &EvalParams {
        self.params
    }

    #[inline]
    fn add(&mut self, group: Group, index: usize, times: i32) {
        debug_assert!(index < group.len, "{}: {index} of {}", group.name, group.len);
        self.total += self.params.get(group, index) * times;
    }

    #[inline]
    fn turn(&mut self) {
        self.total = -self.total;
    }
}

/// What the value of a position is made of, seen by the side to move.
///
/// The value is the sum of the coefficients times the numbers, blended between middlegame and endgame by
/// `phase` of [`Trace::FULL_PHASE`], the endgame half times the factor of `case`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Index in [`EvalParams::values`] and coefficient, in order of index; no coefficient is 0.
    pub terms: Vec<(usize, i32)>,
    /// Share of the middlegame, 0 to [`Trace::FULL_PHASE`].
    pub phase: i32,
    /// Which number of the group `scale` applies, if any; it depends on which side the numbers favour.
    pub case: Option<usize>,
}

impl Trace {
    /// The phase that is all middlegame.
    pub const FULL_PHASE: i32 = super::FULL_PHASE;
    /// The factor of [`Trace::case`] that counts the endgame half in full.
    pub const FULL_SCALE: i32 = scale::FULL;

    /// Sums of the middlegame and of the endgame halves, in centipawns.
    #[must_use]
    pub fn total(&self, params: &EvalParams) -> [i32; 2] {
        self.terms.iter().fold([0, 0], |[middlegame, endgame], &(index, times)| {
            let value = params.values()[index];
            [middlegame + times * value.middlegame(), endgame + times * value.endgame()]
        })
    }

    /// The value that these numbers give, in centipawns, not rounded.
    #[must_use]
    pub fn value(&self, params: &EvalParams) -> f64 {
        let [middlegame, endgame] = self.total(params);
        let (full, rest) = (Trace::FULL_PHASE, Trace::FULL_PHASE - self.phase);
        let factor = scale::factor(self.case, params);
        f64::from(middlegame * self.phase * scale::FULL + endgame * rest * factor)
            / f64::from(full * scale::FULL)
    }
}

/// Counts coefficients.
pub(super) struct Record<'a> {
    params: &'a EvalParams,
    counts: Box<[i32; EvalParams::COUNT]>,
}

impl<'a> Record<'a> {
    pub(super) fn new(params: &'a EvalParams) -> Record<'a> {
        Record { params, counts: Box::new([0; EvalParams::COUNT]) }
    }

    /// What was recorded.
    pub(super) fn trace(&self, phase: i32, case: Option<usize>) -> Trace {
        let all = self.counts.iter().copied().enumerate();
        Trace { terms: all.filter(|&(_, times)| times != 0).collect(), phase, case }
    }
}

impl Sink for Record<'_> {
    fn params(&self) -> &EvalParams {
        self.params
    }

    fn add(&mut self, group: Group, index: usize, times: i32) {
        assert!(index < group.len, "{}: {index} of {}", group.name, group.len);
        self.counts[group.at + index] += times;
    }

    fn turn(&mut self) {
        self.counts.iter_mut().for_each(|count| *count = -*count);
    }
}
