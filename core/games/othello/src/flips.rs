//! Where the side to move can play, what each move turns, and the replies that it leaves.
//!
//! Discs are turned both ways along four lines, each line one lane of a vector. Going up in index, the first square of a ray that
//! is not the opponent's is the lowest bit left on it, up to which a subtraction reaches; going down, the mover's first disc is
//! that which no empty square is above, and a prefix smear finds all that lies below it. The rays of all squares are computed at
//! compile time.
//!
//! Moves are found in eight directions at once by parallel prefix; replies for one move after the other, so that the discs stay
//! in vector registers.

use crate::four::{Four, Word, fourfold, larger, meets, to_lowest, union};

/// The squares beyond a square along each line.
#[repr(align(64))]
struct Rays {
    up: [u64; 4],
    down: [u64; 4],
}

/// What is looked up by square.
struct Squares {
    rays: [Rays; 64],
    bits: [u64; 64],
}

static SQUARES: Squares = Squares { rays: rays(), bits: bits() };

/// Column and row change of one step up along each line of [`STEP`].
const DIRECTION: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 1), (1, 1)];

/// The squares on the board beyond a square in a direction, which is a change of column and row.
pub(super) const fn ray(square: usize, (dx, dy): (i32, i32)) -> u64 {
    let mut x = (square % 8) as i32 + dx;
    let mut y = (square / 8) as i32 + dy;
    let mut mask = 0;
    while x >= 0 && x < 8 && y >= 0 && y < 8 {
        mask |= 1 << (y * 8 + x);
        x += dx;
        y += dy;
    }
    mask
}

const fn rays() -> [Rays; 64] {
    let mut all = [const { Rays { up: [0; 4], down: [0; 4] } }; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 4 {
            let (dx, dy) = DIRECTION[line];
            all[square].up[line] = ray(square, (dx, dy));
            all[square].down[line] = ray(square, (-dx, -dy));
            line += 1;
        }
        square += 1;
    }
    all
}

const fn bits() -> [u64; 64] {
    let mut bits = [0; 64];
    let mut square = 0;
    while square < 64 {
        bits[square] = 1 << square;
        square += 1;
    }
    bits
}

/// The bit of the square of an index (0..=63), from where a vector register is filled at once.
#[inline(always)]
pub(super) fn bit(square: usize) -> u64 {
    SQUARES.bits[square]
}

/// The discs of `opponent` that turn when the owner of `player` plays on the empty square of index
/// `square` (0..=63); none if the move is illegal.
#[inline]
pub(super) fn flips(square: usize, player: u64, opponent: u64) -> u64 {
    turned(square, Four::splat(player), Four::splat(opponent)).bits()
}

/// The same of discs that are at hand in vector registers, each word four times.
#[inline(always)]
pub(super) fn turned(square: usize, mover: Four, other: Four) -> Word {
    let rays = &SQUARES.rays[square];

    let up = Four::new(rays.up);
    let reached = to_lowest(up & !other) & up;
    // Without the mover's disc it is what turns; if there is none, the ray ends otherwise and nothing does.
    let run = reached & !mover;
    let turned_up = run & !run.simd_eq(reached);

    let down = Four::new(rays.down);
    let ends = down & mover;
    let mut shadow = ends | (ends >> Four::new(STEP));
    shadow = shadow | (shadow >> Four::new(STEP.map(|step| 2 * step)));
    shadow = shadow | (shadow >> Four::new(STEP.map(|step| 4 * step)));
    let empty = (down & !other) ^ ends;
    let turned_down = down & !shadow & larger(ends, empty);
    union(turned_up | turned_down)
}

/// Distance between neighbouring squares along the four lines: row, column, the two diagonals.
pub(super) const STEP: [u64; 4] = [1, 8, 7, 9];

/// Discs that can be flipped along a line: a run must not wrap round the board's sides.
const INNER: [u64; 4] =
    [0x7E7E_7E7E_7E7E_7E7E, 0x00FF_FFFF_FFFF_FF00, 0x007E_7E7E_7E7E_7E00, 0x007E_7E7E_7E7E_7E00];

/// The squares on which the owner of `player` may play against `opponent`.
#[inline]
pub(super) fn mobility(player: u64, opponent: u64) -> u64 {
    union(reached(Four::splat(player), Four::splat(opponent))).bits() & !(player | opponent)
}

