//! The order of moves in the solver: deep nodes ask the evaluation, the rest mobility and parity.
//!
//! Parity: the side that moves last in a region gains, so regions with an odd number of empty squares are entered first.
//! Regions are the four quadrants, the usual cheap stand-in for connected empty squares.

use super::Solver;
use super::table::{Known, key};
use crate::board::{Board, Square, quartered, squares};
use crate::position::Position;
use arrayvec::ArrayVec;
use secateur_core::game::Evaluation;

/// From this many empty squares on searches by the evaluation leave moves in their table.
pub(super) const GUESSED: u32 = 15;
/// More moves than any position has.
const MOST: usize = 34;
/// A move that leaves the opponent no disc comes first.
const WIPE_OUT: i32 = 1 << 29;

/// A move of a deep node and what it leads to.
pub(super) struct Child {
    value: i32,
    pub(super) square: u8,
    pub(super) key: u64,
    pub(super) board: Board,
}

/// The square of a move's index.
pub(super) fn named(index: u8) -> Square {
    Square::new(usize::from(index))
}

/// The moves of a deep node.
pub(super) type Children = ArrayVec<Child, MOST>;

/// A move of a middle node and what it leads to.
pub(super) struct Quick {
    pub(super) value: i32,
    pub(super) square: u8,
    pub(super) board: Board,
    pub(super) replies: u64,
}

/// The moves of a middle node.
pub(super) type Quicks = ArrayVec<Quick, MOST>;

/// Brings the best of the moves from `index` on to `index`: the one of the largest value.
#[inline]
pub(super) fn pick<T>(moves: &mut [T], index: usize, value: impl Fn(&T) -> i32) -> &T {
    let (mut best, mut most) = (index, value(&moves[index]));
    for (at, mv) in moves.iter().enumerate().skip(index + 1) {
        // Chosen and not jumped to: which of the moves is better cannot be foreseen.
        let is_better = value(mv) > most;
        best = std::hint::select_unpredictable(is_better, at, best);
        most = most.max(value(mv));
    }
    if best != index {
        moves.swap(index, best);
    }
    &moves[index]
}

/// Middle nodes: a reply that the opponent keeps, in the unit of [`WORTH`].
const QUICK_REPLY: i32 = 24;
/// Middle nodes: a move into an odd quadrant.
const QUICK_ODD: i32 = 6;
/// Deep nodes: a reply that the opponent keeps, in 1/100 disc. Far more than the evaluation makes of it,
/// because a small tree is worth as much as a good move.
const DEEP_REPLY: i32 = 300;
/// Deep nodes: a move into an odd quadrant, 1/100 disc.
const DEEP_ODD: i32 = 100;

/// Squares by worth: corner, then edge, the X and C squares last.
#[rustfmt::skip]
const WORTH: [i16; 64] = quartered([
    18,  4, 16, 12,
     4,  2,  6,  8,
    16,  6, 14, 10,
    12,  8, 10,  0,
]);

/// The moves of a middle node by what they leave the opponent, `odd` being the quadrants with an odd number of empty squares.
#[inline]
pub(super) fn quick_children(board: Board, moves: u64, odd: u64, list: &mut Quicks) {
    for square in squares(moves) {
        let after = board.play(square);
        let replies = after.moves();
        let value = if after.player == 0 {
            WIPE_OUT
        } else {
            let parity = if square.bit() & odd == 0 { 0 } else { QUICK_ODD };
            i32::from(WORTH[square.index() & 63]) + parity - QUICK_REPLY * Board::freedom(replies)
        };
        list.push(Quick { value, square: square.index() as u8, board: after, replies });
    }
}

/// The moves of a deep node and what they lead to, in no order yet, and without what the evaluation goes by: many a node is
/// left before it is asked.
pub(super) fn deep_children(search: &Solver, board: Board, moves: u64, empties: u32, list: &mut Children) {
    for square in squares(moves) {
        let board = board.play(square);
        let key = key(board);
        search.tables.prefetch(empties - 1, key);
        list.push(Child { value: 0, square: square.index() as u8, key, board });
    }
}

/// The move of a deep node that an earlier search thought best; 64 for none.
pub(super) fn remembered(search: &Solver, position: &Position, bounds: Option<Known>, empties: u32) -> u8 {
    match bounds {
        Some(Known { mv, .. }) if mv < 64 => mv,
        _ if empties < GUESSED => 64,
        _ => search.guessed(position),
    }
}

/// Ranks moves of a deep node by the evaluation of what they lead to and by mobility.
pub(super) fn rank(search: &mut Solver, position: &Position, empties: u32, children: &mut [Child]) {
    let odd = odd_quadrants(position.board().empty());
    let depth = sorting_depth(empties);
    for child in children {
        let replies = Board::freedom(child.board.moves());
        let parity = if 1 << child.square & odd == 0 { 0 } else { DEEP_ODD };
        child.value = if child.board.player == 0 {
            WIPE_OUT
        } else {
            let after = position.led_to(named(child.square), child.board);
            let score = match depth {
                0 => search.game.evaluate(&after).0,
                _ => search.guess_value(&after, depth, -6_400, 6_400),
            };
            parity - score - DEEP_REPLY * replies
        };
    }
}

/// Plies of search by which the moves of a deep node are ordered.
fn sorting_depth(empties: u32) -> i32 {
    match empties {
        0..=16 => 0,
        17..=19 => 1,
        20..=21 => 2,
        _ => 3,
    }
}

/// Brings the move that is searched next to `index`: the one remembered first, and then in the order of their ranks, which are
/// only found out if it is not enough.
#[inline]
pub(super) fn next<'a>(
    search: &mut Solver,
    position: &Position,
    empties: u32,
    children: &'a mut Children,
    index: usize,
    first: u8,
) -> &'a Child {
    if index == 0
        && let Some(at) = children.iter().position(|child| child.square == first)
    {
        children.swap(0, at);
        return &children[0];
    }
    if index == 0 || (index == 1 && children[0].square == first) {
        rank(search, position, empties, &mut children[index..]);
    }
    pick(children, index, |child| child.value)
}

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
    use crate::board::random_boards;

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
