//! The principal variation: where the window is open and the best line is wanted.

use super::super::position::Position;
use super::super::square::Square;
use super::order::{Children, deep_children, next, remembered};
use super::probcut::CONFIDENCES;
use super::search::{NONE, Search, named};
use super::table::{EXACT, key};
use super::{Discs, Solved};
use secateur_core::game::Evaluation;

/// From this many empty squares on searches by the evaluation leave moves in their table.
pub(super) const GUESSED: u32 = 15;
/// From this many empty squares on selective searches go before the exact one.
const PRESEARCHED: u32 = 16;
/// The search by the evaluation, which goes before all, ends this many plies before the end of the game.
const UNGUESSED: i32 = 19;

/// A value and the line that leads to it.
type Line = (i32, Vec<Square>);

impl Search {
    /// Forgets everything of earlier solutions.
    pub(super) fn forget(&mut self) {
        self.tables.clear();
        self.guess.clear();
        self.nodes = 0;
    }

    /// Solves a position.
    pub(super) fn root(&mut self, position: &Position, window: Discs) -> Solved {
        let empties = position.board().empty().count_ones();
        let Discs { alpha, beta } = window;
        let (least, most) = (alpha.max(-65), beta.min(65));
        let (score_discs, mut pv) = if empties < GUESSED {
            self.open(position, least, most, empties)
        } else {
            let mut expected = self.guesses(position, empties as i32 - UNGUESSED);
            if self.presearched && empties >= PRESEARCHED {
                for confidence in 0..CONFIDENCES.len() {
                    self.confidence = confidence as u8;
                    expected = self.around(expected, position, least, most, empties).0;
                }
                self.confidence = EXACT;
            }
            self.around(expected, position, least, most, empties)
        };
        if score_discs <= alpha || score_discs >= beta {
            pv.truncate(1);
        }
        let best = pv.first().copied().unwrap_or(Square::PASS);
        Solved { score_discs, best, nodes: self.nodes, pv }
    }

    /// What is expected of a position: searches of growing depth by the evaluation, which leave their moves in the table.
    fn guesses(&mut self, position: &Position, depth: i32) -> i32 {
        let mut value = self.game.evaluate(position).0;
        for depth in 2..=depth {
            value = self.guess_value(position, depth, -6_400, 6_400);
        }
        value / 100
    }

    /// The result within the window (`least`, `most`): searched in a narrow window around what is expected, which moves to
    /// where the result must be as long as it is not there.
    fn around(&mut self, expected: i32, position: &Position, least: i32, most: i32, empties: u32) -> Line {
        /// Results are even: one that lies this far from both bounds is exact, and its neighbours are outside.
        const WIDTH: i32 = 1;
        let (mut low, mut high) = (least, most);
        let expected = (expected & !1).clamp(least, most);
        let mut alpha = (expected - WIDTH).clamp(least, most - 1);
        let mut beta = (expected + WIDTH).clamp(alpha + 1, most);
        loop {
            let line = self.open(position, alpha, beta, empties);
            if line.0 <= alpha && alpha > low {
                high = line.0 + 1;
                (alpha, beta) = ((line.0 - 3 * WIDTH).max(low), high);
            } else if line.0 >= beta && beta < high {
                low = line.0 - 1;
                (alpha, beta) = (low, (line.0 + 3 * WIDTH).min(high));
            } else {
                return line;
            }
            // Selective searches may contradict themselves.
            if alpha >= beta {
                return line;
            }
        }
    }

    /// Principal variation search (Marsland and Campbell 1982).
    fn open(&mut self, position: &Position, alpha: i32, beta: i32, empties: u32) -> Line {
        self.nodes += 1;
        let board = position.board();
        let moves = board.moves();
        if moves == 0 {
            if board.replies() == 0 {
                return (board.result(), Vec::new());
            }
            let (value, line) = self.open(&position.passed(), -beta, -alpha, empties);
            return (-value, led_by(Square::PASS, line));
        }
        let before = (self.nodes, self.beliefs);
        let key = key(board);
        let bounds = self.stored_bounds(key, empties);
        let mut children = Children::new();
        deep_children(self, board, moves, empties, &mut children);
        let first = remembered(self, position, bounds, empties);
        let (mut best, mut line) = (NONE, Vec::new());
        let mut floor = alpha;
        for index in 0..children.len() {
            let child = next(self, position, empties, &mut children, index, first);
            let (square, after) = (named(child.square), position.led_to(named(child.square), child.board));
            let mut value = NONE;
            let mut below = Vec::new();
            if index > 0 {
                value = -self.deep(&after, -floor - 1, empties - 1);
            }
            if index == 0 || (value > floor && value < beta) {
                let (negated, variation) = if beta - floor == 1 {
                    (self.deep(&after, -beta, empties - 1), Vec::new())
                } else {
                    self.open(&after, -beta, -floor, empties - 1)
                };
                (value, below) = (-negated, variation);
            }
            if value > best {
                best = value;
                line = led_by(square, below);
                floor = floor.max(value);
                if floor >= beta || floor == 64 {
                    break;
                }
            }
        }
        let mv = line.first().map_or(64, |square| square.index() as u8);
        self.keep(key, empties, before, best, [alpha, beta], mv);
        (best, line)
    }
}

fn led_by(first: Square, line: Vec<Square>) -> Vec<Square> {
    let mut all = vec![first];
    all.extend(line);
    all
}
