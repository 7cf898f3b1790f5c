//! EPD, the line format of chess test suites: four FEN fields, then operations `opcode operands;`.
//!
//! Plain FEN lines (six fields) are taken too, with operations after them or without. Every opcode is kept as
//! it stands; of their meanings only those of `bm`, `am`, `id` and `cluster` matter here. Source: Edwards,
//! *Portable Game Notation Specification and Implementation Guide* (1994), section 16.2.
//!
//! Published suites keep to that loosely, and what they mean is plain: an operation may be empty, the last may lack its
//! semicolon, and one that follows another without a semicolon is recognised by its opcode where that can be nothing else.

use crate::error::{Line, Result};
use crate::set::{Entry, Operation};
use crate::text::{moves_of, string_length};
use secateur_core::{Game, ParseError};

/// Reads one line; `None` for a blank one or a comment (`#`).
pub(crate) fn read<G: Game>(game: &G, line: Line<'_>) -> Result<Option<Read<G>>> {
    let Some(mut cursor) = Cursor::begin(line) else { return Ok(None) };
    let start = cursor.at;
    for name in ["a board", "the side to move", "castling rights", "an en-passant square"] {
        cursor.word(name)?;
    }
    let mut text = line.text[start..cursor.at].to_owned();
    let four = text.len();
    let counters = counters(&mut cursor)?;
    let operations = operations(&mut cursor)?;
    let number = |code: &str| operations.iter().find(|(_, op)| op.code == code);
    let half = counters.0.or_else(|| number("hmvc").map(|(_, op)| op.operands.as_str())).unwrap_or("0");
    let full = counters.1.or_else(|| number("fmvn").map(|(_, op)| op.operands.as_str())).unwrap_or("1");
    text.push_str(&format!(" {half} {full}"));
    let position = game.parse(&text).map_err(|error| {
        // The counters behind the four fields may come from operations or be added: then the fault is placed behind the fields.
        let offset = if error.offset < four || counters.0.is_some() { error.offset } else { four };
        line.fault(start + offset, error.message)
    })?;
    checked(game, line, position, operations)
}

/// Reads a line of a game of any kind: the position as the game writes it or as programs are told it, then `;` and operations.
pub(crate) fn read_plain<G: Game>(game: &G, line: Line<'_>) -> Result<Option<Read<G>>> {
    let Some(mut cursor) = Cursor::begin(line) else { return Ok(None) };
    let start = cursor.at;
    let text = cursor.tail().split(';').next().unwrap_or_default().trim_end();
    let position = described(game, text).map_err(|error| line.fault(start + error.offset, error.message))?;
    cursor.at += text.len();
    let operations = operations(&mut cursor)?;
    checked(game, line, position, operations)
}

/// A position as its game writes it, or as UCI and USI tell it to a program, with or without the word `position`:
/// `startpos moves ...`, `sfen ... moves ...`. Who plays on from there knows nothing of what was before.
fn described<G: Game>(game: &G, text: &str) -> std::result::Result<G::Position, ParseError> {
    let is_word_end = |behind: &str| behind.is_empty() || behind.starts_with(char::is_whitespace);
    let skip = |text: &str, word: &str| {
        let behind = text.strip_prefix(word).filter(|behind| is_word_end(behind))?;
        Some(text.len() - behind.trim_start().len())
    };
    let mut begin = skip(text, "position").unwrap_or_default();
    let moves = text.match_indices("moves").find(|(at, word)| {
        is_word_end(&text[at + word.len()..]) && text[..*at].ends_with(char::is_whitespace)
    });
    let end = moves.map_or(text.len(), |(at, _)| text[..at].trim_end().len());
    let start = skip(&text[begin..end.max(begin)], "startpos").and_then(|_| game.start());
    let mut position = match start {
        Some(start) => game.parse(&start)?,
        None => {
            begin += ["sfen", "fen"].iter().find_map(|word| skip(&text[begin..], word)).unwrap_or_default();
            game.parse(&text[begin..end.max(begin)]).map_err(|error| error.behind(begin))?
        }
    };
    let Some((list, word)) = moves else { return Ok(position) };
    let list = &text[list + word.len()..];
    for mv in moves_of(list) {
        let offset = mv.as_ptr() as usize - text.as_ptr() as usize;
        let mv = game.parse_move(&position, mv).map_err(|error| error.behind(offset))?;
        position = game.play(&position, mv);
    }
    game.parse(&game.format(&position))
}

