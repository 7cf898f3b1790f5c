//! Holm's correction: who makes many tests must be stricter in each of them.
//!
//! Source: Holm, A Simple Sequentially Rejective Multiple Test Procedure, 1979. It holds whatever the tests have to do
//! with one another, and it never shows less than Bonferroni's correction does.

/// The p-values corrected for their number, in the order given. One at most 0.05 among them is shown at a level of 5 %
/// for all tests together. A test without a p-value (`NaN`) does not count.
#[must_use]
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).filter(|&i| !p_values[i].is_nan()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut corrected = vec![f64::NAN; p_values.len()];
    let mut least: f64 = 0.0;
    for (rank, &index) in order.iter().enumerate() {
        least = least.max((p_values[index] * (order.len() - rank) as f64).min(1.0));
        corrected[index] = least;
    }
    corrected
}

/// Replaces p-values by those that hold for all of them, and says how many are tests (`NaN` is none).
pub fn correct<'p>(family: impl IntoIterator<Item = &'p mut f64>) -> usize {
    let family: Vec<&mut f64> = family.into_iter().collect();
    let corrected = holm(&family.iter().map(|p| **p).collect::<Vec<_>>());
    let tests = corrected.iter().filter(|p| !p.is_nan()).count();
    family.into_iter().zip(corrected).for_each(|(p, corrected)| *p = corrected);
    tests
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0.01 x 4; 0.015 x 3 = 0.045; 0.02 x 2 = 0.04, which may not be less than the one before; 0.9 x 1.
    #[test]
    fn a_case_by_hand() {
        let corrected = holm(&[0.02, 0.9, 0.01, 0.015]);
        for (p, expected) in corrected.into_iter().zip([0.045, 0.9, 0.04, 0.045]) {
            assert!((p - expected).abs() < 1e-12, "{p} {expected}");
        }
    }

    #[test]
    fn what_was_not_tested_does_not_count() {
        let p = holm(&[0.03, f64::NAN, 0.6]);
        assert!((p[0] - 0.06).abs() < 1e-12 && p[1].is_nan() && (p[2] - 0.6).abs() < 1e-12);
        assert!(holm(&[]).is_empty());
        assert_eq!(holm(&[0.7, 0.8]), [1.0, 1.0], "no probability is above 1");
    }

    #[test]
    fn one_test_needs_no_correction_and_order_is_kept() {
        assert_eq!(holm(&[0.04]), [0.04]);
        let (mut first, mut second, mut none) = (0.03, 0.04, f64::NAN);
        assert_eq!(correct([&mut first, &mut none, &mut second]), 2);
        assert!((first - 0.06).abs() < 1e-12 && none.is_nan());
        let p_values: Vec<f64> = (1..40).map(|i| f64::from(i * 7919 % 997) / 997.0).collect();
        let corrected = holm(&p_values);
        for (i, a) in p_values.iter().enumerate() {
            for (j, b) in p_values.iter().enumerate() {
                assert!(a > b || corrected[i] <= corrected[j]);
            }
            assert!(corrected[i] >= *a);
        }
    }
}
