//! The order in which moves are tried: what most of the node count hangs on.
//!
//! Far from the horizon a move is judged by what it leaves the opponent: few moves, few empty neighbours,
//! no corner. Close to it the looks of the square must do, since a child there costs as little as a look.

use super::board::Board;
use super::mobility::{mobility, neighbours};
use super::square::Square;
use crate::game::{Hints, Scored};

/// Below this many plies to the horizon only the square counts.
const LOOK_DEPTH: i32 = 2;
/// The table's move comes first whatever else is known.
const TABLE_MOVE: i32 = 1 << 28;
/// A move that cut in a sister node.
const KILLER: i32 = 300;
/// One reply that the opponent keeps; a corner counts twice.
const REPLY: i32 = -400;
/// One empty square next to the mover's discs, a reply to come.
const PROSPECT: i32 = -128;
/// History counters (within 16,384) are divided by this.
const HISTORY_SHARE: i32 = 200;

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// What a square is worth by itself, in the scale of [`REPLY`].
#[rustfmt::skip]
const SQUARE: [i16; 64] = {
    let quarter: [i16; 16] = [
        1000, -220,  160,   60,
        -220, -420,  -60,  -40,
         160,  -60,   40,   20,
          60,  -40,   20,    0,
    ];
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (x, y) = (square % 8, square / 8);
        let (x, y) = (if x < 4 { x } else { 7 - x }, if y < 4 { y } else { 7 - y });
        all[square] = quarter[y * 4 + x];
        square += 1;
    }
    all
};

/// Gives every move its value.
#[inline]
pub(super) fn order(board: Board, hints: &Hints<'_, Square>, moves: &mut [Scored<Square>]) {
    if moves.len() < 2 {
        return;
    }
    for scored in moves {
        let square = scored.mv;
        scored.value = if hints.table == Some(square) {
            TABLE_MOVE
        } else if hints.depth < LOOK_DEPTH {
            i32::from(SQUARE[square.index() & 63])
        } else {
            looked_at(board, square) + remembered(hints, square)
        };
    }
}

fn remembered(hints: &Hints<'_, Square>, square: Square) -> i32 {
    let killer = if hints.killers.contains(&Some(square)) { KILLER } else { 0 };
    let history = hints.history.get(square.index()).map_or(0, |&count| i32::from(count));
    killer + history / HISTORY_SHARE
}

fn looked_at(board: Board, square: Square) -> i32 {
    let after = board.after(square, board.flips(square));
    let replies = mobility(after.player, after.opponent);
    let prospects = neighbours(after.opponent) & after.empty();
    let count = replies.count_ones() + (replies & CORNERS).count_ones();
    REPLY * count as i32 + PROSPECT * prospects.count_ones() as i32 + i32::from(SQUARE[square.index() & 63])
}
