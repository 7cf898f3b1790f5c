//! A shogi position with the sum its evaluation keeps up to date, and the stages of a game.
//!
//! The rules' state is a haitaka board. Next to it travel the sum of the weights of all pieces and how many moves in a row of either
//! side gave check, which tells perpetual check from other repetitions.
//!
//! Stages are also the categories of positions that fitted parameters differ by. Shogi does not get
//! emptier, so stages go by how much has changed hands or promoted, and an attack on a king is a category of its own whenever
//! it comes: there, values of searches of different depths agree least.

use crate::legal::king;
use crate::weights::{SQUARES, Weights, seen};
use haitaka::{BitBoard, Board, Color, Move, Piece};

/// A legal shogi position.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    pub(super) board: Board,
    /// Weights of all pieces on the board and in hand, black's minus white's.
    pub(super) placed: i32,
    /// Moves in a row, up to the last, with which white and black gave check; a position that is read has none.
    pub(super) checks: [u8; 2],
    /// Plies since the position that was read or a null move, as far as they are counted: no earlier one can be repeated.
    pub(super) since: u8,
}

#[inline(always)]
fn signed(color: Color, value: i32) -> i32 {
    if color == Color::Black { value } else { -value }
}

/// What a piece on the board adds to the sum.
#[inline(always)]
fn on_board(weights: &Weights, color: Color, piece: Piece, square: usize, kings: [usize; 2]) -> i32 {
    let see = |square: usize| seen(color, square);
    let (own_king, other) = (see(kings[color as usize]), see(kings[!color as usize]));
    signed(color, weights.on_board(piece, see(square), own_king, other))
}

fn kings(board: &Board) -> [usize; 2] {
    [king(board, Color::White) as usize, king(board, Color::Black) as usize]
}

/// The sum from scratch.
fn sum(board: &Board, weights: &Weights) -> i32 {
    let (mut placed, kings) = (0, kings(board));
    for color in [Color::White, Color::Black] {
        for piece in Piece::ALL {
            for square in board.colored_pieces(color, piece) {
                placed += on_board(weights, color, piece, square as usize, kings);
            }
            let held = i32::from(board.num_in_hand(color, piece));
            if held > 0 {
                placed += signed(color, held * weights.in_hand(piece));
            }
        }
    }
    placed
}

impl Position {
    pub(super) fn new(board: Board, weights: &Weights) -> Position {
        let placed = sum(&board, weights);
        Position { board, placed, checks: [0; 2], since: 0 }
    }

    /// The rules' part of the position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    #[inline]
    pub(super) fn placed_after(&self, mv: Move, us: Color, next: &Board, weights: &Weights) -> i32 {
        let kings = kings(&self.board);
        match mv {
            Move::Drop { piece, to } => {
                self.placed + on_board(weights, us, piece, to as usize, kings)
                    - signed(us, weights.in_hand(piece))
            }
            Move::BoardMove { from, to, promotion } => {
                let Some(piece) = self.board.piece_on(from) else { return self.placed };
                if piece == Piece::King {
                    // Every piece stands elsewhere from it.
                    return sum(next, weights);
                }
                let stands = if promotion { piece.promote() } else { piece };
                let mut placed = self.placed - on_board(weights, us, piece, from as usize, kings)
                    + on_board(weights, us, stands, to as usize, kings);
                if self.board.colors(!us).has(to)
                    && let Some(victim) = self.board.piece_on(to)
                {
                    placed -= on_board(weights, !us, victim, to as usize, kings);
                    placed += signed(us, weights.in_hand(victim.unpromote()));
                }
                placed
            }
        }
    }

    /// Who has given perpetual check, if the position has occurred for the fourth time by checks alone: each of the three ways
    /// back takes two moves of either side at least.
    pub(super) fn perpetual(&self) -> Option<Color> {
        const LEAST: u8 = 6;
        [Color::White, Color::Black].into_iter().find(|&color| self.checks[color as usize] >= LEAST)
    }

    /// Whether the side to move may declare a win by impasse, by the rule of 27 points: its king and ten other pieces in the
    /// farthest three ranks, no check, and 28 points for black or 27 for white, of pieces there and in hand, where rook and
    /// bishop count 5 and all others but the king 1.
    pub fn may_declare(&self) -> bool {
        let board = &self.board;
        let us = board.side_to_move();
        let camp = haitaka::prom_zone(us);
        if !board.has(us, Piece::King) || !camp.has(board.king(us)) || !board.checkers().is_empty() {
            return false;
        }
        let there = board.colors(us) & camp;
        let great = [Piece::Rook, Piece::PRook, Piece::Bishop, Piece::PBishop];
        let placed: u32 = great.iter().map(|&piece| (there & board.pieces(piece)).len()).sum();
        let held: u32 = board.hand(us).iter().map(|&count| u32::from(count)).sum();
        let held_great = u32::from(board.num_in_hand(us, Piece::Rook) + board.num_in_hand(us, Piece::Bishop));
        let others = there.len() - 1;
        others >= 10 && others + held + 4 * (placed + held_great) >= if us == Color::Black { 28 } else { 27 }
    }
}

/// Names in the order of a game.
pub(crate) const STAGES: &[&str] = &["opening", "middle", "endgame", "attack"];

/// Fewer pieces in hand or promoted are the opening.
const MIDDLE: u32 = 5;
/// So many are the endgame.
const ENDGAME: u32 = 13;
/// So many pieces but pawns within two squares of the enemy king are an attack.
const ATTACKERS: u32 = 3;

/// The squares at most two away.
static NEAR: [BitBoard; SQUARES] = {
    let mut table = [BitBoard::EMPTY; SQUARES];
    let mut king = 0;
    while king < SQUARES {
        let (mut set, mut square) = (0u128, 0);
        while square < SQUARES {
            if (king / 9).abs_diff(square / 9) <= 2 && (king % 9).abs_diff(square % 9) <= 2 {
                set |= 1 << square;
            }
            square += 1;
        }
        table[king] = BitBoard::new(set);
        king += 1;
    }
    table
};

/// The stage of a position.
pub(crate) fn stage(board: &Board) -> usize {
    let pawns = board.pieces(Piece::Pawn) | board.pieces(Piece::King);
    // A king that is not there is not attacked.
    let attacked = |color: Color| {
        (NEAR[king(board, color) as usize] & board.colors(!color) & !pawns).len() >= ATTACKERS
            && board.has(color, Piece::King)
    };
    if attacked(Color::White) || attacked(Color::Black) {
        return 3;
    }
    let promoted = board.pseudo_golds() & !board.pieces(Piece::Gold);
    let held: u32 = board.hands().iter().flatten().map(|&count| u32::from(count)).sum();
    match promoted.len() + held {
        0..MIDDLE => 0,
        MIDDLE..ENDGAME => 1,
        _ => 2,
    }
}
