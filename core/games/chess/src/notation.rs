//! Moves as text and as 16 bits.
//!
//! UCI, SAN and long algebraic notation are read, UCI is written. cozy-chess writes castling as king takes own rook; outside this
//! game it is always `e1g1` or `O-O`.

use super::{Chess, Position, START, parse};
use cozy_chess::{Board, Move, Piece, Square, util};
use secateur_core::game::{Notation, ParseError, Rules, Transcript, Unit};

impl Notation for Chess {
    const UNIT: Unit = Unit { name: "pawn", scale: 100, score: "centipawns" };

    fn sides(&self) -> [&'static str; 2] {
        ["white", "black"]
    }

    fn transcript(&self) -> Transcript {
        Transcript { position: "FEN", tags: &[] }
    }

    fn start(&self) -> Option<String> {
        Some(START.to_owned())
    }

    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        parse::parse(text).map(|board| self.position(board))
    }

    fn format(&self, pos: &Position) -> String {
        pos.board.to_string()
    }

    fn canonical(&self, pos: &Position) -> String {
        parse::four_fields(&pos.board).min(parse::four_fields(&self.mirror(pos).board))
    }

    fn identity(&self, pos: &Position) -> String {
        format!("{:016x}", self.repetition_key(pos))
    }

    /// Reads a legal move in UCI (`e2e4`, `e1g1`, `e1h1`, `a7a8q`) or SAN (`Nf3`, `exd6`, `O-O`, `a8=Q+`), also with the square
    /// that it leaves (`Ng1-f3`, `e7xd8=Q`), as many collections of problems have it.
    fn parse_move(&self, pos: &Position, text: &str) -> Result<Move, ParseError> {
        let board = &pos.board;
        let trimmed = text.trim();
        let mv = if is_uci(trimmed) {
            uci(board, trimmed)
        } else {
            san(board, trimmed).or_else(|| long(board, trimmed))
        };
        mv.ok_or_else(|| {
            let message = format!(
                "found move '{trimmed}', expected a legal one in UCI (e2e4) or SAN (Nf3) for {board}"
            );
            ParseError::new(text.len() - text.trim_start().len(), message)
        })
    }

    fn format_move(&self, pos: &Position, mv: Move) -> String {
        util::display_uci_move(&pos.board, mv).to_string()
    }

    fn shown(&self, pos: &Position, mv: Move) -> String {
        util::display_san_move(pos.board(), mv).to_string()
    }
}

fn is_uci(text: &str) -> bool {
    let bytes = text.as_bytes();
    let square = |at: usize| matches!(bytes[at], b'a'..=b'h') && matches!(bytes[at + 1], b'1'..=b'8');
    matches!(bytes.len(), 4 | 5) && square(0) && square(2)
}

fn uci(board: &Board, text: &str) -> Option<Move> {
    let mv = util::parse_uci_move(board, &text.to_ascii_lowercase()).ok()?;
    board.is_legal(mv).then_some(mv)
}

fn san(board: &Board, text: &str) -> Option<Move> {
    let text = text.trim_end_matches(['+', '#', '!', '?']).replace('0', "O");
    let mv = util::parse_san_move(board, &text).ok()?;
    // A king "moving" to its rook's square is castling, and castling has its own sign.
    let castles = board.colors(board.side_to_move()).has(mv.to);
    // A pawn that takes names the file that it leaves: `d5` alone is no capture.
    let only_steps = text.starts_with(&mv.to.to_string());
    (castles == text.starts_with('O') && (!only_steps || mv.from.file() == mv.to.file())).then_some(mv)
}

/// A move with both squares: letter of the piece, unless it is a pawn, from, `-` or `x`, to, promotion.
fn long(board: &Board, text: &str) -> Option<Move> {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    let piece = text.chars().next().filter(char::is_ascii_uppercase);
    let squares = &text[usize::from(piece.is_some())..];
    let (from, behind) = (squares.get(..2)?, squares.get(2..)?);
    let target = behind.strip_prefix(['-', 'x', ':']).unwrap_or(behind);
    let (to, promotion) = (target.get(..2)?, target.get(2..)?);
    let promotion = promotion.strip_prefix('=').unwrap_or(promotion).to_ascii_lowercase();
    let mv = uci(board, &format!("{from}{to}{promotion}"))?;
    let letter = piece.unwrap_or('P').to_ascii_lowercase();
    (Piece::try_from(letter).ok() == board.piece_on(mv.from)).then_some(mv)
}

