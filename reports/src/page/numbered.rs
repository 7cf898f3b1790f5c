//! A board whose dark squares have numbers, from its text alone: lists of the squares of two sides, as PDN writes positions.
//!
//! Eight rows of four squares, 1 in the row on top, and the sides by their letters `W` and `B`; `K` before the number of a king. Left
//! out: boards of other sizes, which such a text does not tell apart, and ranges of squares.

use crate::page::drawing::{CELL, draw_move};
use std::fmt::Write;

/// Squares that have numbers.
const SQUARES: usize = 32;
/// Squares of a row, and of them those that have numbers.
const ROW: usize = 8;
const NUMBERED: usize = ROW / 2;

/// A piece: its square from 0, whether it is white, whether it is a king.
type Piece = (usize, bool, bool);

/// Size and content of the picture of a position with two moves; nothing for a text of another form.
pub(crate) fn board(position: &str, moves: [&str; 2]) -> Option<(f64, String)> {
    let pieces = read(position)?;
    let mut body = String::new();
    for row in 0..ROW {
        for file in 0..ROW {
            let (x, y) = (CELL * file as f64, CELL * row as f64);
            let fill = if (file + row).is_multiple_of(2) { "#f0d9b5" } else { "#b58863" };
            let _ = writeln!(
                body,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" style=\"fill:{fill};stroke:#0003\"/>"
            );
        }
    }
    for square in 0..SQUARES {
        let (cx, cy) = centre(square);
        let (x, y) = (cx - CELL / 2.0 + 1.0, cy - CELL / 2.0 + 7.0);
        let _ = writeln!(body, "<text x=\"{x}\" y=\"{y}\" font-size=\"7\">{}</text>", square + 1);
    }
    for (square, white, king) in pieces {
        let (cx, cy) = centre(square);
        let (fill, ring) = if white { ("#fff", "#111") } else { ("#111", "#fff") };
        let _ = writeln!(body, "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"9\" style=\"fill:{fill};stroke:#111\"/>");
        if king {
            let _ = writeln!(
                body,
                "<text x=\"{cx}\" y=\"{}\" text-anchor=\"middle\" font-size=\"11\" style=\"fill:{ring}\">K</text>",
                cy + 4.0
            );
        }
    }
    for (index, mv) in moves.iter().enumerate() {
        draw_move(&mut body, &way(mv), index);
    }
    Some((CELL * ROW as f64, body))
}

/// The middle of a square.
fn centre(square: usize) -> (f64, f64) {
    let row = square / NUMBERED;
    // The first row has its numbers on the second square, the fourth, and so on; the next one a square to the left.
    let file = 2 * (square % NUMBERED) + usize::from(row.is_multiple_of(2));
    (CELL * (file as f64 + 0.5), CELL * (row as f64 + 0.5))
}

/// The pieces of a text as `B:W21,K22:B1,2`, whatever follows them.
fn read(position: &str) -> Option<Vec<Piece>> {
    let mut parts = position.split_whitespace().next()?.trim_end_matches(';').split(':');
    matches!(parts.next()?, "W" | "B").then_some(())?;
    let mut pieces: Vec<Piece> = Vec::new();
    for _ in 0..2 {
        let list = parts.next()?;
        let white = list.starts_with('W');
        let squares = list.strip_prefix(if white { 'W' } else { 'B' })?.trim_end_matches('.');
        for name in squares.split(',').filter(|name| !name.is_empty()) {
            let (king, digits) = name.strip_prefix('K').map_or((false, name), |digits| (true, digits));
            let square = number(digits)?;
            if pieces.iter().any(|piece| piece.0 == square) {
                return None;
            }
            pieces.push((square, white, king));
        }
    }
    (!pieces.is_empty()).then_some(pieces)
}

/// A square from 0 by its number.
fn number(digits: &str) -> Option<usize> {
    digits.parse::<usize>().ok().filter(|number| (1..=SQUARES).contains(number)).map(|number| number - 1)
}

/// The middles of the squares that a move names.
fn way(mv: &str) -> Vec<(f64, f64)> {
    mv.split(['-', 'x']).map_while(number).map(centre).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_stand_where_their_numbers_do() {
        // 1 and 4 in the first row, 5 and 8 in the second, 29 and 32 in the last.
        let places = [1, 4, 5, 8, 29, 32].map(|number| centre(number - 1));
        assert_eq!(
            places,
            [(36.0, 12.0), (180.0, 12.0), (12.0, 36.0), (156.0, 36.0), (12.0, 180.0), (156.0, 180.0)]
        );
        let (size, body) = board("W:WK5,22:B11,18:H3", ["22x15x8", "5-1"]).unwrap();
        assert_eq!((size, body.matches("<rect ").count(), body.matches("r=\"9\"").count()), (192.0, 64, 4));
        assert_eq!((body.matches(">K</text>").count(), body.matches("<line ").count()), (1, 3));
        // 22 to 15: the second square of the sixth row, then the third of the fourth.
        assert!(body.contains("<line x1=\"60\" y1=\"132\" x2=\"108\" y2=\"84\""), "{body}");
    }

    #[test]
    fn what_is_no_list_of_squares_has_no_board() {
        for text in [
            "",
            "B",
            "B:W:B",
            "B:W21",
            "X:W21:B1",
            "B:W33:B1",
            "B:W21:B21",
            "B:W<b>:B1",
            "4k3/8/8/8/8/8/4P3/4K3 w",
        ] {
            assert!(board(text, ["", ""]).is_none(), "{text}");
        }
        let (_, body) = board("B:W21:B1", ["</svg>", "1-99"]).unwrap();
        assert!(!body.contains("</svg>") && !body.contains("<line"));
    }
}
