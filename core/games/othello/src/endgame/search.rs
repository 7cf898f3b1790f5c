//! Null-window alpha-beta to the end of the game, by ever cheaper means as the empty squares run out.
//!
//! Deep nodes order their moves by the evaluation ([`super::order`]), ask the table and look for a child
//! that it already refutes (enhanced transposition cut-off, Schaeffer and Plaat 1996). Middle nodes order
//! by mobility alone. Shallow ones try odd quadrants first and keep nothing. Values are final disc
//! differences, fail-soft in the window (`alpha`, `alpha + 1`).
//!
//! A selective search ([`super::probcut`]) goes the same way and shares the table with the exact one: bounds that hang on no
//! selective cut are exact whichever search found them, and of all others the exact search only takes the moves.
//!
//! The principal variation has an open window, and its best line is wanted: a search of its own.

use super::last::{NONE, last1, last2, last3, last4, packed, played, tried};
use super::order::{
    Children, GUESSED, Quick, Quicks, around, by_promise, deep_children, named, next, odd_quadrants, pick,
    quick_children, remembered,
};
use super::probcut::{CONFIDENCES, PROBED_FROM};
use super::stability::ceiling;
use super::table::{EXACT, Finding, Known, key};
use super::{Discs, Solved, Solver};
use crate::board::{Board, Square};
use crate::four::Word;
use crate::position::Position;
use secateur_core::game::Evaluation;

/// From this many empty squares on moves are ordered by the evaluation.
const DEEP: u32 = 11;
/// Up to this many empty squares nothing but parity orders the moves, and no result is kept.
const SHALLOW: u32 = 6;
/// The least alpha at which stability is asked, by empty squares: below it, it hardly ever cuts.
const STABLE_FROM: [i32; 65] = {
    let mut from = [64; 65];
    let mut empties = 5;
    while empties < 65 {
        let alpha = 2 * empties as i32 - 12;
        from[empties] = if alpha < 60 { alpha } else { 60 };
        empties += 1;
    }
    from
};

impl Solver {
    /// A node with `empties` empty squares and its position's features at hand.
    pub(super) fn deep(&mut self, position: &Position, alpha: i32, empties: u32) -> i32 {
        let board = position.board();
        if empties < DEEP {
            return self.middle(board, alpha, empties);
        }
        self.nodes += 1;
        let before = (self.nodes, self.beliefs);
        if let Some(bound) = self.stable(board, alpha, empties) {
            return bound;
        }
        let key = key(board);
        let bounds = self.stored_bounds(key, empties);
        if let Some(bounds) = bounds
            && let Some(bound) = cut(bounds, alpha)
        {
            self.beliefs += u64::from(bounds.confidence != EXACT);
            return bound;
        }
        let moves = board.moves();
        if moves == 0 {
            if board.replies() == 0 {
                return board.result();
            }
            return -self.deep(&position.passed(), -alpha - 1, empties);
        }
        if self.confidence != EXACT
            && empties >= PROBED_FROM
            && let Some(bound) = self.probed(position, alpha, empties)
        {
            self.beliefs += 1;
            return bound;
        }
        let mut children = Children::new();
        deep_children(self, board, moves, empties, &mut children);
        for child in &children {
            if let Some(bound) = self.refuted(child.key, alpha, empties - 1) {
                return bound;
            }
        }
        let first = remembered(self, position, bounds, empties);
        let (mut best, mut best_move) = (NONE, 64);
        for index in 0..children.len() {
            let child = next(self, position, empties, &mut children, index, first);
            let square = child.square;
            let value = if empties > DEEP {
                -self.deep(&position.led_to(named(square), child.board), -alpha - 1, empties - 1)
            } else {
                -self.middle(child.board, -alpha - 1, empties - 1)
            };
            if value > best {
                best = value;
                best_move = square;
                if best > alpha {
                    break;
                }
            }
        }
        self.keep(key, empties, before, best, [alpha, alpha + 1], best_move);
        best
    }

    /// What is known of a position as surely as the search under way is.
    #[inline]
    pub(super) fn stored_bounds(&self, key: u64, empties: u32) -> Option<Known> {
        self.tables.probe(empties, key, self.wanted(empties))
    }

    /// Keeps a value found within a window since there were so many nodes and beliefs.
    #[inline]
    pub(super) fn keep(
        &mut self,
        key: u64,
        empties: u32,
        before: (u64, u64),
        value: i32,
        window: [i32; 2],
        mv: u8,
    ) {
        let (nodes, beliefs) = before;
        let confidence = if self.beliefs == beliefs { EXACT } else { self.confidence };
        let [alpha, beta] = window;
        let finding = Finding { value, alpha, beta, mv, nodes: self.nodes - nodes, confidence };
        self.tables.store(empties, key, &finding);
    }

    /// Nodes with few empty squares are never searched selectively.
    #[inline]
    fn wanted(&self, empties: u32) -> u8 {
        if empties < PROBED_FROM { EXACT } else { self.confidence }
    }

    /// A node with fewer empty squares.
    pub(super) fn middle(&mut self, board: Board, alpha: i32, empties: u32) -> i32 {
        if empties <= SHALLOW {
            return self.few(board, alpha, empties);
        }
        self.by_mobility(board, board.moves(), odd_quadrants(board.empty()), alpha, empties)
    }

