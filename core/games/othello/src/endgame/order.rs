//! The order of moves in the solver: deep nodes ask the evaluation, the rest mobility and parity.

use super::super::board::{Board, squares};
use super::super::position::Position;
use super::super::square::quartered;
use super::parity::odd_quadrants;
use super::root::GUESSED;
use super::search::{Search, named};
use super::table::{Known, key};
use arrayvec::ArrayVec;
use secateur_core::game::Evaluation;

/// More moves than any position has.
const MOST: usize = 34;
/// A move that leaves the opponent no disc comes first.
const WIPE_OUT: i32 = 1 << 29;

/// A move with its place in the order.
pub(super) trait Ranked {
    /// Larger goes first.
    fn value(&self) -> i32;
}

/// A move of a deep node and what it leads to.
pub(super) struct Child {
    value: i32,
    pub(super) square: u8,
    pub(super) key: u64,
    pub(super) board: Board,
}

impl Ranked for Child {
    fn value(&self) -> i32 {
        self.value
    }
}

/// The moves of a deep node.
pub(super) type Children = ArrayVec<Child, MOST>;

/// A move of a middle node and what it leads to.
pub(super) struct Quick {
    value: i32,
    pub(super) square: u8,
    pub(super) board: Board,
    pub(super) replies: u64,
}

impl Ranked for Quick {
    #[inline]
    fn value(&self) -> i32 {
        self.value
    }
}

/// The moves of a middle node.
pub(super) type Quicks = ArrayVec<Quick, MOST>;

/// Brings the best of the moves from `index` on to `index`.
#[inline]
pub(super) fn pick<T: Ranked>(moves: &mut [T], index: usize) -> &T {
    let (mut best, mut most) = (index, moves[index].value());
    for (at, mv) in moves.iter().enumerate().skip(index + 1) {
        // Chosen and not jumped to: which of the moves is better cannot be foreseen.
        let is_better = mv.value() > most;
        best = std::hint::select_unpredictable(is_better, at, best);
        most = most.max(mv.value());
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
pub(super) fn deep_children(search: &Search, board: Board, moves: u64, empties: u32, list: &mut Children) {
    for square in squares(moves) {
        let board = board.play(square);
        let key = key(board);
        search.tables.prefetch(empties - 1, key);
        list.push(Child { value: 0, square: square.index() as u8, key, board });
    }
}

/// The move of a deep node that an earlier search thought best; 64 for none.
pub(super) fn remembered(search: &Search, position: &Position, bounds: Option<Known>, empties: u32) -> u8 {
    match bounds {
        Some(Known { mv, .. }) if mv < 64 => mv,
        _ if empties < GUESSED => 64,
        _ => search.guessed(position),
    }
}

/// Ranks moves of a deep node by the evaluation of what they lead to and by mobility.
pub(super) fn rank(search: &mut Search, position: &Position, empties: u32, children: &mut [Child]) {
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
    search: &mut Search,
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
    pick(children, index)
}
