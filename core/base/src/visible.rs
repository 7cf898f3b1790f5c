//! Text of others as it may be shown: characters that move, hide or turn the text around them are written out.
//!
//! Ids, names of engines and error messages come from files and programs. A control character among them may clear the
//! terminal, a bidirectional one may show a line in another order than it has. Records keep what was written; whatever
//! people read passes here.

use std::borrow::Cow;

/// The text with control, bidirectional and invisible characters as `\u{..}`; line ends too.
pub fn visible(text: &str) -> Cow<'_, str> {
    shown(text, |_| false)
}

/// The same for a text of several lines: line ends and tabs stay.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    shown(text, |c| matches!(c, '\n' | '\t'))
}

/// The text as a cell of a table that a spreadsheet may open: nothing hides, and what begins like a formula and is no number
/// has an apostrophe before it (OWASP, CSV injection).
pub fn cell(text: &str) -> Cow<'_, str> {
    let shown = visible(text);
    // Signs of full width are the same to a spreadsheet.
    let is_formula =
        shown.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) && shown.parse::<f64>().is_err();
    if is_formula { Cow::Owned(format!("'{shown}")) } else { shown }
}

/// A JSON text with what hides written as JSON writes it: `\u202e`. Its values stay what they are.
pub fn visible_json(text: &str) -> Cow<'_, str> {
    let unit = |unit: &u16| format!("\\u{unit:04x}");
    // Line ends stand between values; within a string JSON has written them out already.
    written(text, |c| c == '\n', |c| c.encode_utf16(&mut [0; 2]).iter().map(unit).collect())
}

fn shown(text: &str, keep: fn(char) -> bool) -> Cow<'_, str> {
    written(text, keep, |c| format!("\\u{{{:x}}}", u32::from(c)))
}

/// The text with every character that hides, but for those to keep, in another form.
fn written(text: &str, keep: fn(char) -> bool, form: impl Fn(char) -> String) -> Cow<'_, str> {
    let is_hidden = |c: char| hides(c) && !keep(c);
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_hidden(c) {
            out += &form(c);
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

    #[test]
    fn no_cell_is_a_formula_or_hides() {
        for (text, expected) in [
            ("=1+1", "'=1+1"),
            ("@x", "'@x"),
            ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
            ("＝1", "'＝1"),
            ("null-move+mpc", "null-move+mpc"),
            ("a\u{202e}\n", "a\\u{202e}\\u{a}"),
            ("\t=1", "\\u{9}=1"),
            // Numbers stay numbers.
            ("-2", "-2"),
            ("-1.5e-3", "-1.5e-3"),
            ("-", "'-"),
        ] {
            assert_eq!(cell(text), expected);
        }
    }

    #[test]
    fn json_hides_nothing_and_says_the_same() {
        let value =
            serde_json::json!({ "a\u{202e}": ["\u{1b}[2J", "\u{e0041}", "é", 1.5], "b": "\u{85}\u{7f}" });
        let text = format!("{value:#}\n");
        let shown = visible_json(&text);
        assert!(!shown.chars().any(|c| hides(c) && c != '\n'), "{shown}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
        assert!(matches!(visible_json("{}\n"), Cow::Borrowed(_)));
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