    /// A node ordered by mobility, with its moves and the quadrants with an odd number of empty squares.
    fn by_mobility(&mut self, board: Board, mut moves: u64, odd: u64, alpha: i32, empties: u32) -> i32 {
        self.nodes += 1;
        let before = self.nodes;
        if let Some(bound) = self.stable(board, alpha, empties) {
            return bound;
        }
        let key = key(board);
        let bounds = self.tables.probe(empties, key, EXACT);
        if let Some(bound) = bounds.and_then(|bounds| cut(bounds, alpha)) {
            return bound;
        }
        if moves == 0 {
            return match board.replies() {
                0 => board.result(),
                replies => -self.by_mobility(board.passed(), replies, odd, -alpha - 1, empties),
            };
        }
        let (mut best, mut best_move) = (NONE, 64);
        if let Some(Known { mv, .. }) = bounds
            && mv < 64
            && moves >> mv & 1 != 0
        {
            // It is often enough, and then nothing need be ordered.
            let after = board.play(named(mv));
            (best, best_move) = (-self.middle(after, -alpha - 1, empties - 1), mv);
            moves ^= 1 << mv;
        }
        if best <= alpha {
            let mut children = Quicks::new();
            quick_children(board, moves, odd, &mut children);
            for index in 0..children.len() {
                let &Quick { square, board: after, replies, .. } =
                    pick(&mut children, index, |child| child.value);
                let odd = odd ^ around(usize::from(square));
                let value = if empties - 1 > SHALLOW {
                    -self.by_mobility(after, replies, odd, -alpha - 1, empties - 1)
                } else {
                    -self.shallow(in_registers(after), -alpha - 1, empties - 1, odd, replies)
                };
                if value > best {
                    (best, best_move) = (value, square);
                    if best > alpha {
                        break;
                    }
                }
            }
        }
        let (beta, nodes) = (alpha + 1, self.nodes - before);
        let finding = Finding { value: best, alpha, beta, mv: best_move, nodes, confidence: EXACT };
        self.tables.store(empties, key, &finding);
        best
    }

    /// Any node with so few empty squares that neither lists nor table pay.
    pub(super) fn few(&mut self, board: Board, alpha: i32, empties: u32) -> i32 {
        let (player, opponent) = in_registers(board);
        let (empty, odd) = (board.empty(), odd_quadrants(board.empty()));
        let nodes = &mut self.nodes;
        match empties {
            0 => board.result(),
            1 => {
                *nodes += 1;
                last1(board.player, alpha, empty.trailing_zeros() as usize)
            }
            2 => last2(player, opponent, alpha, packed(by_promise(empty, odd)), nodes),
            3 => last3(player, opponent, alpha, packed(by_promise(empty, odd)), nodes),
            4 => last4(player, opponent, alpha, empty, odd, nodes),
            _ => self.shallow((player, opponent), alpha, empties, odd, empty),
        }
    }

    /// Five empty squares or a few more: those in `odd` quadrants first. Moves are tried rather than generated, which is
    /// quicker where an early one is enough. All are among the `candidates`.
    fn shallow(
        &mut self,
        (player, opponent): (Word, Word),
        alpha: i32,
        empties: u32,
        odd: u64,
        candidates: u64,
    ) -> i32 {
        self.nodes += 1;
        let board = Board { player: player.bits(), opponent: opponent.bits() };
        if let Some(bound) = self.stable(board, alpha, empties) {
            return bound;
        }
        let empty = board.empty();
        let mut best = NONE;
        for mut set in by_promise(candidates, odd) {
            while set != 0 {
                let square = set.trailing_zeros() as usize;
                set &= set - 1;
                let Some(turned) = tried(square, player, opponent) else {
                    continue;
                };
                let after = played(square, turned, player, opponent);
                let odd = odd ^ around(square);
                let others = empty & !(1 << square);
                let value = if empties > 5 {
                    -self.shallow(after, -alpha - 1, empties - 1, odd, others)
                } else {
                    -last4(after.0, after.1, -alpha - 1, others, odd, &mut self.nodes)
                };
                if value > best {
                    best = value;
                    if best > alpha {
                        return best;
                    }
                }
            }
        }
        if best != NONE {
            best
        } else if board.replies() == 0 {
            board.result()
        } else {
            -self.shallow((opponent, player), -alpha - 1, empties, odd, empty)
        }
    }

    #[inline]
    fn stable(&self, board: Board, alpha: i32, empties: u32) -> Option<i32> {
        if alpha < STABLE_FROM[empties as usize] {
            return None;
        }
        ceiling(self.edges, board.player, board.opponent, alpha)
    }

    /// The bound that the table has for the mover at the parent of the position with this key, if it cuts.
    #[inline]
    fn refuted(&mut self, key: u64, alpha: i32, empties: u32) -> Option<i32> {
        let bounds = self.stored_bounds(key, empties)?;
        let bound = -i32::from(bounds.upper);
        if bound <= alpha {
            return None;
        }
        self.beliefs += u64::from(bounds.confidence != EXACT);
        Some(bound)
    }
}

/// The bound that decides a null window, if one does.
#[inline]
pub(super) fn cut(bounds: Known, alpha: i32) -> Option<i32> {
    let (lower, upper) = (i32::from(bounds.lower), i32::from(bounds.upper));
    if lower > alpha {
        Some(lower)
    } else if upper <= alpha {
        Some(upper)
    } else {
        None
    }
}

/// The discs of a board where the last moves are worked out.
#[inline]
fn in_registers(board: Board) -> (Word, Word) {
    (Word::new(board.player), Word::new(board.opponent))
}

/// From this many empty squares on selective searches go before the exact one.
const PRESEARCHED: u32 = 16;
/// The search by the evaluation, which goes before all, ends this many plies before the end of the game.
const UNGUESSED: i32 = 19;

/// A value and the line that leads to it.
type Line = (i32, Vec<Square>);

impl Solver {
    /// The result of a position within `window`.
    pub fn solve(&mut self, position: &Position, window: Discs) -> Solved {
        self.tables.clear();
        self.guess.clear();
        self.nodes = 0;
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
