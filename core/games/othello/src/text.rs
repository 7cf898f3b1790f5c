//! Positions as text: 64 squares from a1 to h8 row by row, then the side to move, as OBF files have it.

use super::Othello;
use super::board::{Board, squares};
use super::position::Position;
use crate::board::Square;
use secateur_core::game::{Notation, ParseError, Unit, refuse};

impl Notation for Othello {
    const UNIT: Unit = Unit { name: "disc", scale: 100, score: "1/100 disc" };

    fn sides(&self) -> [&'static str; 2] {
        ["x", "o"]
    }

    fn start(&self) -> Option<String> {
        Some(self.format(&Position::start()))
    }

    /// Reads a position. `X` or `*` is a disc of X, `O` of O, `-` or `.` is empty; case and white space between
    /// squares do not matter, one `;` may end it. Discs that no game can leave so are refused.
    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        let mut marks = text.char_indices().filter(|(_, mark)| !mark.is_whitespace());
        let (mut x, mut o) = (0u64, 0u64);
        for square in 0..64 {
            match marks.next() {
                Some((_, 'X' | 'x' | '*')) => x |= 1 << square,
                Some((_, 'O' | 'o')) => o |= 1 << square,
                Some((_, '-' | '.')) => {}
                Some((offset, mark)) => {
                    let name = Square::new(square);
                    return refuse(offset, format!("found {mark:?} on {name}, expected `X`, `O` or `-`"));
                }
                None => return refuse(text.len(), format!("found {square} squares, expected 64")),
            }
        }
        let x_to_move = match marks.next() {
            Some((_, 'X' | 'x' | '*')) => true,
            Some((_, 'O' | 'o')) => false,
            Some((offset, mark)) => {
                let more = if matches!(mark, '-' | '.') {
                    " behind 64 squares: larger boards are not supported"
                } else {
                    ""
                };
                return refuse(
                    offset,
                    format!("found {mark:?}, expected the side to move, `X` or `O`{more}"),
                );
            }
            None => return refuse(text.len(), "no side to move, expected `X` or `O` after the squares"),
        };
        if let Some((offset, mark)) = marks.find(|&(_, mark)| mark != ';') {
            return refuse(offset, format!("found {mark:?} after the side to move, expected the end"));
        }
        if let Err(message) = possible(x | o) {
            return refuse(0, message);
        }
        let (player, opponent) = if x_to_move { (x, o) } else { (o, x) };
        Ok(Position::new(Board { player, opponent }, x_to_move))
    }

    /// Writes a position.
    fn format(&self, pos: &Position) -> String {
        let (mover, other) = if pos.x_to_move() { ('X', 'O') } else { ('O', 'X') };
        write(pos.board(), mover, other)
    }

    /// The first in text order of the eight symmetric boards, the side to move always written as X.
    fn canonical(&self, pos: &Position) -> String {
        let board = pos.board();
        (0..8).map(|symmetry| write(board.transformed(symmetry), 'X', 'O')).min().unwrap_or_default()
    }

    /// Reads a legal move: `d3`, `pass`, `--`.
    fn parse_move(&self, pos: &Position, text: &str) -> Result<Square, ParseError> {
        let Some(square) = Square::read(text.trim()) else {
            return refuse(0, format!("found {text:?}, expected a square such as `d3`, or `pass`"));
        };
        let board = pos.board();
        let moves = board.moves();
        let legal = match square {
            Square::PASS => moves == 0 && board.replies() != 0,
            _ => moves & square.bit() != 0,
        };
        if !legal {
            let list: Vec<String> = squares(moves).map(|square| square.to_string()).collect();
            return refuse(0, format!("{square} is illegal here, expected one of: {}", list.join(" ")));
        }
        Ok(square)
    }

    fn format_move(&self, _: &Position, mv: Square) -> String {
        mv.to_string()
    }
}

/// Whether discs can lie so: a game begins with the four in the centre, which stay, and every disc is laid next to another.
fn possible(discs: u64) -> Result<(), String> {
    const CENTRE: u64 = 0x0000_0018_1800_0000;
    if discs == 0 {
        return Err("the board is empty, expected discs".to_owned());
    }
    if let Some(empty) = squares(CENTRE & !discs).next() {
        return Err(format!("found {empty} empty, expected a disc: the centre is never left"));
    }
    let mut joined = CENTRE;
    loop {
        let grown = discs & neighbourhood(joined);
        if grown == joined {
            break;
        }
        joined = grown;
    }
    match squares(discs & !joined).next() {
        Some(apart) => Err(format!("found {apart} apart from all other discs, expected it next to one")),
        None => Ok(()),
    }
}

