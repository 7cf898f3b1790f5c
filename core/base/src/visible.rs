//! Text of others as it may be shown: characters that move, hide or turn what stands around them are written out.
//!
//! Ids, names of engines and error messages come from files and programs. A control character among them may clear the
//! terminal, a bidirectional one may show a line in another order than it has. Records keep what was written; whatever
//! people read passes here.

use std::borrow::Cow;
use std::fmt::Write;

/// The text with control, bidirectional and invisible characters as `\u{..}`; line ends too.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    shown(text, |_| false)
}

/// The same for a text of several lines: line ends and tabs stay.
#[must_use]
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    shown(text, |c| matches!(c, '\n' | '\t'))
}

fn shown(text: &str, keep: fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(|c| hides(c) && !keep(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if hides(c) && !keep(c) {
            // Writing to a string does not fail.
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Whether a character changes how others are shown: control characters, line and paragraph separators, marks of
/// direction, and what has no width.
fn hides(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_hides_is_written_out() {
        assert_eq!(visible("a\u{1b}[2J\u{202e}b\n"), "a\\u{1b}[2J\\u{202e}b\\u{a}");
        assert_eq!(visible_lines("a\tb\nc\rd"), "a\tb\nc\\u{d}d");
        assert!(matches!(visible("Bratko–Kopec é ½ 中"), Cow::Borrowed(_)));
    }

    proptest! {
        #[test]
        fn nothing_hides_in_what_is_shown(text in any::<String>()) {
            prop_assert!(!visible(&text).chars().any(hides));
            let shown = visible(&text).into_owned();
            prop_assert_eq!(visible(&shown), shown.as_str());
        }
    }
}
