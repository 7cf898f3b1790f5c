//! The principal variation: where the window is open and the best line is wanted.

use super::super::position::Position;
use super::super::square::Square;
use super::order::{Children, deep_children, pick};
use super::search::{NONE, Search, named};
use super::table::key;
use super::{Discs, Solved};

/// From this many empty squares on a search by the evaluation goes first.
const GUESSED: u32 = 15;
/// The search by the evaluation ends this many plies before the end of the game.
pub(super) const UNGUESSED: u32 = 13;

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
        if empties >= GUESSED {
            self.guesses(position, empties);
        }
        let Discs { alpha, beta } = window;
        let (score_discs, mut pv) = self.open(position, alpha.max(-65), beta.min(65), empties);
        if score_discs <= alpha || score_discs >= beta {
            pv.truncate(1);
        }
        let best = pv.first().copied().unwrap_or(Square::PASS);
        Solved { score_discs, best, nodes: self.nodes, pv }
    }

    /// Searches of growing depth by the evaluation, for the moves that they leave in the table.
    fn guesses(&mut self, position: &Position, empties: u32) -> i32 {
        let mut value = 0;
        for depth in 2..=(empties - UNGUESSED) as i32 {
            value = self.guess_value(position, depth, -6_400, 6_400);
        }
        value
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
        let before = self.nodes;
        let key = key(board);
        let known = self.tables.of(empties).probe(key);
        let mut children = Children::new();
        deep_children(self, position, moves, known, empties, &mut children);
        let (mut best, mut line) = (NONE, Vec::new());
        let mut floor = alpha;
        for index in 0..children.len() {
            let child = pick(&mut children, index);
            let (square, after) = (named(child.square), child.position);
            let mut value = NONE;
            let mut below = Vec::new();
            if index > 0 {
                value = -self.deep(&after, -floor - 1, empties - 1);
            }
            if index == 0 || (value > floor && value < beta) {
                let (negated, found) = if beta - floor == 1 {
                    (self.deep(&after, -beta, empties - 1), Vec::new())
                } else {
                    self.open(&after, -beta, -floor, empties - 1)
                };
                (value, below) = (-negated, found);
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
        self.tables.of_mut(empties).store(key, best, alpha, beta, mv, self.nodes - before);
        (best, line)
    }
}

fn led_by(first: Square, line: Vec<Square>) -> Vec<Square> {
    let mut all = vec![first];
    all.extend(line);
    all
}
