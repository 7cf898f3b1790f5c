//! A chess position with the sums its evaluation keeps up to date, and the stages of a game.
//!
//! The rules' state is a cozy-chess board. Next to it travel the packed material and placement sum, the
//! game phase, and how many plies back the position could have occurred before.
//!
//! The endgame is Jiang & Buro's (2003): each side has less than 15
//! points, with queen 9, rook 5, bishop and knight 3, pawns not counted. The opening is everything else with at least half of
//! the sixteen pieces (pawns not counted) still on their first squares. Both tests look at the board only, so a position set
//! without move numbers can be split too.

use crate::eval::{Evaluator, PHASE, Taper, points};
use cozy_chess::{BitBoard, Board, Color, File, Move, Piece, Rank, Square};

/// Where the halfmove clock stops: the game is a draw.
const FOREVER: u8 = 100;

/// A legal chess position.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    pub(super) board: Board,
    /// Material and placement, White's minus Black's.
    pub(super) placed: Taper,
    /// Men left, by [`PHASE`]; more than the start position's after promotions.
    pub(super) phase: i16,
    /// Plies since the last capture, pawn move or null move, at most [`FOREVER`]: only positions of these
    /// plies can equal this one. Without null moves this is the halfmove clock.
    pub(super) reversible: u8,
}

impl Position {
    pub(super) fn new(board: Board, evaluation: &Evaluator) -> Position {
        let (mut placed, mut phase) = (Taper::ZERO, 0);
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in board.colored_pieces(color, piece) {
                    placed += evaluation.placed(color, piece, square);
                    phase += PHASE[piece as usize];
                }
            }
        }
        let reversible = board.halfmove_clock();
        Position { board, placed, phase, reversible }
    }

    /// The rules' part of the position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    #[inline]
    pub(super) fn count(&mut self, mv: Move, color: Color, evaluation: &Evaluator) {
        let board = &self.board;
        let Some(moved) = board.piece_on(mv.from) else { return };
        self.reversible = (self.reversible + 1).min(FOREVER);
        let mut placed = self.placed - evaluation.placed(color, moved, mv.from);
        placed += evaluation.placed(color, mv.promotion.unwrap_or(moved), mv.to);
        if moved == Piece::Pawn {
            self.reversible = 0;
            if let Some(promotion) = mv.promotion {
                self.phase += PHASE[promotion as usize];
            }
        }
        if let Some((victim, square)) = captured(board, mv) {
            self.reversible = 0;
            self.phase -= PHASE[victim as usize];
            placed -= evaluation.placed(!color, victim, square);
        }
        self.placed = placed;
    }

    pub(super) fn castle(&mut self, mv: Move, color: Color, evaluation: &Evaluator) {
        self.reversible = (self.reversible + 1).min(FOREVER);
        let (king, rook) = castled(mv);
        self.placed -= evaluation.placed(color, Piece::King, mv.from);
        self.placed -= evaluation.placed(color, Piece::Rook, mv.to);
        self.placed += evaluation.placed(color, Piece::King, king);
        self.placed += evaluation.placed(color, Piece::Rook, rook);
    }
}

/// Where king and rook stand after castling, which cozy-chess writes as king takes own rook.
#[inline]
pub(super) fn castled(mv: Move) -> (Square, Square) {
    let rank = mv.from.rank();
    let short = mv.from.file() < mv.to.file();
    let (king, rook) = if short { (File::G, File::F) } else { (File::C, File::D) };
    (Square::new(king, rank), Square::new(rook, rank))
}

/// The enemy man that a move takes, and where it stands (en passant: next to the target).
#[inline(always)]
pub(super) fn captured(board: &Board, mv: Move) -> Option<(Piece, Square)> {
    if board.colors(!board.side_to_move()).has(mv.to) {
        return board.piece_on(mv.to).map(|piece| (piece, mv.to));
    }
    takes_en_passant(board, mv).then(|| (Piece::Pawn, Square::new(mv.to.file(), mv.from.rank())))
}

/// Whether a move is an en passant capture.
#[inline]
pub(super) fn takes_en_passant(board: &Board, mv: Move) -> bool {
    en_passant(board) == Some(mv.to)
        && mv.from.file() != mv.to.file()
        && board.pieces(Piece::Pawn).has(mv.from)
}

/// The square behind a pawn that has just moved two.
#[inline]
pub(super) fn en_passant(board: &Board) -> Option<Square> {
    board.en_passant().map(|file| Square::new(file, Rank::Third.relative_to(!board.side_to_move())))
}

