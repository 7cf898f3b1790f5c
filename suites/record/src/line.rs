//! Least squares on pairs, and quantiles: all the statistics that fitting needs.

/// The line v = a v' + b through pairs (v', v), with the spread around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Slope.
    pub a: f64,
    /// Offset.
    pub b: f64,
    /// Standard deviation of the residual, with n - 2.
    pub sigma: f64,
    /// Correlation coefficient.
    pub r: f64,
}

impl Line {
    /// The line with the least squared error in v. None for fewer than three pairs, or if all v' or all v
    /// are equal: no line is better than another, or no correlation is defined.
    #[must_use]
    pub fn through(pairs: &[(f64, f64)]) -> Option<Line> {
        if pairs.len() < 3 {
            return None;
        }
        let n = pairs.len() as f64;
        let mean_x = pairs.iter().map(|(x, _)| x).sum::<f64>() / n;
        let mean_y = pairs.iter().map(|(_, y)| y).sum::<f64>() / n;
        // Sums of centred products: no cancellation where values are large and close together.
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for (x, y) in pairs {
            let (dx, dy) = (x - mean_x, y - mean_y);
            xx += dx * dx;
            xy += dx * dy;
            yy += dy * dy;
        }
        if xx <= 0.0 || yy <= 0.0 {
            return None;
        }
        let a = xy / xx;
        let b = mean_y - a * mean_x;
        let residual: f64 = pairs.iter().map(|(x, y)| (y - a * x - b).powi(2)).sum();
        Some(Line { a, b, sigma: (residual / (n - 2.0)).sqrt(), r: xy / (xx * yy).sqrt() })
    }
}

/// The least value that at least `percent` of 100 of the values do not exceed (nearest rank). `sorted` is in
/// increasing order and not empty.
#[must_use]
pub fn quantile(sorted: &[i32], percent: usize) -> i32 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted[rank - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9 * (1.0 + b.abs())
    }

    fn scattered() -> Vec<(f64, f64)> {
        (0..40).map(|i| (f64::from(i * 7 % 40), f64::from(i * 7 % 40 * 2 + i * i % 11))).collect()
    }

    /// By hand: means 2.5 and 3.75; Sxx = 5, Sxy = 6.5, Syy = 8.75; a = 1.3, b = 0.5; residuals 0.2, -0.1,
    /// -0.4, 0.3, so that sigma^2 = 0.30 / 2.
    #[test]
    fn a_line_worked_out_by_hand() {
        let line = Line::through(&[(1.0, 2.0), (2.0, 3.0), (3.0, 4.0), (4.0, 6.0)]).expect("a line");
        assert!(near(line.a, 1.3) && near(line.b, 0.5), "{line:?}");
        assert!(near(line.sigma, 0.15_f64.sqrt()), "{line:?}");
        assert!(near(line.r, 6.5 / (5.0_f64 * 8.75).sqrt()), "{line:?}");
    }

    #[test]
    fn points_on_a_line_have_no_spread() {
        let pairs: Vec<_> = (0..9).map(|i| (f64::from(i), 3.0 - 0.5 * f64::from(i))).collect();
        let line = Line::through(&pairs).expect("a line");
        assert!(near(line.a, -0.5) && near(line.b, 3.0) && near(line.r, -1.0));
        assert!(line.sigma.abs() < 1e-9);
    }

    #[test]
    fn units_and_offsets_move_the_line_as_they_should() {
        let line = Line::through(&scattered()).expect("a line");
        assert!(line.sigma > 1.0, "the test data must scatter");
        let both: Vec<_> = scattered().iter().map(|(x, y)| (100.0 * x, 100.0 * y)).collect();
        let scaled = Line::through(&both).expect("a line");
        assert!(near(scaled.a, line.a) && near(scaled.b, 100.0 * line.b));
        assert!(near(scaled.sigma, 100.0 * line.sigma) && near(scaled.r, line.r));
        let moved: Vec<_> = scattered().iter().map(|(x, y)| (x + 1e6, y - 7.0)).collect();
        let moved = Line::through(&moved).expect("a line");
        assert!(near(moved.a, line.a) && near(moved.sigma, line.sigma));
        assert!(near(moved.b, line.b - 7.0 - 1e6 * line.a));
        let turned: Vec<_> = scattered().iter().map(|(x, y)| (-x, -y)).collect();
        let turned = Line::through(&turned).expect("a line");
        assert!(near(turned.a, line.a) && near(turned.b, -line.b) && near(turned.sigma, line.sigma));
    }

    #[test]
    fn no_line_without_spread() {
        assert_eq!(Line::through(&[(1.0, 2.0), (2.0, 3.0)]), None);
        assert_eq!(Line::through(&[(1.0, 2.0), (1.0, 3.0), (1.0, 4.0)]), None);
        assert_eq!(Line::through(&[(1.0, 2.0), (2.0, 2.0), (3.0, 2.0)]), None);
    }

    #[test]
    fn quantiles_keep_their_promise() {
        let values: Vec<i32> = (1..=100).collect();
        assert_eq!([50, 90, 95, 99].map(|percent| quantile(&values, percent)), [50, 90, 95, 99]);
        assert_eq!(quantile(&[4, 9], 50), 4);
        assert_eq!(quantile(&[4, 9], 51), 9);
        assert_eq!(quantile(&[4], 99), 4);
    }
}
