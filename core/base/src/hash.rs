//! A stable 64-bit hash for names of content (position sets, and whatever else must be recognised later), and random numbers
//! that are as stable.
//!
//! The standard library's hasher promises nothing between releases, and a record is read years after it was
//! written. FNV-1a (Fowler, Noll & Vo 1991) is tiny and fixed. It finds changes; it stops no forger. SplitMix64 (Steele, Lea &
//! Flood 2014) is for samples, tests and hashes; it is no source of secrets.

/// FNV-1a with 64 bits, fed piece by piece.
#[derive(Clone, Copy, Debug)]
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Adds bytes.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Fnv {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        self
    }

    /// Adds bytes eight at a time, the last few filled up with zeros, and their number: another value than that of
    /// [`Fnv::bytes`], many times faster. For files of any size.
    pub fn words(&mut self, bytes: &[u8]) -> &mut Fnv {
        let (chunks, rest) = bytes.as_chunks();
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        for word in chunks.iter().chain([&last, &(bytes.len() as u64).to_le_bytes()]) {
            self.0 = (self.0 ^ u64::from_le_bytes(*word)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        self
    }

    /// Adds a text and an end mark, so that `"ab", "c"` differs from `"a", "bc"`.
    pub fn field(&mut self, text: &str) -> &mut Fnv {
        self.bytes(text.as_bytes()).bytes(&[0xff])
    }

    /// The hash so far.
    pub fn value(&self) -> u64 {
        self.0
    }

    /// The hash so far as 16 lower-case hex digits, the form used in files.
    pub fn hex(&self) -> String {
        format!("{:016x}", self.0)
    }
}

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

/// The halves of a 128-bit product, folded: a quick mixing step.
#[inline]
pub fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}

/// The finaliser: every bit depends on every bit of the value, which of [`Fnv`] the low ones do not.
#[inline]
pub fn mixed(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published test values of FNV-1a 64.
    #[test]
    fn known_values() {
        for (text, value) in
            [("", 0xcbf2_9ce4_8422_2325_u64), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8)]
        {
            assert_eq!(Fnv::default().bytes(text.as_bytes()).value(), value, "{text}");
        }
    }

    #[test]
    fn words_tell_every_change() {
        let hash = |bytes: &[u8]| Fnv::default().words(bytes).value();
        let text = b"nineteen bytes long";
        for at in 0..text.len() {
            let mut other = *text;
            other[at] ^= 1;
            assert_ne!(hash(&other), hash(text), "{at}");
            assert_ne!(hash(&text[..at]), hash(text), "{at}");
        }
        assert_ne!(hash(b"a"), hash(b"a\0"), "what is filled up is told");
    }

    #[test]
    fn field_boundaries_count() {
        let hash = |fields: &[&str]| {
            let mut fnv = Fnv::default();
            for field in fields {
                fnv.field(field);
            }
            fnv.hex()
        };
        assert_ne!(hash(&["ab", "c"]), hash(&["a", "bc"]));
        assert_ne!(hash(&["a", ""]), hash(&["a"]));
        assert_eq!(hash(&["a", "b"]).len(), 16);
    }

    /// The numbers of the generator's reference code (Vigna) for the seed 1234567.
    #[test]
    fn known_numbers() {
        let mut random = SplitMix(1_234_567);
        let drawn = [random.word(), random.word(), random.word()];
        assert_eq!(drawn, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }
}
