//! Strings between quotation marks, as EPD and PGN write them: a backslash makes the next character one of the string.
//!
//! Source: Edwards, *Portable Game Notation Specification and Implementation Guide* (1994), section 7.

use std::borrow::Cow;

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
#[must_use]
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
