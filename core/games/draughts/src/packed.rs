//! A move in 16 bits, which needs no board to be read.
//!
//! A jumping piece comes to eight squares only, which nine jumps join. So a capture is its first square and the set of the
//! jumps made, nine bits: where it ends follows, because every other square is left as often as it is reached. Two ways round
//! that take the same pieces are one move, and two captures between the same squares that take others are two.

use super::board::{Move, SQUARES, bit, square};

/// Marks a step.
const STEP: u16 = 1 << 15;
/// Squares joined by jumps, and jumps between them.
const JUMPS: usize = 9;
/// Kinds of squares: those of even and of odd rows, and of these every other.
const KINDS: usize = 4;

/// What is jumped over in each jump of a kind, as bits, and the two ends.
struct Jump {
    over: u64,
    ends: [u64; 2],
}

/// Which of the four families of squares that jumps join a square belongs to.
const fn kind(index: usize) -> usize {
    let row = index / 4;
    // Rows are shifted against each other by a square: within one parity of rows, files two apart alternate.
    row % 2 * 2 + (index % 4 + row / 2) % 2
}

const TABLE: [[Jump; JUMPS]; KINDS] = {
    const NONE: Jump = Jump { over: 0, ends: [0; 2] };
    let mut table = [const { [NONE; JUMPS] }; KINDS];
    let mut counts = [0; KINDS];
    let mut index = 0;
    while index < SQUARES {
        let mut step = 4;
        while step <= 5 {
            let (from, over, to) = (bit(index), bit(index) << step, bit(index) << (2 * step));
            if over & super::board::VALID != 0 && to & super::board::VALID != 0 {
                let kind = kind(index);
                table[kind][counts[kind]] = Jump { over, ends: [from, to] };
                counts[kind] += 1;
            }
            step += 1;
        }
        index += 1;
    }
    let mut kind = 0;
    while kind < KINDS {
        assert!(counts[kind] == JUMPS);
        kind += 1;
    }
    table
};

/// A move in 16 bits, never 0.
pub(crate) fn pack(mv: Move) -> u16 {
    let from = square(mv.from) as u16;
    if mv.taken == 0 {
        return STEP | from << 2 | direction(mv);
    }
    let jumps = TABLE[kind(square(mv.from))].iter().enumerate();
    let made = jumps.fold(0, |set, (at, jump)| set | u16::from(jump.over & mv.taken != 0) << at);
    from << JUMPS | made
}

/// The move of [`pack`]. Bits that no move has give a move that is legal nowhere.
pub(crate) fn unpack(bits: u16) -> Move {
    if bits & STEP != 0 {
        let from = bit(usize::from(bits >> 2) % SQUARES);
        let to = match bits & 3 {
            0 => from << 4,
            1 => from << 5,
            2 => from >> 4,
            _ => from >> 5,
        };
        return Move { from, to, taken: 0 };
    }
    let index = usize::from(bits >> JUMPS) % SQUARES;
    let (mut taken, mut ends) = (0, bit(index));
    for (at, jump) in TABLE[kind(index)].iter().enumerate() {
        if bits >> at & 1 != 0 {
            taken |= jump.over;
            ends ^= jump.ends[0] ^ jump.ends[1];
        }
    }
    Move { from: bit(index), to: ends, taken }
}

/// Of a step: 0 and 1 upwards, 2 and 3 downwards.
pub(crate) fn direction(mv: Move) -> u16 {
    if mv.to > mv.from { u16::from(mv.to == mv.from << 5) } else { 2 + u16::from(mv.to == mv.from >> 5) }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn moves_of_a_position_are_told_apart_and_read_back() {
        let (mut alike, mut longest) = (0, 0);
        for board in testing::boards(2_000).into_iter().chain(testing::scattered(20_000)) {
            let mut packed = BTreeSet::new();
            let mut ends = BTreeSet::new();
            let mut moves = 0;
            board.each_move(|mv| {
                assert_eq!(unpack(pack(mv)), mv, "{board:?}");
                assert_ne!(pack(mv), 0);
                packed.insert(pack(mv));
                alike += usize::from(!ends.insert((mv.from, mv.to)));
                longest = longest.max(mv.size());
                moves += 1;
            });
            assert_eq!(packed.len(), moves);
        }
        assert!(alike > 0 && longest >= 4, "{alike} ambiguous, {longest} taken at most");
    }

    #[test]
    fn any_bits_are_some_move() {
        for bits in 0..=u16::MAX {
            let _ = unpack(bits);
        }
    }
}
