//! From the bytes of a file to lines, whatever program wrote them, and to what any format has in a line: moves and strings.
//!
//! Suites go round as they were saved thirty years ago: with a byte order mark, in Latin-1, with the line ends of DOS
//! or of old Macintoshes, with NUL bytes or the end mark of CP/M. None of that says anything about a position.
//!
//! Moves have praise and blame behind them, which is no part of a move. EPD, PGN, PDN and lines of moves
//! all pass here, so that a move is read alike wherever it stands.
//!
//! Strings between quotation marks are as EPD and PGN write them: a backslash makes the next character one of the string.
//! Source: Edwards, *Portable Game Notation Specification and Implementation Guide* (1994), section 7.

use std::borrow::Cow;

/// The text of a file: UTF-8, UTF-16 with a byte order mark, or else Latin-1, where every byte is a character. NUL and
/// the end mark of CP/M become blanks, so that columns stay; every line end becomes `\n`.
pub fn decode(bytes: &[u8]) -> String {
    let text: Cow<'_, str> = match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes).into(),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes).into(),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect::<String>().into(),
        },
    };
    plain(&text)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units: Vec<u16> = bytes.as_chunks().0.iter().map(|pair| unit(*pair)).collect();
    String::from_utf16_lossy(&units)
}

/// A text without byte order mark, NULs and foreign line ends.
pub fn plain(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.replace("\r\n", "\n").replace('\r', "\n").replace(['\0', '\u{1a}'], " ")
}

/// Signs that people put behind a move.
const SIGNS: [char; 12] = ['!', '?', '‼', '⁇', '⁉', '⁈', '±', '∓', '□', '∞', '⩲', '⩱'];
/// Annotations that may stand alone.
const REMARKS: [&str; 12] = ["e.p.", "ep", "+-", "-+", "+/-", "-/+", "+/=", "=/+", "+=", "=+", "=", "N"];

/// A move without what is said of it; nothing where a word says something of a move and is none.
pub(crate) fn bare(word: &str) -> Option<&str> {
    // `$` begins a numeric annotation, also where it touches the move.
    let mv = word.split('$').next().unwrap_or_default().trim_end_matches(SIGNS);
    let mv = mv.strip_suffix("e.p.").unwrap_or(mv);
    let is_remark = REMARKS.contains(&mv) || mv.trim_matches(['+', '#']).is_empty();
    (!is_remark).then_some(mv)
}

/// The moves of a list: parted by blanks, and by commas where somebody wrote them.
pub(crate) fn moves_of(operands: &str) -> impl Iterator<Item = &str> {
    operands.split(|c: char| c.is_whitespace() || c == ',').filter_map(bare)
}

/// Length in bytes of the string with whose quotation mark a text begins, both marks included; nothing if it never ends.
pub(crate) fn string_length(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// One string without its marks and escapes; anything else as it is.
pub(crate) fn unquoted(text: &str) -> Cow<'_, str> {
    match text.starts_with('"') && string_length(text) == Some(text.len()) {
        true => unescaped(&text[1..text.len() - 1]),
        false => Cow::Borrowed(text),
    }
}

/// The inner part of a string without its escapes.
pub(crate) fn unescaped(inner: &str) -> Cow<'_, str> {
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let (mut text, mut chars) = (String::with_capacity(inner.len()), inner.chars());
    while let Some(c) = chars.next() {
        // A backslash that ends the text escapes nothing.
        text.push(if c == '\\' { chars.next().unwrap_or(c) } else { c });
    }
    Cow::Owned(text)
}

/// A text as a string of EPD.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_encoding_gives_the_same_lines() {
        let wide =
            |unit: fn(u16) -> [u8; 2]| "\u{feff}aé\r\nb".encode_utf16().flat_map(unit).collect::<Vec<u8>>();
        for bytes in [
            "aé\nb".as_bytes(),
            "\u{feff}aé\r\nb".as_bytes(),
            b"a\xe9\rb",
            &wide(u16::to_le_bytes),
            &wide(u16::to_be_bytes),
        ] {
            assert_eq!(decode(bytes), "aé\nb", "{bytes:?}");
        }
        assert_eq!(decode(b"a\0b\x1a"), "a b ");
        assert_eq!(decode(b"\xff\xfe\x00"), "", "half a unit is nothing");
    }

    #[test]
    fn what_is_said_of_a_move_is_no_part_of_it() {
        for (word, mv) in [
            ("e4", "e4"),
            ("Nf3!?", "Nf3"),
            ("Nf3+", "Nf3+"),
            ("e5$1", "e5"),
            ("e8=Q#!$12$3", "e8=Q#"),
            ("exd6e.p.", "exd6"),
            ("11-15!", "11-15"),
            ("8h2b+", "8h2b+"),
            ("Kd2±", "Kd2"),
        ] {
            assert_eq!(bare(word), Some(mv));
        }
        for word in ["", "!?", "$7", "+-", "=", "e.p.", "+", "#", "++", "N"] {
            assert_eq!(bare(word), None, "{word}");
        }
        assert_eq!(moves_of("e4, Nf3 +  d4 !? c4$1").collect::<Vec<_>>(), ["e4", "Nf3", "d4", "c4"]);
    }

    #[test]
    fn a_backslash_makes_the_next_character_one_of_the_string() {
        assert_eq!(string_length(r#""a \"b\" c" d"#), Some(11));
        assert_eq!(string_length(r#""a\\" d"#), Some(5));
        for open in ["\"a", r#""a\""#, "\""] {
            assert_eq!(string_length(open), None, "{open}");
        }
        assert_eq!(unquoted(r#""a \"b\" c""#), r#"a "b" c"#);
        for whole in [r#""x" "y""#, r#""a\""#, "x", "\""] {
            assert_eq!(unquoted(whole), whole);
        }
    }

    proptest! {
        #[test]
        fn what_is_quoted_is_read_back(text in "\\PC{0,12}|[\"\\\\a ]{0,8}") {
            let quoted = quoted(&text);
            prop_assert_eq!(string_length(&format!("{quoted}\"")), Some(quoted.len()));
            prop_assert_eq!(unquoted(&quoted), text);
        }
    }
}
