//! EPD, the line format of chess test suites: four FEN fields, then operations `opcode operands;`.
//!
//! Plain FEN lines (six fields) are taken too, with operations after them or without. Every opcode is kept as
//! it stands; of their meanings only those of `bm`, `am`, `id` and `cluster` matter here. Source: Edwards,
//! *Portable Game Notation Specification and Implementation Guide* (1994), section 16.2.
//!
//! Published suites keep to that loosely, and what they mean is plain: an operation may be empty, the last may lack its
//! semicolon, and one that follows another without a semicolon is told by its opcode where that can be nothing else.

use crate::error::{Line, Result};
use crate::moves::moves_of;
use crate::quotes::string_length;
use crate::set::{Entry, Operation};
use secateur_core::{Game, ParseError};

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

/// Reads a line of a game of any kind: the position as the game writes it or as programs are told it, then `;` and operations.
pub(crate) fn read_plain<G: Game>(game: &G, line: Line<'_>) -> Result<Option<Read<G>>> {
    let mut rest = Cursor { line, at: 0 };
    rest.space();
    if rest.tail().is_empty() || rest.tail().starts_with('#') {
        return Ok(None);
    }
    let start = rest.at;
    let text = rest.tail().split(';').next().unwrap_or_default().trim_end();
    let position = described(game, text).map_err(|error| line.fault(start + error.offset, error.message))?;
    rest.at += text.len();
    let operations = operations(&mut rest)?;
    for (offset, operation) in &operations {
        if matches!(operation.code.as_str(), "bm" | "am") {
            legal(game, &position, line, *offset, operation)?;
        }
    }
    Ok(Some(Read { position, operations: operations.into_iter().map(|(_, operation)| operation).collect() }))
}

/// A position as its game writes it, or as UCI and USI tell it to a program, with or without the word `position`:
/// `startpos moves ...`, `sfen ... moves ...`. Who plays on from there knows nothing of what was before.
fn described<G: Game>(game: &G, text: &str) -> std::result::Result<G::Position, ParseError> {
    let is_word = |rest: &str| rest.is_empty() || rest.starts_with(char::is_whitespace);
    let skip = |text: &str, word: &str| {
        let rest = text.strip_prefix(word).filter(|rest| is_word(rest))?;
        Some(text.len() - rest.trim_start().len())
    };
    let mut begin = skip(text, "position").unwrap_or_default();
    let moves = text
        .match_indices("moves")
        .find(|(at, word)| is_word(&text[at + word.len()..]) && text[..*at].ends_with(char::is_whitespace));
    let end = moves.map_or(text.len(), |(at, _)| text[..at].trim_end().len());
    let start = skip(&text[begin..end.max(begin)], "startpos").and_then(|_| game.start());
    let at = |error: ParseError, offset: usize| ParseError { offset: offset + error.offset, ..error };
    let mut position = match start {
        Some(start) => game.parse(&start)?,
        None => {
            begin += ["sfen", "fen"].iter().find_map(|word| skip(&text[begin..], word)).unwrap_or_default();
            game.parse(&text[begin..end.max(begin)]).map_err(|error| at(error, begin))?
        }
    };
    let Some((list, word)) = moves else { return Ok(position) };
    let list = &text[list + word.len()..];
    for mv in moves_of(list) {
        let offset = mv.as_ptr() as usize - text.as_ptr() as usize;
        let mv = game.parse_move(&position, mv).map_err(|error| at(error, offset))?;
        position = game.play(&position, mv);
    }
    game.parse(&game.format(&position))
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
    if moves_of(&operation.operands).next().is_none() {
        return Err(line.expected(offset, "no move", &format!("a move after {:?}", operation.code)));
    }
    for word in moves_of(&operation.operands) {
        let at = offset + (word.as_ptr() as usize - operation.operands.as_ptr() as usize);
        game.parse_move(position, word).map_err(|error| line.fault(at + error.offset, error.message))?;
    }
    Ok(())
}

/// The two counters of a FEN line, if they are there.
fn counters<'a>(rest: &mut Cursor<'a>) -> Result<(Option<&'a str>, Option<&'a str>)> {
    rest.space();
    let next = rest.tail().split_whitespace().next().unwrap_or_default();
    if next.contains('+') && next.bytes().all(|byte| byte.is_ascii_digit() || byte == b'+') {
        let message = format!("found \"{next}\", as Three-check counts checks: variants are not supported");
        return Err(rest.line.fault(rest.at, message));
    }
    if !next.starts_with(|c: char| c.is_ascii_digit()) {
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
        // An empty operation says nothing.
        rest.at += rest.tail().len() - rest.tail().trim_start_matches([';', ' ', '\t']).len();
        if rest.tail().is_empty() {
            return Ok(operations);
        }
        let code = rest.code()?;
        rest.space();
        let (at, operands) = rest.operands(code)?;
        operations.push((at, Operation { code: code.to_owned(), operands: operands.to_owned() }));
    }
}

