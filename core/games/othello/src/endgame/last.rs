//! The last four empty squares, where most of a solver's time goes: no lists, no tables, no mobility.
//!
//! Moves are tried rather than generated, the square of a lone empty quadrant first, and the last disc is
//! not played but counted. All values are final disc differences, fail-soft in the null window
//! (`alpha`, `alpha + 1`).

use super::super::flips::flips;
use super::parity::quadrant;
use super::search::NONE;

/// Twice the discs that a move on place `x` of a full line turns, the mover's discs of the line given as
/// bits. What lies beyond a short line reads as the opponent's and so never closes a run.
static TURNED: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut x = 0;
    while x < 8 {
        let mut own = 0;
        while own < 256 {
            table[x][own] = 2 * (run(x, own, true) + run(x, own, false));
            own += 1;
        }
        x += 1;
    }
    table
};

/// Discs between place `x` and the mover's next disc on one side of it; none if there is no such disc.
const fn run(x: usize, own: usize, up: bool) -> u8 {
    let mut length = 0;
    let mut at = x;
    loop {
        if at == if up { 7 } else { 0 } {
            return 0;
        }
        at = if up { at + 1 } else { at - 1 };
        if own >> at & 1 == 1 {
            return length;
        }
        length += 1;
    }
}

/// Both diagonals through a square.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut all = [[0; 2]; 64];
    let mut square = 0usize;
    while square < 64 {
        let mut other = 0usize;
        while other < 64 {
            let dx = (other % 8) as i32 - (square % 8) as i32;
            let dy = (other / 8) as i32 - (square / 8) as i32;
            if dx == dy {
                all[square][0] |= 1 << other;
            }
            if dx == -dy {
                all[square][1] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    all
};

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

const COLUMN: u64 = 0x0101_0101_0101_0101;

/// Twice the discs turned by the owner of `player` on the only empty square.
#[inline]
fn twice_turned(square: usize, player: u64) -> i32 {
    let (x, y) = (square & 7, square >> 3 & 7);
    let [rising, falling] = DIAGONALS[square & 63];
    let row = (player >> (8 * y)) as u8;
    let column = (((player >> x) & COLUMN).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
    let rising = ((player & rising).wrapping_mul(COLUMN) >> 56) as u8;
    let falling = ((player & falling).wrapping_mul(COLUMN) >> 56) as u8;
    let along = &TURNED[x];
    let sum =
        along[row as usize] + TURNED[y][column as usize] + along[rising as usize] + along[falling as usize];
    i32::from(sum)
}

/// One empty square.
#[inline]
pub(super) fn last1(player: u64, square: usize) -> i32 {
    let own = 2 * player.count_ones() as i32 - 64;
    let turned = twice_turned(square, player);
    if turned != 0 {
        return own + 2 + turned;
    }
    let opponent = !player ^ 1 << square;
    match twice_turned(square, opponent) {
        // Nobody can move: the square goes to the winner.
        0 if own >= 0 => own + 2,
        0 => own,
        turned => own - turned,
    }
}

/// The flips of a move, none at once if no neighbour is the opponent's.
#[inline]
pub(super) fn tried(square: usize, player: u64, opponent: u64) -> u64 {
    if NEIGHBOURS[square & 63] & opponent == 0 { 0 } else { flips(square & 63, player, opponent) }
}

/// Two empty squares.
#[inline]
pub(super) fn last2(player: u64, opponent: u64, alpha: i32, squares: [usize; 2], nodes: &mut u64) -> i32 {
    *nodes += 1;
    let [a, b] = squares;
    let mut best = NONE;
    let turned = tried(a, player, opponent);
    if turned != 0 {
        best = -last1(opponent ^ turned, b);
        if best > alpha {
            return best;
        }
    }
    let turned = tried(b, player, opponent);
    if turned != 0 {
        return best.max(-last1(opponent ^ turned, a));
    }
    if best != NONE {
        return best;
    }
    *nodes += 1;
    let turned = tried(a, opponent, player);
    if turned != 0 {
        best = last1(player ^ turned, b);
        if best <= alpha {
            return best;
        }
    }
    let turned = tried(b, opponent, player);
    if turned != 0 {
        let value = last1(player ^ turned, a);
        return if best == NONE { value } else { best.min(value) };
    }
    if best != NONE {
        return best;
    }
    finished(player, opponent)
}

/// The result of a game without moves, empty squares to the winner.
pub(super) fn finished(player: u64, opponent: u64) -> i32 {
    let (own, other) = (player.count_ones() as i32, opponent.count_ones() as i32);
    let lead = own - other;
    lead + lead.signum() * (64 - own - other)
}

/// Three empty squares.
pub(super) fn last3(player: u64, opponent: u64, alpha: i32, squares: [usize; 3], nodes: &mut u64) -> i32 {
    let [a, b, c] = squares;
    // A square alone in its quadrant first.
    let order = if quadrant(a) == quadrant(b) {
        [c, a, b]
    } else if quadrant(a) == quadrant(c) {
        [b, a, c]
    } else {
        [a, b, c]
    };
    let value = three(player, opponent, alpha, order, nodes);
    if value != NONE {
        return value;
    }
    let value = three(opponent, player, -alpha - 1, order, nodes);
    if value == NONE { finished(player, opponent) } else { -value }
}

#[inline]
fn three(player: u64, opponent: u64, alpha: i32, [a, b, c]: [usize; 3], nodes: &mut u64) -> i32 {
    *nodes += 1;
    let mut best = NONE;
    for (square, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
        let turned = tried(square, player, opponent);
        if turned != 0 {
            let value = -last2(opponent ^ turned, player | turned | 1 << square, -alpha - 1, rest, nodes);
            best = best.max(value);
            if best > alpha {
                break;
            }
        }
    }
    best
}

/// Four empty squares, given in the order in which they are tried.
pub(super) fn last4(player: u64, opponent: u64, alpha: i32, squares: [usize; 4], nodes: &mut u64) -> i32 {
    let value = four(player, opponent, alpha, squares, nodes);
    if value != NONE {
        return value;
    }
    let value = four(opponent, player, -alpha - 1, squares, nodes);
    if value == NONE { finished(player, opponent) } else { -value }
}

#[inline]
fn four(player: u64, opponent: u64, alpha: i32, [a, b, c, d]: [usize; 4], nodes: &mut u64) -> i32 {
    *nodes += 1;
    let mut best = NONE;
    for (square, rest) in [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])] {
        let turned = tried(square, player, opponent);
        if turned != 0 {
            let value = -last3(opponent ^ turned, player | turned | 1 << square, -alpha - 1, rest, nodes);
            best = best.max(value);
            if best > alpha {
                break;
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::tests::random_boards;
    use crate::board::{Board, squares};

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
            let empty: Vec<usize> = squares(board.empty()).map(|square| square.index()).collect();
            let (p, o, mut nodes) = (board.player, board.opponent, 0);
            if empty.is_empty() || empty.len() > 4 {
                continue;
            }
            seen[empty.len()] += 1;
            let exact = minimax(board);
            for alpha in [exact - 2, exact - 1, exact, exact + 1, -64, 63] {
                let value = match *empty {
                    [a] => last1(p, a),
                    [a, b] => last2(p, o, alpha, [a, b], &mut nodes),
                    [a, b, c] => last3(p, o, alpha, [a, b, c], &mut nodes),
                    [a, b, c, d] => last4(p, o, alpha, [a, b, c, d], &mut nodes),
                    _ => unreachable!(),
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
}
