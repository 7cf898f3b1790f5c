//! The order in which moves are tried: what most of the node count hangs on.
//!
//! A move is judged by what it leaves the opponent: few moves, no corner, and from a few plies on a bad
//! evaluation. One ply from the horizon the looks of the square must do, since a child there costs as little as
//! a look ([`super::last`]). Weights were chosen by counting the nodes of full-width searches of 10 and 12 plies
//! on positions of 12 to 44 discs: counting replies two plies from the horizon saves two fifths of the nodes. What has
//! cut elsewhere, killers and history, is left out: it saved 1 % at most, and without it the order is a matter of the
//! position, so that it need not be known before the table's move has been tried. Only a host that does not want moves to
//! be looked at, as searches of the time of Buro 1995 did not, gets an order by them.

use super::board::Board;
use super::four::{Four, filled};
use super::pattern::{other, taken};
use super::position::Position;
use super::{Othello, scaled};
use crate::board::{Square, quartered};
use crate::flips::Looked;
use crate::weights::sum;
use secateur_core::game::{Hints, Scored};

/// From this many plies to the horizon on the opponent's replies are counted.
const REPLIES_FROM: i32 = 2;
/// From this many on the children are evaluated too.
const EVALUATED_FROM: i32 = 4;
/// The table's move comes first whatever else is known.
const TABLE_MOVE: i32 = 1 << 28;
/// One reply that the opponent keeps; a corner counts twice.
const REPLY: i32 = -256;
/// One disc that the opponent keeps, where nothing is evaluated.
const DISC: i32 = 100;
/// Hundredths of [`REPLY`]'s unit for 1/100 disc of the child's evaluation.
const EVALUATION: i32 = 160;

/// A move that cut in a sister node, where nothing is looked at.
const KILLER: i32 = 500;
/// History counters (within 16,384) are divided by this.
const HISTORY: i32 = 32;

/// What a square is worth by itself where nothing is looked at.
#[rustfmt::skip]
static ALONE: [i16; 64] = quartered([
    1000, -220,  160,   60,
    -220, -420,  -60,  -40,
     160,  -60,   40,   20,
      60,  -40,   20,    0,
]);

/// What a square is worth by itself next to a count of replies, in the unit of [`REPLY`].
#[rustfmt::skip]
static BESIDE_REPLIES: [i16; 64] = quartered([
    150, -33,  24,   9,
    -33, -63,  -9,  -6,
     24,  -9,   6,   3,
      9,  -6,   3,   0,
]);

/// Kinds of squares by their looks, the best first.
const KINDS: usize = 8;

/// The kind of each square: corner, edge from the A square on, the middle, B squares, C squares, X squares.
const KIND: [i16; 64] = quartered([0, 6, 1, 2, 6, 7, 5, 5, 1, 5, 3, 4, 2, 5, 4, 4]);

/// The squares of each kind.
const SQUARES: [u64; KINDS] = {
    let mut squares = [0; KINDS];
    let mut square = 0;
    while square < 64 {
        squares[KIND[square] as usize] |= 1 << square;
        square += 1;
    }
    squares
};

/// Gives every move its value.
#[inline]
pub(super) fn order(
    game: &Othello,
    position: &Position,
    hints: &Hints<'_, Square>,
    moves: &mut [Scored<Square>],
) {
    if moves.len() < 2 {
        return;
    }
    if hints.depth == 0 {
        without_looking(hints, moves);
    } else if hints.depth < REPLIES_FROM {
        moves.iter_mut().for_each(|scored| scored.value = -i32::from(KIND[scored.mv.index() & 63]));
    } else {
        let board = position.board();
        let looked = Looked::new(board.player, board.opponent);
        if hints.depth < EVALUATED_FROM {
            for scored in &mut *moves {
                let (turned, replies) = looked.after(scored.mv.index() & 63);
                scored.value = by_replies(scored.mv, board.opponent ^ turned, replies);
            }
        } else {
            let (table, seen) = (game.weights.table(board.discs() + 1), other(position.numbers()));
            for scored in &mut *moves {
                let square = scored.mv.index() & 63;
                let (turned, replies) = looked.after(square);
                let evaluation = -scaled(sum(table, taken(seen, square, turned))).0 * EVALUATION / 100;
                let looks = i32::from(BESIDE_REPLIES[square]);
                scored.value = looks + REPLY * Board::freedom(replies) + evaluation;
            }
        }
    }
    if let Some(table) = hints.table
        && let Some(scored) = moves.iter_mut().find(|scored| scored.mv == table)
    {
        scored.value = TABLE_MOVE;
    }
}

/// Gives every move a value by its square and what has cut elsewhere alone, as programs did before they counted replies.
fn without_looking(hints: &Hints<'_, Square>, moves: &mut [Scored<Square>]) {
    let killers = hints.killers.iter().flatten().fold(0, |set, killer| set | killer.bit());
    let history: &[i16; 64] = hints.history.first_chunk().expect("a counter for every square");
    for scored in moves {
        let index = scored.mv.index() & 63;
        let killer = (killers >> index & 1) as i32 * KILLER;
        scored.value = i32::from(ALONE[index]) + killer + i32::from(history[index]) / HISTORY;
    }
}

/// Value of a move to `square` two plies from the horizon that leaves the other side these discs and these replies.
#[inline(always)]
pub(super) fn by_replies(square: Square, discs: u64, replies: u64) -> i32 {
    let looks = i32::from(BESIDE_REPLIES[square.index() & 63]);
    looks + REPLY * Board::freedom(replies) + DISC * discs.count_ones() as i32
}

/// What [`rank`] adds for each square: the first of equals has the most.
static RANKS: [i32; 64] = {
    let mut ranks = [0; 64];
    let mut square = 0;
    while square < 64 {
        ranks[square] = BESIDE_REPLIES[square] as i32 * 64 + 63 - square as i32;
        square += 1;
    }
    ranks
};

/// A number that is the larger the earlier [`by_replies`] puts a move to the square of this index (0..=63) that turns these discs and
/// leaves these replies, within 2^20 of zero. What all moves of a node have alike is left out, and the lowest six bits are 63
/// less the square.
#[inline(always)]
pub(super) fn rank(square: usize, turned: u64, replies: u64) -> i32 {
    RANKS[square] + 64 * REPLY * Board::freedom(replies) - 64 * DISC * turned.count_ones() as i32
}

/// The squares, by index, of the moves of a node one ply from the horizon, in their order.
#[inline(always)]
pub(super) fn by_looks(moves: u64) -> impl Iterator<Item = usize> {
    // Which kinds there are is found for all at once: asking one after the other is what no processor foresees.
    const HALVES: [[u64; 4]; 2] =
        [[SQUARES[0], SQUARES[1], SQUARES[2], SQUARES[3]], [SQUARES[4], SQUARES[5], SQUARES[6], SQUARES[7]]];
    let [some, others] = HALVES.map(|half| filled(Four::splat(moves) & Four::new(half)));
    let mut kinds = some | others << 4;
    let mut set = 0;
    std::iter::from_fn(move || {
        if set == 0 {
            if kinds == 0 {
                return None;
            }
            set = moves & SQUARES[kinds.trailing_zeros() as usize % KINDS];
            kinds &= kinds - 1;
        }
        let square = set.trailing_zeros() as usize & 63;
        set &= set - 1;
        Some(square)
    })
}
