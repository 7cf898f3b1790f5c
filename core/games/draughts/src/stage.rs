//! Stages of a game by pieces, and in its second half by kings.

use super::board::Board;

/// Names in the order of a game: `k` where there are kings.
pub(crate) const NAMES: &[&str] = &["p21-24", "p17-20", "p13-16", "p09-12", "p09-12k", "p02-08", "p02-08k"];

#[inline]
pub(crate) fn stage(board: &Board) -> usize {
    let kings = usize::from(board.kings != 0);
    match board.pieces() {
        21.. => 0,
        17..=20 => 1,
        13..=16 => 2,
        9..=12 => 3 + kings,
        _ => 5 + kings,
    }
}
