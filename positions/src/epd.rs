//! EPD, the line format of chess test suites: four FEN fields, then operations `opcode operands;`.
//!
//! Plain FEN lines (six fields) are taken too, with operations after them or without. Every opcode is kept as
//! it stands; of their meanings only those of `bm`, `am`, `id` and `cluster` matter here. Source: Edwards,
//! *Portable Game Notation Specification and Implementation Guide* (1994), section 16.2.

use crate::error::{Line, Result};
use crate::set::{Entry, Operation};
use secateur_core::Game;

/// Reads one line; `None` for a blank one or a comment (`#`).
pub(crate) fn read<G: Game>(game: &G, line: Line<'_>) -> Result<Option<Read<G>>> {
    let mut rest = Cursor { line, at: 0 };
    rest.space();
    if rest.tail().is_empty() || rest.tail().starts_with('#') {
        return Ok(None);
    }
    let start = rest.at;
    for name in ["a board", "the side to move", "castling rights", "an en-passant square"] {
        rest.word(name)?;
    }
    let mut text = line.text[start..rest.at].to_owned();
    let four = text.len();
    let counters = counters(&mut rest)?;
    let operations = operations(&mut rest)?;
    let number = |code: &str| operations.iter().find(|(_, op)| op.code == code);
    let half = counters.0.or_else(|| number("hmvc").map(|(_, op)| op.operands.as_str())).unwrap_or("0");
    let full = counters.1.or_else(|| number("fmvn").map(|(_, op)| op.operands.as_str())).unwrap_or("1");
    text.push_str(&format!(" {half} {full}"));
    let position = game.parse(&text).map_err(|error| {
        // What stands behind the four fields may not stand in the line, or not there.
        let offset = if error.offset < four || counters.0.is_some() { error.offset } else { four };
        line.fault(start + offset, error.message)
    })?;
    for (offset, operation) in &operations {
        if matches!(operation.code.as_str(), "bm" | "am") {
            legal(game, &position, line, *offset, operation)?;
        }
    }
    Ok(Some(Read { position, operations: operations.into_iter().map(|(_, operation)| operation).collect() }))
}

/// What one line says.
pub(crate) struct Read<G: Game> {
    pub(crate) position: G::Position,
    pub(crate) operations: Vec<Operation>,
}

/// Refuses move lists that are empty or name an illegal move.
fn legal<G: Game>(
    game: &G,
    position: &G::Position,
    line: Line<'_>,
    offset: usize,
    operation: &Operation,
) -> Result<()> {
    if operation.operands.is_empty() {
        return Err(line.expected(offset, "no move", &format!("a move after {:?}", operation.code)));
    }
    for word in operation.operands.split_ascii_whitespace() {
        let at = offset + (word.as_ptr() as usize - operation.operands.as_ptr() as usize);
        game.parse_move(position, word.trim_end_matches(['!', '?']))
            .map_err(|error| line.fault(at + error.offset, error.message))?;
    }
    Ok(())
}

/// The two counters of a FEN line, if they are there.
fn counters<'a>(rest: &mut Cursor<'a>) -> Result<(Option<&'a str>, Option<&'a str>)> {
    rest.space();
    if !rest.tail().starts_with(|c: char| c.is_ascii_digit()) {
        return Ok((None, None));
    }
    let half = rest.number("the half-move clock")?;
    let full = rest.number("the move number")?;
    Ok((Some(half), Some(full)))
}

/// The operations with the byte offsets of their operands.
fn operations(rest: &mut Cursor<'_>) -> Result<Vec<(usize, Operation)>> {
    let mut operations = Vec::new();
    loop {
        rest.space();
        if rest.tail().is_empty() {
            return Ok(operations);
        }
        let code = rest.code()?;
        rest.space();
        let (at, operands) = rest.operands(code)?;
        operations.push((at, Operation { code: code.to_owned(), operands: operands.to_owned() }));
    }
}

/// A place in a line.
struct Cursor<'a> {
    line: Line<'a>,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn tail(&self) -> &'a str {
        &self.line.text[self.at..]
    }

    fn space(&mut self) {
        self.at = self.line.text.len() - self.tail().trim_start().len();
    }

    /// What stands here, in words for a message.
    fn found(&self) -> String {
        match self.tail().split_whitespace().next() {
            Some(word) => format!("{word:?}"),
            None => "end of line".to_owned(),
        }
    }

    fn word(&mut self, name: &str) -> Result<&'a str> {
        self.space();
        let tail = self.tail();
        let word = &tail[..tail.find(char::is_whitespace).unwrap_or(tail.len())];
        if word.is_empty() {
            return Err(self.line.expected(self.at, "end of line", name));
        }
        self.at += word.len();
        Ok(word)
    }

    fn number(&mut self, name: &str) -> Result<&'a str> {
        self.space();
        let (at, found) = (self.at, self.found());
        let word = self.word(name)?;
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(word);
        }
        Err(self.line.expected(at, &found, name))
    }

    fn code(&mut self) -> Result<&'a str> {
        let tail = self.tail();
        let end = tail.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(tail.len());
        let code = &tail[..end];
        if !code.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(self.line.expected(self.at, &self.found(), "an operation such as \"bm e4;\""));
        }
        self.at += end;
        Ok(code)
    }

    /// Everything up to the semicolon that is outside quotes.
    fn operands(&mut self, code: &str) -> Result<(usize, &'a str)> {
        let (start, tail) = (self.at, self.tail());
        let mut quote = None;
        for (offset, c) in tail.char_indices() {
            match c {
                '"' => quote = if quote.is_none() { Some(offset) } else { None },
                ';' if quote.is_none() => {
                    self.at += offset + 1;
                    return Ok((start, tail[..offset].trim_end()));
                }
                _ => {}
            }
        }
        Err(match quote {
            Some(offset) => self.line.expected(start + offset, "a string without end", "a closing quote"),
            None => self.line.expected(
                self.line.text.trim_end().len(),
                "end of line",
                &format!("\";\" after {code:?} and its operands"),
            ),
        })
    }
}

