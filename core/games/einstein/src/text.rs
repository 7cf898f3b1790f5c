//! Positions and moves as text.
//!
//! A position is its ranks from the fifth to the first, `/` between them, a blank, the side, a blank, the die:
//! `..CBA/...ED/6...F/45.../123.. b 3`. Blue's stones are digits, red's the letters `A` to `F` in the same order, `.` is an empty
//! square; the side is `b` or `r`; the die is 1 to 6, or `-` before the throw. A move names its squares: `a1b2`.

use super::board::{GONE, Position, STONES, Step};
use super::{Einstein, START};
use secateur_core::game::{Notation, ParseError, Unit, refuse};

/// Refuses a text for the mark that it has at an offset.
fn wrong<T>(text: &str, offset: usize, why: &str) -> Result<T, ParseError> {
    let mark = text[offset..].chars().next().map_or("the end".to_owned(), |mark| format!("{mark:?}"));
    refuse(offset, format!("found {mark}{why}"))
}

impl Notation for Einstein {
    const UNIT: Unit = Unit { name: "per cent", scale: 200, score: "1/200 per cent of winning probability" };

    fn sides(&self) -> [&'static str; 2] {
        ["blue", "red"]
    }

    fn start(&self) -> Option<String> {
        Some(START.to_owned())
    }

    fn layout(&self, below: &mut dyn FnMut(u32) -> u32) -> Option<String> {
        Some(self.format(&Position::drawn(below)))
    }

    /// Of numbers that let the same stones move, the least.
    fn dice(&self, pos: &Position) -> Option<String> {
        (pos.die != 0).then(|| pos.plain_die().to_string())
    }

    /// Reads a position; refuses what no game can lead to.
    fn parse(&self, text: &str) -> Result<Position, ParseError> {
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
                        let at = name(square);
                        return wrong(
                            body,
                            offset,
                            &format!(" on {at}, expected `1` to `6`, `A` to `F` or `.`"),
                        );
                    }
                };
                if squares[side][stone] != GONE {
                    return wrong(body, offset, " twice, expected each stone once");
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
            _ => return wrong(body, offset, ", expected the side, `b` or `r`"),
        };
        offset = after(body, offset + 1, ' ', "after the side")?;
        let die = match body.as_bytes().get(offset) {
            Some(b'-') => 0,
            Some(die @ b'1'..=b'6') => die - b'0',
            _ => return wrong(body, offset, ", expected the die, `1` to `6` or `-`"),
        };
        if offset + 1 < body.len() {
            return wrong(body, offset + 1, " after the die, expected the end");
        }
        let pos = Position { squares, side, die };
        possible(&pos).map_or_else(|message| refuse(0, message), |()| Ok(pos))
    }

    fn format(&self, pos: &Position) -> String {
        let mark = |square: u8| {
            let stone = |side: usize| pos.squares[side].iter().position(|&at| at == square);
            match (stone(0), stone(1)) {
                (Some(stone), _) => char::from(b'1' + stone as u8),
                (_, Some(stone)) => char::from(b'A' + stone as u8),
                _ => '.',
            }
        };
        let rank = |rank: u8| (0..5).map(|file| mark(5 * rank + file)).collect::<String>();
        let ranks: Vec<String> = (0..5).rev().map(rank).collect();
        let side = if pos.side == 0 { 'b' } else { 'r' };
        let die = if pos.die == 0 { '-' } else { char::from(b'0' + pos.die) };
        format!("{} {side} {die}", ranks.join("/"))
    }

    /// The first in text order of the two reflections, blue to move, with the least die that means the same.
    fn canonical(&self, pos: &Position) -> String {
        let pos = if pos.side == 0 { *pos } else { pos.mirrored() };
        let pos = pos.with_die(pos.plain_die());
        self.format(&pos).min(self.format(&pos.reflected()))
    }

    fn parse_move(&self, pos: &Position, text: &str) -> Result<Step, ParseError> {
        let legal: Vec<String> = pos.steps().map(|step| self.format_move(pos, step)).collect();
        let expected = if legal.is_empty() { "no move".to_owned() } else { legal.join(", ") };
        let index = legal.iter().position(|name| name == text);
        index
            .and_then(|index| pos.steps().nth(index))
            .ok_or_else(|| ParseError::new(0, format!("found {text:?}, expected {expected}")))
    }

    fn format_move(&self, _: &Position, mv: Step) -> String {
        name(mv.from) + &name(mv.to)
    }
}

/// The offset behind a mark that must stand here.
fn after(text: &str, offset: usize, mark: char, place: &str) -> Result<usize, ParseError> {
    match text[offset..].starts_with(mark) {
        true => Ok(offset + 1),
        false => wrong(text, offset, &format!(" {place}, expected {mark:?}")),
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

/// A square by file and rank.
fn name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 5), square / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> Einstein {
        Einstein::default()
    }

    #[test]
    fn texts_are_read_back() {
        for text in [START, "..CBA/...ED/6...F/45.../123.. r 6", "..1../...../...../...../....A b 4"] {
            assert_eq!(game().format(&game().parse(text).unwrap()), text);
        }
        assert_eq!(
            game()
                .parse(" ..1../...../...../...../....A b 4 ")
                .map(|read| game().format(&read))
                .unwrap()
                .len(),
            33
        );
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
            let error = game().parse(text).unwrap_err();
            assert_eq!(error.offset, offset, "{text}: {error}");
            assert!(error.message.starts_with(message), "{text}: {error}");
        }
        let error = game()
            .parse_move(&game().parse("..1../...../...../...../....A b 4").unwrap(), "c5c6")
            .unwrap_err();
        assert_eq!(error.message, "found \"c5c6\", expected c5d5");
    }
}
