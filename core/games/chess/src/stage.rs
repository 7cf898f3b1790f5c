//! Stages of a chess game, told from the position alone.
//!
//! The endgame is Jiang & Buro's (2003): each side has less than 15 points, with queen 9, rook 5, bishop
//! and knight 3, pawns not counted. The opening is everything else with at least half of the sixteen
//! pieces (pawns not counted) still on their first squares. Both tests look at the board only, so a
//! position set without move numbers can be split too.

use cozy_chess::{BitBoard, Board, Color, Piece, Rank};

/// Names by [`stage`].
pub(super) const NAMES: &[&str] = &["opening", "middlegame", "endgame"];

/// Least number of pieces at home in the opening.
const AT_HOME: u32 = 8;
/// An endgame side has fewer points than this.
const ENDGAME: u32 = 15;

/// Index into [`NAMES`].
pub(super) fn stage(board: &Board) -> usize {
    if points(board, Color::White) < ENDGAME && points(board, Color::Black) < ENDGAME {
        2
    } else if at_home(board) >= AT_HOME {
        0
    } else {
        1
    }
}

fn points(board: &Board, color: Color) -> u32 {
    let minor = board.pieces(Piece::Knight) | board.pieces(Piece::Bishop);
    [(minor, 3), (board.pieces(Piece::Rook), 5), (board.pieces(Piece::Queen), 9)]
        .into_iter()
        .map(|(pieces, points)| points * (pieces & board.colors(color)).len())
        .sum()
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
    use super::super::{Chess, testing};
    use secateur_core::game::{Evaluation, Notation, Rules};

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