/// Some squares and those next to them, diagonals included.
fn neighbourhood(set: u64) -> u64 {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let wide = set | (set << 1 & NOT_A) | (set >> 1 & NOT_H);
    wide | wide << 8 | wide >> 8
}

fn write(board: Board, mover: char, other: char) -> String {
    let mark = |square: usize| match (board.player >> square & 1, board.opponent >> square & 1) {
        (1, _) => mover,
        (_, 1) => other,
        _ => '-',
    };
    (0..64).map(mark).chain([' ', mover]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::board::random_boards;
    use super::*;
    use proptest::prelude::*;

    fn game() -> Othello {
        Othello::default()
    }

    #[test]
    fn positions_are_read_back_with_either_side_to_move() {
        for board in random_boards(300) {
            for x_to_move in [true, false] {
                let position = Position::new(board, x_to_move);
                assert_eq!(game().parse(&game().format(&position)), Ok(position));
            }
        }
    }

    #[test]
    fn marks_may_vary_and_white_space_does_not_matter() {
        let text = game().format(&Position::start());
        assert_eq!(text, format!("{}OX------XO{} X", "-".repeat(27), "-".repeat(27)));
        let lines: Vec<&str> = (0..8).map(|row| &text[8 * row..8 * row + 8]).collect();
        let other = lines.join("\n").replace('X', "*").replace('-', ".").replace('O', "o") + "\n*;";
        assert_eq!(game().parse(&other), Ok(Position::start()));
    }

    #[test]
    fn broken_positions_are_refused_with_the_place() {
        let good = game().format(&Position::start());
        for (text, offset, part) in [
            ("--X".to_string(), 3, "found 3 squares"),
            (good.replacen('O', "Q", 1), 27, "d4"),
            (good[..64].to_string(), 64, "no side to move"),
            (format!("{}?", &good[..65]), 65, "side to move"),
            (format!("{good} 12"), 67, "expected the end"),
            (format!("{} X", "-".repeat(64)), 0, "empty"),
            (good.replacen('X', "-", 1), 0, "found e4 empty"),
            (good.replacen('-', "X", 1), 0, "found a1 apart"),
            (String::new(), 0, "found 0 squares"),
        ] {
            let error = game().parse(&text).expect_err(&text);
            assert_eq!(error.offset, offset, "{text}: {error}");
            assert!(error.message.contains(part), "{error}");
        }
    }

    #[test]
    fn moves_are_read_if_legal() {
        let start = Position::start();
        assert_eq!(game().parse_move(&start, "D3").map(Square::index), Ok(19));
        for (text, part) in [("e3", "d3 c4 f5 e6"), ("pass", "illegal"), ("z9", "expected a square")] {
            assert!(game().parse_move(&start, text).expect_err(text).message.contains(part));
        }
    }

    #[test]
    fn symmetric_positions_have_one_canonical_text() {
        for board in random_boards(60) {
            let text = game().canonical(&Position::new(board, true));
            for symmetry in 0..8 {
                let image = Position::new(board.transformed(symmetry), symmetry % 2 == 0);
                assert_eq!(game().canonical(&image), text);
            }
        }
    }

    proptest! {
        /// Whatever is read as a position prints, reads back equal, and can be played on; nothing panics.
        #[test]
        fn what_is_read_prints_and_reads_back(
            text in "[-XO]{64}[ ]?[XO];?",
            centre in "[XO]{4}",
            noise in "\\PC{0,80}",
        ) {
            let mut marks: Vec<char> = text.chars().collect();
            for (square, mark) in [27, 28, 35, 36].into_iter().zip(centre.chars()) {
                marks[square] = mark;
            }
            for text in [marks.into_iter().collect(), text, noise] {
                let Ok(position) = game().parse(&text) else { continue };
                prop_assert_eq!(game().parse(&game().format(&position)), Ok(position));
                squares(position.board().moves()).for_each(|square| {
                    let _ = position.play(square);
                });
            }
        }
    }
}
