//! Rank correlations, Spearman's and Kendall's: do two measures put the same things in the same order?
//!
//! The things here are the methods of a program or pairs of them, which are few, so the interval is wide and says so. Ties have
//! the mean of their ranks. Sources: Spearman 1904; Bonett & Wright 2000 (the interval); Kendall 1945 (tau-b). Left out: a test; an
//! interval that holds 0 is all that a page needs.

use crate::interval::{Interval, z95};

/// The correlation of two measures over the same things, -1 to 1; `None` for fewer than four things, or if one measure is the
/// same for all. In perfect order there is no interval.
#[must_use]
pub fn spearman(pairs: &[[f64; 2]]) -> Option<Interval> {
    let n = pairs.len() as f64;
    let [first, second] =
        [0, 1].map(|which| ranks(&pairs.iter().map(|pair| pair[which]).collect::<Vec<_>>()));
    let middle = (n + 1.0) / 2.0;
    let product =
        |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - middle) * (b - middle)).sum::<f64>();
    let spread = (product(&first, &first) * product(&second, &second)).sqrt();
    if pairs.len() < 4 || spread <= 0.0 {
        return None;
    }
    let estimate = product(&first, &second) / spread;
    if estimate.abs() > 1.0 - 1e-12 {
        return Some(Interval::none(estimate.signum()));
    }
    let half = z95() * ((1.0 + estimate * estimate / 2.0) / (n - 3.0)).sqrt();
    let end = |sign: f64| (estimate.atanh() + sign * half).tanh();
    Some(Interval { estimate, low: end(-1.0), high: end(1.0) })
}

/// Kendall's tau-b of two measures over the same things, -1 to 1: pairs that both put in one order less those that they do not,
/// ties of either taken into account. `None` for fewer than four things, or if one measure is the same for all.
#[must_use]
pub fn kendall(first: &[f64], second: &[f64]) -> Option<f64> {
    let n = first.len().min(second.len());
    let order = |values: &[f64], i: usize, j: usize| match values[i].total_cmp(&values[j]) {
        std::cmp::Ordering::Less => -1.0,
        std::cmp::Ordering::Equal => 0.0,
        std::cmp::Ordering::Greater => 1.0,
    };
    let (mut agree, mut untied) = (0.0, [0.0_f64; 2]);
    for i in 0..n {
        for j in 0..i {
            let [a, b]: [f64; 2] = [order(first, i, j), order(second, i, j)];
            agree += a * b;
            untied[0] += a * a;
            untied[1] += b * b;
        }
    }
    let spread = (untied[0] * untied[1]).sqrt();
    (n >= 4 && spread > 0.0).then(|| agree / spread)
}

/// The rank of each value, from 1, the mean of their ranks where values are equal.
pub(crate) fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let below = values.iter().filter(|other| *other < value).count() as f64;
        let equal = values.iter().filter(|other| *other == value).count() as f64;
        below + (equal + 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_alone_counts() {
        let of = |second: [f64; 5]| {
            let pairs: Vec<[f64; 2]> = (0..5).map(|i| [f64::from(i), second[i as usize]]).collect();
            spearman(&pairs)
        };
        let same = of([1.0, 10.0, 100.0, 1e3, 1e4]).unwrap();
        assert!(same.estimate == 1.0 && !same.has_ends());
        assert_eq!(of([5.0, 4.0, 3.0, 2.0, 1.0]).unwrap().estimate, -1.0);
        assert_eq!(of([7.0; 5]), None);
        assert_eq!(spearman(&[[1.0, 2.0], [2.0, 1.0], [3.0, 3.0]]), None);
        // 1 - 6 * 4 / (5 * 24) by Spearman's formula without ties.
        let mixed = of([2.0, 1.0, 3.0, 5.0, 4.0]).unwrap();
        assert!((mixed.estimate - 0.8).abs() < 1e-12 && mixed.low < 0.0 && mixed.high > 0.8, "{mixed:?}");
    }

    /// Of ten pairs two stand the other way round; with a tie on one side nine of ten can be told.
    #[test]
    fn kendall_counts_pairs() {
        let x = [1.0, 2.0, 3.0, 4.0, 5.0];
        assert_eq!(kendall(&x, &[2.0, 1.0, 3.0, 5.0, 4.0]), Some(0.6));
        assert_eq!(kendall(&x, &[5.0, 4.0, 3.0, 2.0, 1.0]), Some(-1.0));
        let tied = kendall(&x, &[1.0, 1.0, 3.0, 4.0, 5.0]).unwrap();
        assert!((tied - 9.0 / 90.0_f64.sqrt()).abs() < 1e-12, "{tied}");
        assert_eq!(kendall(&x, &[7.0; 5]), None);
        assert_eq!(kendall(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0]), None);
    }

    /// With ties it is Pearson's correlation of the mean ranks: here ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4.
    #[test]
    fn ties_have_the_mean_of_their_ranks() {
        assert_eq!(ranks(&[3.0, 5.0, 5.0, 9.0]), [1.0, 2.5, 2.5, 4.0]);
        let tied = spearman(&[[3.0, 1.0], [5.0, 2.0], [5.0, 3.0], [9.0, 4.0]]).unwrap();
        assert!((tied.estimate - 4.5 / (4.5f64 * 5.0).sqrt()).abs() < 1e-12, "{tied:?}");
    }
}
