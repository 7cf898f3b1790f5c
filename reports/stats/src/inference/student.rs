//! Student's paired test over source games: is the mean of a difference shown to be other than 0?
//!
//! Its standard error is that of the interval ([`super::spread`]): source games, not positions, are the observations.
//! Differences are meant to be logarithms of ratios, which are near enough to normal in their means.

use crate::interval::mean_spread;

/// Two-sided p-value of the differences, cluster by cluster. 1 if all are 0; `None` for fewer than two clusters.
#[must_use]
pub fn paired(clusters: &[Vec<f64>]) -> Option<f64> {
    let totals: Vec<[f64; 2]> =
        clusters.iter().filter(|c| !c.is_empty()).map(|c| [c.iter().sum(), c.len() as f64]).collect();
    Some(mean_spread(&totals).p()).filter(|p| !p.is_nan())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// t = 2.776 is the two-sided 5 % point with 4 degrees of freedom (any table of Student's law).
    #[test]
    fn the_tabled_point_gives_five_percent() {
        let spread = [-2.0, -1.0, 0.0, 1.0, 2.0];
        let standard_error = (2.5_f64 / 5.0).sqrt();
        let clusters: Vec<Vec<f64>> = spread.iter().map(|x| vec![x + 2.776 * standard_error]).collect();
        let p = paired(&clusters).unwrap();
        assert!((p - 0.05).abs() < 1e-4, "{p}");
    }

    #[test]
    fn a_cluster_counts_once_however_large() {
        let single = [vec![0.1], vec![0.5], vec![0.3]];
        let repeated = [vec![0.1; 50], vec![0.5; 50], vec![0.3; 50]];
        assert!((paired(&single).unwrap() - paired(&repeated).unwrap()).abs() < 1e-12);
    }

    #[test]
    fn nothing_to_test_gives_no_answer() {
        assert_eq!(paired(&[vec![1.0]]), None);
        assert_eq!(paired(&[]), None);
        assert_eq!(paired(&[vec![0.0], vec![0.0]]), Some(1.0));
    }
}
