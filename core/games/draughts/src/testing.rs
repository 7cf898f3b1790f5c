//! Boards of random games for the tests of this package.

use super::board::{Board, Move};
use secateur_base::hash::SplitMix;

pub(crate) fn moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.each_move(|mv| moves.push(mv));
    moves
}

/// All boards of random games, `count` of them, the last ones with kings; each has a move.
pub(crate) fn boards(count: usize) -> Vec<Board> {
    let mut random = SplitMix(7);
    let mut boards = Vec::new();
    while boards.len() < count {
        let mut board = Board::START;
        for _ in 0..150 {
            let moves = moves(&board);
            if moves.is_empty() || boards.len() == count {
                break;
            }
            boards.push(board);
            board = board.play(moves[random.below(moves.len())]);
        }
    }
    boards
}

/// Boards with up to eight pieces of each side anywhere, half of them kings, where there is a move: what games rarely come to.
pub(crate) fn scattered(count: usize) -> Vec<Board> {
    let mut random = SplitMix(11);
    let mut boards = Vec::new();
    while boards.len() < count {
        let mut board = Board::default();
        for _ in 0..2 + random.below(14) {
            let square_bit = super::board::bit(4 + random.below(24));
            match random.below(4) {
                _ if (board.mover | board.other) & square_bit != 0 => {}
                0 => board.mover |= square_bit,
                1 => board.other |= square_bit,
                side => {
                    board.kings |= square_bit;
                    if side == 2 { board.mover |= square_bit } else { board.other |= square_bit }
                }
            }
        }
        if board.other != 0 && board.is_mobile() {
            boards.push(board);
        }
    }
    boards
}