/// Names by [`stage`].
pub(super) const STAGES: &[&str] = &["opening", "middlegame", "endgame"];

/// Least number of pieces at home in the opening.
const AT_HOME: u32 = 8;
/// An endgame side has fewer points than this.
const ENDGAME: u32 = 15;

/// Index into [`STAGES`].
pub(super) fn stage(board: &Board) -> usize {
    if points(board, Color::White) < ENDGAME && points(board, Color::Black) < ENDGAME {
        2
    } else if at_home(board) >= AT_HOME {
        0
    } else {
        1
    }
}

fn at_home(board: &Board) -> u32 {
    /// First-rank files of each piece, the same on rank 8.
    const HOMES: [(Piece, u64); 5] = [
        (Piece::Rook, 0x81),
        (Piece::Knight, 0x42),
        (Piece::Bishop, 0x24),
        (Piece::Queen, 0x08),
        (Piece::King, 0x10),
    ];
    let homes = HOMES.into_iter().fold(BitBoard::EMPTY, |homes, (piece, files)| {
        homes | (board.pieces(piece) & BitBoard(files | files << 56))
    });
    let home_rank = |color: Color| board.colors(color) & Rank::First.relative_to(color).bitboard();
    (homes & (home_rank(Color::White) | home_rank(Color::Black))).len()
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::Chess;
    use secateur_core::game::{Evaluation, Notation, Rules};

    #[test]
    fn sums_kept_up_to_date_equal_sums_from_scratch() {
        let game = Chess::default();
        let mut castlings = 0;
        for pos in testing::positions(5000) {
            let fresh = game.parse(&game.format(&pos)).expect("a formatted position");
            assert_eq!((fresh.placed, fresh.phase), (pos.placed, pos.phase), "{}", game.format(&pos));
            for mv in testing::moves(&game, &pos) {
                castlings += usize::from(pos.board.colors(pos.board.side_to_move()).has(mv.to));
                let next = game.play(&pos, mv);
                let fresh = Position::new(next.board.clone(), &game.evaluation);
                assert_eq!((fresh.placed, fresh.phase), (next.placed, next.phase));
            }
        }
        assert!(castlings > 50);
    }

    #[test]
    fn two_null_moves_change_only_counters_and_en_passant() {
        let game = Chess::default();
        for pos in testing::positions(1000) {
            let Some(twice) = game.null(&pos).and_then(|other| game.null(&other)) else { continue };
            assert_eq!(twice.board.en_passant(), None);
            assert_eq!(twice.board.hash(), pos.board.hash_without_ep());
            assert_eq!((twice.placed, twice.phase), (pos.placed, pos.phase));
            let men = |pos: &Position| Color::ALL.map(|c| Piece::ALL.map(|p| pos.board.colored_pieces(c, p)));
            assert_eq!(men(&twice), men(&pos));
            assert_eq!(
                (twice.board.pinned(), twice.board.checkers()),
                (pos.board.pinned(), pos.board.checkers())
            );
        }
    }

    #[test]
    fn a_mirror_twice_is_the_position() {
        let game = Chess::default();
        for pos in testing::positions(500) {
            let image = game.mirror(&pos);
            assert_eq!(image.placed, Position::new(image.board.clone(), &game.evaluation).placed);
            assert_eq!(game.mirror(&image), pos);
            assert_eq!(testing::moves(&game, &image).len(), testing::moves(&game, &pos).len());
        }
    }

    #[test]
    fn stages_are_recognised() {
        let game = Chess::default();
        for (fen, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "opening"),
            ("r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3", "opening"),
            ("r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N2/PP1P1PPP/RNBQR1K1 w - - 0 9", "middlegame"),
            ("3r1rk1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 30", "endgame"),
            ("3q1rk1/5ppp/8/8/8/8/5PPP/3QR1K1 w - - 0 30", "endgame"),
            ("3q1rk1/5ppp/4n3/8/8/8/5PPP/3QR1K1 w - - 0 30", "middlegame"),
        ] {
            assert_eq!(game.label(&game.parse(fen).expect("a legal position")), expected, "{fen}");
        }
    }

    #[test]
    fn the_stage_does_not_depend_on_colours() {
        let game = Chess::default();
        let mut seen = [0; 3];
        for pos in testing::positions(1500) {
            let stage = game.stage(&pos);
            assert_eq!(stage, game.stage(&game.mirror(&pos)));
            seen[stage] += 1;
        }
        assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
    }
}
