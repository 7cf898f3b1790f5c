//! Four 64-bit words handled as one: a board seen along its four lines; and a word on its way there.
//!
//! With AVX2, which the build asks for on x86-64, they are one vector register; elsewhere an array. Written
//! out because the compiler's own vectors depend on what surrounds the code, and at leaves it packed words
//! one by one. Written so, a full-width search takes 7 % fewer instructions.

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(super) use vector::{Four, Word};

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(super) use array::{Four, Word};

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod vector {
    use std::arch::x86_64::*;
    use std::ops::{BitAnd, BitOr, BitXor, Shl, Shr};

    /// Intrinsics on values.
    macro_rules! avx2 {
        ($value:expr) => {
            // SAFETY: this module is only there if every processor the program is for has AVX2, which is all
            // that these intrinsics, none of which takes a pointer, ask for.
            unsafe { $value }
        };
    }

    /// A word that functions hand on in a vector register. It is a float there because vectors are handed on in memory.
    #[derive(Clone, Copy)]
    pub(crate) struct Word(f64);

    impl Word {
        #[inline(always)]
        pub(crate) fn new(word: u64) -> Word {
            Word(f64::from_bits(word))
        }

        #[inline(always)]
        pub(crate) fn bits(self) -> u64 {
            self.0.to_bits()
        }

        /// A register with the word in its lower half.
        #[inline(always)]
        fn register(self) -> __m128i {
            avx2!(_mm_castpd_si128(_mm_set_sd(self.0)))
        }

        /// The lower half of a register.
        #[inline(always)]
        fn lower(register: __m128i) -> Word {
            Word(avx2!(_mm_cvtsd_f64(_mm_castsi128_pd(register))))
        }
    }

    impl BitOr for Word {
        type Output = Word;
        #[inline(always)]
        fn bitor(self, other: Word) -> Word {
            Word::lower(avx2!(_mm_or_si128(self.register(), other.register())))
        }
    }

    impl BitXor for Word {
        type Output = Word;
        #[inline(always)]
        fn bitxor(self, other: Word) -> Word {
            Word::lower(avx2!(_mm_xor_si128(self.register(), other.register())))
        }
    }

    /// Four words.
    #[derive(Clone, Copy)]
    pub(crate) struct Four(__m256i);

    impl Four {
        #[inline(always)]
        pub(crate) fn new([a, b, c, d]: [u64; 4]) -> Four {
            Four(avx2!(_mm256_set_epi64x(d as i64, c as i64, b as i64, a as i64)))
        }

        #[inline(always)]
        pub(crate) fn splat(word: u64) -> Four {
            Four::of(Word::new(word))
        }

        /// Four times the same word.
        #[inline(always)]
        pub(crate) fn of(word: Word) -> Four {
            Four(avx2!(_mm256_broadcastq_epi64(word.register())))
        }

        /// The bits that `other` does not have.
        #[inline(always)]
        pub(crate) fn without(self, other: Four) -> Four {
            Four(avx2!(_mm256_andnot_si256(other.0, self.0)))
        }

        /// Each word's bits up to its lowest one, that one included; all of an empty word.
        #[inline(always)]
        pub(crate) fn to_lowest(self) -> Four {
            let less_one = avx2!(_mm256_add_epi64(self.0, _mm256_set1_epi64x(-1)));
            Four(avx2!(_mm256_xor_si256(less_one, self.0)))
        }

        /// The words that differ from those of `other`; the rest become empty.
        #[inline(always)]
        pub(crate) fn unless_equal(self, other: Four) -> Four {
            Four(avx2!(_mm256_andnot_si256(_mm256_cmpeq_epi64(self.0, other.0), self.0)))
        }

        /// The words where that of `one` is the larger number; the rest become empty. The highest bit counts as a sign.
        #[inline(always)]
        pub(crate) fn where_larger(self, one: Four, other: Four) -> Four {
            Four(avx2!(_mm256_and_si256(_mm256_cmpgt_epi64(one.0, other.0), self.0)))
        }

        /// The union of the words.
        #[inline(always)]
        pub(crate) fn union(self) -> u64 {
            self.joined().bits()
        }

        /// The same where it stays in a vector register.
        #[inline(always)]
        pub(crate) fn joined(self) -> Word {
            let (low, high) = avx2!((_mm256_castsi256_si128(self.0), _mm256_extracti128_si256::<1>(self.0)));
            let pair = avx2!(_mm_or_si128(low, high));
            Word::lower(avx2!(_mm_or_si128(pair, _mm_unpackhi_epi64(pair, pair))))
        }

        /// The words.
        #[inline(always)]
        pub(crate) fn words(self) -> [u64; 4] {
            let halves = avx2!([_mm256_castsi256_si128(self.0), _mm256_extracti128_si256::<1>(self.0)]);
            let [[a, b], [c, d]] =
                halves.map(|half| avx2!([_mm_cvtsi128_si64(half), _mm_extract_epi64::<1>(half)]));
            [a, b, c, d].map(|word| word as u64)
        }

        /// Which words have any bit, as the lowest bits of a number.
        #[inline(always)]
        pub(crate) fn filled(self) -> u32 {
            let empty = avx2!(_mm256_cmpeq_epi64(self.0, _mm256_setzero_si256()));
            !avx2!(_mm256_movemask_pd(_mm256_castsi256_pd(empty))) as u32 & 0xF
        }

        /// Whether a word has a bit in common with the word at its place in `other`.
        #[inline(always)]
        pub(crate) fn meets(self, other: Four) -> bool {
            avx2!(_mm256_testz_si256(self.0, other.0)) == 0
        }
    }

    impl BitAnd for Four {
        type Output = Four;
        #[inline(always)]
        fn bitand(self, other: Four) -> Four {
            Four(avx2!(_mm256_and_si256(self.0, other.0)))
        }
    }

    impl BitOr for Four {
        type Output = Four;
        #[inline(always)]
        fn bitor(self, other: Four) -> Four {
            Four(avx2!(_mm256_or_si256(self.0, other.0)))
        }
    }

    impl BitXor for Four {
        type Output = Four;
        #[inline(always)]
        fn bitxor(self, other: Four) -> Four {
            Four(avx2!(_mm256_xor_si256(self.0, other.0)))
        }
    }

    impl Shl for Four {
        type Output = Four;
        #[inline(always)]
        fn shl(self, by: Four) -> Four {
            Four(avx2!(_mm256_sllv_epi64(self.0, by.0)))
        }
    }

    impl Shr for Four {
        type Output = Four;
        #[inline(always)]
        fn shr(self, by: Four) -> Four {
            Four(avx2!(_mm256_srlv_epi64(self.0, by.0)))
        }
    }
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod array {
    use std::array::from_fn;
    use std::ops::{BitAnd, BitOr, BitXor, Shl, Shr};

    /// A word.
    #[derive(Clone, Copy)]
    pub(crate) struct Word(u64);

    impl Word {
        pub(crate) fn new(word: u64) -> Word {
            Word(word)
        }

        pub(crate) fn bits(self) -> u64 {
            self.0
        }
    }

    impl BitOr for Word {
        type Output = Word;
        fn bitor(self, other: Word) -> Word {
            Word(self.0 | other.0)
        }
    }

    impl BitXor for Word {
        type Output = Word;
        fn bitxor(self, other: Word) -> Word {
            Word(self.0 ^ other.0)
        }
    }

    /// Four words.
    #[derive(Clone, Copy)]
    pub(crate) struct Four([u64; 4]);

    impl Four {
        pub(crate) fn new(lanes: [u64; 4]) -> Four {
            Four(lanes)
        }

        pub(crate) fn splat(word: u64) -> Four {
            Four([word; 4])
        }

        /// Four times the same word.
        pub(crate) fn of(word: Word) -> Four {
            Four::splat(word.0)
        }

        /// The bits that `other` does not have.
        pub(crate) fn without(self, other: Four) -> Four {
            Four(from_fn(|i| self.0[i] & !other.0[i]))
        }

        /// Each word's bits up to its lowest one, that one included; all of an empty word.
        pub(crate) fn to_lowest(self) -> Four {
            Four(self.0.map(|word| word.wrapping_sub(1) ^ word))
        }

        /// The words that differ from those of `other`; the rest become empty.
        pub(crate) fn unless_equal(self, other: Four) -> Four {
            Four(from_fn(|i| if self.0[i] == other.0[i] { 0 } else { self.0[i] }))
        }

        /// The words where that of `one` is the larger number; the rest become empty. The highest bit counts as a sign.
        pub(crate) fn where_larger(self, one: Four, other: Four) -> Four {
            Four(from_fn(|i| if one.0[i] as i64 > other.0[i] as i64 { self.0[i] } else { 0 }))
        }

        /// The union of the words.
        pub(crate) fn union(self) -> u64 {
            self.0[0] | self.0[1] | self.0[2] | self.0[3]
        }

        /// The same as a [`Word`].
        pub(crate) fn joined(self) -> Word {
            Word(self.union())
        }

        /// The words.
        pub(crate) fn words(self) -> [u64; 4] {
            self.0
        }

        /// Which words have any bit, as the lowest bits of a number.
        pub(crate) fn filled(self) -> u32 {
            (0..4).map(|i| u32::from(self.0[i] != 0) << i).sum()
        }

        /// Whether a word has a bit in common with the word at its place in `other`.
        pub(crate) fn meets(self, other: Four) -> bool {
            (self & other).union() != 0
        }
    }

    impl BitAnd for Four {
        type Output = Four;
        fn bitand(self, other: Four) -> Four {
            Four(from_fn(|i| self.0[i] & other.0[i]))
        }
    }

    impl BitOr for Four {
        type Output = Four;
        fn bitor(self, other: Four) -> Four {
            Four(from_fn(|i| self.0[i] | other.0[i]))
        }
    }

    impl BitXor for Four {
        type Output = Four;
        fn bitxor(self, other: Four) -> Four {
            Four(from_fn(|i| self.0[i] ^ other.0[i]))
        }
    }

    impl Shl for Four {
        type Output = Four;
        fn shl(self, by: Four) -> Four {
            Four(from_fn(|i| self.0[i] << by.0[i]))
        }
    }

    impl Shr for Four {
        type Output = Four;
        fn shr(self, by: Four) -> Four {
            Four(from_fn(|i| self.0[i] >> by.0[i]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::Random;
    use super::{Four, Word, array};

    /// One of everything that a register of either kind can do, as a number.
    macro_rules! everything {
        ($four:ty, $word:ty, $a:expr, $b:expr, $by:expr) => {{
            let (a, b, by) = (<$four>::new($a), <$four>::new($b), <$four>::new($by));
            let results = [
                a & b,
                a | b,
                a ^ b,
                a.without(b),
                a << by,
                a >> by,
                a.to_lowest(),
                a.unless_equal(b),
                a.where_larger(b, by),
                <$four>::splat($a[0]),
                <$four>::of(<$word>::new($a[0])),
            ];
            let (one, other) = (<$word>::new($a[0]), <$word>::new($b[1]));
            let joined = [a.joined(), one | other, one ^ other].map(<$word>::bits);
            (results.map(<$four>::words), joined, a.union(), a.filled(), a.meets(b))
        }};
    }

    #[test]
    fn a_register_of_this_machine_does_what_an_array_does() {
        let mut random = Random(11);
        let mut meetings = 0;
        for round in 0..2_000 {
            let mut lanes = || {
                std::array::from_fn::<u64, 4, _>(|_| match random.below(4) {
                    0 => 0,
                    1 => 1 << random.below(64),
                    _ => (random.below(1 << 32) as u64) << 32 | random.below(1 << 32) as u64,
                })
            };
            let (a, mut b, by) = (lanes(), lanes(), lanes().map(|word| word % 64));
            b[0] = a[0];
            let in_register = everything!(Four, Word, a, b, by);
            assert_eq!(in_register, everything!(array::Four, array::Word, a, b, by), "{round}");
            meetings += usize::from(in_register.4);
        }
        assert!(0 < meetings && meetings < 2_000);
    }
}
