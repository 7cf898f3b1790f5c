//! The last disc of a game: how many discs it turns, without playing it.
//!
//! The mover's discs on each of the four lines through the square are gathered into a number, which a table answers. BMI2,
//! which the build asks for on x86-64, has an instruction that gathers; elsewhere products do.

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

/// The squares on the board from a square on in a direction, which is a change of column and row; the square is one of them.
const fn ray(square: usize, (dx, dy): (i32, i32)) -> u64 {
    let (mut x, mut y) = ((square % 8) as i32, (square / 8) as i32);
    let mut squares = 0;
    while x >= 0 && x < 8 && y >= 0 && y < 8 {
        squares |= 1 << (8 * y + x);
        (x, y) = (x + dx, y + dy);
    }
    squares
}

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
mod gathered {
    use super::{TURNED, ray};
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
                all[square].squares[line] = below | ray(square, (dx, dy));
                all[square].turned[line] = &TURNED[below.count_ones() as usize - 1];
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
    use super::{TURNED, ray};

    /// Both diagonals through a square.
    static DIAGONALS: [[u64; 2]; 64] = {
        let mut all = [[0; 2]; 64];
        let mut square = 0;
        while square < 64 {
            all[square] =
                [ray(square, (1, 1)) | ray(square, (-1, -1)), ray(square, (-1, 1)) | ray(square, (1, -1))];
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
    use super::super::super::board::tests::Random;
    use super::super::super::flips::flips;
    use super::*;

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
