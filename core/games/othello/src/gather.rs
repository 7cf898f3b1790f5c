//! The sum of weights that an evaluation is: one weight per lane of the pattern numbers, looked up in a table.
//!
//! With AVX2, which the build asks for on x86-64, eight lanes are looked up by one instruction, straight from the
//! registers that the numbers were computed in: a third of the instructions of storing them and looking up one by
//! one, which is what is done elsewhere.

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(super) use one_by_one::sum;
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(super) use vector::sum;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod vector {
    use super::super::pattern::{Numbers, WINDOW, pairs};
    use std::arch::x86_64::*;

    /// Sum of the weights of the configurations with these numbers, and of the constant term.
    #[inline(always)]
    pub(crate) fn sum(table: &[i16; WINDOW], numbers: Numbers) -> i32 {
        let (starts, _) = pairs().0.as_chunks::<8>();
        // SAFETY: this module is only there if every processor the program is for has AVX2. Reads are within their
        // arrays: `starts` has eight numbers for each half vector, and a window of the table holds what begins at any
        // start plus any 16 bits, with two bytes to spare.
        unsafe {
            let (lower, ones) = (_mm256_set1_epi32(0xFFFF), _mm256_set1_epi16(1));
            let mut sum = _mm256_setzero_si256();
            for (vector, starts) in numbers.into_iter().zip(starts.as_chunks::<2>().0) {
                let vector: __m256i = std::mem::transmute(vector.to_array());
                // A number of an even lane and one of an odd lane share 32 bits, and so do their weights.
                let numbers = [_mm256_and_si256(vector, lower), _mm256_srli_epi32::<16>(vector)];
                let [even, odd] = [0, 1].map(|half| {
                    let starts = _mm256_load_si256(starts[half].as_ptr().cast());
                    let places = _mm256_add_epi32(numbers[half], starts);
                    _mm256_i32gather_epi32::<2>(table.as_ptr().cast(), places)
                });
                let weights = _mm256_blend_epi16::<0b1010_1010>(even, odd);
                sum = _mm256_add_epi32(sum, _mm256_madd_epi16(weights, ones));
            }
            let four = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
            let two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
            _mm_cvtsi128_si32(two) + _mm_extract_epi32::<1>(two)
        }
    }
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod one_by_one {
    use super::super::pattern::{CONSTANT, FIRST, LANES, Lanes, Numbers, START, WINDOW};

    /// Sum of the weights of the configurations with these numbers, and of the constant term.
    #[inline]
    pub(crate) fn sum(table: &[i16; WINDOW], numbers: Numbers) -> i32 {
        // Kept in memory: reading numbers back from there is cheaper than extracting them from vectors one by one.
        let numbers = &std::hint::black_box(Lanes::of(numbers).0.map(|number| number as u16));
        let lines = part::<3>(table, numbers) + part::<4>(table, numbers) + part::<5>(table, numbers);
        let diagonals = part::<6>(table, numbers)
            + part::<7>(table, numbers)
            + part::<8>(table, numbers)
            + part::<9>(table, numbers)
            + part::<10>(table, numbers);
        let corners = part::<0>(table, numbers) + part::<1>(table, numbers) + part::<2>(table, numbers);
        i32::from(table[CONSTANT]) + corners + lines + diagonals
    }

    /// The weights of one shape's instances. The shape is known to the compiler, so that its place in the table
    /// costs nothing and 16 bits need no check.
    #[inline(always)]
    fn part<const SHAPE: usize>(table: &[i16; WINDOW], numbers: &[u16; LANES]) -> i32 {
        let weights: &[i16; 1 << 16] =
            table[START[SHAPE]..].first_chunk().expect("a window holds all places");
        numbers[FIRST[SHAPE]..FIRST[SHAPE + 1]].iter().map(|&n| i32::from(weights[usize::from(n)])).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::tests::random_boards;
    use super::super::position::Position;
    use super::super::weights::{DISC_COUNTS, Learnt, Weights};
    use super::{one_by_one, sum};

    /// Weights of either sign up to the ends of the scale, so that no weight is taken for its neighbour's half.
    fn wild() -> Weights {
        let mut learnt = Learnt::zero();
        let mut state = 1_u32;
        for weight in learnt.constant.iter_mut().chain(&mut learnt.patterns) {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *weight = (state >> 16) as i16;
        }
        assert_eq!(learnt.constant.len(), DISC_COUNTS);
        Weights::new(learnt).expect("as many weights as there are")
    }

    #[test]
    fn sums_are_those_of_weights_looked_up_one_by_one() {
        let weights = wild();
        for board in random_boards(3_000) {
            let position = Position::new(board, true);
            let table = weights.table(board.discs());
            assert_eq!(
                sum(table, position.numbers()),
                one_by_one::sum(table, position.numbers()),
                "{board:?}"
            );
        }
    }
}
