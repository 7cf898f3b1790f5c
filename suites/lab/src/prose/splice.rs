//! Generated parts of documents: the text between two marks, with the command that made it.

/// Why a document cannot be spliced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no `<!-- BEGIN: {name} -->` with a matching END after it")]
pub struct NoMarks {
    /// The name asked for.
    pub name: String,
}

/// `document` with the part between `<!-- BEGIN: name -->` and `<!-- END: name -->` replaced by `body`, which
/// is preceded by the command that made it.
///
/// # Errors
/// If the marks are missing.
pub fn splice(document: &str, name: &str, command: &str, body: &str) -> Result<String, NoMarks> {
    let missing = || NoMarks { name: name.to_owned() };
    let begin = format!("<!-- BEGIN: {name} -->");
    let end = format!("<!-- END: {name} -->");
    let start = document.find(&begin).ok_or_else(missing)? + begin.len();
    let stop = start + document[start..].find(&end).ok_or_else(missing)?;
    let made = format!("\n<!-- made by `{command}` -->\n\n{}\n\n", body.trim());
    Ok(format!("{}{made}{}", &document[..start], &document[stop..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "a\n<!-- BEGIN: t -->\nold\n<!-- END: t -->\nb\n";

    #[test]
    fn splicing_twice_is_splicing_once() {
        let once = splice(DOCUMENT, "t", "cmd", "| x |").unwrap();
        assert!(once.contains("| x |") && !once.contains("old"));
        assert!(once.starts_with("a\n") && once.ends_with("b\n"));
        assert_eq!(splice(&once, "t", "cmd", "| x |").unwrap(), once);
    }

    #[test]
    fn missing_marks_are_named() {
        assert_eq!(splice(DOCUMENT, "u", "cmd", "").unwrap_err().name, "u");
        assert!(splice("<!-- BEGIN: t -->", "t", "cmd", "").is_err());
    }
}
