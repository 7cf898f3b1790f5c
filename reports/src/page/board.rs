//! A position as a picture, from its text alone: no rule of any game is known here.
//!
//! Four ways of writing a board are read: ranks of letters and numbers of empty squares with `/` between them, the last rank
//! first as in FEN; such ranks with a `.` for each empty square, where letters and digits are the stones of two sides; as many
//! characters as there are squares, two kinds of discs among them, the first rank first; and lists of numbered squares of two
//! sides as in PDN. A text of another form has no picture.
//!
//! Numbered squares are the dark ones of eight rows, four a row, 1 in the row on top, and the sides are `W` and `B`; `K` stands before the
//! number of a king. Left out: boards of other sizes, which such a text does not tell apart, and ranges of squares.

use crate::svg::{document, escape};
use std::fmt::Write;

/// Room for the names of files and ranks.
const EDGE: f64 = 16.0;

/// A board as it is read.
struct Board {
    /// Rows from the top of the picture.
    rows: Vec<Vec<char>>,
    /// Whether the first rank is at the top.
    first_on_top: bool,
    men: Men,
}

/// What stands on the squares.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Men {
    /// Letters of pieces, capital ones of the side that began.
    Pieces,
    /// Dark and light discs.
    Discs,
    /// Stones with a sign each, digits of one side and letters of the other.
    Stones,
}

/// The board of a position with two moves marked, the first with whole lines, the second with broken ones; nothing for a text
/// that shows no board.
pub(crate) fn board(position: &str, moves: [&str; 2], title: &str) -> Option<String> {
    if let Some((size, body)) = numbered(position, moves) {
        return Some(document(size, size, title, position, &body));
    }
    let board = read(position)?;
    let (ranks, files) = (board.rows.len(), board.rows[0].len());
    let mut body = String::new();
    for (row, cells) in board.rows.iter().enumerate() {
        for (file, &cell) in cells.iter().enumerate() {
            square(&mut body, &board, (file, row), cell);
        }
        let rank = if board.first_on_top { row + 1 } else { ranks - row };
        let y = EDGE / 4.0 + CELL * (row as f64 + 0.65);
        let _ = writeln!(body, "<text x=\"3\" y=\"{y}\" font-size=\"10\">{rank}</text>");
    }
    for file in 0..files {
        let letter = char::from(b'a' + u8::try_from(file).unwrap_or(25).min(25));
        let (x, y) = (EDGE + CELL * (file as f64 + 0.4), EDGE / 4.0 + CELL * ranks as f64 + 11.0);
        let _ = writeln!(body, "<text x=\"{x}\" y=\"{y}\" font-size=\"10\">{letter}</text>");
    }
    for (index, mv) in moves.iter().enumerate() {
        mark(&mut body, &board, &squares(mv, (files, ranks)), index);
    }
    let (width, height) = (EDGE + CELL * files as f64 + 4.0, EDGE + CELL * ranks as f64);
    Some(document(width, height, title, position, &body))
}

/// Reads one of the forms that have a character for each man.
fn read(position: &str) -> Option<Board> {
    let field = position.split_whitespace().next()?;
    if field.contains('/') {
        let men = if field.contains('.') { Men::Stones } else { Men::Pieces };
        let rank = if men == Men::Stones { signs } else { expanded };
        let rows: Vec<Vec<char>> = field.split('/').map(rank).collect::<Option<_>>()?;
        return is_even(&rows).then_some(Board { rows, first_on_top: false, men });
    }
    let cells: Vec<char> = field.chars().collect();
    let side = cells.len().isqrt();
    let is_disc = |c: &char| "XxOo*-.".contains(*c);
    if side < 4 || side * side != cells.len() || !cells.iter().all(is_disc) {
        return None;
    }
    let rows = cells.chunks(side).map(<[char]>::to_vec).collect();
    Some(Board { rows, first_on_top: true, men: Men::Discs })
}

/// A rank that has a sign for each of its squares.
fn signs(rank: &str) -> Option<Vec<char>> {
    rank.chars().all(|c| c == '.' || c.is_ascii_alphanumeric()).then(|| rank.chars().collect())
}

/// A rank with its empty squares written out.
fn expanded(rank: &str) -> Option<Vec<char>> {
    let mut cells = Vec::new();
    for c in rank.chars() {
        match c.to_digit(10) {
            Some(empty) => cells.extend(std::iter::repeat_n(' ', empty as usize)),
            None if c.is_ascii_alphabetic() => cells.push(c),
            None => return None,
        }
    }
    Some(cells)
}

fn is_even(rows: &[Vec<char>]) -> bool {
    let files = rows[0].len();
    (4..=26).contains(&files) && (4..=26).contains(&rows.len()) && rows.iter().all(|row| row.len() == files)
}

