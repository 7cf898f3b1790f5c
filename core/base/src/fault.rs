//! A fault in a text file, with all that it takes to mend it: file, line and column, what was found and what was
//! expected, and the line with a caret below.

use std::path::{Path, PathBuf};

/// A wrong line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{line}:{column}: {message}{}", path.display(), pointer(text, *caret))]
pub struct Fault {
    /// The file.
    pub path: PathBuf,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What was found and what was expected.
    pub message: String,
    /// The line; of a long one what is around the place.
    pub text: String,
    /// Characters of `text` before the place.
    pub caret: usize,
}

/// Bytes of a line that is shown whole: a file of one line of megabytes may have thousands of faults.
const WHOLE: usize = 400;
/// Characters that are shown of a longer line before the place, and behind it.
const AROUND: usize = 60;
/// Bytes of a message: a word of a file may be as long as the file.
const MESSAGE: usize = 1_000;

impl Fault {
    /// At a byte offset of a line; an offset past its end means the end.
    pub fn at(path: &Path, line: usize, text: &str, offset: usize, message: impl Into<String>) -> Box<Fault> {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset += 1;
        }
        let (before, behind) = text.split_at(offset);
        let column = before.chars().count() + 1;
        let mut message = message.into();
        if message.len() > MESSAGE {
            let end = message.floor_char_boundary(MESSAGE);
            message.replace_range(end.., "...");
        }
        let fault =
            |text, caret| Box::new(Fault { path: path.to_owned(), line, column, message, text, caret });
        if text.len() <= WHOLE {
            return fault(text.to_owned(), column - 1);
        }
        let from = before.char_indices().rev().nth(AROUND - 1).map_or(0, |(at, _)| at);
        let end = behind.char_indices().nth(AROUND).map_or(behind.len(), |(at, _)| at);
        let [begun, ended] = [from > 0, end < behind.len()].map(|is_cut| if is_cut { "..." } else { "" });
        let caret = before[from..].chars().count() + begun.len();
        fault(format!("{begun}{}{}{ended}", &before[from..], &behind[..end]), caret)
    }
}

/// The line and, below it, a caret behind so many characters. Tabs are repeated so that the caret stays in place.
fn pointer(text: &str, caret: usize) -> String {
    if text.is_empty() {
        return String::new();
    }
    let blank = |c: char| if c == '\t' { '\t' } else { ' ' };
    let indent: String = text.chars().take(caret).map(blank).collect();
    format!("\n  {text}\n  {indent}^")
}

/// An error at a byte offset of a text file.
pub fn fault(path: &Path, text: &str, offset: usize, message: impl Into<String>) -> Box<Fault> {
    let offset = offset.min(text.len());
    let begin = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let line = text[begin..].lines().next().unwrap_or_default();
    Fault::at(path, text[..offset].matches('\n').count() + 1, line, offset - begin, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_count_lines_and_characters_from_one() {
        let text = "a\nbü = 3\nc";
        let at = |offset| {
            let fault = fault(Path::new("f"), text, offset, "x");
            (fault.line, fault.column, fault.text)
        };
        assert_eq!(at(0), (1, 1, "a".to_owned()));
        assert_eq!(at(text.find('3').unwrap()), (2, 6, "bü = 3".to_owned()));
        assert_eq!(at(999), (3, 2, "c".to_owned()));
    }

    /// A file may be one line of megabytes with thousands of faults: none holds or prints all of it.
    #[test]
    fn of_a_long_line_what_is_around_the_place_is_shown() {
        let line = format!("{}ü!{}", "é ".repeat(50_000), "x".repeat(100_000));
        let fault = Fault::at(Path::new("f"), 7, &line, line.find('!').unwrap(), line.as_str());
        assert_eq!((fault.column, fault.text.chars().count()), (100_002, 3 + 2 * AROUND + 3));
        assert_eq!(fault.text.chars().nth(fault.caret), Some('!'));
        let text = fault.to_string();
        assert!(text.starts_with("f:7:100002: ") && text.len() < MESSAGE + 1_000, "{}", text.len());
        let first = Fault::at(Path::new("f"), 1, &line, 0, "x");
        assert_eq!((first.column, first.caret), (1, 0));
        let last = Fault::at(Path::new("f"), 1, &line, line.len(), "x");
        assert_eq!((last.caret, last.text.chars().count()), (3 + AROUND, 3 + AROUND));
    }
}
