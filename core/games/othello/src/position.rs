//! A board with its pattern features kept up to date move by move.
//!
//! Features count X as +1 whoever is to move, so that a move only adds vectors: one per disc turned and one
//! for the disc played. 128 bytes, two cache lines; copied at every move.

use super::board::{Board, squares};
use super::pattern::{INSTANCES, LANES, Lanes, Sharing, VECTORS, WINDOW, delta, lowest_delta, places, sum};
use super::square::Square;
use wide::i16x16;

/// A position of Othello as the search knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    features: Lanes,
    board: Board,
    /// 1 if X is to move, -1 if O is: the sign of the mover's discs in `features`.
    sign: i16,
}

impl Position {
    /// The position of a board; `x_to_move` says who owns [`Board::player`].
    #[must_use]
    pub fn new(board: Board, x_to_move: bool) -> Position {
        let sign = if x_to_move { 1 } else { -1 };
        let mut features = Lanes::ZERO;
        for (discs, sign) in [(board.player, sign), (board.opponent, -sign)] {
            for square in squares(discs) {
                add(&mut features, delta(square), sign);
            }
        }
        Position { features, board, sign }
    }

    /// The start position.
    #[must_use]
    pub fn start() -> Position {
        Position::new(Board::START, true)
    }

    /// The discs, seen by the side to move.
    #[must_use]
    #[inline]
    pub fn board(&self) -> Board {
        self.board
    }

    /// Whether X (who began the game) is to move.
    #[must_use]
    #[inline]
    pub fn x_to_move(&self) -> bool {
        self.sign > 0
    }

    /// The position after a legal move or a pass.
    #[must_use]
    #[inline(always)]
    pub fn play(&self, square: Square) -> Position {
        if square == Square::PASS {
            return self.passed();
        }
        let turned = self.board.flips(square);
        let mut change = [i16x16::ZERO; VECTORS];
        let mut rest = turned;
        // Four at a time, the missing ones being nothing: how many discs turn is what no processor foresees.
        loop {
            let mut next = || {
                let step = lowest_delta(rest);
                rest &= rest.wrapping_sub(1);
                step
            };
            let (a, b, c, d) = (next(), next(), next(), next());
            for (vector, change) in change.iter_mut().enumerate() {
                let [a, b, c, d] = [a, b, c, d].map(|step| step.vector(vector));
                *change += (a + b) + (c + d);
            }
            if rest == 0 {
                break;
            }
        }
        let (placed, sign) = (delta(square), i16x16::splat(self.sign));
        let features = Lanes::of(|vector| {
            // A turned disc goes from -1 to +1. The sum may leave 16 bits on the way, never at the end.
            let own = change[vector] + change[vector] + placed.vector(vector);
            self.features.vector(vector) + own * sign
        });
        Position { features, board: self.board.after(square, turned), sign: -self.sign }
    }

    /// The position with the other side to move.
    #[must_use]
    #[inline]
    pub fn passed(&self) -> Position {
        Position { features: self.features, board: self.board.passed(), sign: -self.sign }
    }

    /// The position with colours exchanged: the same for the side to move.
    #[must_use]
    pub fn mirrored(&self) -> Position {
        let mut features = self.features;
        features.0.iter_mut().for_each(|feature| *feature = -*feature);
        Position { features, board: self.board, sign: -self.sign }
    }

    /// Sum of the weights in `table` of the mover's configurations.
    #[inline]
    pub(super) fn sum(&self, table: &[i16; WINDOW]) -> i32 {
        sum(table, &self.features, self.sign)
    }

    /// The weights (indices below [`Sharing::len`]) whose sum evaluates the position.
    #[must_use]
    pub fn classes(&self, sharing: &Sharing) -> [u32; INSTANCES] {
        places(&self.features, self.sign).map(|place| sharing.class(place) as u32)
    }
}

fn add(features: &mut Lanes, step: &Lanes, sign: i16) {
    for lane in 0..LANES {
        features.0[lane] = features.0[lane].wrapping_add(step.0[lane].wrapping_mul(sign));
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::tests::Random;
    use super::*;

    #[test]
    fn features_kept_up_to_date_equal_features_from_scratch() {
        let mut random = Random(3);
        let mut passes = 0;
        for _ in 0..200 {
            let mut position = Position::start();
            loop {
                let moves: Vec<Square> = squares(position.board().moves()).collect();
                let square = match moves.len() {
                    0 if position.board().replies() == 0 => break,
                    0 => Square::PASS,
                    count => moves[random.below(count)],
                };
                passes += usize::from(square == Square::PASS);
                position = position.play(square);
                assert_eq!(position, Position::new(position.board(), position.x_to_move()));
                let mirrored = Position::new(position.board(), !position.x_to_move());
                assert_eq!(position.mirrored(), mirrored);
            }
        }
        assert!(passes > 50, "the games must pass now and then: {passes}");
    }

    #[test]
    fn a_position_fits_two_cache_lines() {
        assert_eq!(size_of::<Position>(), 128);
    }
}
