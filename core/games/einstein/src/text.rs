//! Positions and moves as text.
//!
//! A position is its ranks from the fifth to the first, `/` between them, a blank, the side, a blank, the die:
//! `..CBA/...ED/6...F/45.../123.. b 3`. Blue's stones are digits, red's the letters `A` to `F` in the same order, `.` is an empty
//! square; the side is `b` or `r`; the die is 1 to 6, or `-` before the throw. A move names its squares: `a1b2`.

use super::board::{GONE, Position, STONES, Step};
use secateur_core::game::ParseError;

fn fail<T>(offset: usize, message: String) -> Result<T, ParseError> {
    Err(ParseError { offset, message })
}

/// What stands at an offset of a text, for messages.
fn mark_at(text: &str, offset: usize) -> String {
    text[offset..].chars().next().map_or("the end".to_owned(), |mark| format!("{mark:?}"))
}

/// Reads a position; refuses what no game can lead to.
pub(super) fn parse(text: &str) -> Result<Position, ParseError> {
    let body = text.trim_end();
    let mut squares = [[GONE; STONES]; 2];
    let mut offset = body.len() - body.trim_start().len();
    for rank in (0..5_u8).rev() {
        for file in 0..5_u8 {
            let square = 5 * rank + file;
            let mark = body.as_bytes().get(offset).copied().unwrap_or(0);
            let (side, stone) = match mark {
                b'.' => {
                    offset += 1;
                    continue;
                }
                b'1'..=b'6' => (0, usize::from(mark - b'1')),
                b'A'..=b'F' => (1, usize::from(mark - b'A')),
                _ => {
                    let (at, mark) = (name(square), mark_at(body, offset));
                    return fail(
                        offset,
                        format!("found {mark} on {at}, expected `1` to `6`, `A` to `F` or `.`"),
                    );
                }
            };
            if squares[side][stone] != GONE {
                return fail(offset, format!("found {:?} twice, expected each stone once", char::from(mark)));
            }
            squares[side][stone] = square;
            offset += 1;
        }
        if rank > 0 {
            offset = after(body, offset, '/', "after five squares")?;
        }
    }
    offset = after(body, offset, ' ', "after the squares")?;
    let side = match body.as_bytes().get(offset) {
        Some(b'b') => 0,
        Some(b'r') => 1,
        _ => return fail(offset, format!("found {}, expected the side, `b` or `r`", mark_at(body, offset))),
    };
    offset = after(body, offset + 1, ' ', "after the side")?;
    let die = match body.as_bytes().get(offset) {
        Some(b'-') => 0,
        Some(die @ b'1'..=b'6') => die - b'0',
        _ => {
            return fail(
                offset,
                format!("found {}, expected the die, `1` to `6` or `-`", mark_at(body, offset)),
            );
        }
    };
    if offset + 1 < body.len() {
        return fail(
            offset + 1,
            format!("found {} after the die, expected the end", mark_at(body, offset + 1)),
        );
    }
    let position = Position { squares, side, die };
    possible(&position).map_or_else(|message| fail(0, message), |()| Ok(position))
}

/// The offset behind a mark that must stand here.
fn after(text: &str, offset: usize, mark: char, place: &str) -> Result<usize, ParseError> {
    match text[offset..].starts_with(mark) {
        true => Ok(offset + 1),
        false => fail(offset, format!("found {} {place}, expected {mark:?}", mark_at(text, offset))),
    }
}

/// Whether a game can come to this: the last move may have won, but no move comes after that.
fn possible(position: &Position) -> Result<(), String> {
    if position.stones() == 0 {
        return Err("the board is empty, expected stones".to_owned());
    }
    let [side, other] = if position.side == 0 { ["blue", "red"] } else { ["red", "blue"] };
    if position.has_won(position.side()) {
        return Err(format!("found {side} to move, which has won, expected {other}"));
    }
    if position.is_over() && position.die != 0 {
        return Err("found a die in a game that is over, expected `-`".to_owned());
    }
    Ok(())
}

/// Writes a position.
pub(super) fn format(position: &Position) -> String {
    let mark = |square: u8| {
        let stone = |side: usize| position.squares[side].iter().position(|&at| at == square);
        match (stone(0), stone(1)) {
            (Some(stone), _) => char::from(b'1' + stone as u8),
            (_, Some(stone)) => char::from(b'A' + stone as u8),
            _ => '.',
        }
    };
    let rank = |rank: u8| (0..5).map(|file| mark(5 * rank + file)).collect::<String>();
    let ranks: Vec<String> = (0..5).rev().map(rank).collect();
    let side = if position.side == 0 { 'b' } else { 'r' };
    let die = if position.die == 0 { '-' } else { char::from(b'0' + position.die) };
    format!("{} {side} {die}", ranks.join("/"))
}

/// The first in text order of the two reflections, blue to move, with the least die that means the same.
pub(super) fn canonical(position: &Position) -> String {
    let position = if position.side == 0 { *position } else { position.mirrored() };
    let position = position.with_die(position.plain_die());
    format(&position).min(format(&position.reflected()))
}

/// A square by file and rank.
fn name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 5), square / 5 + 1)
}

/// Reads a legal move.
pub(super) fn parse_move(position: &Position, text: &str) -> Result<Step, ParseError> {
    let legal: Vec<String> = position.steps().map(|step| format_move(&step)).collect();
    let expected = if legal.is_empty() { "no move".to_owned() } else { legal.join(", ") };
    let index = legal.iter().position(|name| name == text);
    index
        .and_then(|index| position.steps().nth(index))
        .ok_or_else(|| ParseError { offset: 0, message: format!("found {text:?}, expected {expected}") })
}

/// Writes a move.
pub(super) fn format_move(step: &Step) -> String {
    name(step.from) + &name(step.to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::START;

    #[test]
    fn texts_are_read_back() {
        for text in [START, "..CBA/...ED/6...F/45.../123.. r 6", "..1../...../...../...../....A b 4"] {
            assert_eq!(format(&parse(text).unwrap()), text);
        }
        assert_eq!(parse(" ..1../...../...../...../....A b 4 ").map(|read| format(&read)).unwrap().len(), 33);
    }

    #[test]
    fn faults_are_told_where_they_are() {
        for (text, offset, message) in [
            ("", 0, "found the end on a5, expected `1` to `6`, `A` to `F` or `.`"),
            ("..7../...../...../...../....A b 4", 2, "found '7' on c5"),
            ("..1../..1../...../...../....A b 4", 8, "found '1' twice"),
            ("..1.../...../...../...../....A b 4", 5, "found '.' after five squares, expected '/'"),
            ("..1../...../...../...../....A w 4", 30, "found 'w', expected the side"),
            ("..1../...../...../...../....A b 7", 32, "found '7', expected the die"),
            ("..1../...../...../...../....A b 4 4", 33, "found ' ' after the die"),
            ("..1../...../...../...../....A b", 31, "found the end after the side"),
            ("...../...../...../...../..... b 4", 0, "the board is empty"),
            ("....1/...../...../...../....A b -", 0, "found blue to move, which has won, expected red"),
            ("....1/...../...../...../....A r 2", 0, "found a die in a game that is over"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.offset, offset, "{text}: {error}");
            assert!(error.message.starts_with(message), "{text}: {error}");
        }
        let error = parse_move(&parse("..1../...../...../...../....A b 4").unwrap(), "c5c6").unwrap_err();
        assert_eq!(error.message, "found \"c5c6\", expected c5d5");
    }
}
