//! Hand-made weights in the form of the trained ones: moves along each line, corners and what spoils them,
//! and discs as the end comes near.
//!
//! They play a decent game, which is all the first generation of self-play needs, and they serve as the
//! weak evaluation when the effect of evaluation quality is measured.

use super::pattern::Sharing;
use super::weights::{KNOTS, Learnt, Weights};

/// 1/100 disc for each move that a line offers the mover, as for each it offers the other side.
const MOVE: i32 = 60;
/// A corner in one of the two edges that it ends.
const CORNER: i32 = 400;
/// An X square next to an empty corner, once for each edge.
const X_SQUARE: i32 = -150;
/// A C square next to an empty corner.
const C_SQUARE: i32 = -80;
/// Every disc in each line through it, at the end of the game.
const DISC: i32 = 25;

impl Weights {
    /// Hand-made weights (mobility along lines, corners, discs at the end): where training starts.
    #[must_use]
    pub fn elementary() -> Weights {
        Weights::new(learnt()).expect("elementary weights have the right length")
    }
}

fn learnt() -> Learnt {
    let sharing = Sharing::get();
    let mut learnt = Learnt::zero();
    for class in 0..sharing.len() {
        let (shape, squares) = sharing.configuration(class);
        let digits: Vec<i32> = squares.iter().map(|&(_, digit)| digit).collect();
        let (early, late) = match shape {
            0 => (edge(&digits), material(&digits[1..9])),
            1 | 2 => (0, 0),
            _ => (MOVE * line_moves(&digits), material(&digits)),
        };
        for knot in 0..KNOTS {
            // Discs begin to count at 44 and moves no longer do at 64.
            let end = (knot as i32 - 9).clamp(0, 5);
            let weight = (early * (5 - end) + late * end) / 5;
            learnt.patterns[knot * sharing.len() + class] = weight as i16;
        }
    }
    learnt
}

fn edge(digits: &[i32]) -> i32 {
    let line = &digits[1..9];
    let side = |corner: i32, c: i32, x: i32| {
        CORNER * corner + if corner == 0 { C_SQUARE * c + X_SQUARE * x } else { 0 }
    };
    MOVE * line_moves(line) + side(line[0], line[1], digits[0]) + side(line[7], line[6], digits[9])
}

fn material(digits: &[i32]) -> i32 {
    DISC * digits.iter().sum::<i32>()
}

/// Moves that a line alone offers: the mover's less the other side's.
fn line_moves(digits: &[i32]) -> i32 {
    let backwards: Vec<i32> = digits.iter().rev().copied().collect();
    let legal = |side: i32| {
        let ends = |line: &[i32], at: usize| {
            let run = line[at + 1..].iter().take_while(|&&digit| digit == -side).count();
            run > 0 && line.get(at + 1 + run) == Some(&side)
        };
        (0..digits.len())
            .filter(|&at| digits[at] == 0 && (ends(digits, at) || ends(&backwards, digits.len() - 1 - at)))
            .count() as i32
    };
    legal(1) - legal(-1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_moves_are_counted_for_both_sides() {
        assert_eq!(line_moves(&[0, -1, 1, 0, 0, 0, 0, 0]), 0);
        assert_eq!(line_moves(&[0, -1, -1, 1, 0, 0, 0, 0]), 0);
        assert_eq!(line_moves(&[0, -1, 1, 1, 1, 1, 1, 1]), 1);
        assert_eq!(line_moves(&[0, 1, 1, -1, -1, -1, -1, -1]), -1);
        assert_eq!(line_moves(&[0, 1, 0, -1]), 0);
    }
}