fn square(svg: &mut String, board: &Board, (file, row): (usize, usize), cell: char) {
    let (x, y) = (EDGE + CELL * file as f64, EDGE / 4.0 + CELL * row as f64);
    let fill = match (board.first_on_top, (file + row).is_multiple_of(2)) {
        (true, _) => "#2e7d4f",
        (false, true) => "#f0d9b5",
        (false, false) => "#b58863",
    };
    let _ = write!(
        svg,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" style=\"fill:{fill};stroke:#0003\"/>"
    );
    man(svg, board.men, (x + CELL / 2.0, y + CELL / 2.0), cell);
}

/// What stands on a square, about its middle.
fn man(svg: &mut String, men: Men, (cx, cy): (f64, f64), cell: char) {
    let disc = match (men, cell) {
        (Men::Discs, 'X' | 'x' | '*') => Some("#111"),
        (Men::Discs, 'O' | 'o') => Some("#fff"),
        (Men::Stones, c) if c.is_ascii_digit() => Some("#1f4e8c"),
        (Men::Stones, c) if c.is_ascii_alphabetic() => Some("#a3262a"),
        _ => None,
    };
    if let Some(fill) = disc {
        let _ = writeln!(svg, "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"9\" style=\"fill:{fill};stroke:#111\"/>");
    }
    let (sign, size, style) = match men {
        Men::Discs => return,
        Men::Stones if disc.is_some() => (cell.to_string(), 12, "fill:#fff"),
        Men::Pieces if cell.is_ascii_uppercase() => {
            (shape(cell), 20, "fill:#fff;stroke:#111;stroke-width:.6")
        }
        Men::Pieces if cell.is_ascii_lowercase() => {
            (shape(cell), 20, "fill:#111;stroke:#111;stroke-width:.6")
        }
        Men::Pieces | Men::Stones => return,
    };
    let (base, sign) = (cy + 0.35 * f64::from(size), escape(&sign));
    let _ = writeln!(
        svg,
        "<text x=\"{cx}\" y=\"{base}\" text-anchor=\"middle\" font-size=\"{size}\" style=\"{style}\">{sign}</text>"
    );
}

/// The shape of a piece; the letter where there is none.
fn shape(cell: char) -> String {
    let shape = match cell.to_ascii_lowercase() {
        'k' => '\u{265a}',
        'q' => '\u{265b}',
        'r' => '\u{265c}',
        'b' => '\u{265d}',
        'n' => '\u{265e}',
        'p' => '\u{265f}',
        _ => return cell.to_string(),
    };
    // As text, not as a coloured picture.
    format!("{shape}\u{fe0e}")
}

/// The squares that a move names, as file and rank from 0, at most two.
fn squares(mv: &str, (files, ranks): (usize, usize)) -> Vec<(usize, usize)> {
    let bytes = mv.as_bytes();
    let mut named_squares = Vec::new();
    let mut at = 0;
    while at + 1 < bytes.len() && named_squares.len() < 2 {
        let (file, rank) = (bytes[at].wrapping_sub(b'a'), bytes[at + 1].wrapping_sub(b'1'));
        if usize::from(file) < files && usize::from(rank) < ranks && rank < 9 {
            named_squares.push((usize::from(file), usize::from(rank)));
            at += 2;
        } else {
            at += 1;
        }
    }
    named_squares
}

fn mark(svg: &mut String, board: &Board, squares: &[(usize, usize)], index: usize) {
    let centre = |&(file, rank): &(usize, usize)| {
        let row = if board.first_on_top { rank } else { board.rows.len() - 1 - rank };
        (EDGE + CELL * (file as f64 + 0.5), EDGE / 4.0 + CELL * (row as f64 + 0.5))
    };
    draw_move(svg, &squares.iter().map(centre).collect::<Vec<_>>(), index);
}

/// Width of a square.
pub(crate) const CELL: f64 = 24.0;

/// A move over the middles of squares, the first with whole lines, the second with broken ones.
pub(crate) fn draw_move(svg: &mut String, way: &[(f64, f64)], index: usize) {
    let (colour, dash) = if index == 0 { ("#0072b2", "") } else { ("#d55e00", ";stroke-dasharray:5 3") };
    for step in way.windows(2) {
        let ((x1, y1), (x2, y2)) = (step[0], step[1]);
        let _ = writeln!(
            svg,
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" style=\"stroke:{colour};stroke-width:3.5{dash}\"/>"
        );
    }
    if let Some((x, y)) = way.last() {
        let radius = if index == 0 { 10.5 } else { 7.5 };
        let _ = writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" style=\"fill:none;stroke:{colour};stroke-width:3{dash}\"/>"
        );
    }
}

/// Squares that have numbers.
const SQUARES: usize = 32;
/// Squares of a row, and of them those that have numbers.
const ROW: usize = 8;
const NUMBERED: usize = ROW / 2;

/// A piece: its square from 0, whether it is white, whether it is a king.
type Piece = (usize, bool, bool);

