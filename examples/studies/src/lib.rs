//! What several studies reckon alike (`noisy`, means), and the parts of those that are more than a file (`cuts`, `grades`). Any other
//! study is one file under `bin`.

pub mod cuts;
pub mod grades;
pub mod noisy;

/// The mean of observations, with the ends of its 95 % interval: 1.96 standard errors to either side.
pub fn mean_within(values: &[f64]) -> [f64; 3] {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    let half = 1.96 * (variance / count).sqrt();
    [mean, mean - half, mean + half]
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_interval_is_that_of_the_textbook() {
        let [mean, low, high] = super::mean_within(&[0.0, 1.0, 1.0, 0.5]);
        // Variance 11/48, its quarter 11/192.
        assert!(
            (mean - 0.625).abs() < 1e-12 && (high - mean - 1.96 * (11.0_f64 / 192.0).sqrt()).abs() < 1e-12
        );
        assert!((mean - low - (high - mean)).abs() < 1e-12);
    }
}
