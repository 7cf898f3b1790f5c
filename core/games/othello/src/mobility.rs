//! Where the side to move can play: eight directions at once by parallel prefix.

use super::four::Four;

/// Distance between neighbouring squares along the four lines: row, column, the two diagonals.
pub(super) const STEP: [u64; 4] = [1, 8, 7, 9];

/// Discs that can be flipped along a line: a run must not wrap round the board's sides.
const INNER: [u64; 4] =
    [0x7E7E_7E7E_7E7E_7E7E, 0x00FF_FFFF_FFFF_FF00, 0x007E_7E7E_7E7E_7E00, 0x007E_7E7E_7E7E_7E00];

/// The squares on which the owner of `player` may play against `opponent`.
#[must_use]
#[inline]
pub(super) fn mobility(player: u64, opponent: u64) -> u64 {
    reached(Four::splat(player), Four::splat(opponent)).union() & !(player | opponent)
}

/// The squares behind the runs of `other` that begin at discs of `mover`, those of each line in a word of its own; the words of
/// `mover` and of `other` are alike. On the empty ones a move is legal.
#[must_use]
#[inline(always)]
pub(super) fn reached(mover: Four, other: Four) -> Four {
    let inner = other & Four::new(INNER);
    let (one, two) = (Four::new(STEP), Four::new(STEP.map(|step| 2 * step)));
    // Runs double in length each time: 1, 2, then 4 and 6 discs.
    let mut up = inner & (mover << one);
    let mut down = inner & (mover >> one);
    up = up | (inner & (up << one));
    down = down | (inner & (down >> one));
    let pairs_up = inner & (inner << one);
    let pairs_down = pairs_up >> one;
    up = up | (pairs_up & (up << two));
    down = down | (pairs_down & (down >> two));
    up = up | (pairs_up & (up << two));
    down = down | (pairs_down & (down >> two));
    (up << one) | (down >> one)
}

/// Whether the owner of `player` may play at all.
#[must_use]
#[inline]
pub(super) fn is_mobile(player: u64, opponent: u64) -> bool {
    can_move(Four::splat(player), Four::splat(opponent), Four::splat(!(player | opponent)))
}

/// The same of discs and empty squares that are at hand in vector registers. Nearly always a move that turns one disc tells.
#[must_use]
#[inline(always)]
pub(super) fn can_move(mover: Four, other: Four, empty: Four) -> bool {
    let (inner, one) = (other & Four::new(INNER), Four::new(STEP));
    let up = (inner & (mover << one)) << one;
    let down = (inner & (mover >> one)) >> one;
    (up | down).meets(empty) || reached(mover, other).meets(empty)
}
