//! A fault in a text file, told so that it can be mended at once: file, line and column, what stands there and what
//! should, and the line with a caret below.

use std::path::{Path, PathBuf};

/// A wrong line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{line}:{column}: {message}{}", path.display(), pointer(text, *column))]
pub struct Fault {
    /// The file.
    pub path: PathBuf,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What was found and what was expected.
    pub message: String,
    /// The line.
    pub text: String,
}

/// The line and, below it, a caret under the column. Tabs are repeated so that the caret stays in place.
fn pointer(text: &str, column: usize) -> String {
    if text.is_empty() {
        return String::new();
    }
    let blank = |c: char| if c == '\t' { '\t' } else { ' ' };
    let indent: String = text.chars().take(column - 1).map(blank).collect();
    format!("\n  {text}\n  {indent}^")
}

/// An error at a byte offset of a text file.
#[must_use]
pub fn fault(path: &Path, text: &str, offset: usize, message: impl Into<String>) -> Box<Fault> {
    let offset = offset.min(text.len());
    let begin = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    Box::new(Fault {
        path: path.to_owned(),
        line: text[..offset].matches('\n').count() + 1,
        column: text[begin..offset].chars().count() + 1,
        message: message.into(),
        text: text[begin..].lines().next().unwrap_or_default().to_owned(),
    })
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
}
