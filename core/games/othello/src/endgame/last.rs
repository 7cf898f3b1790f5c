//! The last four empty squares, where most of a solver's time goes: no lists, no tables, no mobility.
//!
//! Moves are tried rather than generated, the square of a lone empty quadrant first, and the last disc is
//! not played but counted. The discs stay in vector registers from node to node, where moves are worked out. All values
//! are final disc differences, fail-soft in the null window (`alpha`, `alpha + 1`).
//!
//! To count what the last disc turns, the mover's discs on each of the four lines through
//! the square are gathered into a number, which a table answers. BMI2, which the build asks for on x86-64, has an instruction
//! that gathers; elsewhere products do.

use super::order::{around, by_promise};
use crate::board::Board;
use crate::flips;
use crate::four::{Word, fourfold};

/// No move was found: below every score.
pub(super) const NONE: i32 = -127;

/// The neighbours of a square: a move turns nothing unless one of them is the opponent's.
static NEIGHBOURS: [u64; 64] = {
    let mut all = [0; 64];
    let mut square = 0usize;
    while square < 64 {
        let mut other = 0usize;
        while other < 64 {
            let dx = (other % 8) as i32 - (square % 8) as i32;
            let dy = (other / 8) as i32 - (square / 8) as i32;
            if other != square && dx.abs() <= 1 && dy.abs() <= 1 {
                all[square] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    all
};

/// One empty square.
#[inline]
pub(super) fn last1(player: u64, alpha: i32, square: usize) -> i32 {
    let balance = 2 * player.count_ones() as i32 - 64;
    let turned = twice_turned(square, player);
    if turned != 0 {
        return balance + 2 + turned;
    }
    // If the other side cannot move either, the square goes to the winner. The other side can only make that worse.
    let most = if balance >= 0 { balance + 2 } else { balance };
    if most <= alpha {
        return most;
    }
    match twice_turned(square, !player ^ 1 << square) {
        0 => most,
        turned => balance - turned,
    }
}

/// The discs that a move turns, none at once if no neighbour is the opponent's; none at all if it is illegal.
#[inline(always)]
pub(super) fn tried(square: usize, player: Word, opponent: Word) -> Option<Word> {
    if NEIGHBOURS[square & 63] & opponent.bits() == 0 {
        return None;
    }
    let turned = flips::turned(square & 63, fourfold(player), fourfold(opponent));
    (turned.bits() != 0).then_some(turned)
}

/// The discs after a move, of the side to move then and of the other.
#[inline(always)]
pub(super) fn played(square: usize, turned: Word, player: Word, opponent: Word) -> (Word, Word) {
    (opponent ^ turned, player ^ (turned | Word::new(1 << (square & 63))))
}

/// Squares in the order in which they are tried, a byte each, the first lowest. A number stays in a register, where a list is
/// written to memory and read back.
pub(super) type Squares = u32;

#[inline(always)]
fn at(squares: Squares, place: u32) -> usize {
    (squares >> (8 * place) & 63) as usize
}

/// The squares but for that at one place.
#[inline(always)]
fn without(squares: Squares, place: u32) -> Squares {
    let before = (1 << (8 * place)) - 1;
    squares & before | squares >> 8 & !before
}

/// Two empty squares.
#[inline]
pub(super) fn last2(player: Word, opponent: Word, alpha: i32, squares: Squares, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let (a, b) = (at(squares, 0), at(squares, 1));
    let mut best = NONE;
    if let Some(turned) = tried(a, player, opponent) {
        best = -last1((opponent ^ turned).bits(), -alpha - 1, b);
        if best > alpha {
            return best;
        }
    }
    if let Some(turned) = tried(b, player, opponent) {
        return best.max(-last1((opponent ^ turned).bits(), -alpha - 1, a));
    }
    if best != NONE {
        return best;
    }
    *nodes += 1;
    if let Some(turned) = tried(a, opponent, player) {
        best = last1((player ^ turned).bits(), alpha, b);
        if best <= alpha {
            return best;
        }
    }
    if let Some(turned) = tried(b, opponent, player) {
        let value = last1((player ^ turned).bits(), alpha, a);
        return if best == NONE { value } else { best.min(value) };
    }
    if best != NONE {
        return best;
    }
    finished(player, opponent)
}

/// The result of a game without moves, empty squares to the winner.
pub(super) fn finished(player: Word, opponent: Word) -> i32 {
    Board { player: player.bits(), opponent: opponent.bits() }.result()
}

/// Three empty squares: one that is alone in its quadrant is the first.
pub(super) fn last3(player: Word, opponent: Word, alpha: i32, squares: Squares, nodes: &mut u64) -> i32 {
    let value = three(player, opponent, alpha, squares, nodes);
    if value != NONE {
        return value;
    }
    let value = three(opponent, player, -alpha - 1, squares, nodes);
    if value == NONE { finished(player, opponent) } else { -value }
}

#[inline]
fn three(player: Word, opponent: Word, alpha: i32, squares: Squares, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let mut best = NONE;
    for place in 0..3 {
        let square = at(squares, place);
        if let Some(turned) = tried(square, player, opponent) {
            let (after, other) = played(square, turned, player, opponent);
            best = best.max(-last2(after, other, -alpha - 1, without(squares, place), nodes));
            if best > alpha {
                break;
            }
        }
    }
    best
}

/// Four empty squares, `odd` being the quadrants with an odd number of them.
pub(super) fn last4(player: Word, opponent: Word, alpha: i32, empty: u64, odd: u64, nodes: &mut u64) -> i32 {
    let near = around(empty.trailing_zeros() as usize);
    let is_paired = empty & odd == 0;
    // So that, whichever goes first, the others are in the order in which they are tried then.
    let region = if is_paired {
        near
    } else if empty & !odd != 0 {
        odd
    } else if (empty & near).is_power_of_two() {
        near
    } else {
        !near
    };
    let squares = packed(by_promise(empty, region));
    let value = four(player, opponent, alpha, squares, is_paired, nodes);
    if value != NONE {
        return value;
    }
    let value = four(opponent, player, -alpha - 1, squares, is_paired, nodes);
    if value == NONE { finished(player, opponent) } else { -value }
}

#[inline]
fn four(player: Word, opponent: Word, alpha: i32, squares: Squares, is_paired: bool, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let mut best = NONE;
    for place in 0..4 {
        let square = at(squares, place);
        if let Some(turned) = tried(square, player, opponent) {
            let (after, other) = played(square, turned, player, opponent);
            let mut others = without(squares, place);
            if is_paired && place >= 2 {
                // The one that is left alone goes to the front.
                others = others >> 16 | others << 8 & 0xFF_FFFF;
            }
            best = best.max(-last3(after, other, -alpha - 1, others, nodes));
            if best > alpha {
                break;
            }
        }
    }
    best
}

/// The squares of sets with at most four, one set after the other.
#[inline]
pub(super) fn packed(sets: [u64; 4]) -> Squares {
    let (mut squares, mut place) = (0, 0);
    for mut set in sets {
        while set != 0 {
            squares |= set.trailing_zeros() << (place & 31);
            place += 8;
            set &= set - 1;
        }
    }
    squares
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
pub(super) use by_products::twice_turned;
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
pub(super) use gathered::twice_turned;

/// Twice the discs that a move on a place of a full line turns, by the mover's discs of the line as bits. What lies beyond a short
/// line reads as the opponent's and so never closes a run.
static TURNED: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut x = 0;
    while x < 8 {
        let mut discs = 0;
        while discs < 256 {
            table[x][discs] = 2 * (run(x, discs, true) + run(x, discs, false));
            discs += 1;
        }
        x += 1;
    }
    table
};

/// Discs between place `x` and the mover's next disc on one side of it; none if there is no such disc.
const fn run(x: usize, discs: usize, up: bool) -> u8 {
    let mut length = 0;
    let mut at = x;
    loop {
        if at == if up { 7 } else { 0 } {
            return 0;
        }
        at = if up { at + 1 } else { at - 1 };
        if discs >> at & 1 == 1 {
            return length;
        }
        length += 1;
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
mod gathered {
    use super::TURNED;
    use crate::flips::ray;
    use std::arch::x86_64::_pext_u64;

    /// The lines through a square: row, column and both diagonals.
    struct Lines {
        squares: [u64; 4],
        /// What the square's place on each turns.
        turned: [&'static [u8; 256]; 4],
    }

    static LINES: [Lines; 64] = {
        const UP: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];
        let mut all = [const { Lines { squares: [0; 4], turned: [&TURNED[0]; 4] } }; 64];
        let mut square = 0;
        while square < 64 {
            let mut line = 0;
            while line < 4 {
                let (dx, dy) = UP[line];
                let below = ray(square, (-dx, -dy));
                all[square].squares[line] = below | 1 << square | ray(square, (dx, dy));
                all[square].turned[line] = &TURNED[below.count_ones() as usize];
                line += 1;
            }
            square += 1;
        }
        all
    };

    /// Twice the discs turned by the owner of `player` on the only empty square.
    #[inline]
    pub(crate) fn twice_turned(square: usize, player: u64) -> i32 {
        let Lines { squares, turned } = &LINES[square & 63];
        let mut sum = 0;
        for (&line, turned) in squares.iter().zip(turned) {
            // SAFETY: this module is only there if every processor that the program is for has BMI2.
            let bits = unsafe { _pext_u64(player, line) };
            // A line has eight squares at most, and at most 18 discs turn.
            sum += turned[usize::from(bits as u8)];
        }
        i32::from(sum)
    }
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
mod by_products {
    use super::TURNED;
    use crate::flips::ray;

    /// Both diagonals through a square.
    static DIAGONALS: [[u64; 2]; 64] = {
        let mut all = [[0; 2]; 64];
        let mut square = 0;
        while square < 64 {
            all[square] = [
                1 << square | ray(square, (1, 1)) | ray(square, (-1, -1)),
                1 << square | ray(square, (-1, 1)) | ray(square, (1, -1)),
            ];
            square += 1;
        }
        all
    };

    const COLUMN: u64 = 0x0101_0101_0101_0101;

    /// Twice the discs turned by the owner of `player` on the only empty square.
    #[inline]
    pub(crate) fn twice_turned(square: usize, player: u64) -> i32 {
        let (x, y) = (square & 7, square >> 3 & 7);
        let row = player >> (8 * y) & 0xFF;
        let column = ((player >> x) & COLUMN).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        let [rising, falling] =
            DIAGONALS[square & 63].map(|diagonal| (player & diagonal).wrapping_mul(COLUMN) >> 56);
        let along = |place: usize, bits: u64| TURNED[place][usize::from(bits as u8)];
        i32::from(along(x, row) + along(y, column) + along(x, rising) + along(x, falling))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::squares;
    use crate::board::{Random, random_boards};
    use crate::endgame::order::odd_quadrants;
    use crate::flips::flips;

    fn minimax(board: Board) -> i32 {
        match board.moves() {
            0 if board.replies() == 0 => board.result(),
            0 => -minimax(board.passed()),
            moves => squares(moves).map(|square| -minimax(board.play(square))).max().unwrap_or(0),
        }
    }

    #[test]
    fn last_empties_agree_with_minimax_in_every_null_window() {
        let mut seen = [0; 5];
        for board in random_boards(60_000) {
            let (empty, mut nodes) = (board.empty(), 0);
            let (p, o) = (Word::new(board.player), Word::new(board.opponent));
            let count = empty.count_ones() as usize;
            if !(1..=4).contains(&count) {
                continue;
            }
            seen[count] += 1;
            let order = packed([empty, 0, 0, 0]);
            let exact = minimax(board);
            for alpha in [exact - 2, exact - 1, exact, exact + 1, -64, 63] {
                let value = match count {
                    1 => last1(board.player, alpha, at(order, 0)),
                    2 => last2(p, o, alpha, order, &mut nodes),
                    3 => last3(p, o, alpha, order, &mut nodes),
                    _ => last4(p, o, alpha, empty, odd_quadrants(empty), &mut nodes),
                };
                if value > alpha {
                    assert!(value <= exact, "{board:?} {alpha} {value} {exact}");
                } else {
                    assert!(value >= exact, "{board:?} {alpha} {value} {exact}");
                }
            }
        }
        assert!(seen[1..].iter().all(|&count| count > 500), "{seen:?}");
    }

    #[test]
    fn every_way_counts_the_discs_that_turn() {
        let mut random = Random(5);
        for _ in 0..20_000 {
            let square = random.below(64);
            // Boards of either few or many of the mover's discs, so that runs of all lengths are closed.
            let word = |random: &mut Random| random.below(usize::MAX) as u64;
            let (one, other) = (word(&mut random), word(&mut random));
            let player = [one & other, one, one | other][random.below(3)] & !(1 << square);
            let opponent = !player & !(1 << square);
            let turned = 2 * flips(square, player, opponent).count_ones() as i32;
            assert_eq!(twice_turned(square, player), turned, "{player:x} {square}");
            assert_eq!(by_products::twice_turned(square, player), turned, "{player:x} {square}");
        }
    }
}
