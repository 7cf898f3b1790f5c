//! Exact values: the whole game below a position, where it is small enough.
//!
//! Stones only come nearer, so a game is finite and no position recurs: the value of every position follows from those after it.
//! A position before its throw has a place in a table by the squares of its stones, each within the rectangle
//! between where it stands and its corner, or gone. Means are rounded as in a search ([`expectation`]), so a search to the end
//! of the game says the same number. A position is small if the table has at most [`MOST`] places a side: up to about six
//! stones in the middle of the board, and more near their corners.

use super::board::{GONE, Position, STONES, Step, goal, way};
use super::{CERTAIN, WIN};
use secateur_core::Score;
use secateur_core::game::expectation;

/// Most places of a table for one side to throw: a quarter of a second or so.
const MOST: u64 = 1 << 20;

/// A place whose value has not been asked for yet.
const UNKNOWN: i16 = i16::MIN;

/// Squares that a stone may yet be on, and one for being gone.
fn places(side: usize, square: u8) -> u64 {
    if square == GONE {
        return 1;
    }
    let (files, ranks) = way(side, square);
    u64::from(files + 1) * u64::from(ranks + 1) + 1
}

/// Whether [`value`] has an answer.
pub(super) fn is_small(position: &Position) -> bool {
    let mut product = 1_u64;
    for side in 0..2 {
        for &square in &position.squares[side] {
            product = product.saturating_mul(places(side, square));
        }
    }
    product <= MOST
}

/// The exact value of a small position for the side to throw or to move; `None` of any other.
pub(super) fn value(position: &Position) -> Option<Score> {
    if !is_small(position) {
        return None;
    }
    let mut table = Table::new(position);
    Some(if position.die == 0 { table.before(position) } else { table.after(position) })
}

/// Values of the positions before a throw that a root can come to.
struct Table {
    /// By side and stone: what a place is multiplied by, and the width of its rectangle.
    strides: [[(usize, u8); STONES]; 2],
    size: usize,
    values: Vec<i16>,
}

impl Table {
    fn new(root: &Position) -> Table {
        let mut size = 1;
        let mut strides = [[(0, 0); STONES]; 2];
        for (side, strides) in strides.iter_mut().enumerate() {
            for (stride, &square) in strides.iter_mut().zip(&root.squares[side]) {
                if square != GONE {
                    *stride = (size, way(side, square).0 + 1);
                    size *= places(side, square) as usize;
                }
            }
        }
        Table { strides, size, values: vec![UNKNOWN; 2 * size] }
    }

    fn place(&self, position: &Position) -> usize {
        let mut place = position.side() * self.size;
        for side in 0..2 {
            for (&(stride, width), &square) in self.strides[side].iter().zip(&position.squares[side]) {
                if square != GONE {
                    let (files, ranks) = way(side, square);
                    place += stride * (1 + usize::from(ranks * width + files));
                }
            }
        }
        place
    }

    /// Before the throw, or at the end of the game.
    fn before(&mut self, position: &Position) -> Score {
        if position.is_over() {
            return Score(-WIN);
        }
        let place = self.place(position);
        if self.values[place] != UNKNOWN {
            return Score(self.values[place].into());
        }
        let (mut sum, mut weights) = (0, 0);
        for (die, weight) in position.throws() {
            sum += i64::from(weight) * i64::from(self.after(&position.with_die(die)).0);
            weights += i64::from(weight);
        }
        let score = expectation(sum, weights);
        self.values[place] = score.0 as i16;
        score
    }

    /// With the die thrown.
    fn after(&mut self, position: &Position) -> Score {
        let side = position.side();
        let mut steps: Vec<Step> = position.steps().collect();
        if steps.iter().any(|step| step.to == goal(side)) {
            return Score(WIN);
        }
        let mut best = Score(-WIN);
        while let Some(step) = steps.pop() {
            best = best.max(-self.before(&position.play(step)));
        }
        best
    }
}

// Values are kept in 16 bits.
const _: () = assert!(WIN < i16::MAX as i32 && CERTAIN < WIN);
