//! Mutations of valid texts: of bytes, and of words, numbers and lines as the grammars have them.

use crate::stress::dice::Dice;

/// Numbers at which readers go wrong.
const NUMBERS: &[&str] = &[
    "0",
    "-1",
    "1",
    "8",
    "9",
    "64",
    "65",
    "100",
    "255",
    "256",
    "-128",
    "32767",
    "32768",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "-1e400",
    "1e-300",
    "nan",
    "inf",
    "-0.0",
    "0x10",
    "1_000",
    "00",
    "+7",
    "١",
];

/// Pieces that belong nowhere in particular.
const PIECES: &[&str] = &[
    "",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\0",
    "\u{1b}[31m",
    "\u{202e}",
    "\u{feff}",
    "é",
    "日本",
    "\"",
    "'",
    "\\",
    ",",
    ";",
    ":",
    "=",
    "/",
    "-",
    "[",
    "]",
    "{",
    "}",
    "[[",
    "]]",
    "#",
    "%",
    "..",
    "null",
];

/// Longest input: what grows is cut.
const MOST: usize = 1 << 14;

/// A valid text, changed in a few places. `words` are those of the grammar.
pub(super) fn mutated(dice: &mut Dice, corpus: &[Vec<u8>], words: &[&str]) -> Vec<u8> {
    let mut bytes = dice.pick(corpus).clone();
    for _ in 0..1 + dice.below(1 + dice.clone().below(6)) {
        mutate(dice, &mut bytes, corpus, words);
    }
    bytes.truncate(MOST);
    bytes
}

fn mutate(dice: &mut Dice, bytes: &mut Vec<u8>, corpus: &[Vec<u8>], words: &[&str]) {
    let at = dice.below(bytes.len() + 1);
    let end = (at + 1 + dice.below(12)).min(bytes.len());
    match dice.below(14) {
        0 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
        1 if at < bytes.len() => bytes[at] = dice.below(256) as u8,
        2 => drop(bytes.drain(at..end)),
        3 => {
            let part = bytes[at..end].to_vec();
            let to = dice.below(bytes.len() + 1);
            bytes.splice(to..to, part);
        }
        4 => drop(bytes.splice(at..at, dice.pick(PIECES).bytes())),
        5 => {
            let other = dice.pick(corpus);
            let from = dice.below(other.len() + 1);
            bytes.truncate(at);
            bytes.extend_from_slice(&other[from..]);
        }
        6 | 7 => replace(dice, bytes, is_number, NUMBERS),
        8 | 9 if !words.is_empty() => replace(dice, bytes, is_word, words),
        10 => swap(dice, bytes, is_word),
        // One letter of the text in the place of another, or two exchanged: boards stay boards.
        11 if at < bytes.len() => bytes[at] = *dice.pick(&bytes.clone()),
        12 if at < bytes.len() => {
            let other = dice.below(bytes.len());
            bytes.swap(at, other);
        }
        _ => lines(dice, bytes),
    }
}

fn is_number(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'-' | b'.')
}

fn is_word(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !matches!(byte, b',' | b';' | b'=' | b'[' | b']' | b'"')
}

/// Puts one of `choices` in place of one of the words made of such bytes, or next to it.
fn replace(dice: &mut Dice, bytes: &mut Vec<u8>, is_part: fn(u8) -> bool, choices: &[&str]) {
    let Some((from, to)) = span(dice, bytes, is_part) else { return };
    let from = if dice.once_in(6) { to } else { from };
    bytes.splice(from..to, dice.pick(choices).bytes());
}

/// Exchanges two words.
fn swap(dice: &mut Dice, bytes: &mut Vec<u8>, is_part: fn(u8) -> bool) {
    let (Some(one), Some(two)) = (span(dice, bytes, is_part), span(dice, bytes, is_part)) else { return };
    let (one, two) = (one.min(two), one.max(two));
    if one.1 <= two.0 {
        let (first, second) = (bytes[one.0..one.1].to_vec(), bytes[two.0..two.1].to_vec());
        bytes.splice(two.0..two.1, first);
        bytes.splice(one.0..one.1, second);
    }
}

/// The word around or after a random place.
fn span(dice: &mut Dice, bytes: &[u8], is_part: fn(u8) -> bool) -> Option<(usize, usize)> {
    let start = dice.below(bytes.len());
    let inside = start + bytes[start..].iter().position(|&byte| is_part(byte))?;
    let from = bytes[..inside].iter().rposition(|&byte| !is_part(byte)).map_or(0, |at| at + 1);
    let to = bytes[inside..].iter().position(|&byte| !is_part(byte)).map_or(bytes.len(), |at| inside + at);
    Some((from, to))
}

/// Takes a line away, doubles it, or exchanges two.
fn lines(dice: &mut Dice, bytes: &mut Vec<u8>) {
    let mut all: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    if all.is_empty() {
        return;
    }
    let (one, two) = (dice.below(all.len()), dice.below(all.len()));
    match dice.below(3) {
        0 => drop(all.remove(one)),
        1 => all.insert(two, all[one]),
        _ => all.swap(one, two),
    }
    *bytes = all.concat();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutations_repeat_vary_and_end() {
        let corpus = [b"depth = 12\nname = \"x\"\n".to_vec(), Vec::new()];
        let one = |number| mutated(&mut Dice::new(1, "m", number), &corpus, &["nodes"]);
        let all: std::collections::BTreeSet<Vec<u8>> = (0..2000).map(one).collect();
        assert_eq!(one(7), one(7));
        assert!(all.len() > 700, "{}", all.len());
        let has = |words: &str| all.iter().any(|bytes| String::from_utf8_lossy(bytes).contains(words));
        assert!(has("18446744073709551616") && has("nodes = 12") && has("\u{202e}"));
    }
}
