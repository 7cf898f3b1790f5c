//! The evaluation as text: how `core/games/chess/data/chess.eval` is read and written.
//!
//! A group's name, then its numbers as middlegame/endgame pairs in centipawns, in lines of any length; `#` starts
//! a comment. Every group comes exactly once, in the order of [`EvalParams::groups`], so that a file says all and
//! two files compare line by line.

use super::params::Group;
use super::{EvalParams, Taper};
use std::fmt::Write;

/// Numbers stay within this, so that sums of packed pairs cannot overflow.
const LIMIT: i32 = 4_000;

/// Why a text is no evaluation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: found {text}, expected {expected}")]
pub struct EvalError {
    /// Line, from 1.
    pub line: usize,
    /// Column in bytes, from 1.
    pub column: usize,
    /// The offending text.
    pub text: String,
    /// What would have been right.
    pub expected: String,
}

/// A word and where it stands.
#[derive(Clone, Copy)]
struct Word<'a> {
    line: usize,
    column: usize,
    text: &'a str,
}

impl Word<'_> {
    fn error(self, expected: impl Into<String>) -> EvalError {
        let text =
            if self.text.is_empty() { "the end of the text".into() } else { format!("`{}`", self.text) };
        EvalError { line: self.line, column: self.column, text, expected: expected.into() }
    }
}

fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    text.lines().enumerate().flat_map(|(number, whole)| {
        let code = whole.split('#').next().unwrap_or_default();
        code.split_whitespace().map(move |text| {
            // A word is a part of its line: the distance of their beginnings is its column.
            let column = text.as_ptr() as usize - whole.as_ptr() as usize + 1;
            Word { line: number + 1, column, text }
        })
    })
}

impl EvalParams {
    /// Reads the format of [`EvalParams::to_text`].
    ///
    /// # Errors
    /// [`EvalError`] at the first word that is out of place.
    pub fn parse(text: &str) -> Result<EvalParams, EvalError> {
        let mut params = EvalParams::zero();
        let end = Word { line: text.lines().count() + 1, column: 1, text: "" };
        let mut tokens = words(text);
        for group in EvalParams::groups() {
            let name = tokens.next().unwrap_or(end);
            if name.text != group.name {
                return Err(name.error(format!("the group `{}`", group.name)));
            }
            for (nth, value) in params.values_mut()[group.range()].iter_mut().enumerate() {
                let word = tokens.next().unwrap_or(end);
                *value = pair(word.text).ok_or_else(|| word.error(expected(*group, nth)))?;
            }
        }
        match tokens.next() {
            Some(word) => Err(word.error("the end of the text")),
            None => Ok(params),
        }
    }

    /// The numbers as text, without comments.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for group in EvalParams::groups() {
            text += group.name;
            let values = &self.values()[group.range()];
            for (nth, value) in values.iter().enumerate() {
                // Boards have a line for each rank.
                text += if values.len() > 6 && nth % 8 == 0 { "\n  " } else { " " };
                // Writing to a string cannot fail.
                let _ = write!(text, "{}/{}", value.middlegame(), value.endgame());
            }
            text.push('\n');
        }
        text
    }
}

fn pair(text: &str) -> Option<Taper> {
    let (middlegame, endgame) = text.split_once('/')?;
    let half = |text: &str| text.parse::<i32>().ok().filter(|value| value.abs() <= LIMIT);
    Some(Taper::new(half(middlegame)?, half(endgame)?))
}

fn expected(group: Group, nth: usize) -> String {
    format!(
        "number {} of {} of `{}` as middlegame/endgame, each within ±{LIMIT}",
        nth + 1,
        group.len,
        group.name
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_numbers_are_the_same_thing() {
        for params in [EvalParams::default(), EvalParams::start().clone(), EvalParams::zero()] {
            let text = params.to_text();
            assert_eq!(EvalParams::parse(&text), Ok(params));
            let commented = format!("# first\n{}", text.replace("tempo", "tempo # last\n"));
            assert_eq!(EvalParams::parse(&commented).map(|read| read.to_text()), Ok(text));
        }
    }

    #[test]
    fn what_is_out_of_place_is_named_with_its_place() {
        let good = EvalParams::start().to_text();
        let error = |text: &str| EvalParams::parse(text).expect_err("broken").to_string();
        assert_eq!(error(""), "line 1, column 1: found the end of the text, expected the group `men`");
        let name = error(&good.replace("bishop-pair", "bishop-pear"));
        assert!(name.ends_with("found `bishop-pear`, expected the group `bishop-pair`"), "{name}");
        for wrong in ["82", "82/x", "82/5000", "/"] {
            let first = error(&good.replacen("men 82/94", &format!("men {wrong}"), 1));
            assert_eq!(
                first,
                format!(
                    "line 1, column 5: found `{wrong}`, expected number 1 of 6 of `men` as middlegame/endgame, \
                     each within ±4000"
                )
            );
        }
        let long = error(&format!("{good}7/7"));
        assert!(long.ends_with("found `7/7`, expected the end of the text"), "{long}");
    }
}
