//! SplitMix64 (Steele, Lea & Flood 2014): the one source of chance in reports, always with a fixed seed.

use secateur_base::random::mixed;
use statrs::distribution::{ContinuousCDF, Normal};

/// Its state.
#[derive(Clone, Debug)]
pub struct SplitMix(pub u64);

impl SplitMix {
    /// The next number, of all 64-bit numbers equally often.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.word()) * n as u128) >> 64) as usize
    }

    /// Between 0 and 1, neither of them.
    pub fn uniform(&mut self) -> f64 {
        ((self.word() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// From the standard normal distribution.
    pub fn normal(&mut self) -> f64 {
        Normal::standard().inverse_cdf(self.uniform())
    }
}
