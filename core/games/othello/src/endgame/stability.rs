//! Discs that can never be turned again, and the bound that they put on the result.
//!
//! A lower estimate: stable discs of the edges from a table of all edges, discs whose four lines are full,
//! and whatever these protect. If the opponent has `s` of them, the side to move ends at most at `64 - 2s`.

use super::super::flips::flips;
use super::super::four::Four;
use crate::flips::STEP;
use std::sync::OnceLock;

/// The edge discs of either owner that no sequence of moves on the edge turns, by the discs of player and
/// opponent on the edge.
pub(super) struct Edges(Vec<u8>);

impl Edges {
    /// The table, computed once.
    pub(super) fn get() -> &'static Edges {
        static EDGES: OnceLock<Edges> = OnceLock::new();
        EDGES.get_or_init(Edges::new)
    }

    fn new() -> Edges {
        let mut table = vec![0; 1 << 16];
        // Fuller edges first, since a move leads to one of them.
        let mut edges: Vec<(u8, u8)> = (0..=u8::MAX)
            .flat_map(|player| (0..=u8::MAX).map(move |opponent| (player, opponent)))
            .filter(|(player, opponent)| player & opponent == 0)
            .collect();
        edges.sort_by_key(|(player, opponent)| (player | opponent).count_zeros());
        for (player, opponent) in edges {
            let mut stable = player | opponent;
            for square in (0..8).filter(|square| (player | opponent) >> square & 1 == 0) {
                for (mover, other) in [(player, opponent), (opponent, player)] {
                    // Row 1 of a board is an edge; whether the move is legal depends on the rest of the
                    // board, so it must be reckoned with even if it turns nothing here.
                    let turned = flips(square, u64::from(mover), u64::from(other)) as u8;
                    let (mover, other) = (mover | turned | 1 << square, other & !turned);
                    stable &= !turned & table[place(mover, other)];
                }
            }
            table[place(player, opponent)] = stable & (player | opponent);
        }
        Edges(table)
    }

    fn row(&self, player: u8, opponent: u8) -> u8 {
        self.0[place(player, opponent)]
    }
}

/// Symmetric in the owners, so that a table for both sides is one table.
fn place(player: u8, opponent: u8) -> usize {
    usize::from(player) << 8 | usize::from(opponent)
}

const A_FILE: u64 = 0x0101_0101_0101_0101;
const H_FILE: u64 = A_FILE << 7;
const ROWS_1_8: u64 = 0xFF00_0000_0000_00FF;
const INNER: u64 = 0x007E_7E7E_7E7E_7E00;

