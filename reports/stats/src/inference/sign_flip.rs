//! The sign-flip test: do losses differ between two searches of the same positions?
//!
//! If neither search is better, the difference at each source game is as likely to have the other sign (Fisher 1935). So the
//! sum of the differences is held against what it would be with signs by chance. Nothing is assumed of the size of losses,
//! which have too long a tail for Student's test. Up to 14 games that differ all signs are tried. Whole numbers are counted out
//! exactly as long as their sum is small, which makes the test of +1 and -1 McNemar's; beyond that 9,999 draws.

use super::SplitMix;

/// Most differences of which every choice of signs is tried.
const MOST_EXACT: usize = 14;
const DRAWS: u32 = 9_999;
/// Largest sum of whole differences of which the law of the flipped sum is reckoned exactly.
const MOST_COUNTED: f64 = 10_000.0;
/// One seed for all, so that a report is a pure function of its records.
const SEED: u64 = 0x5160_f11b;

/// Two-sided p-value of the sums of differences by source game; 1 if none differs.
pub fn sign_flip(differences: &[f64]) -> f64 {
    let values: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
    let observed = values.iter().sum::<f64>().abs();
    if observed == 0.0 {
        return 1.0;
    }
    // As far out as what was found, but for rounding.
    let bound = observed * (1.0 - 1e-9);
    let flips = Flips::of(&values);
    if values.len() <= MOST_EXACT {
        let all = 1_u64 << values.len();
        let far = (0..all).filter(|signs| flips.sum(&[*signs]).abs() >= bound).count();
        return far as f64 / all as f64;
    }
    if values.iter().all(|value| value.fract() == 0.0)
        && values.iter().map(|value| value.abs()).sum::<f64>() <= MOST_COUNTED
    {
        return counted_out(&values, observed);
    }
    let mut random = SplitMix(SEED);
    let mut signs = vec![0; values.len().div_ceil(64)];
    let mut far = 1;
    for _ in 0..DRAWS {
        signs.fill_with(|| random.word());
        far += u32::from(flips.sum(&signs).abs() >= bound);
    }
    f64::from(far) / f64::from(DRAWS + 1)
}

/// The chance that a sum of whole numbers with random signs is at least `found` away from 0: the law of the sum, built up
/// number by number.
fn counted_out(values: &[f64], observed: f64) -> f64 {
    let sizes: Vec<usize> = values.iter().map(|value| value.abs() as usize).collect();
    // A sum of +-x is 2 (sum of the x with a plus) less all of them: so only the former has to be followed.
    let all: usize = sizes.iter().sum();
    let mut law = vec![0.0; all + 1];
    law[0] = 1.0;
    let mut reached = 0;
    for size in sizes {
        reached += size;
        for plus in (0..=reached).rev() {
            let with = if plus >= size { law[plus - size] } else { 0.0 };
            law[plus] = 0.5 * (law[plus] + with);
        }
    }
    let far = |plus: &usize| (2.0 * *plus as f64 - all as f64).abs() >= observed;
    (0..=all).filter(far).map(|plus| law[plus]).sum::<f64>().min(1.0)
}

/// Of every four values the sums under all sixteen choices of signs: a sum of all is a look-up for each four, and of a large run
/// it is drawn millions of times.
struct Flips(Vec<[f64; 16]>);

impl Flips {
    fn of(values: &[f64]) -> Flips {
        let sums = |four: &[f64]| {
            std::array::from_fn(|signs: usize| {
                let flipped = |(at, value): (usize, &f64)| if signs >> at & 1 == 1 { -value } else { *value };
                four.iter().enumerate().map(flipped).sum()
            })
        };
        Flips(values.chunks(4).map(sums).collect())
    }

    /// The sum of all values, those whose bit is set in `signs` with the other sign.
    fn sum(&self, signs: &[u64]) -> f64 {
        let mut sum = 0.0;
        for (fours, signs) in self.0.chunks(16).zip(signs) {
            for (at, four) in fours.iter().enumerate() {
                sum += four[(signs >> (4 * at) & 15) as usize];
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: of 2^6 choices of signs two are as far out as all alike.
    #[test]
    fn few_differences_are_counted_out() {
        assert!((sign_flip(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.0]) - 2.0 / 64.0).abs() < 1e-12);
        // Sums of 3, 2, 1 with signs: 6, 4, 2, 0, 0, -2, -4, -6; four are at least 4 from 0.
        assert!((sign_flip(&[3.0, 2.0, -1.0]) - 4.0 / 8.0).abs() < 1e-12);
        assert_eq!((sign_flip(&[]), sign_flip(&[0.0, 0.0]), sign_flip(&[935.0])), (1.0, 1.0, 1.0));
    }

    #[test]
    fn one_large_loss_shows_nothing_and_many_small_ones_do() {
        let mut one = vec![0.0; 200];
        one[7] = 1_171.0;
        assert_eq!(sign_flip(&one), 1.0);
        assert!(sign_flip(&[4.0; 40]) < 0.001);
        let even: Vec<f64> = (0..40).map(|i| if i % 2 == 0 { 5.0 } else { -4.9 }).collect();
        assert!(sign_flip(&even) > 0.5);
    }

    /// Of ones it is the binomial test, which is McNemar's; to the last digit, however small.
    #[test]
    fn of_ones_it_is_mcnemars_test() {
        use crate::inference::mcnemar;
        for (first, second) in [(12, 3), (40, 20), (70, 5), (30, 30)] {
            let mut ones = vec![1.0; first];
            ones.extend(vec![-1.0; second]);
            let (ours, his) = (sign_flip(&ones), mcnemar(first as u64, second as u64));
            assert!((ours / his - 1.0).abs() < 1e-9, "{first} {second}: {ours} {his}");
        }
    }

    /// A sum that is looked up is the one that is added up, whatever number of values is left over.
    #[test]
    fn sums_with_signs_are_those_of_the_values() {
        for many in [1, 4, 63, 64, 65, 130] {
            let values: Vec<f64> = (1..=many).map(f64::from).collect();
            let signs: Vec<u64> = (0..3).map(|word| 0x9e37_79b9_7f4a_7c15_u64.rotate_left(word)).collect();
            let is_turned = |at: usize| signs[at / 64] >> (at % 64) & 1 == 1;
            let one = |(at, value): (usize, &f64)| if is_turned(at) { -value } else { *value };
            let expected: f64 = values.iter().enumerate().map(one).sum();
            assert_eq!(Flips::of(&values).sum(&signs), expected, "{many}");
        }
    }

    /// Drawn and counted out agree where both can be had: 15 differences of 1, of which 12 have one sign.
    #[test]
    fn drawing_comes_near_to_counting() {
        let differences: Vec<f64> = (0..15).map(|i| if i < 12 { 0.1 } else { -0.1 }).collect();
        let binomial = 2.0 * (1.0 + 15.0 + 105.0 + 455.0) / 32_768.0;
        assert!((sign_flip(&differences) - binomial).abs() < 0.006);
    }
}
