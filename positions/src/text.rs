//! From the bytes of a file to lines, whatever program wrote them.
//!
//! Suites go round as they were saved thirty years ago: with a byte order mark, in Latin-1, with the line ends of DOS
//! or of old Macintoshes, with NUL bytes or the end mark of CP/M. None of that says anything about a position.

use std::borrow::Cow;

/// The text of a file: UTF-8, UTF-16 with a byte order mark, or else Latin-1, where every byte is a character. NUL and
/// the end mark of CP/M become blanks, so that columns stay; every line end becomes `\n`.
#[must_use]
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
#[must_use]
pub fn plain(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.replace("\r\n", "\n").replace('\r', "\n").replace(['\0', '\u{1a}'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