/// What one line says.
pub(crate) struct Read<G: Game> {
    pub(crate) position: G::Position,
    pub(crate) operations: Vec<Operation>,
}

/// A line with the operations, by the byte offsets of their operands. Refuses lists of moves that are empty or name an illegal one.
fn checked<G: Game>(
    game: &G,
    line: Line<'_>,
    position: G::Position,
    operations: Vec<(usize, Operation)>,
) -> Result<Option<Read<G>>> {
    let lists = operations.iter().filter(|(_, operation)| matches!(operation.code.as_str(), "bm" | "am"));
    for (offset, Operation { code, operands }) in lists {
        if moves_of(operands).next().is_none() {
            return Err(line.expected(*offset, "no move", &format!("a move after {code:?}")));
        }
        for word in moves_of(operands) {
            let at = offset + (word.as_ptr() as usize - operands.as_ptr() as usize);
            game.parse_move(&position, word).map_err(|error| line.fault(at + error.offset, error.message))?;
        }
    }
    Ok(Some(Read { position, operations: operations.into_iter().map(|(_, operation)| operation).collect() }))
}

/// The two counters of a FEN line, if they are there.
fn counters<'a>(cursor: &mut Cursor<'a>) -> Result<(Option<&'a str>, Option<&'a str>)> {
    cursor.space();
    let next = cursor.tail().split_whitespace().next().unwrap_or_default();
    if next.contains('+') && next.bytes().all(|byte| byte.is_ascii_digit() || byte == b'+') {
        let message = format!("found \"{next}\", as Three-check counts checks: variants are not supported");
        return Err(cursor.line.fault(cursor.at, message));
    }
    if !next.starts_with(|c: char| c.is_ascii_digit()) {
        return Ok((None, None));
    }
    let half = cursor.number("the half-move clock")?;
    let full = cursor.number("the move number")?;
    Ok((Some(half), Some(full)))
}

/// The operations with the byte offsets of their operands.
fn operations(cursor: &mut Cursor<'_>) -> Result<Vec<(usize, Operation)>> {
    let mut operations = Vec::new();
    loop {
        cursor.space();
        // An empty operation says nothing.
        cursor.at += cursor.tail().len() - cursor.tail().trim_start_matches([';', ' ', '\t']).len();
        if cursor.tail().is_empty() {
            return Ok(operations);
        }
        let code = cursor.code()?;
        cursor.space();
        let (at, operands) = cursor.operands(code)?;
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
    /// The beginning of a line, unless it is blank or a comment.
    fn begin(line: Line<'a>) -> Option<Cursor<'a>> {
        let mut cursor = Cursor { line, at: 0 };
        cursor.space();
        (!cursor.tail().is_empty() && !cursor.tail().starts_with('#')).then_some(cursor)
    }

    fn tail(&self) -> &'a str {
        &self.line.text[self.at..]
    }

    fn space(&mut self) {
        self.at = self.line.text.len() - self.tail().trim_start().len();
    }

    /// What the text has here, in words for a message.
    fn actual(&self) -> String {
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
            return Err(self.line.expected(self.at, &self.actual(), name));
        }
        self.at += word.len();
        Ok(word)
    }

    fn number(&mut self, name: &str) -> Result<&'a str> {
        self.space();
        let (at, actual) = (self.at, self.actual());
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
            return Err(self.line.expected(self.at, &self.actual(), "an operation such as \"bm e4;\""));
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
    let Some((word, operands)) = text.split_once(char::is_whitespace) else { return false };
    let operands = operands.trim_start();
    let named = matches!(word, "id" | "cluster") && !operands.is_empty();
    // A pawn may go to c4: only a string tells the comment.
    named
        || (is_remark(word) && operands.starts_with('"'))
        || (WORDS.contains(&word) && !operands.starts_with(['"', ';']) && !operands.is_empty())
}