/// Whether the operands of an opcode are text for people, in which any word may stand.
fn is_remark(code: &str) -> bool {
    matches!(code.as_bytes(), [b'c' | b'v', b'0'..=b'9']) || matches!(code, "id" | "cluster" | "nic")
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
        let word = &tail[..tail.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(tail.len())];
        if word.is_empty() {
            return Err(self.line.expected(self.at, &self.found(), name));
        }
        self.at += word.len();
        Ok(word)
    }

    fn number(&mut self, name: &str) -> Result<&'a str> {
        self.space();
        let (at, actual) = (self.at, self.found());
        let word = self.word(name)?;
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(word);
        }
        Err(self.line.expected(at, &actual, name))
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

    /// Everything up to the semicolon that is outside quotes, to the next opcode, or to the end of the line.
    fn operands(&mut self, code: &str) -> Result<(usize, &'a str)> {
        let (start, tail) = (self.at, self.tail());
        // In words for people any word may stand; what follows a whole string is none of them.
        let ended = |before: &str| {
            !is_remark(code) || (before.len() > 1 && before.starts_with('"') && before.ends_with('"'))
        };
        let mut offset = 0;
        while let Some(c) = tail[offset..].chars().next() {
            let before = tail[..offset].trim_end();
            if c == ';' {
                self.at += offset + 1;
                return Ok((start, before));
            }
            if before.len() < offset && ended(before) && begins_operation(&tail[offset..]) {
                self.at += offset;
                return Ok((start, before));
            }
            offset += match c {
                '"' => string_length(&tail[offset..]).ok_or_else(|| {
                    self.line.expected(start + offset, "a string without end", "a closing quote")
                })?,
                c => c.len_utf8(),
            };
        }
        self.at += tail.len();
        Ok((start, tail.trim_end()))
    }
}

/// Opcodes that are no moves and no words of a remark when a number or moves follow.
const WORDS: &[&str] = &["bm", "am", "dm", "pv", "sm", "pm", "acd", "acn", "acs", "eco", "hmvc", "fmvn"];

/// Whether a text can only begin another operation: a comment or name with its string, or an opcode that is no move.
fn begins_operation(text: &str) -> bool {
    let Some((word, rest)) = text.split_once(char::is_whitespace) else { return false };
    let rest = rest.trim_start();
    let named = matches!(word, "id" | "cluster") && !rest.is_empty();
    // A pawn may go to c4: only a string tells the comment.
    named
        || (is_remark(word) && rest.starts_with('"'))
        || (WORDS.contains(&word) && !rest.starts_with(['"', ';']) && !rest.is_empty())
}

/// Writes one line, without a line end.
///
/// The counters go into `hmvc` and `fmvn` when they are not 0 and 1 and no operation gives them already; where one gives
/// another number they stand in the line as in FEN, which outranks operations.
#[must_use]
pub fn write(entry: &Entry) -> String {
    let fields: Vec<&str> = entry.position.split(' ').collect();
    let mut line = fields[..fields.len().min(4)].join(" ");
    let counters = [("hmvc", "0", 4), ("fmvn", "1", 5)]
        .map(|(code, default, at)| (code, default, fields.get(at).copied().unwrap_or(default)));
    let given = |code: &str| entry.operations.iter().find(|operation| operation.code == code);
    if counters.iter().any(|(code, _, value)| given(code).is_some_and(|given| given.operands != *value)) {
        line.push_str(&format!(" {} {}", counters[0].2, counters[1].2));
    } else {
        for (code, default, value) in counters {
            if value != default && given(code).is_none() {
                line.push_str(&format!(" {code} {value};"));
            }
        }
    }
    line + &operations_of(entry)
}

/// Writes an entry as [`read_plain`] reads it.
pub(crate) fn write_plain(entry: &Entry) -> String {
    let mark = if entry.operations.is_empty() { "" } else { ";" };
    format!("{}{mark}{}", entry.position, operations_of(entry))
}

fn operations_of(entry: &Entry) -> String {
    let mut line = String::new();
    for Operation { code, operands } in &entry.operations {
        let gap = if operands.is_empty() { "" } else { " " };
        line.push_str(&format!(" {code}{gap}{operands};"));
    }
    line
}

#[cfg(test)]
mod tests;
