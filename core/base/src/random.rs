//! SplitMix64 (Steele, Lea & Flood 2014): numbers that are the same on every machine and in every release, for samples, tests and
//! hashes. No source of secrets.

/// The generator; any state will do.
#[derive(Clone, Copy, Debug)]
pub struct SplitMix(pub u64);

impl SplitMix {
    /// The next 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// A number below `bound`, which is to be small next to 2^64: it is a remainder.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }
}

/// The finaliser: every bit depends on every bit of the value, which of [`Fnv`](crate::Fnv) the low ones do not.
#[must_use]
#[inline]
pub fn mixed(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the generator's reference code (Vigna) for the seed 1234567.
    #[test]
    fn known_values() {
        let mut random = SplitMix(1_234_567);
        let drawn = [random.word(), random.word(), random.word()];
        assert_eq!(drawn, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }
}
