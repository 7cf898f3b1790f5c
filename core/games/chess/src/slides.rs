//! Where rooks and bishops go, looked up where it is asked.
//!
//! cozy-chess has the same lookup in a function of another package, which is called and not inlined; a node asks a dozen times.
//! Entries here are the moves' bits within the two lines of a square, and so a quarter of the size.
//!
//! Source: PEXT bitboards, with PDEP for what is found (Chess Programming Wiki, "BMI2").

use cozy_chess::{BitBoard, Square};

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
pub(super) use by_bits::{get_bishop_moves, get_rook_moves};
#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
pub(super) use cozy_chess::{get_bishop_moves, get_rook_moves};

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
mod by_bits {
    use core::arch::x86_64::{_pdep_u64, _pext_u64};
    use cozy_chess::{BitBoard, Square};

    /// Entries for all squares, and room up to a power of two, so that no index is out of bounds.
    const ENTRIES: usize = 1 << 17;

    /// Two lines through a square.
    #[derive(Clone, Copy)]
    #[repr(align(32))]
    struct Lines {
        /// Where a man is in the way of others: all but the last square each way.
        inner: u64,
        /// All their squares but the one itself.
        squares: u64,
        /// The entry of the empty board.
        start: u32,
    }

    struct Slides {
        rooks: [Lines; 64],
        bishops: [Lines; 64],
        /// By what is in the way, the squares that are reached.
        reached: [u16; ENTRIES],
    }

    static SLIDES: Slides = {
        const NONE: Lines = Lines { inner: 0, squares: 0, start: 0 };
        let mut slides = Slides { rooks: [NONE; 64], bishops: [NONE; 64], reached: [0; ENTRIES] };
        let mut start = 0;
        let mut square = 0;
        while square < 64 {
            slides.rooks[square] = lines(square, [(1, 0), (0, 1)], start);
            start = fill(&mut slides.reached, &slides.rooks[square], square, [(1, 0), (0, 1)]);
            slides.bishops[square] = lines(square, [(1, 1), (1, -1)], start);
            start = fill(&mut slides.reached, &slides.bishops[square], square, [(1, 1), (1, -1)]);
            square += 1;
        }
        slides
    };

    const fn lines(square: usize, steps: [(i32, i32); 2], start: usize) -> Lines {
        let [(one, inner), (other, more)] = [line(square, steps[0]), line(square, steps[1])];
        Lines { inner: inner | more, squares: one | other, start: start as u32 }
    }

    /// The squares of a line through `square` without it, and the same without the last each way.
    const fn line(square: usize, step: (i32, i32)) -> (u64, u64) {
        let (mut all, mut inner) = (0, 0);
        let mut way = -1;
        while way <= 1 {
            let (mut file, mut rank) = (square as i32 % 8, square as i32 / 8);
            let mut last = 0;
            loop {
                (file, rank) = (file + way * step.0, rank + way * step.1);
                if file < 0 || file > 7 || rank < 0 || rank > 7 {
                    break;
                }
                inner |= last;
                last = 1 << (8 * rank + file);
                all |= last;
            }
            way += 2;
        }
        (all, inner)
    }

    /// Writes the entries of a square; the next that is free.
    const fn fill(
        reached: &mut [u16; ENTRIES],
        lines: &Lines,
        square: usize,
        steps: [(i32, i32); 2],
    ) -> usize {
        let ones = subsets(lines, square, steps[0]);
        let others = subsets(lines, square, steps[1]);
        let mut one = 0;
        while one < ones.2 {
            let mut other = 0;
            while other < others.2 {
                let entry = lines.start as usize + (ones.0[one] | others.0[other]);
                reached[entry] = (ones.1[one] | others.1[other]) as u16;
                other += 1;
            }
            one += 1;
        }
        lines.start as usize + ones.2 * others.2
    }

    /// For all that can be in the way on one of the lines: its place among the entries, what is reached, and how much there is.
    const fn subsets(lines: &Lines, square: usize, step: (i32, i32)) -> ([usize; 64], [usize; 64], usize) {
        let (all, inner) = line(square, step);
        let (mut places, mut reached, mut count) = ([0; 64], [0; 64], 0);
        let mut men = 0_u64;
        loop {
            places[count] = squeezed(men, lines.inner);
            reached[count] = squeezed(seen(square, men, all), lines.squares);
            count += 1;
            men = men.wrapping_sub(inner) & inner;
            if men == 0 {
                return (places, reached, count);
            }
        }
    }

    /// The squares of a line that are seen from `square` if these men are on it (o - s, both ways).
    const fn seen(square: usize, men: u64, line: u64) -> u64 {
        let from = 1_u64 << square;
        let back = men.reverse_bits().wrapping_sub(from.reverse_bits()).reverse_bits();
        (men.wrapping_sub(from) ^ back) & line
    }

    /// The bits of `set` where `mask` has ones, next to each other.
    const fn squeezed(set: u64, mut mask: u64) -> usize {
        let (mut bits, mut place) = (0, 0);
        while mask != 0 {
            bits |= (((set >> mask.trailing_zeros()) & 1) << place) as usize;
            mask &= mask - 1;
            place += 1;
        }
        bits
    }

    impl Lines {
        #[inline(always)]
        fn reached(&self, occupied: BitBoard) -> BitBoard {
            // SAFETY: this module is only there if every processor that the program is for has BMI2.
            let entry = unsafe { _pext_u64(occupied.0, self.inner) } as usize + self.start as usize;
            let reached = SLIDES.reached[entry % ENTRIES];
            // SAFETY: as above.
            BitBoard(unsafe { _pdep_u64(u64::from(reached), self.squares) })
        }
    }

    /// Squares that a rook attacks, the first man each way included.
    #[inline(always)]
    pub(crate) fn get_rook_moves(square: Square, occupied: BitBoard) -> BitBoard {
        SLIDES.rooks[square as usize & 63].reached(occupied)
    }

    /// The same of a bishop.
    #[inline(always)]
    pub(crate) fn get_bishop_moves(square: Square, occupied: BitBoard) -> BitBoard {
        SLIDES.bishops[square as usize & 63].reached(occupied)
    }
}

/// The squares of a set, A1 first.
#[inline(always)]
pub(super) fn squares(set: BitBoard) -> impl Iterator<Item = Square> {
    let mut left = set.0;
    std::iter::from_fn(move || {
        let index = left.trailing_zeros() as usize;
        (left != 0).then(|| {
            left &= left - 1;
            Square::index_const(index & 63)
        })
    })
}

#[cfg(test)]
mod tests {
    use cozy_chess::{BitBoard, Square};
    use secateur_base::hash::SplitMix;

    #[test]
    fn they_go_where_they_go_in_the_rules() {
        let mut random = SplitMix(1);
        let mut draw = || random.word();
        for _ in 0..2000 {
            let few = draw() & draw();
            for occupied in [few, few | draw(), few & draw(), 0, u64::MAX].map(BitBoard) {
                for square in Square::ALL {
                    let rook = cozy_chess::get_rook_moves(square, occupied);
                    assert_eq!(super::get_rook_moves(square, occupied), rook, "{square} {occupied:?}");
                    let bishop = cozy_chess::get_bishop_moves(square, occupied);
                    assert_eq!(super::get_bishop_moves(square, occupied), bishop, "{square} {occupied:?}");
                }
            }
        }
    }
}