/// The discs of column `x` as bits, row 1 lowest.
#[inline]
fn column(discs: u64, x: u32) -> u8 {
    (((discs >> x) & A_FILE).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// Bits of a row as the squares of column a.
#[inline]
fn upright(row: u8) -> u64 {
    let low = u64::from(row & 0x7F).wrapping_mul(0x0002_0408_1020_4081) & A_FILE;
    low | u64::from(row & 0x80) << 49
}

/// For steps of one, two and four squares along each line of [`STEP`], the squares from which a step down leaves the board, and
/// those from which one up does.
const OUTSIDE: [[[u64; 4]; 2]; 3] = {
    let mut outside = [[[0; 4]; 2]; 3];
    let mut reach = 0;
    while reach < 3 {
        let (mut square, length) = (0, 1 << reach);
        while square < 64 {
            let (x, y) = (square % 8, square / 8);
            let [left, below, right, above] = [x < length, y < length, x + length > 7, y + length > 7];
            let downwards = [left, below, right || below, left || below];
            let upwards = [right, above, left || above, right || above];
            let mut line = 0;
            while line < 4 {
                outside[reach][0][line] |= (downwards[line] as u64) << square;
                outside[reach][1][line] |= (upwards[line] as u64) << square;
                line += 1;
            }
            square += 1;
        }
        reach += 1;
    }
    outside
};

/// The squares on full lines, for the lines of [`STEP`]. Beyond the board counts as occupied.
#[inline]
fn full_lines(discs: u64) -> [u64; 4] {
    let mut full = Four::splat(discs);
    for (reach, [below, above]) in OUTSIDE.into_iter().enumerate() {
        // What is full as far as one, three and then seven squares away.
        let step = Four::new(STEP.map(|step| step << reach));
        full = full & (full << step | Four::new(below)) & (full >> step | Four::new(above));
    }
    full.to_array()
}

/// Discs of `discs` that can never be turned, `other` being the other side's.
fn stable(edges: &Edges, discs: u64, other: u64) -> u64 {
    let mut stable = edge_stable(edges, discs, other) & discs;
    let [rows, columns, falling, rising] = full_lines(discs | other);
    stable |= discs & rows & columns & falling & rising;
    if stable == 0 {
        return 0;
    }
    let candidates = discs & INNER;
    loop {
        let next = (rows | stable << 1 | stable >> 1)
            & (columns | stable << 8 | stable >> 8)
            & (falling | stable << 7 | stable >> 7)
            & (rising | stable << 9 | stable >> 9)
            & candidates;
        if next & !stable == 0 {
            return stable;
        }
        stable |= next;
    }
}

#[inline]
fn edge_stable(edges: &Edges, discs: u64, other: u64) -> u64 {
    let bottom = edges.row(discs as u8, other as u8);
    let top = edges.row((discs >> 56) as u8, (other >> 56) as u8);
    let left = edges.row(column(discs, 0), column(other, 0));
    let right = edges.row(column(discs, 7), column(other, 7));
    u64::from(bottom) | u64::from(top) << 56 | upright(left) | upright(right) << 7
}

/// The most that the side to move can still reach by what is stable of the opponent, if it is no more than `alpha`.
#[inline]
pub(super) fn ceiling(edges: &Edges, player: u64, opponent: u64, alpha: i32) -> Option<i32> {
    const CORNERS: u64 = ROWS_1_8 & (A_FILE | H_FILE);
    // Without a corner or a full edge there is hardly anything stable, and with so few discs never enough.
    if opponent & CORNERS == 0 || most(opponent) > alpha {
        return None;
    }
    let bound = most(stable(edges, opponent, player));
    (bound <= alpha).then_some(bound)
}

/// What is left of the board if these discs stay the other side's, in final discs.
#[inline]
fn most(stable: u64) -> i32 {
    64 - 2 * stable.count_ones() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::squares;
    use crate::board::{Random, random_boards};

    #[test]
    fn stable_discs_stay_whatever_is_played() {
        let (edges, mut random, mut count) = (Edges::get(), Random(11), 0);
        for start in random_boards(6_000) {
            let mut board = start;
            let player = stable(edges, board.player, board.opponent);
            let other = stable(edges, board.opponent, board.player);
            assert_eq!((player & !board.player, other & !board.opponent), (0, 0));
            count += (player | other).count_ones();
            let mut turned = false;
            loop {
                let (a, b) =
                    if turned { (board.opponent, board.player) } else { (board.player, board.opponent) };
                assert_eq!((player & !a, other & !b), (0, 0), "{start:?} {board:?}");
                let moves: Vec<_> = squares(board.moves()).collect();
                board = match moves.len() {
                    0 if board.replies() == 0 => break,
                    0 => board.passed(),
                    count => board.play(moves[random.below(count)]),
                };
                turned = !turned;
            }
        }
        assert!(count > 20_000, "{count}");
    }

    #[test]
    fn full_lines_are_full() {
        for board in random_boards(3_000) {
            let discs = !board.empty();
            let full = full_lines(discs);
            for square in 0..64i32 {
                let lines = [(1, 0), (0, 1), (-1, 1), (1, 1)].map(|(dx, dy)| {
                    (-7..=7).all(|k| {
                        let (x, y) = (square % 8 + k * dx, square / 8 + k * dy);
                        let outside = !(0..8).contains(&x) || !(0..8).contains(&y);
                        outside || discs >> (y * 8 + x) & 1 == 1
                    })
                });
                assert_eq!(full.map(|line| line >> square & 1 == 1), lines, "{discs:x} {square}");
            }
        }
    }

    #[test]
    fn a_full_edge_and_a_corner_are_stable() {
        let edges = Edges::get();
        assert_eq!(edges.row(0b1111_0000, 0b0000_1111), 0xFF);
        assert_eq!(edges.row(0b0000_0001, 0), 1);
        assert_eq!(edges.row(0b0000_0010, 0), 0);
        assert_eq!(stable(edges, 0b11, 0), 0b11);
    }
}
