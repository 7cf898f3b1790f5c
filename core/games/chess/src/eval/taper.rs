//! A pair of values, one for the middlegame and one for the endgame, added up in one integer.
//!
//! Packing halves the additions of an evaluation and lets a position carry its piece-square sum in one word.

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
    #[must_use]
    pub const fn new(middlegame: i32, endgame: i32) -> Taper {
        Taper((endgame << 16) + middlegame)
    }

    /// The middlegame half.
    #[must_use]
    #[inline]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame half.
    #[must_use]
    #[inline]
    pub const fn endgame(self) -> i32 {
        // The borrow that a negative middlegame half took from the upper half is given back first.
        self.0.wrapping_add(0x8000) >> 16
    }

    /// Linear mixture: all middlegame at `phase` = `full`, all endgame at 0. Rounds towards zero, so that
    /// exchanging the sides changes exactly the sign.
    #[must_use]
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
