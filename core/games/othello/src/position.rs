//! A board with its pattern numbers kept up to date move by move.
//!
//! The numbers are those that the side to move sees, so that an evaluation looks them up as they are. A move adds
//! to them one vector per disc turned and one for the disc played, and then the other side looks. 128 bytes, two
//! cache lines; copied at every move.

use super::board::{Board, squares};
use super::pattern::{INSTANCES, LANES, Lanes, Numbers, Sharing, centre, delta, other, places, taken};
use crate::board::Square;

/// A position of Othello as the search knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    numbers: Lanes,
    board: Board,
    x_to_move: bool,
}

impl Position {
    /// The position of a board; `x_to_move` says who owns [`Board::player`].
    pub fn new(board: Board, x_to_move: bool) -> Position {
        let mut numbers = centre();
        for (discs, sign) in [(board.player, 1), (board.opponent, -1)] {
            for square in squares(discs) {
                add(&mut numbers, delta(square), sign);
            }
        }
        Position { numbers, board, x_to_move }
    }

    /// The start position.
    pub fn start() -> Position {
        Position::new(Board::START, true)
    }

    /// The discs, seen by the side to move.
    #[inline]
    pub fn board(&self) -> Board {
        self.board
    }

    /// Whether X (who began the game) is to move.
    #[inline]
    pub fn x_to_move(&self) -> bool {
        self.x_to_move
    }

    /// The position after a legal move or a pass.
    #[inline(always)]
    pub fn play(&self, square: Square) -> Position {
        if square == Square::PASS {
            return self.passed();
        }
        self.led_to(square, self.board.after(square, self.board.flips(square)))
    }

    /// The position after a legal move, the board that it leads to being known.
    #[inline(always)]
    pub(super) fn led_to(&self, square: Square, board: Board) -> Position {
        let numbers = taken(other(self.numbers()), square.index() & 63, self.board.opponent ^ board.player);
        Position { numbers: Lanes::of(numbers), board, x_to_move: !self.x_to_move }
    }

    /// The position with the other side to move.
    #[inline]
    pub fn passed(&self) -> Position {
        let numbers = Lanes::of(other(self.numbers()));
        Position { numbers, board: self.board.passed(), x_to_move: !self.x_to_move }
    }

    /// The position with colours exchanged: the same for the side to move.
    pub fn mirrored(&self) -> Position {
        Position { x_to_move: !self.x_to_move, ..*self }
    }

    /// The numbers of the mover's configurations.
    #[inline(always)]
    pub(super) fn numbers(&self) -> Numbers {
        std::array::from_fn(|vector| self.numbers.vector(vector))
    }

    /// The weights (indices below [`Sharing::len`]) whose sum evaluates the position.
    pub fn classes(&self, sharing: &Sharing) -> [u32; INSTANCES] {
        places(&self.numbers).map(|place| sharing.class(place) as u32)
    }
}

fn add(numbers: &mut Lanes, step: &Lanes, sign: i16) {
    for lane in 0..LANES {
        numbers.0[lane] = numbers.0[lane].wrapping_add(step.0[lane].wrapping_mul(sign));
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::Random;
    use super::*;

    #[test]
    fn numbers_kept_up_to_date_equal_numbers_from_scratch() {
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
