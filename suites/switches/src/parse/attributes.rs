//! What a parser that expands no macros stumbles over, made into blanks of the same length, so that every place stays what it is.

use std::collections::BTreeSet;

/// Words by which a macro that stands for attributes begins: `#define INLINE inline __attribute__((always_inline))`.
const BEGINNINGS: [&str; 9] =
    ["inline", "static", "extern", "const", "register", "restrict", "__", "[[", "alignas"];

/// The names of macros that stand for nothing or for attributes.
pub(super) fn names<'a>(texts: impl Iterator<Item = &'a [u8]>) -> BTreeSet<Vec<u8>> {
    let mut names = BTreeSet::new();
    for line in texts.flat_map(|text| text.split(|&byte| byte == b'\n')) {
        let Some(rest) = directive(line).and_then(|rest| rest.strip_prefix(b"define")) else { continue };
        let rest = rest.trim_ascii();
        let end = rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len());
        let (name, value) = rest.split_at(end);
        let is_attribute =
            BEGINNINGS.iter().any(|beginning| value.trim_ascii().starts_with(beginning.as_bytes()));
        if !name.is_empty() && value.first() != Some(&b'(') && (value.trim_ascii().is_empty() || is_attribute)
        {
            names.insert(name.to_vec());
        }
    }
    names
}

/// A text with these names as blanks, but in directives.
pub(super) fn blanked(text: &[u8], names: &BTreeSet<Vec<u8>>) -> Vec<u8> {
    let mut blanked = text.to_vec();
    let mut start = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let mut at = 0;
        while at < line.len() && directive(line).is_none() {
            let length = line[at..].iter().take_while(|byte| is_word(**byte)).count();
            if length > 0 && names.contains(&line[at..at + length]) {
                blanked[start + at..start + at + length].fill(b' ');
            }
            at += length.max(1);
        }
        start += line.len();
    }
    blanked
}

/// A text with conditions of the preprocessor, and all but the first branch of each, as blanks. `#if 0` has no first branch.
pub(super) fn first_branches(text: &[u8]) -> Vec<u8> {
    let (mut new, mut open) = (Vec::with_capacity(text.len()), Vec::<bool>::new());
    let blank = |line: &[u8]| {
        line.iter().map(|&byte| if matches!(byte, b'\r' | b'\n') { byte } else { b' ' }).collect::<Vec<_>>()
    };
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let (word, rest) = directive(line).map_or((&b""[..], &b""[..]), |rest| {
            rest.split_at(rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len()))
        });
        match word {
            b"if" | b"ifdef" | b"ifndef" => open.push(rest.trim_ascii() != b"0"),
            b"else" | b"elif" => {
                if let Some(last) = open.last_mut() {
                    *last = !*last && word == b"else";
                }
            }
            b"endif" => drop(open.pop()),
            _ => {
                let seen = open.iter().all(|branch| *branch);
                new.extend(if seen { line.to_vec() } else { blank(line) });
                continue;
            }
        }
        new.extend(blank(line));
    }
    new
}

/// A text with calls that begin a line, end it and are called like a macro as blanks: outside of functions no language has a call.
pub(super) fn without_macros(text: &[u8]) -> Vec<u8> {
    let mut new = text.to_vec();
    let mut start = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let name = line.iter().take_while(|byte| is_word(**byte)).count();
        let is_macro = line[..name].iter().any(u8::is_ascii_uppercase)
            && !line[..name].iter().any(u8::is_ascii_lowercase)
            && line.get(name) == Some(&b'(');
        let end = line.trim_ascii_end();
        if is_macro && (end.ends_with(b")") || end.ends_with(b");")) {
            new[start..start + end.len()].fill(b' ');
        }
        start += line.len();
    }
    new
}

/// What is behind the `#` of a directive.
fn directive(line: &[u8]) -> Option<&[u8]> {
    Some(line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start())
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_outside_of_functions_become_blanks() {
        let text = b"TUNE(depth, int, 3);\r\n    CALL(b);\nNAMES(c) {\nint Bar(int);\nT_2(d)\n";
        let new = without_macros(text);
        assert_eq!(new, b"                    \r\n    CALL(b);\nNAMES(c) {\nint Bar(int);\n      \n");
    }
}
