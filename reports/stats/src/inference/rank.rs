//! Rank correlations, Spearman's and Kendall's: do two measures put the same things in the same order?
//!
//! The things here are the methods of a program or pairs of them, which are few, so the interval is wide and says so. Ties have
//! the mean of their ranks. Sources: Spearman 1904; Bonett & Wright 2000 (the interval); Kendall 1938 (the test), 1945 (tau-b).

use crate::interval::{Interval, z95};

/// The correlation of two measures over the same things, -1 to 1; `None` for fewer than four things, or if one measure is the
/// same for all. In perfect order there is no interval.
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
pub fn kendall(first: &[f64], second: &[f64]) -> Option<f64> {
    let n = first.len().min(second.len());
    let (agree, untied) = agreement(first, second);
    let spread = (untied[0] * untied[1]).sqrt();
    (n >= 4 && spread > 0.0).then(|| agree / spread)
}

/// Two-sided p-value of no common order, things drawn anew: the share of all orders of one measure that agree with the other as
/// much as these, either way. Exact without ties; a tie counts as neither, which makes the value rather larger.
pub fn kendall_p(first: &[f64], second: &[f64]) -> f64 {
    let n = first.len().min(second.len());
    let (agree, _) = agreement(first, second);
    // Orders of 1, 2, .. n things by how many pairs of them are inverted.
    let mut orders = vec![1.0_f64];
    for things in 2..=n {
        let mut more = vec![0.0; orders.len() + things - 1];
        for (inverted, count) in orders.iter().enumerate() {
            more[inverted..inverted + things].iter_mut().for_each(|sum| *sum += count);
        }
        orders = more;
    }
    let pairs = (n * n.saturating_sub(1) / 2) as f64;
    let all: f64 = orders.iter().sum();
    let as_far = |(inverted, _): &(usize, &f64)| (pairs - 2.0 * *inverted as f64).abs() >= agree.abs() - 1e-9;
    orders.iter().enumerate().filter(as_far).map(|(_, count)| count).sum::<f64>() / all
}

/// Pairs that two measures put in one order less those that they do not, and the pairs that each of them does not tie.
fn agreement(first: &[f64], second: &[f64]) -> (f64, [f64; 2]) {
    let order = |values: &[f64], i: usize, j: usize| match values[i].total_cmp(&values[j]) {
        std::cmp::Ordering::Less => -1.0,
        std::cmp::Ordering::Equal => 0.0,
        std::cmp::Ordering::Greater => 1.0,
    };
    let (mut agree, mut untied) = (0.0, [0.0_f64; 2]);
    for i in 0..first.len().min(second.len()) {
        for j in 0..i {
            let [a, b]: [f64; 2] = [order(first, i, j), order(second, i, j)];
            agree += a * b;
            untied[0] += a * a;
            untied[1] += b * b;
        }
    }
    (agree, untied)
}

/// The rank of each value, from 1, the mean of their ranks where values are equal.
pub fn ranks(values: &[f64]) -> Vec<f64> {
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
    use statrs::distribution::{ContinuousCDF, Normal};

    /// Kendall 1938, table of the distribution: 4 things in perfect order 2 of 24, 5 things with S = 8 in 10 of 120.
    #[test]
    fn the_test_of_an_order_counts_all_orders() {
        let straight = |n: usize| (0..n).map(|i| i as f64).collect::<Vec<_>>();
        assert!((kendall_p(&straight(4), &straight(4)) - 2.0 / 24.0).abs() < 1e-12);
        assert!((kendall_p(&straight(5), &[0.0, 1.0, 2.0, 4.0, 3.0]) - 10.0 / 120.0).abs() < 1e-12);
        assert!((kendall_p(&straight(5), &[4.0, 3.0, 2.0, 0.0, 1.0]) - 10.0 / 120.0).abs() < 1e-12);
        assert_eq!(kendall_p(&straight(6), &[7.0; 6]), 1.0);
        // Not far from the normal distribution, three deviations out.
        let swapped: Vec<f64> =
            [3, 0, 8, 1, 5, 2, 9, 13, 4, 6, 16, 7, 10, 15, 11, 14, 12].map(f64::from).to_vec();
        let (agree, _) = agreement(&straight(17), &swapped);
        let deviations = (agree - 1.0) / (17.0 * 16.0 * 39.0 / 18.0_f64).sqrt();
        let normal = 2.0 * (1.0 - Normal::standard().cdf(deviations));
        let exact = kendall_p(&straight(17), &swapped);
        assert!((exact / normal - 1.0).abs() < 0.5, "{exact} {normal}");
    }

    #[test]
    fn order_alone_counts() {
        let correlation_with = |second: [f64; 5]| {
            let pairs: Vec<[f64; 2]> = (0..5).map(|i| [f64::from(i), second[i as usize]]).collect();
            spearman(&pairs)
        };
        let same = correlation_with([1.0, 10.0, 100.0, 1e3, 1e4]).unwrap();
        assert!(same.estimate == 1.0 && !same.has_ends());
        assert_eq!(correlation_with([5.0, 4.0, 3.0, 2.0, 1.0]).unwrap().estimate, -1.0);
        assert_eq!(correlation_with([7.0; 5]), None);
        assert_eq!(spearman(&[[1.0, 2.0], [2.0, 1.0], [3.0, 3.0]]), None);
        // 1 - 6 * 4 / (5 * 24) by Spearman's formula without ties.
        let mixed = correlation_with([2.0, 1.0, 3.0, 5.0, 4.0]).unwrap();
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
