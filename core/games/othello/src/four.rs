//! Four 64-bit words handled as one, a board seen along its four lines; and a word on its way there.
//!
//! Four words are one vector register with AVX2, which the build asks for on x86-64. Written as vectors because what the compiler
//! makes of words depends on what surrounds the code: a full-width search takes 7 % fewer instructions so.

use std::ops::{BitOr, BitXor};
use wide::bytemuck::cast;
use wide::i64x4;

pub(super) use wide::u64x4 as Four;

/// A word that functions hand on in a vector register. It is a float there because vectors are handed on in memory.
#[derive(Clone, Copy)]
pub(super) struct Word(f64);

impl Word {
    #[inline(always)]
    pub(super) fn new(word: u64) -> Word {
        Word(f64::from_bits(word))
    }

    #[inline(always)]
    pub(super) fn bits(self) -> u64 {
        self.0.to_bits()
    }
}

impl BitOr for Word {
    type Output = Word;
    #[inline(always)]
    fn bitor(self, other: Word) -> Word {
        Word::new(self.bits() | other.bits())
    }
}

impl BitXor for Word {
    type Output = Word;
    #[inline(always)]
    fn bitxor(self, other: Word) -> Word {
        Word::new(self.bits() ^ other.bits())
    }
}

/// Four times the same word.
#[inline(always)]
pub(super) fn fourfold(word: Word) -> Four {
    Four::splat(word.bits())
}

/// Each word's bits up to its lowest one, that one included; all of an empty word.
#[inline(always)]
pub(super) fn to_lowest(words: Four) -> Four {
    (words + Four::splat(u64::MAX)) ^ words
}

/// All bits of the words where that of `one` is the larger number. The highest bit counts as a sign.
#[inline(always)]
pub(super) fn larger(one: Four, other: Four) -> Four {
    cast(cast::<Four, i64x4>(one).simd_gt(cast::<Four, i64x4>(other)))
}

/// The union of the words.
#[inline(always)]
pub(super) fn union(words: Four) -> Word {
    let [a, b, c, d] = words.to_array();
    Word::new((a | c) | (b | d))
}

/// Which words have any bit, as the lowest bits of a number.
#[inline(always)]
pub(super) fn filled(words: Four) -> u32 {
    !words.simd_eq(Four::splat(0)).to_bitmask() & 0xF
}

/// Whether a word has a bit in common with the word at its place in `other`.
#[inline(always)]
pub(super) fn meets(words: Four, other: Four) -> bool {
    words & other != Four::splat(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Random;
    use std::array::from_fn;

    #[test]
    fn a_register_of_this_machine_does_what_an_array_does() {
        let mut random = Random(11);
        let mut meetings = 0;
        for round in 0..2_000 {
            let mut lanes = || {
                from_fn::<u64, 4, _>(|_| match random.below(4) {
                    0 => 0,
                    1 => 1 << random.below(64),
                    _ => (random.below(1 << 32) as u64) << 32 | random.below(1 << 32) as u64,
                })
            };
            let (a, mut b, by) = (lanes(), lanes(), lanes().map(|word| word % 64));
            b[0] = a[0];
            let each =
                |lane: fn(u64, u64) -> u64, other: [u64; 4]| from_fn::<u64, 4, _>(|i| lane(a[i], other[i]));
            let [one, other, shift] = [a, b, by].map(Four::new);
            let results = [
                (one & other, each(|a, b| a & b, b)),
                (one | other, each(|a, b| a | b, b)),
                (one ^ other, each(|a, b| a ^ b, b)),
                (one & !other, each(|a, b| a & !b, b)),
                (one << shift, each(|a, by| a << by, by)),
                (one >> shift, each(|a, by| a >> by, by)),
                (to_lowest(one), each(|a, _| a.wrapping_sub(1) ^ a, b)),
                (one & !one.simd_eq(other), each(|a, b| if a == b { 0 } else { a }, b)),
                (larger(one, other), each(|a, b| if a as i64 > b as i64 { u64::MAX } else { 0 }, b)),
                (Four::splat(a[0]), [a[0]; 4]),
                (fourfold(Word::new(a[0])), [a[0]; 4]),
            ];
            for (operation, (register, array)) in results.into_iter().enumerate() {
                assert_eq!(register.to_array(), array, "{operation} of {round}");
            }
            let (word, next) = (Word::new(a[0]), Word::new(b[1]));
            assert_eq!([word | next, word ^ next].map(Word::bits), [a[0] | b[1], a[0] ^ b[1]], "{round}");
            assert_eq!(union(one).bits(), a.into_iter().fold(0, |all, word| all | word), "{round}");
            assert_eq!(filled(one), (0..4).map(|i| u32::from(a[i] != 0) << i).sum(), "{round}");
            let is_met = (0..4).any(|i| a[i] & b[i] != 0);
            assert_eq!(meets(one, other), is_met, "{round}");
            meetings += usize::from(is_met);
        }
        assert!(0 < meetings && meetings < 2_000);
    }
}