/// The squares behind the runs of `other` that begin at discs of `mover`, those of each line in a word of its own; the words of
/// `mover` and of `other` are alike. On the empty ones a move is legal.
#[inline(always)]
pub(super) fn reached(mover: Four, other: Four) -> Four {
    let inner = other & Four::new(INNER);
    let (one, two) = (Four::new(STEP), Four::new(STEP.map(|step| 2 * step)));
    // Runs double in length each time: 1, 2, then 4 and 6 discs. Shifts that check no bound are one instruction.
    let mut up = inner & mover.unbounded_shl(one);
    let mut down = inner & mover.unbounded_shr(one);
    up = up | (inner & up.unbounded_shl(one));
    down = down | (inner & down.unbounded_shr(one));
    let pairs_up = inner & inner.unbounded_shl(one);
    let pairs_down = pairs_up.unbounded_shr(one);
    up = up | (pairs_up & up.unbounded_shl(two));
    down = down | (pairs_down & down.unbounded_shr(two));
    up = up | (pairs_up & up.unbounded_shl(two));
    down = down | (pairs_down & down.unbounded_shr(two));
    up.unbounded_shl(one) | down.unbounded_shr(one)
}

/// Whether the owner of `player` may play at all.
#[inline]
pub(super) fn is_mobile(player: u64, opponent: u64) -> bool {
    can_move(Four::splat(player), Four::splat(opponent), Four::splat(!(player | opponent)))
}

/// The same of discs and empty squares that are at hand in vector registers. Nearly always a move that turns one disc tells.
#[inline(always)]
pub(super) fn can_move(mover: Four, other: Four, empty: Four) -> bool {
    let (inner, one) = (other & Four::new(INNER), Four::new(STEP));
    let up = (inner & mover.unbounded_shl(one)).unbounded_shl(one);
    let down = (inner & mover.unbounded_shr(one)).unbounded_shr(one);
    meets(up | down, empty) || meets(reached(mover, other), empty)
}

/// A board whose moves are looked at.
#[derive(Clone, Copy)]
pub(super) struct Looked {
    ours: Four,
    theirs: Four,
    empty: u64,
}

impl Looked {
    #[inline(always)]
    pub(super) fn new(player: u64, opponent: u64) -> Looked {
        let [ours, theirs] = [player, opponent].map(Four::splat);
        Looked { ours, theirs, empty: !(player | opponent) }
    }

    /// The discs that a legal move to the square of this index (0..=63) turns, and where the other side may then play.
    #[inline(always)]
    pub(super) fn after(self, square: usize) -> (u64, u64) {
        let Looked { ours, theirs, empty } = self;
        let word = turned(square, ours, theirs);
        let (all, placed) = (fourfold(word), bit(square));
        let reached = reached(theirs ^ all, ours | all | Four::splat(placed));
        let replies = union(reached).bits() & (empty ^ placed);
        (word.bits(), replies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::random_boards;
    use crate::board::squares;

    /// The rules read aloud: walk in each direction over opponent's discs to one of our own.
    fn naive(square: usize, player: u64, opponent: u64) -> u64 {
        let directions = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
        directions
            .filter(|&direction| direction != (0, 0))
            .map(|direction| walk(square, direction, player, opponent))
            .sum()
    }

    fn walk(square: usize, (dx, dy): (i32, i32), player: u64, opponent: u64) -> u64 {
        let (mut x, mut y) = ((square % 8) as i32 + dx, (square / 8) as i32 + dy);
        let mut run = 0;
        while (0..8).contains(&x) && (0..8).contains(&y) {
            let bit = 1u64 << (y * 8 + x);
            if opponent & bit == 0 {
                return if player & bit == 0 { 0 } else { run };
            }
            run |= bit;
            (x, y) = (x + dx, y + dy);
        }
        0
    }

    #[test]
    fn flips_and_mobility_equal_the_naive_walk() {
        for board in random_boards(4_000) {
            let (player, opponent) = (board.player, board.opponent);
            let mut legal = 0;
            for square in (0..64).filter(|square| (player | opponent) >> square & 1 == 0) {
                let expected = naive(square, player, opponent);
                assert_eq!(flips(square, player, opponent), expected, "{board:?} {square}");
                legal |= u64::from(expected != 0) << square;
            }
            assert_eq!(mobility(player, opponent), legal, "{board:?}");
            assert_eq!(is_mobile(player, opponent), legal != 0, "{board:?}");
        }
    }

    #[test]
    fn a_look_tells_what_playing_the_move_does() {
        for board in random_boards(2_000) {
            for square in squares(board.moves()) {
                let turned = board.flips(square);
                let expected = (turned, board.after(square, turned).moves());
                assert_eq!(
                    Looked::new(board.player, board.opponent).after(square.index()),
                    expected,
                    "{board:?} {square}"
                );
            }
        }
    }
}
