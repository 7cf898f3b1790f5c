//! Squares, which are also the moves of Othello.
//!
//! Index 0 is a1, 7 is h1, 63 is h8: the order in which positions are written. A forced pass is a move too,
//! so it gets an index of its own.

use std::fmt;

/// One value a square from those of the corner's quarter (a1 to d1, then a2 ...): all four quarters are alike.
pub(super) const fn quartered(quarter: [i16; 16]) -> [i16; 64] {
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (x, y) = (square % 8, square / 8);
        let (x, y) = (if x < 4 { x } else { 7 - x }, if y < 4 { y } else { 7 - y });
        all[square] = quarter[y * 4 + x];
        square += 1;
    }
    all
}

/// A square, or the pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The forced pass.
    pub const PASS: Square = Square(64);
    /// Number of values, the pass included.
    pub const COUNT: usize = 65;

    /// The square of an index in 0..=64 (64 is the pass); larger ones wrap to the pass.
    #[must_use]
    #[inline]
    pub const fn new(index: usize) -> Square {
        if index < 64 { Square(index as u8) } else { Square::PASS }
    }

    /// Its index, 0..=64.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The bit of the square; none for the pass.
    #[must_use]
    #[inline]
    pub const fn bit(self) -> u64 {
        if self.0 < 64 { 1 << self.0 } else { 0 }
    }

    /// Reads `d3`, `D3`, `pass`, `pa`, `ps` or `--`.
    #[must_use]
    pub fn read(text: &str) -> Option<Square> {
        match text.to_ascii_lowercase().as_bytes() {
            b"pass" | b"pa" | b"ps" | b"--" => Some(Square::PASS),
            &[column @ b'a'..=b'h', row @ b'1'..=b'8'] => Some(Square((row - b'1') * 8 + (column - b'a'))),
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Square::PASS {
            return f.write_str("pass");
        }
        write!(f, "{}{}", char::from(b'a' + self.0 % 8), self.0 / 8 + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_is_read_back() {
        for index in 0..Square::COUNT {
            let square = Square::new(index);
            assert_eq!(Square::read(&square.to_string()), Some(square));
        }
        assert_eq!(Square::read("d3").map(Square::index), Some(19));
    }

    #[test]
    fn nonsense_is_no_square() {
        for text in ["", "i1", "a0", "a9", "a", "a1b", "é"] {
            assert_eq!(Square::read(text), None, "{text}");
        }
    }
}
