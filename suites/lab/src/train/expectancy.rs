//! The logistic function that makes a win expectancy of a value, the slope that suits values best, and the loss.

/// The logistic function.
pub(crate) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Cross-entropy of a score `target` (0 to 1) and the logistic function of `x`, in nats.
pub(crate) fn cross_entropy(x: f64, target: f64) -> f64 {
    // ln(1 + e^x) - target x, without overflow.
    x.max(0.0) + (-x.abs()).exp().ln_1p() - target * x
}

/// Slope at which the logistic function of the values predicts the scores best, per unit of a value: Newton's method.
pub(crate) fn slope(pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
    // Beyond this all is won, and a few mates must not decide.
    let pairs: Vec<(f64, f64)> =
        pairs.map(|(value, score)| (value.clamp(-1_500.0, 1_500.0), score)).collect();
    let mut k = 0.004;
    for _ in 0..20 {
        let (mut gradient, mut curvature) = (0.0, 1e-9);
        for &(value, score) in &pairs {
            let p = logistic(k * value);
            gradient += (p - score) * value;
            curvature += p * (1.0 - p) * value * value;
        }
        k = (k - gradient / curvature).clamp(1e-4, 0.1);
    }
    k
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_of_a_logistic_truth_is_found() {
        let pairs = (-300..300).map(|value| (f64::from(value), logistic(0.007 * f64::from(value))));
        assert!((slope(pairs) - 0.007).abs() < 1e-6);
        for x in [-900.0, -2.0, 0.0, 3.0, 900.0] {
            let p: f64 = logistic(x).clamp(1e-300, 1.0 - 1e-16);
            let plain = -0.3 * p.ln() - 0.7 * (1.0 - p).ln();
            assert!(x.abs() > 100.0 || (cross_entropy(x, 0.3) - plain).abs() < 1e-9);
            assert!(cross_entropy(x, 0.3).is_finite());
        }
    }
}
