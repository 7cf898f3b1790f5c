//! Positions of discs as the caller writes them, and the squares of their moves.
//!
//! 64 squares from a1 to h8 row by row, `X` and `O` for the discs of the first and the second player, and the side to move.
//! Programs want the same in marks and frames of their own; no rule of a game is needed for that.

use super::error::Done;
use super::{Fault, number};

/// A position, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Discs {
    squares: Vec<char>,
    /// Whether the first player is to move.
    pub(super) first: bool,
}

/// What is expected of a depth.
const DEPTH: &str = "a depth such as 12, 12@73% or 100%";
/// What is expected of a position.
const EXPECTED: &str = "64 squares (X, O, -) and the side to move";

impl Discs {
    /// Reads a position.
    ///
    /// # Errors
    /// [`Fault::Refused`] if it is no such text.
    pub(super) fn read(text: &str) -> Done<Discs> {
        let fail =
            || Fault::Refused { what: "position", text: super::error::shown(text), expected: EXPECTED };
        let marks: Vec<char> = text.chars().filter(|mark| !mark.is_whitespace() && *mark != ';').collect();
        let [squares @ .., side] = &marks[..] else { return Err(fail()) };
        let mark = |mark: &char| match mark {
            'X' | 'x' | '*' => Some('X'),
            'O' | 'o' => Some('O'),
            '-' | '.' => Some('-'),
            _ => None,
        };
        let squares: Option<Vec<char>> = squares.iter().map(mark).collect();
        match (squares, mark(side)) {
            (Some(squares), Some(side @ ('X' | 'O'))) if squares.len() == 64 => {
                Ok(Discs { squares, first: side == 'X' })
            }
            _ => Err(fail()),
        }
    }

    /// The squares and then, after a blank, the side to move, with these marks for the players and an empty square.
    pub(super) fn text(&self, first: char, second: char, empty: char) -> String {
        let mark = |square: &char| match square {
            'X' => first,
            'O' => second,
            _ => empty,
        };
        let side = if self.first { first } else { second };
        self.squares.iter().map(mark).chain([' ', side]).collect()
    }

    /// Squares without a disc: no line is longer, passes aside.
    pub(super) fn empties(&self) -> u32 {
        self.squares.iter().filter(|square| **square == '-').count() as u32
    }
}

/// A move as the caller reads it, if it is one: a square, or that there is none.
pub(super) fn square(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    match *lower.as_bytes() {
        [b'a'..=b'h', b'1'..=b'8'] => Some(lower),
        [b'p', b'a'] | [b'p', b's'] | [b'-', b'-'] => Some("pass".to_owned()),
        _ if lower == "pass" => Some(lower),
        _ => None,
    }
}

/// The moves of a line, with blanks, hyphens or nothing between them, up to the first that is none.
pub(super) fn line(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().filter(|letter| letter.is_ascii_alphanumeric()).collect();
    letters.chunks(2).map_while(|pair| square(&pair.iter().collect::<String>())).collect()
}

/// A depth such as `12`, `12@73%`, `100%W`, `50%`: plies, where a share alone stands for all of them, pruned as it says.
///
/// # Errors
/// What was expected, in words.
pub(super) fn depth(text: &str, empties: u32) -> Result<u32, &'static str> {
    let (plies, share) = match text.split_once('@') {
        Some((plies, share)) => (plies, Some(share)),
        None if text.contains('%') => ("", Some(text)),
        None => (text, None),
    };
    let is_share =
        |share: &str| share.split_once('%').is_some_and(|(percent, _)| number::count(percent).is_ok());
    match number::depth(plies) {
        _ if !share.is_none_or(is_share) => Err(DEPTH),
        _ if plies.is_empty() && share.is_some() => Ok(empties),
        plies => plies.map_err(|_| DEPTH),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A position with the second player to move.
    pub(in super::super) const TEXT: &str =
        "---------------------------OX------XOX------OX------X----------- O";

    #[test]
    fn a_position_is_written_in_the_marks_of_others() {
        let discs = Discs::read(TEXT).unwrap();
        assert_eq!((discs.first, discs.empties()), (false, 56));
        assert_eq!(discs.text('X', 'O', '-'), TEXT);
        let stars = discs.text('*', 'O', '.');
        assert!(stars.ends_with(" O") && stars.starts_with("...........................O*"));
        assert_eq!(Discs::read(&TEXT.to_lowercase().replace('-', ".")).unwrap(), discs);
        for wrong in ["", "X", &TEXT[1..], &format!("X{TEXT}"), "8/8/8/8/8/8/8/8 w - - 0 1"] {
            let error = Discs::read(wrong).unwrap_err();
            assert!(error.is_survived() && error.to_string().contains("64 squares"), "{error}");
        }
    }

    #[test]
    fn moves_and_depths_are_read_in_all_their_forms() {
        assert_eq!(line("F5d6C3-pa-h8"), ["f5", "d6", "c3", "pass", "h8"]);
        assert_eq!(line("d3 C5 c6 ??"), ["d3", "c5", "c6"]);
        assert_eq!((square("i1"), square("PASS")), (None, Some("pass".to_owned())));
        assert_eq!((depth("12@73%", 50), depth("12", 50)), (Ok(12), Ok(12)));
        assert_eq!(["100%W", "100%", "50%W", "91%"].map(|text| depth(text, 17)), [Ok(17); 4]);
        for text in ["book", "\u{e9}", "", "1.5", "12@", "12@x%", "%", "-3", "12/20"] {
            assert_eq!(depth(text, 17), Err(DEPTH), "{text}");
        }
    }
}