/// Size and content of the picture of a position with two moves; nothing for a text of another form.
fn numbered(position: &str, moves: [&str; 2]) -> Option<(f64, String)> {
    let pieces = pieces(position)?;
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
        let (cx, cy) = centre_of(square);
        let (x, y) = (cx - CELL / 2.0 + 1.0, cy - CELL / 2.0 + 7.0);
        let _ = writeln!(body, "<text x=\"{x}\" y=\"{y}\" font-size=\"7\">{}</text>", square + 1);
    }
    for (square, white, king) in pieces {
        let (cx, cy) = centre_of(square);
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
fn centre_of(square: usize) -> (f64, f64) {
    let row = square / NUMBERED;
    // The first row has its numbers on the second square, the fourth, and so on; the next one a square to the left.
    let file = 2 * (square % NUMBERED) + usize::from(row.is_multiple_of(2));
    (CELL * (file as f64 + 0.5), CELL * (row as f64 + 0.5))
}

/// The pieces of a text as `B:W21,K22:B1,2`, whatever follows them.
fn pieces(position: &str) -> Option<Vec<Piece>> {
    let mut parts = position.split_whitespace().next()?.trim_end_matches(';').split(':');
    matches!(parts.next()?, "W" | "B").then_some(())?;
    let mut pieces: Vec<Piece> = Vec::new();
    for _ in 0..2 {
        let list = parts.next()?;
        let white = list.starts_with('W');
        let squares = list.strip_prefix(if white { 'W' } else { 'B' })?.trim_end_matches('.');
        for name in squares.split(',').filter(|name| !name.is_empty()) {
            let (king, digits) = name.strip_prefix('K').map_or((false, name), |digits| (true, digits));
            let square = square_of(digits)?;
            if pieces.iter().any(|piece| piece.0 == square) {
                return None;
            }
            pieces.push((square, white, king));
        }
    }
    (!pieces.is_empty()).then_some(pieces)
}

/// A square from 0 by its number.
fn square_of(digits: &str) -> Option<usize> {
    digits.parse::<usize>().ok().filter(|number| (1..=SQUARES).contains(number)).map(|number| number - 1)
}

/// The middles of the squares that a move names.
fn way(mv: &str) -> Vec<(f64, f64)> {
    mv.split(['-', 'x']).map_while(square_of).map(centre_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read_and_moves_stand_where_they_are() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        let svg = board(fen, ["e2e4", "e1d1"], "t").unwrap();
        assert_eq!(svg.matches("<rect ").count(), 64);
        assert_eq!(svg.matches('\u{265a}').count(), 2);
        // e2 and e4: file 4, rows 6 and 4 from the top.
        assert!(svg.contains("<line x1=\"124\" y1=\"160\" x2=\"124\" y2=\"112\""), "{svg}");
        let discs = format!("{}XO{} X;", "-".repeat(27), "-".repeat(35));
        let svg = board(&discs, ["d3", "c4"], "t").unwrap();
        assert_eq!(svg.matches("stroke:#111\"/>").count(), 2);
        // d3: file 3, row 2 from the top.
        assert!(svg.contains("<circle cx=\"100\" cy=\"64\" r=\"10.5\""), "{svg}");
        let svg = board("..CBA/...ED/6...F/45.../123.. b 3", ["c1c2", "e5d4"], "t").unwrap();
        assert_eq!((svg.matches("<rect ").count(), svg.matches("r=\"9\"").count()), (25, 12));
        // The stone 6 on a3: file 0, row 2 from the top, and no piece's shape for the letter B.
        assert!(svg.contains("<text x=\"28\" y=\"68.2\"") && svg.contains(">6</text>"), "{svg}");
        assert!(svg.contains(">B</text>"), "{svg}");
        // c1 and c2: file 2, rows 4 and 3 from the top.
        assert!(svg.contains("<line x1=\"76\" y1=\"112\" x2=\"76\" y2=\"88\""), "{svg}");
    }

    #[test]
    fn what_shows_no_board_has_none_and_nothing_breaks_out() {
        for text in ["", "hello", "<script>/<b>", "8/8", "4k3/8/8/8/8/8/4P3/4K2", "XO-X", "99999999/99999999"]
        {
            assert!(board(text, ["", ""], "t").is_none(), "{text}");
        }
        let svg = board("4k3/8/8/8 </svg><script>", ["</svg>", "z9"], "</title><script>");
        assert!(svg.is_some_and(|svg| !svg.contains("<script") && svg.matches("</svg>").count() == 1));
    }

    #[test]
    fn squares_stand_where_their_numbers_do() {
        // 1 and 4 in the first row, 5 and 8 in the second, 29 and 32 in the last.
        let places = [1, 4, 5, 8, 29, 32].map(|number| centre_of(number - 1));
        assert_eq!(
            places,
            [(36.0, 12.0), (180.0, 12.0), (12.0, 36.0), (156.0, 36.0), (12.0, 180.0), (156.0, 180.0)]
        );
        let (size, body) = numbered("W:WK5,22:B11,18:H3", ["22x15x8", "5-1"]).unwrap();
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
            assert!(numbered(text, ["", ""]).is_none(), "{text}");
        }
        let (_, body) = numbered("B:W21:B1", ["</svg>", "1-99"]).unwrap();
        assert!(!body.contains("</svg>") && !body.contains("<line"));
    }
}
