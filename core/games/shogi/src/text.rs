//! Positions as SFEN, moves as USI writes them, and moves in 16 bits.
//!
//! Source: the USI protocol (Romstad, "The Universal Shogi Interface"), by which programs of shogi talk.

use super::{Position, Shogi};
use haitaka::{Board, Color, Move, Piece, Square, line_ray};
use secateur_core::game::{Notation, ParseError, Transcript, Unit, refuse};

/// The position that games begin from.
pub(crate) const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
/// The most pieces of a kind, all of them in one hand.
const MOST_HELD: u32 = 18;

impl Notation for Shogi {
    const UNIT: Unit = Unit { name: "pawn", scale: 100, score: "1/100 pawn" };

    fn sides(&self) -> [&'static str; 2] {
        ["black", "white"]
    }

    fn transcript(&self) -> Transcript {
        Transcript { position: "SFEN", tags: &[] }
    }

    fn start(&self) -> Option<String> {
        Some(START.to_owned())
    }

    /// Reads SFEN with three fields or four; the fourth, the number of the move, may be missing. Of a problem (tsume) one king is
    /// enough, that of the defender. He has in hand every piece that is not on the board: all of it is there, or nothing of his.
    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        let fields: Vec<&str> = text.split(' ').collect();
        let at = |field: usize| fields[..field].iter().map(|field| field.len() + 1).sum::<usize>();
        if !(3..=4).contains(&fields.len()) {
            return refuse(
                0,
                format!("{} fields, expected board, side, hands and the number of the move", fields.len()),
            );
        }
        placement(fields[0])?;
        if !matches!(fields[1], "b" | "w") {
            return refuse(at(1), format!("found the side {:?}, expected b or w", fields[1]));
        }
        hands(fields[2], at(2))?;
        if let Some(number) = fields.get(3)
            && !number.parse::<u16>().is_ok_and(|number| (1..=10_000).contains(&number))
        {
            return refuse(at(3), format!("found the move number {number:?}, expected 1 to 10000"));
        }
        // haitaka does not look for two pawns on a file.
        let board = board(text).filter(|board| !has_doubled_pawns(board));
        board.map(|board| self.position(board)).ok_or_else(|| {
            ParseError::new(
                0,
                "no game and no problem has this position: expected one king a side, or of a problem that of the \
                 defender alone, who has all other pieces in hand or as far as the text goes none; no more \
                 pieces than there are, none on a rank where it could never move, no two pawns of a side on a file, and no check \
                 to the side that has just moved",
            )
        })
    }

    fn format(&self, pos: &Position) -> String {
        pos.board.to_string()
    }

    fn canonical(&self, pos: &Position) -> String {
        placed(&pos.board).min(mirrored(&pos.board))
    }

    fn identity(&self, pos: &Position) -> String {
        placed(&pos.board)
    }

    /// Reads a legal move as USI writes it: `7g7f`, `8h2b+`, `P*5e`.
    fn parse_move(&self, pos: &Position, text: &str) -> Result<Move, ParseError> {
        let mv: Move = text.parse().map_err(|_| {
            ParseError::new(0, format!("found {text:?}, expected a move such as 7g7f, 8h2b+ or P*5e"))
        })?;
        if super::legal::is_legal(&pos.board, mv) {
            Ok(mv)
        } else {
            refuse(0, format!("{text} is not legal here"))
        }
    }

    fn format_move(&self, _: &Position, mv: Move) -> String {
        mv.to_string()
    }
}

/// The board of a text with two kings or one.
pub(crate) fn board(text: &str) -> Option<Board> {
    let (placement, rest) = text.split_once(' ')?;
    match ["K", "k"].map(|king| placement.contains(king)) {
        [false, true] => problem(placement, rest, Color::Black),
        [true, false] => problem(placement, rest, Color::White),
        _ => Board::from_sfen(text).ok(),
    }
}

/// The board of a problem whose attacker has no king.
///
/// haitaka reads two kings, or problems of black with black to move. So a king is put where it changes nothing for the other
/// one and is in no piece's way, and taken off again; once the pieces stand, haitaka asks who has a king.
fn problem(placement: &str, rest: &str, attacker: Color) -> Option<Board> {
    let rows: Vec<Vec<String>> = placement.split('/').map(squares).collect();
    let is_free = |square: Square| rows[square.rank() as usize][8 - square.file() as usize] == "1";
    let with_king = |square: Square| {
        let mut rows = rows.clone();
        rows[square.rank() as usize][8 - square.file() as usize] = Piece::King.to_str(attacker);
        let rows: Vec<String> = rows.into_iter().map(|row| row.concat()).collect();
        let mut board = Board::from_sfen(&format!("{} {rest}", rows.join("/"))).ok()?;
        // Between the other king and a rook it would hide a check, and on their line a pin.
        let is_apart = line_ray(board.king(!attacker), square).is_empty();
        let is_silent =
            board.side_to_move() != attacker || board.checkers().is_empty() && board.pinned().is_empty();
        if !is_apart || !is_silent {
            return None;
        }
        board.unchecked_put(attacker, Piece::King, square);
        Some(board)
    };
    let mut board = (0..81).map(Square::index_const).filter(|square| is_free(*square)).find_map(with_king)?;
    let is_given = !board.is_hand_empty(!attacker);
    for piece in Piece::ALL.into_iter().take(Piece::HAND_NUM) {
        let placed = (board.pieces(piece) | board.pieces(piece.promote())).len() as u8;
        let held = board.num_in_hand(attacker, piece);
        let missing = Piece::MAX_HAND[piece as usize].checked_sub(placed + held)?;
        if is_given && board.num_in_hand(!attacker, piece) != missing {
            return None;
        }
        board.unchecked_set_hand(!attacker, piece, missing);
    }
    Some(board)
}