/// From, to and promotion in 6, 6 and 3 bits; never 0, since a move goes somewhere else.
#[inline]
pub(super) fn pack(mv: Move) -> u16 {
    let promotion = mv.promotion.map_or(0, |piece| piece as u16);
    mv.from as u16 | (mv.to as u16) << 6 | promotion << 12
}

/// The move of [`pack`]. Any bits give some move, not necessarily a legal one.
#[inline]
pub(super) fn unpack(bits: u16) -> Move {
    let square = |bits: u16| Square::index(usize::from(bits & 63));
    let promotion = match bits >> 12 {
        1 => Some(Piece::Knight),
        2 => Some(Piece::Bishop),
        3 => Some(Piece::Rook),
        4 => Some(Piece::Queen),
        _ => None,
    };
    Move { from: square(bits), to: square(bits >> 6), promotion }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    #[test]
    fn every_move_survives_text_and_bits() {
        let game = Chess::default();
        for pos in testing::positions(1500) {
            for mv in testing::moves(&game, &pos) {
                let text = game.format_move(&pos, mv);
                assert_eq!(game.parse_move(&pos, &text), Ok(mv), "{text}");
                let san = util::display_san_move(&pos.board, mv).to_string();
                assert_eq!(game.parse_move(&pos, &san), Ok(mv), "{san} in {}", pos.board);
                assert_ne!(game.pack(mv), 0);
                assert_eq!(game.unpack(game.pack(mv)), mv);
            }
        }
    }

    #[test]
    fn castling_is_read_in_all_its_spellings() {
        let game = Chess::default();
        let pos = game.parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").expect("a legal position");
        for text in ["e1g1", "e1h1", "O-O", "0-0", "O-O!", "O-O+"] {
            let mv = game.parse_move(&pos, text).expect(text);
            assert_eq!(game.format_move(&pos, mv), "e1g1");
        }
        for text in ["e1c1", "e1a1", "O-O-O", "0-0-0"] {
            let mv = game.parse_move(&pos, text).expect(text);
            assert_eq!(game.format_move(&pos, mv), "e1c1");
        }
        assert!(game.parse_move(&pos, "Kh1").is_err());
    }

    #[test]
    fn the_square_that_is_left_may_be_named() {
        let game = Chess::default();
        for (fen, text, uci) in [
            ("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "Ng1-f3!", "g1f3"),
            ("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7xd8=Q+", "e7d8q"),
            ("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7:d8N", "e7d8n"),
            ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a2-a4", "a2a4"),
        ] {
            let pos = game.parse(fen).expect("a legal position");
            let mv = game.parse_move(&pos, text).expect(text);
            assert_eq!(game.format_move(&pos, mv), uci);
            for wrong in ["Bg1-f3", "g1-f3", "Ng1-e3", "a2-a5", "e7xd8", "Ké-f3", "N-", "-"] {
                assert!(game.parse_move(&pos, wrong).is_err(), "{wrong}");
            }
        }
    }

    #[test]
    fn a_pawn_takes_only_where_its_file_is_named() {
        let game = Chess::default();
        let pos = game.parse("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").expect("a legal position");
        for text in ["exd5", "ed5", "e4d5", "e4xd5"] {
            assert!(game.parse_move(&pos, text).is_ok(), "{text}");
        }
        assert!(game.parse_move(&pos, "d5").is_err() && game.parse_move(&pos, "e5").is_ok());
        let pos = game.parse("8/P6k/8/8/8/8/8/K7 w - - 0 1").expect("a legal position");
        for text in ["a8=Q", "a8Q", "a7a8Q", "a7a8q"] {
            assert!(game.parse_move(&pos, text).is_ok(), "{text}");
        }
    }

    #[test]
    fn moves_that_are_not_legal_are_refused() {
        let game = Chess::default();
        let pos = game.parse(testing::FENS[0]).expect("a legal position");
        for text in ["", "e2e5", "e2e4q", "Ke2", "Nd2", "O-O", "xyz", "e9", "a7a8", "é", "0000"] {
            let error = game.parse_move(&pos, text).expect_err(text);
            assert!(error.message.contains(text));
        }
        assert_eq!(game.parse_move(&pos, " e5").expect_err("no such move").offset, 1);
        let two = game.parse("4k3/8/8/8/8/8/8/N3K1N1 w - - 0 1").expect("a legal position");
        assert!(game.parse_move(&two, "Ne2").is_ok() && game.parse_move(&two, "N1e2").is_ok());
    }
}