/// Writes one line, without a line end.
///
/// The counters go into `hmvc` and `fmvn` when they are not 0 and 1 and no operation gives them already.
#[must_use]
pub fn write(entry: &Entry) -> String {
    let mut fields = entry.position.split(' ');
    let mut line = fields.by_ref().take(4).collect::<Vec<_>>().join(" ");
    for (code, default) in [("hmvc", "0"), ("fmvn", "1")] {
        let value = fields.next().unwrap_or(default);
        if value != default && entry.operation(code).is_none() {
            line.push_str(&format!(" {code} {value};"));
        }
    }
    for Operation { code, operands } in &entry.operations {
        let gap = if operands.is_empty() { "" } else { " " };
        line.push_str(&format!(" {code}{gap}{operands};"));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{Kind, parse};
    use crate::set::{Provenance, Set};
    use secateur_core::game::chess::Chess;
    use std::path::Path;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn load(text: &str) -> Result<Set> {
        parse(&Chess::default(), Kind::Epd, "set", Path::new("set.epd"), text, Provenance::default())
    }

    #[test]
    fn operations_are_kept_as_they_stand() {
        let text = format!(
            "# a comment\n\n{START} bm e4 Nf3!; am a2a3; id \"a; b\"; acd 12;x_9;c0 \"one\" \"two\";cluster \"g7\";\n"
        );
        let set = load(&text).unwrap();
        let entry = &set.entries[0];
        assert_eq!((entry.id.as_str(), entry.cluster.as_str(), entry.line), ("a; b", "g7", 3));
        assert_eq!(entry.best_moves().collect::<Vec<_>>(), ["e4", "Nf3!"]);
        assert_eq!(entry.avoid_moves().collect::<Vec<_>>(), ["a2a3"]);
        let kept: Vec<String> =
            entry.operations.iter().map(|op| format!("{}|{}", op.code, op.operands)).collect();
        assert_eq!(
            kept,
            [
                "bm|e4 Nf3!",
                "am|a2a3",
                "id|\"a; b\"",
                "acd|12",
                "x_9|",
                "c0|\"one\" \"two\"",
                "cluster|\"g7\""
            ]
        );
        assert_eq!(load(&write(entry)).unwrap().entries[0].operations, entry.operations);
    }

    #[test]
    fn fen_lines_are_positions_too() {
        let set = load(&format!("{START} 3 17\n{START} 4 18 bm e4;\n  {START}\r\n{START} hmvc 5; fmvn 9;\n"))
            .unwrap();
        let counters: Vec<&str> =
            set.entries.iter().map(|entry| entry.position.strip_prefix(START).unwrap()).collect();
        assert_eq!(counters, [" 3 17", " 4 18", " 0 1", " 5 9"]);
        for entry in &set.entries {
            let back = load(&write(entry)).unwrap();
            assert_eq!(back.entries[0].position, entry.position);
        }
    }

    #[test]
    fn faults_have_a_place() {
        let at = START.len();
        let cases = [
            ("rnbqkbnr w".to_owned(), 11, "found end of line, expected castling rights"),
            (format!("{START} bm e4"), at + 7, "found end of line, expected \";\" after \"bm\""),
            (format!("{START} id \"x;"), at + 5, "found a string without end, expected a closing quote"),
            (format!("{START} !;"), at + 2, "found \"!;\", expected an operation"),
            (format!("{START} 3"), at + 3, "found end of line, expected the move number"),
            (format!("{START} 3 x"), at + 4, "found \"x\", expected the move number"),
            (format!("{START} bm ;"), at + 5, "found no move, expected a move"),
            (format!("{START} acd 1; bm e4  e5;"), at + 16, "e5"),
            (format!("{START} am Ke2;"), at + 5, "Ke2"),
        ];
        for (line, column, words) in cases {
            let error = load(&format!("{START}\n# fine\n{line}\n")).unwrap_err();
            assert_eq!(error.place(), Some((3, column)), "{error}");
            assert!(error.to_string().contains(words), "{error}");
        }
    }

    #[test]
    fn illegal_positions_are_refused() {
        for (line, column, words) in [
            ("rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ -", 1, "no black king"),
            ("4k3/8/8/8/8/8/4R3/4K3 w - -", 23, "in check"),
            ("4k3/8/8/8/9/8/8/4K3 w - -", 11, "'9'"),
            ("4k3/8/8/8/8/8/8/4K3 x - -", 21, "'x'"),
            ("4k3/8/8/8/8/8/8/4K3 w K -", 23, "'K'"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 900 5", 27, "'900'"),
            ("4k3/8/8/8/8/8/8/4K3 w - - hmvc 900;", 26, "'900'"),
        ] {
            let error = load(&format!("\n  {line}\n")).unwrap_err();
            assert_eq!(error.place(), Some((2, column + 2)), "{error}");
            assert!(error.to_string().contains(words), "{error}");
        }
    }
}