/// Writes one line, without a line end.
///
/// The counters go into `hmvc` and `fmvn` when they are not 0 and 1 and no operation gives them already; where one gives
/// another number the line has them as in FEN, which outranks operations.
pub fn write(entry: &Entry) -> String {
    let fields: Vec<&str> = entry.position.split(' ').collect();
    let mut line = fields[..fields.len().min(4)].join(" ");
    let counters = [("hmvc", "0", 4), ("fmvn", "1", 5)]
        .map(|(code, default, at)| (code, default, fields.get(at).copied().unwrap_or(default)));
    let operation_of = |code: &str| entry.operations.iter().find(|operation| operation.code == code);
    if counters
        .iter()
        .any(|(code, _, value)| operation_of(code).is_some_and(|operation| operation.operands != *value))
    {
        line.push_str(&format!(" {} {}", counters[0].2, counters[1].2));
    } else {
        for (code, default, value) in counters {
            if value != default && operation_of(code).is_none() {
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

/// EPD is read as it is written in the world, and what is wrong is said with its place.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{Kind, parse};
    use crate::set::{Provenance, Set};
    use proptest::prelude::*;
    use secateur_games::chess::Chess;
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
        assert_eq!(entry.best_moves().collect::<Vec<_>>(), ["e4", "Nf3"]);
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

    /// The shapes of published suites that keep to the letter of the format less than to its meaning.
    #[test]
    fn suites_are_read_as_they_are_in_the_world() {
        let codes = |rest: &str| -> Vec<String> {
            let set = load(&format!("{START}{rest}\n")).unwrap_or_else(|error| panic!("{rest}: {error}"));
            set.entries[0].operations.iter().map(|op| format!("{}|{}", op.code, op.operands)).collect()
        };
        for (rest, expected) in [
            (" ; bm e4; id \"LCT\";", &["bm|e4", "id|\"LCT\""][..]),
            (" ;; bm e4;;id \"x\";;", &["bm|e4", "id|\"x\""]),
            (" 0 1;", &[]),
            (" bm e4; id \"no end\"", &["bm|e4", "id|\"no end\""]),
            (" bm e4", &["bm|e4"]),
            (" bm e4 id \"zug.1\"", &["bm|e4", "id|\"zug.1\""]),
            (" bm c4 c3 c0 \"id est bm e4\" id zug", &["bm|c4 c3", "c0|\"id est bm e4\"", "id|zug"]),
            (" id \"a\" bm e4, Nf3 ; am a3", &["id|\"a\"", "bm|e4, Nf3", "am|a3"]),
            (" bm Nf3 +; am e4 !?", &["bm|Nf3 +", "am|e4 !?"]),
            (" acd 12 bm e4 dm 3", &["acd|12", "bm|e4", "dm|3"]),
            (
                " c0 no string, but am here is a word; bm e4;",
                &["c0|no string, but am here is a word", "bm|e4"],
            ),
            (" c0 \"f4=10, Ne5=7\";\u{1a}\0", &["c0|\"f4=10, Ne5=7\""]),
        ] {
            assert_eq!(codes(rest), expected, "{rest}");
        }
        let set = load(&format!("{START} bm e4, Nf3;")).unwrap();
        assert_eq!(set.entries[0].best_moves().collect::<Vec<_>>(), ["e4", "Nf3"]);
    }

    /// A quote within a string, and an annotation that touches a move, as PGN has them too.
    #[test]
    fn strings_and_moves_are_those_of_pgn() {
        let set = load(&format!("{START} bm e4$1 Nf3!?; id \"a \\\"b; c\\\" d\";\n")).unwrap();
        let entry = &set.entries[0];
        assert_eq!((entry.id.as_str(), entry.operations.len()), ("a \"b; c\" d", 2));
        assert_eq!(entry.best_moves().collect::<Vec<_>>(), ["e4", "Nf3"]);
        assert_eq!(load(&write(entry)).unwrap().hash, set.hash);
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
    fn counters_outrank_operations_and_are_written_so() {
        for line in [
            format!("{START} 3 17 fmvn 12;"),
            format!("{START} 0 1 hmvc 5;"),
            format!("{START} 3 17 hmvc 3;"),
        ] {
            let entry = load(&line).unwrap().entries.remove(0);
            let reread = load(&write(&entry)).unwrap().entries.remove(0);
            assert_eq!(reread.position, entry.position, "{line}");
            // What is written says the counters as operations; from then on nothing changes.
            assert_eq!(write(&reread), write(&entry), "{line}");
        }
    }

    #[test]
    fn faults_have_a_place() {
        let at = START.len();
        let cases = [
            ("rnbqkbnr w".to_owned(), 11, "found end of line, expected castling rights"),
            (format!("{START} id \"a\\\";"), at + 5, "found a string without end, expected a closing quote"),
            (format!("{START} id \"x;"), at + 5, "found a string without end, expected a closing quote"),
            (format!("{START} !;"), at + 2, "found \"!;\", expected an operation"),
            (format!("{START} 3"), at + 3, "found end of line, expected the move number"),
            (format!("{START} 3 x"), at + 4, "found \"x\", expected the move number"),
            (format!("{START} 3+3 0 1"), at + 2, "found \"3+3\", as Three-check counts checks"),
            (format!("{START} bm ;"), at + 5, "found no move, expected a move"),
            (format!("{START} acd 1; bm e4  e5;"), at + 16, "e5"),
            (format!("{START} am Ke2;"), at + 5, "Ke2"),
        ];
        for (line, column, message) in cases {
            let error = load(&format!("{START}\n# fine\n{line}\n")).unwrap_err();
            assert_eq!(error.place(), Some((3, column)), "{error}");
            assert!(error.to_string().contains(message), "{error}");
        }
    }

    #[test]
    fn illegal_positions_are_refused() {
        for (line, column, message) in [
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
            assert!(error.to_string().contains(message), "{error}");
        }
    }

    proptest! {
        /// Whatever is read is written so that it reads back equal, but for the counters of a FEN line, which are written
        /// as the operations that EPD has for them; nothing panics.
        #[test]
        fn what_is_read_prints_and_reads_back(
            words in proptest::collection::vec(prop_oneof![
                "bm|am|id|c0|dm|pv|acd|hmvc|cluster|x_1|e4|Nf3|c4|;|;;|\"|\"a; b\"|\"f4=10\"|#|[0-9]{1,4}",
                "[ -~]{0,6}",
                "\\PC{0,4}",
            ], 0..12),
            counters in proptest::option::of((0_u32..90, 1_u32..90)),
        ) {
            let fields = counters.map(|(half, full)| format!(" {half} {full}")).unwrap_or_default();
            let text = format!("{START}{fields} {}", words.join(" "));
            if let Ok(set) = load(&text) {
                let entry = &set.entries[0];
                let reread = load(&write(entry)).expect(&text);
                let read = &reread.entries[0];
                prop_assert_eq!(&read.position, &entry.position, "{}", text);
                let added = read.operations.len() - entry.operations.len();
                prop_assert_eq!(&read.operations[added..], &entry.operations[..], "{}", text);
                prop_assert!(read.operations[..added].iter().all(|operation| {
                    matches!(operation.code.as_str(), "hmvc" | "fmvn") && entry.operation(&operation.code).is_none()
                }), "{}", text);
                prop_assert_eq!(reread.hash == set.hash, added == 0, "{}", text);
                prop_assert_eq!(write(read), write(entry), "{}", text);
            }
        }
    }
}
