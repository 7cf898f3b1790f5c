//! Legal moves: those of haitaka, but for drops of pawns.
//!
//! A pawn must not be dropped so that it mates. haitaka 0.3.2 looks at one square a position, and at none in check, where a pawn
//! in between may mate as well. Its `is_legal` knows of no hands, and lets promoted pieces promote again.

use haitaka::{
    BitBoard, Board, Color, Move, Piece, PieceMoves, Square, drop_zone, get_between_rays, pawn_attacks,
};

/// Where the kings of white and black begin.
const HOME: [Square; 2] = [Square::A5, Square::I5];

/// The square of a side's king; of the attacker of a problem, who has none, the one where kings begin.
#[inline(always)]
pub(crate) fn king(board: &Board, color: Color) -> Square {
    board.colored_pieces(color, Piece::King).next_square().unwrap_or(HOME[usize::from(color == Color::Black)])
}

/// Where the side to move may drop a pawn.
fn pawn_drops(board: &Board) -> BitBoard {
    let us = board.side_to_move();
    if !board.has_in_hand(us, Piece::Pawn) {
        return BitBoard::EMPTY;
    }
    let checkers = board.checkers();
    let open = match (checkers.len(), checkers.next_square()) {
        (1, Some(checker)) => get_between_rays(checker, board.king(us)),
        (0, _) => BitBoard::FULL,
        _ => return BitBoard::EMPTY,
    };
    let mut to = open & drop_zone(us, Piece::Pawn) & !board.occupied();
    for pawn in board.colored_pieces(us, Piece::Pawn) {
        to &= !pawn.file().bitboard();
    }
    if !board.has(!us, Piece::King) {
        return to;
    }
    let check = to & pawn_attacks(!us, board.king(!us));
    match check.next_square() {
        Some(square) if pawn_mates(board, Move::Drop { piece: Piece::Pawn, to: square }) => to.rm(square),
        _ => to,
    }
}

/// Whether the drop of a pawn that gives check mates. It stands next to the king: no drop comes in between.
fn pawn_mates(board: &Board, mv: Move) -> bool {
    let mut next = board.clone();
    next.play_unchecked(mv);
    !next.generate_board_moves(|_| true)
}

/// Hands out the legal moves in sets, none of them empty, until `take` says that it has enough; whether it did.
pub(crate) fn each(board: &Board, mut take: impl FnMut(PieceMoves) -> bool) -> bool {
    if board.generate_board_moves(&mut take) {
        return true;
    }
    let to = pawn_drops(board);
    if !to.is_empty() && take(PieceMoves::Drops { color: board.side_to_move(), piece: Piece::Pawn, to }) {
        return true;
    }
    board.generate_drops(|set| !matches!(set, PieceMoves::Drops { piece: Piece::Pawn, .. }) && take(set))
}

/// Whether there is a legal move.
pub(crate) fn any(board: &Board) -> bool {
    each(board, |_| true)
}

/// Whether a move is one of those of [`each`].
pub(crate) fn is_legal(board: &Board, mv: Move) -> bool {
    match mv {
        Move::Drop { piece: Piece::Pawn, to } => pawn_drops(board).has(to),
        Move::Drop { piece, .. } => {
            !piece.is_promoted() && board.has_in_hand(board.side_to_move(), piece) && board.is_legal_drop(mv)
        }
        Move::BoardMove { from, promotion, .. } => {
            (!promotion || board.piece_on(from).is_some_and(|piece| piece.is_promotable()))
                && board.is_legal_board_move(mv)
        }
    }
}
