//! A pair of values, one for the middlegame and one for the endgame, added up in one integer; and where the
//! terms of the evaluation go: into a sum of these, or into a list of what was added.
//!
//! Packing halves the additions of an evaluation and lets a position carry its piece-square sum in one word.
//!
//! The evaluation is linear in its
//! numbers (attack weights and scales aside, which choose and multiply others). Written once against [`Sink`], it is the fast
//! sum of a search and the design row of a regression.

use super::EvalParams;
use super::params::Group;
use crate::eval;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Centipawns in the middlegame and in the endgame, each within ±32,000, packed in one `i32`.
///
/// Sums and small multiples of packed values are the packed sums and multiples, as long as both halves
/// stay in range.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Taper(i32);

impl Taper {
    /// Nothing in either stage.
    pub const ZERO: Taper = Taper(0);

    /// Packs a middlegame and an endgame value.
    pub const fn new(middlegame: i32, endgame: i32) -> Taper {
        Taper((endgame << 16) + middlegame)
    }

    /// The middlegame half.
    #[inline]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame half.
    #[inline]
    pub const fn endgame(self) -> i32 {
        // The borrow that a negative middlegame half took from the upper half is given back first.
        self.0.wrapping_add(0x8000) >> 16
    }

    /// Linear mixture: all middlegame at `phase` = `full`, all endgame at 0. Rounds towards zero, so that
    /// exchanging the sides changes exactly the sign.
    #[inline]
    pub const fn blend(self, phase: i32, full: i32) -> i32 {
        (self.middlegame() * phase + self.endgame() * (full - phase)) / full
    }
}

impl Add for Taper {
    type Output = Taper;
    #[inline]
    fn add(self, other: Taper) -> Taper {
        Taper(self.0 + other.0)
    }
}

impl AddAssign for Taper {
    #[inline]
    fn add_assign(&mut self, other: Taper) {
        self.0 += other.0;
    }
}

impl Sub for Taper {
    type Output = Taper;
    #[inline]
    fn sub(self, other: Taper) -> Taper {
        Taper(self.0 - other.0)
    }
}

impl SubAssign for Taper {
    #[inline]
    fn sub_assign(&mut self, other: Taper) {
        self.0 -= other.0;
    }
}

impl Neg for Taper {
    type Output = Taper;
    #[inline]
    fn neg(self) -> Taper {
        Taper(-self.0)
    }
}

impl Mul<i32> for Taper {
    type Output = Taper;
    #[inline]
    fn mul(self, times: i32) -> Taper {
        Taper(self.0 * times)
    }
}

impl std::fmt::Debug for Taper {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}/{}", self.middlegame(), self.endgame())
    }
}

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
    pub const FULL_SCALE: i32 = eval::FULL;

    /// Sums of the middlegame and of the endgame halves, in centipawns.
    pub fn total(&self, params: &EvalParams) -> [i32; 2] {
        self.terms.iter().fold([0, 0], |[middlegame, endgame], &(index, times)| {
            let value = params.values()[index];
            [middlegame + times * value.middlegame(), endgame + times * value.endgame()]
        })
    }

    /// The value that these numbers give, in centipawns, not rounded.
    pub fn value(&self, params: &EvalParams) -> f64 {
        let [middlegame, endgame] = self.total(params);
        let (full, rest) = (Trace::FULL_PHASE, Trace::FULL_PHASE - self.phase);
        let factor = eval::factor(self.case, params);
        f64::from(middlegame * self.phase * eval::FULL + endgame * rest * factor)
            / f64::from(full * eval::FULL)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_disturb_each_other() {
        let samples = [-9000, -321, -1, 0, 1, 77, 8000];
        for a in samples {
            for b in samples {
                let pair = Taper::new(a, b);
                assert_eq!((pair.middlegame(), pair.endgame()), (a, b));
                let sum = pair + Taper::new(b, -a) - Taper::new(5, -7);
                assert_eq!((sum.middlegame(), sum.endgame()), (a + b - 5, b - a + 7));
                let triple = -pair * 3;
                assert_eq!((triple.middlegame(), triple.endgame()), (-3 * a, -3 * b));
            }
        }
    }

    #[test]
    fn blending_is_odd_and_hits_both_ends() {
        let pair = Taper::new(37, -111);
        assert_eq!((pair.blend(24, 24), pair.blend(0, 24)), (37, -111));
        for phase in 0..=24 {
            assert_eq!(pair.blend(phase, 24), -(-pair).blend(phase, 24));
        }
    }
}
