//! Whether a board can have come about, as far as one move back can tell.
//!
//! cozy-chess takes some boards that no game reaches, and searching those is undefined or meaningless: kings side by
//! side, nine queens next to eight pawns, two checks that no move gives at once. Counts follow from the men that a
//! game begins with; of checks only double ones are retraced. Left out: everything that needs more than the last
//! move, such as pawn structures that too few captures explain.

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

const DARK: BitBoard = BitBoard(0xaa55_aa55_aa55_aa55);

/// Whether the kings stand on neighbouring squares.
pub(super) fn kings_touch(board: &Board) -> bool {
    get_king_moves(board.king(Color::White)).has(board.king(Color::Black))
}

/// Promotions that the men of a side need, next to the pawns it still has: more than 8 together is impossible.
pub(super) fn promotions(board: &Board, color: Color) -> u32 {
    let own_men = |piece| board.colored_pieces(color, piece);
    let bishops = own_men(Piece::Bishop);
    let groups = [
        (own_men(Piece::Queen), 1),
        (own_men(Piece::Rook), 2),
        (own_men(Piece::Knight), 2),
        (bishops & DARK, 1),
        (bishops & !DARK, 1),
    ];
    groups.into_iter().map(|(men, first)| men.len().saturating_sub(first)).sum()
}

/// The men of one side before a move, as those see them that they might attack.
#[derive(Clone, Copy)]
struct Men {
    occupied: BitBoard,
    lines: BitBoard,
    diagonals: BitBoard,
    knights: BitBoard,
    pawns: BitBoard,
}

impl Men {
    fn of(board: &Board, color: Color) -> Men {
        let own_men = |piece| board.colored_pieces(color, piece);
        Men {
            occupied: board.occupied(),
            lines: own_men(Piece::Rook) | own_men(Piece::Queen),
            diagonals: own_men(Piece::Bishop) | own_men(Piece::Queen),
            knights: own_men(Piece::Knight),
            pawns: own_men(Piece::Pawn),
        }
    }

    /// These men with the one on `to` back on `from`, where it was a `piece`; `to` is empty or still held by what was
    /// captured.
    fn back(mut self, to: Square, from: Square, piece: Piece, captured: bool) -> Men {
        let (to, from) = (to.bitboard(), from.bitboard());
        for men in [&mut self.lines, &mut self.diagonals, &mut self.knights, &mut self.pawns] {
            *men &= !to;
        }
        if matches!(piece, Piece::Rook | Piece::Queen) {
            self.lines |= from;
        }
        if matches!(piece, Piece::Bishop | Piece::Queen) {
            self.diagonals |= from;
        }
        match piece {
            Piece::Knight => self.knights |= from,
            Piece::Pawn => self.pawns |= from,
            _ => {}
        }
        self.occupied |= from;
        if !captured {
            self.occupied &= !to;
        }
        self
    }

    /// Whether they attack the king of `color` on this square.
    fn attack(&self, king: Square, color: Color) -> bool {
        !(get_rook_moves(king, self.occupied) & self.lines).is_empty()
            || !(get_bishop_moves(king, self.occupied) & self.diagonals).is_empty()
            || !(get_knight_moves(king) & self.knights).is_empty()
            || !(get_pawn_attacks(king, color) & self.pawns).is_empty()
    }
}

/// Whether one legal move of the side that just moved can have given both of two checks.
pub(super) fn double_check_is_possible(board: &Board) -> bool {
    // A move opens the line through the square that it leaves, and only that: one of the two has moved. En passant
    // empties two squares, and then it may have been neither.
    board.checkers().into_iter().any(|to| moved(board, to)) || en_passant(board)
}

/// Whether the check can come from a last move to this square.
fn moved(board: &Board, to: Square) -> bool {
    let (them, us) = (board.side_to_move(), !board.side_to_move());
    let (king, men) = (board.king(them), Men::of(board, us));
    let empty = !board.occupied();
    let can_capture = board.colors(them).len() < 16;
    let before = |piece: Piece, from: BitBoard, captured: bool| {
        let from = if piece == Piece::Pawn { from & !Rank::First.relative_to(us).bitboard() } else { from };
        (!captured || can_capture)
            && (from & empty).into_iter().any(|from| !men.back(to, from, piece, captured).attack(king, them))
    };
    // Squares from which a pawn attacks this one, and from which it is pushed here.
    let diagonal = get_pawn_attacks(to, them);
    let pushed = |steps: i8| to.try_offset(0, if us == Color::White { -steps } else { steps });
    let behind = pushed(1).map_or(BitBoard::EMPTY, Square::bitboard);
    let piece = board.piece_on(to).unwrap_or(Piece::Pawn);
    if piece == Piece::Pawn {
        let two =
            pushed(2).filter(|_| to.rank() == Rank::Fourth.relative_to(us) && empty.is_superset(behind));
        let straight = behind | two.map_or(BitBoard::EMPTY, Square::bitboard);
        return before(Piece::Pawn, straight, false) || before(Piece::Pawn, diagonal, true);
    }
    let from = match piece {
        Piece::Knight => get_knight_moves(to),
        Piece::Bishop => get_bishop_moves(to, board.occupied()),
        Piece::Rook => get_rook_moves(to, board.occupied()),
        _ => get_bishop_moves(to, board.occupied()) | get_rook_moves(to, board.occupied()),
    };
    before(piece, from, false)
        || before(piece, from, true)
        || (to.rank() == Rank::Eighth.relative_to(us)
            && (before(Piece::Pawn, behind, false) || before(Piece::Pawn, diagonal, true)))
}

