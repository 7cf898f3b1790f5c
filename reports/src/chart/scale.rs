//! Logarithmic axes, which several pictures share.

/// A logarithmic axis over positive values.
#[derive(Clone, Copy, Debug)]
pub struct Log {
    low: f64,
    high: f64,
}

impl Log {
    /// The decades, or parts of them, that hold all finite positive values; 1 to 10 without any.
    #[must_use]
    pub fn around(values: impl Iterator<Item = f64>) -> Log {
        let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
        for value in values.filter(|value| value.is_finite() && *value > 0.0) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            return Log { low: 1.0, high: 10.0 };
        }
        Log { low: low / 1.1, high: (high * 1.1).max(low * 2.0) }
    }

    /// The least and the greatest value.
    pub(crate) fn ends(self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// Where a value is, from 0 to 1.
    #[must_use]
    pub fn share(self, value: f64) -> f64 {
        (value.ln() - self.low.ln()) / (self.high.ln() - self.low.ln())
    }

    /// Round values on the axis, at most about eight.
    #[must_use]
    pub fn ticks(self) -> Vec<f64> {
        let decades = (self.high / self.low).log10();
        let steps: &[f64] = match decades {
            d if d < 1.2 => &[1.0, 1.5, 2.0, 3.0, 5.0, 7.0],
            d if d < 3.0 => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
        let first = self.low.log10().floor() as i32;
        let last = self.high.log10().ceil() as i32;
        let stride = if decades > 8.0 { 2 } else { 1 };
        (first..=last)
            .step_by(stride)
            .flat_map(|power| steps.iter().map(move |step| step * 10_f64.powi(power)))
            .filter(|tick| (self.low..=self.high).contains(tick))
            .collect()
    }
}

/// A number on an axis: `2M`, `50k`, `0.5`.
#[must_use]
pub fn short(value: f64) -> String {
    let (scaled, unit) = match value {
        v if v >= 1e9 => (v / 1e9, "G"),
        v if v >= 1e6 => (v / 1e6, "M"),
        v if v >= 1e3 => (v / 1e3, "k"),
        v => (v, ""),
    };
    let text = format!("{scaled:.2}");
    format!("{}{unit}", text.trim_end_matches('0').trim_end_matches('.'))
}
