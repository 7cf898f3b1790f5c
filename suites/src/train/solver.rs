//! Exact end games for labels: fastest-first alpha-beta on bare boards, in discs.
//!
//! No table and no evaluation: a solved value is a fact, whatever the weights. Good for about 14 empty
//! squares (Zebra's and Edax's solvers order their moves the same way, and do much more).

use secateur_core::game::othello::{Board, Square, squares};

/// From this many empty squares on, moves that leave the opponent fewer replies go first.
const ORDERED_FROM: u32 = 5;
/// The four quadrants: a square in one with an odd number of empties is tried before the others.
const QUADRANTS: [u64; 4] =
    [0x0000_0000_0F0F_0F0F, 0x0000_0000_F0F0_F0F0, 0x0F0F_0F0F_0000_0000, 0xF0F0_F0F0_0000_0000];

/// The result in discs under best play, within (`alpha`, `beta`) exactly, outside as a bound.
pub(super) fn solve(board: Board, alpha: i32, beta: i32) -> i32 {
    let moves = board.moves();
    if moves == 0 {
        return if board.replies() == 0 { board.result() } else { -solve(board.passed(), -beta, -alpha) };
    }
    let empties = board.empty().count_ones();
    if empties == 1 {
        return -finished(board.play(Square::new(moves.trailing_zeros() as usize)));
    }
    if empties >= ORDERED_FROM {
        return fastest_first(board, moves, alpha, beta);
    }
    let odd = odd_quadrants(board.empty());
    let mut window = Search { alpha, beta, best: i32::MIN };
    for set in [moves & odd, moves & !odd] {
        for square in squares(set) {
            if window.cut_by(board.play(square)) {
                return window.best;
            }
        }
    }
    window.best
}

/// The best move of a position with moves, and the exact result.
pub(super) fn best(board: Board) -> Option<(Square, i32)> {
    let mut best: Option<(Square, i32)> = None;
    for child in children(board, board.moves()) {
        let alpha = best.map_or(-65, |(_, value)| value);
        let value = -solve(child.board, -65, -alpha);
        if value > alpha {
            best = Some((child.square, value));
        }
    }
    best
}

struct Child {
    haste: u32,
    square: Square,
    board: Board,
}

fn children(board: Board, moves: u64) -> Vec<Child> {
    let odd = odd_quadrants(board.empty());
    let mut children: Vec<Child> = squares(moves)
        .map(|square| {
            let after = board.play(square);
            let replies = after.moves();
            let corners = (replies & 0x8100_0000_0000_0081).count_ones();
            let even = u32::from(square.bit() & odd == 0);
            Child { haste: 4 * (replies.count_ones() + corners) + even, square, board: after }
        })
        .collect();
    children.sort_by_key(|child| child.haste);
    children
}

fn fastest_first(board: Board, moves: u64, alpha: i32, beta: i32) -> i32 {
    let mut window = Search { alpha, beta, best: i32::MIN };
    for child in children(board, moves) {
        if window.cut_by(child.board) {
            break;
        }
    }
    window.best
}

struct Search {
    alpha: i32,
    beta: i32,
    best: i32,
}

impl Search {
    /// Takes one child into account; whether it ends the search of its parent.
    fn cut_by(&mut self, child: Board) -> bool {
        let first = self.best == i32::MIN;
        let narrow = if first { self.beta } else { self.alpha + 1 };
        let mut value = -solve(child, -narrow, -self.alpha);
        if !first && value > self.alpha && value < self.beta {
            value = -solve(child, -self.beta, -value);
        }
        self.best = self.best.max(value);
        self.alpha = self.alpha.max(value);
        self.alpha >= self.beta
    }
}

/// The result of a full board.
fn finished(board: Board) -> i32 {
    2 * board.player.count_ones() as i32 - 64
}

fn odd_quadrants(empty: u64) -> u64 {
    QUADRANTS.iter().filter(|&&quadrant| (empty & quadrant).count_ones() % 2 == 1).fold(0, |all, q| all | q)
}

#[cfg(test)]
mod tests {
    use super::super::selfplay::random_position;
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    fn minimax(board: Board) -> i32 {
        match board.moves() {
            0 if board.replies() == 0 => board.result(),
            0 => -minimax(board.passed()),
            moves => squares(moves).map(|square| -minimax(board.play(square))).max().unwrap_or(0),
        }
    }

    #[test]
    fn solved_values_are_minimax_values() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for empties in [1, 2, 3, 4, 5, 6, 7, 7, 7, 8, 8] {
            let board = random_position(&mut rng, 60 - empties).board();
            let value = minimax(board);
            assert_eq!(solve(board, -65, 65), value);
            assert!(solve(board, value - 1, value) >= value);
            assert!(solve(board, value, value + 1) <= value);
            if let Some((square, found)) = best(board) {
                assert_eq!(found, value);
                assert_eq!(-minimax(board.play(square)), value);
            }
        }
    }
}