/// The squares of a row of SFEN, the ninth file first; `1` is an empty one.
fn squares(row: &str) -> Vec<String> {
    let (mut squares, mut plus) = (Vec::new(), "");
    for letter in row.chars() {
        match letter.to_digit(10) {
            Some(empty) => squares.extend((0..empty).map(|_| "1".to_owned())),
            None if letter == '+' => plus = "+",
            None => squares.push(format!("{}{letter}", std::mem::take(&mut plus))),
        }
    }
    squares
}

/// Whether a side has two pawns on a file.
fn has_doubled_pawns(board: &Board) -> bool {
    [Color::Black, Color::White].into_iter().any(|color| {
        let pawns = board.colored_pieces(color, Piece::Pawn);
        pawns.into_iter().any(|pawn| (pawns & pawn.file().bitboard()).len() > 1)
    })
}

/// Refuses what is no board of nine by nine.
fn placement(text: &str) -> Result<(), ParseError> {
    let (mut offset, mut ranks) = (0, 0);
    for rank in text.split('/') {
        let (mut files, mut promoted) = (0, false);
        for (at, letter) in rank.char_indices() {
            let wrong =
                |expected: &str| refuse(offset + at, format!("found {letter:?}, expected {expected}"));
            match letter {
                '1'..='9' if !promoted => files += letter as u32 - '0' as u32,
                '+' if !promoted => promoted = true,
                _ if promoted && !"plnsbrPLNSBR".contains(letter) => return wrong("a piece that promotes"),
                _ if "plnsgbrkPLNSGBRK".contains(letter) => {
                    files += 1;
                    promoted = false;
                }
                _ => return wrong("a piece, + before one, or a number of empty squares"),
            }
        }
        if files != 9 || promoted {
            return refuse(offset, format!("{files} squares in the rank {rank:?}, expected 9"));
        }
        offset += rank.len() + 1;
        ranks += 1;
    }
    if ranks == 9 { Ok(()) } else { refuse(0, format!("{ranks} ranks, expected 9")) }
}

/// Refuses what are no hands.
fn hands(text: &str, offset: usize) -> Result<(), ParseError> {
    if text == "-" {
        return Ok(());
    }
    let mut count = None;
    for (at, letter) in text.char_indices() {
        match letter.to_digit(10) {
            Some(digit) => count = Some(count.unwrap_or(0) * 10 + digit),
            None if "plnsgbrPLNSGBR".contains(letter) => count = None,
            None => {
                return refuse(
                    offset + at,
                    format!("found {letter:?} in hand, expected a piece or a number"),
                );
            }
        }
        if count.is_some_and(|count| !(1..=MOST_HELD).contains(&count)) {
            return refuse(
                offset + at,
                format!("a number in hand, expected 1 to {MOST_HELD} before a piece"),
            );
        }
    }
    if count.is_some() || text.is_empty() {
        return refuse(offset, format!("found the hands {text:?}, expected - or pieces"));
    }
    Ok(())
}

/// Board, side and hands with the colours exchanged and the board turned around.
pub(crate) fn mirrored(board: &Board) -> String {
    let text = board.to_string();
    let fields: Vec<&str> = text.split(' ').collect();
    let recoloured = |text: String| -> String {
        let swap = |c: char| if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
        text.chars().map(swap).collect()
    };
    let ranks = fields[0].split('/').rev().map(|rank| {
        let mut squares: Vec<&str> = rank.split_inclusive(|c| c != '+').collect();
        squares.reverse();
        squares.concat()
    });
    let side = if fields[1] == "b" { "w" } else { "b" };
    // What black has stands first.
    let held = fields[2].split_inclusive(char::is_alphabetic);
    let (white, black): (Vec<&str>, Vec<&str>) =
        held.partition(|pieces| pieces.ends_with(char::is_lowercase));
    let placement = ranks.collect::<Vec<_>>().join("/");
    format!("{} {side} {}", recoloured(placement), recoloured([white, black].concat().concat()))
}

/// SFEN without the number of the move.
pub(crate) fn placed(board: &Board) -> String {
    let text = board.to_string();
    text.rsplit_once(' ').map_or(text.as_str(), |(placed, _)| placed).to_owned()
}

/// What the origin of a drop counts from: one number for each kind of piece after the 81 squares.
const DROPS: u16 = 81;
const TO: u16 = 7;
const PROMOTES: u16 = 1 << 14;

/// A move in 15 bits, never 0: no move stays where it is.
#[inline]
pub(crate) fn pack(mv: Move) -> u16 {
    match mv {
        Move::Drop { piece, to } => (DROPS + piece as u16) << TO | to as u16,
        Move::BoardMove { from, to, promotion } => {
            (from as u16) << TO | to as u16 | if promotion { PROMOTES } else { 0 }
        }
    }
}

/// The move of [`pack`]; of other bits some move.
#[inline]
pub(crate) fn unpack(bits: u16) -> Move {
    let square = |number: u16| Square::index_const(usize::from(number).min(80));
    let (from, to) = (bits >> TO & 0x7f, square(bits & 0x7f));
    if from < DROPS {
        return Move::BoardMove { from: square(from), to, promotion: bits & PROMOTES != 0 };
    }
    Move::Drop { piece: Piece::index_const(usize::from(from - DROPS).min(Piece::NUM - 1)), to }
}
