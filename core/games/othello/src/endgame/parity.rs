//! Parity: the side that moves last in a region gains, so regions with an odd number of empty squares are
//! entered first. Regions are the four quadrants, the usual cheap stand-in for connected empty squares.

/// The quadrants: left and right below, left and right above.
const QUADRANTS: [u64; 4] =
    [0x0000_0000_0F0F_0F0F, 0x0000_0000_F0F0_F0F0, 0x0F0F_0F0F_0000_0000, 0xF0F0_F0F0_0000_0000];

/// The squares of the quadrants with an odd number of `empty` squares.
#[inline]
pub(super) fn odd_quadrants(empty: u64) -> u64 {
    // Fold each quadrant's parity into one bit: columns 0-3 and 4-7 first, then the rows.
    let mut fold = empty ^ (empty >> 16);
    fold ^= fold >> 8;
    fold ^= fold >> 2;
    fold ^= fold >> 1;
    let bit = |at: u32, mask: u64| mask & (fold >> at & 1).wrapping_neg();
    bit(0, QUADRANTS[0]) | bit(4, QUADRANTS[1]) | bit(32, QUADRANTS[2]) | bit(36, QUADRANTS[3])
}

/// The quadrant of a square: what changes its parity there changes none elsewhere.
#[inline]
pub(super) fn around(square: usize) -> u64 {
    QUADRANTS[quadrant(square)]
}

/// The squares of a set in the order in which they are tried: those of some region first, and of these the better ones.
#[inline]
pub(super) fn by_promise(set: u64, region: u64) -> [u64; 4] {
    /// The squares next to a corner.
    const WEAK: u64 = 0x42C3_0000_0000_C342;
    [set & region & !WEAK, set & region & WEAK, set & !region & !WEAK, set & !region & WEAK]
}

/// Number of the quadrant of a square, 0..4.
#[inline]
fn quadrant(square: usize) -> usize {
    (square >> 2 & 1) | (square >> 4 & 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::tests::random_boards;

    #[test]
    fn odd_quadrants_are_those_with_an_odd_count() {
        for board in random_boards(2_000) {
            let empty = board.empty();
            let naive =
                QUADRANTS.iter().filter(|&&q| (empty & q).count_ones() % 2 == 1).fold(0, |a, q| a | q);
            assert_eq!(odd_quadrants(empty), naive, "{empty:x}");
        }
    }

    #[test]
    fn every_square_is_in_its_quadrant() {
        for square in 0..64 {
            assert_ne!(QUADRANTS[quadrant(square)] >> square & 1, 0);
        }
    }
}
