//! Where the side to move can play: eight directions at once by parallel prefix.
//!
//! Each of the four lines is one lane of a four-word array, both ways along it, so that the compiler turns
//! the loop into 256-bit vector code without any intrinsics.

/// Distance between neighbouring squares along the four lines: row, column, the two diagonals.
pub(super) const STEP: [u64; 4] = [1, 8, 7, 9];

/// Discs that can be flipped along a line: a run must not wrap round the board's sides.
const INNER: [u64; 4] =
    [0x7E7E_7E7E_7E7E_7E7E, 0x00FF_FFFF_FFFF_FF00, 0x007E_7E7E_7E7E_7E00, 0x007E_7E7E_7E7E_7E00];

/// The squares on which the owner of `player` may play against `opponent`.
#[must_use]
#[inline]
pub(super) fn mobility(player: u64, opponent: u64) -> u64 {
    let mut ends = [0u64; 4];
    for line in 0..4 {
        let step = STEP[line];
        let inner = opponent & INNER[line];
        // Runs double in length each time: 1, 2, then 4 and 6 discs.
        let mut up = inner & (player << step);
        let mut down = inner & (player >> step);
        up |= inner & (up << step);
        down |= inner & (down >> step);
        let pairs_up = inner & (inner << step);
        let pairs_down = inner & (inner >> step);
        up |= pairs_up & (up << (2 * step));
        down |= pairs_down & (down >> (2 * step));
        up |= pairs_up & (up << (2 * step));
        down |= pairs_down & (down >> (2 * step));
        ends[line] = (up << step) | (down >> step);
    }
    (ends[0] | ends[1] | ends[2] | ends[3]) & !(player | opponent)
}

/// All squares next to `discs`, diagonally too.
#[must_use]
#[inline]
pub(super) fn neighbours(discs: u64) -> u64 {
    const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
    const NOT_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let wide = discs | ((discs << 1) & NOT_A) | ((discs >> 1) & NOT_H);
    wide | (wide << 8) | (wide >> 8)
}