/// Whether the checks can come from a pawn taken en passant.
fn en_passant(board: &Board) -> bool {
    let (them, us) = (board.side_to_move(), !board.side_to_move());
    let king = board.king(them);
    let empty = !board.occupied();
    if board.colors(them).len() == 16 || board.colored_pieces(them, Piece::Pawn).len() == 8 {
        return false;
    }
    let pawns = board.colored_pieces(us, Piece::Pawn) & Rank::Sixth.relative_to(us).bitboard();
    pawns.into_iter().any(|to| {
        let taken = Square::new(to.file(), Rank::Fifth.relative_to(us));
        let begun = Square::new(to.file(), Rank::Seventh.relative_to(us));
        let from = (get_pawn_attacks(to, them) & empty).into_iter();
        empty.has(taken)
            && empty.has(begun)
            && from.into_iter().any(|from| {
                let mut men = Men::of(board, us).back(to, from, Piece::Pawn, false);
                men.occupied |= taken.bitboard();
                !men.attack(king, them)
            })
    })
}

/// Whether the king was already attacked before the double step of the pawn that may be taken on this file.
pub(super) fn double_step_ignores_check(board: &Board, file: File) -> bool {
    let (them, us) = (board.side_to_move(), !board.side_to_move());
    let [from, to] = [Rank::Second, Rank::Fourth].map(|rank| Square::new(file, rank.relative_to(us)));
    Men::of(board, us).back(to, from, Piece::Pawn, false).attack(board.king(them), them)
}

#[cfg(test)]
mod tests {
    use super::super::{Chess, testing};
    use super::*;
    use secateur_core::game::Rules;

    /// What moves reach can come about: every double check of random games, and every count of men.
    #[test]
    fn boards_of_games_are_possible() {
        let game = Chess::default();
        let mut doubles = 0;
        for pos in testing::positions(12_000) {
            for mv in testing::moves(&game, &pos) {
                let board = game.play(&pos, mv).board;
                if board.checkers().len() == 2 {
                    assert!(double_check_is_possible(&board), "{board}");
                    doubles += 1;
                }
                assert!(!kings_touch(&board), "{board}");
            }
        }
        assert!(doubles > 20, "{doubles}");
    }

    #[test]
    fn double_checks_need_a_move_that_gives_both() {
        let board = |fen: &str| fen.parse::<Board>().expect("a board");
        for (fen, possible) in [
            // Two rooks on one line, and on two that no move of a rook joins.
            ("8/8/8/8/R2k3R/8/8/4K3 b - - 0 1", false),
            ("3R4/8/8/8/R2k4/8/8/4K3 b - - 0 1", false),
            // A knight opens the line of a rook; two knights open nothing.
            ("4k3/8/5N2/8/8/8/8/4RK2 b - - 0 1", true),
            ("4k3/8/3N1N2/8/8/8/8/4K3 b - - 0 1", false),
            // A pawn becomes a knight and opens the line of a rook.
            ("2N5/R3k3/8/8/8/8/8/4K3 b - - 0 1", true),
            // A pawn came from d7 to d5 and was taken by that of e5; not if d7 is held.
            ("4R3/1B6/3P4/8/4k3/8/8/4K3 b - - 0 1", true),
            ("4R3/1B1p4/3P4/8/4k3/8/8/4K3 b - - 0 1", false),
        ] {
            let board = board(fen);
            assert_eq!(board.checkers().len(), 2, "{fen}");
            assert_eq!(double_check_is_possible(&board), possible, "{fen}");
        }
    }

    #[test]
    fn men_beyond_the_first_ones_are_promoted() {
        let board = |fen: &str| fen.parse::<Board>().expect("a board");
        for (fen, white) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0),
            ("4k3/8/8/8/8/8/8/QQQ1K1BB w - - 0 1", 2),
            ("4k3/8/8/8/8/8/8/B1B1K1NN w - - 0 1", 1),
            ("4k3/8/8/8/8/8/8/RRR1KNNN w - - 0 1", 2),
        ] {
            assert_eq!(promotions(&board(fen), Color::White), white, "{fen}");
            assert_eq!(promotions(&board(fen), Color::Black), 0, "{fen}");
        }
    }
}
