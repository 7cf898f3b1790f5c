//! Marks in prose: numbers that come from the record, and statements that the record must bear out.
//!
//! Three marks, invisible when a document is rendered:
//!
//! - `<!--=a7-->5.70<!--/-->`: a number, filled in from the record. What `a7` computes is in the page's [list](marks), as an
//!   [`expression`] about [facts], with the tests that must be true for its sentence;
//! - `<!--?a8-->`: a sentence without a number; its tests are in the list;
//! - `<!--fact: Buro 1995, table 2 -->6.0<!--/-->`: a number that is no result of ours, with its source.
//!
//! Generated parts of a document are spliced in between two marks of their own. Digits outside of marks are found by [`typed`],
//! links that lead nowhere by [`links`]. Left out: marks in generated parts, which are written anew each time.

pub mod expression;
pub mod facts;
pub mod links;
pub mod marks;
pub mod paper;
pub mod typed;

use self::facts::Facts;
use expression::{Found, evaluate};
use marks::Marks;
use regex_lite::{Captures, Regex};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// What is wrong with a document, with the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Line, from 1.
    pub line: usize,
    /// What was found, and what was expected.
    pub message: String,
}

/// A pattern of this program; one that does not compile is a defect that every test of the module finds.
pub(crate) fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern of this program")
}

/// A mark with its name, which ends where the comment does.
static MARK: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s)<!--([=?])(.*?)-->"));
/// A number between its marks; the text holds no other mark.
static FILLED: LazyLock<Regex> = LazyLock::new(|| pattern(r"<!--=([^<]*?)-->([^<]*)<!--/-->"));
/// A comment that opens a line, which Markdown takes for HTML up to the end of the line.
static OPENS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?m)^[ \t]*(?:[-*+>] +|\d+\. +)?<!--(?:[=?/]|fact)"));

/// The names of the marks of `document`, in its order, as often as each is there.
pub fn names(document: &str) -> Vec<String> {
    MARK.captures_iter(document).map(|mark| mark[2].to_owned()).collect()
}

/// `document` with every mark filled, and everything that is wrong with its marks: an unknown name or number, a test that is
/// not true, a mark without an end. A faulty mark keeps its text.
pub fn fill(document: &str, marks: &Marks, facts: &Facts) -> (String, Vec<Fault>) {
    let mut faults = Vec::new();
    let mut fault = |at: usize, message: String| {
        faults.push(Fault { line: 1 + document[..at].matches('\n').count(), message });
    };
    let filled_at: BTreeSet<usize> = FILLED.find_iter(document).map(|whole| whole.start()).collect();
    let mut tested = BTreeSet::new();
    for captures in MARK.captures_iter(document) {
        let (at, name) = (captures.get(0).map_or(0, |whole| whole.start()), &captures[2]);
        let Some(mark) = marks.get(name) else {
            fault(at, format!("`{name}`: expected a name of the page's list of marks"));
            continue;
        };
        match (&captures[1], &mark.is) {
            ("=", None) => fault(at, format!("`{name}`: its list says no number (`{name}.is = \"...\"`)")),
            ("=", Some(_)) if !filled_at.contains(&at) => {
                fault(at, format!("`{name}`: expected a text and `<!--/-->` after the mark"));
            }
            ("=", Some(is)) => match evaluate(is, facts) {
                Ok(Found::Text(_)) => {}
                Ok(Found::Truth(..)) => fault(at, format!("`{name}`: `{is}`: expected a number")),
                Err(message) => fault(at, format!("`{name}`: {message}")),
            },
            _ if mark.tests.is_empty() => {
                fault(at, format!("`{name}`: its list says no test (`{name}.tests = [\"...\"]`)"));
            }
            _ => {}
        }
        if tested.insert(name.to_owned()) {
            for test in &mark.tests {
                match evaluate(test, facts) {
                    Ok(Found::Truth(true, _)) => {}
                    Ok(Found::Truth(false, why)) => {
                        fault(at, format!("`{name}`: no longer true: `{test}` ({why})"));
                    }
                    Ok(Found::Text(_)) => fault(at, format!("`{name}`: `{test}`: expected a comparison")),
                    Err(message) => fault(at, format!("`{name}`: {message}")),
                }
            }
        }
    }
    for opening in OPENS.find_iter(document) {
        let message = "a mark opens a line, which Markdown takes for HTML: put a word before it";
        fault(opening.start(), message.to_owned());
    }
    let number = |name: &str| match evaluate(marks.get(name)?.is.as_ref()?, facts) {
        Ok(Found::Text(text)) => Some(text),
        _ => None,
    };
    let filled = FILLED.replace_all(document, |mark: &Captures<'_>| match number(&mark[1]) {
        Some(text) => format!("<!--={}-->{text}<!--/-->", &mark[1]),
        None => mark[0].to_owned(),
    });
    faults.sort_by_key(|fault| fault.line);
    (filled.into_owned(), faults)
}

/// The start of the mark of a generated part.
const BEGIN: &str = "<!-- BEGIN: ";
/// The end of the mark of a generated part.
const END: &str = "<!-- END -->";

/// `document` with each part between `<!-- BEGIN: TEXT -->` and `<!-- END -->` replaced by what `part` makes of the text, below the
/// command that made it.
///
/// # Errors
/// A mark without its end, and those of `part`, each with its line.
pub fn splice(
    document: &str,
    command: &str,
    part: impl Fn(&str) -> Result<String, String>,
) -> Result<String, Fault> {
    let (mut text, mut rest) = (String::new(), document);
    while let Some(at) = rest.find(BEGIN) {
        text += &rest[..at];
        let above = document.len() - rest.len() + at;
        let fault = |message| Fault { line: 1 + document[..above].matches('\n').count(), message };
        let mark = rest[at + BEGIN.len()..].split_once(" -->");
        let (mark, after) =
            mark.ok_or_else(|| fault(format!("found `{BEGIN}`, expected ` -->` behind it")))?;
        let end = after.find(END).filter(|end| !after[..*end].contains(BEGIN));
        let end =
            end.ok_or_else(|| fault(format!("found `{BEGIN}{mark} -->`, expected `{END}` behind it")))?;
        let made = part(mark).map_err(fault)?;
        text += &format!("{BEGIN}{mark} -->\n<!-- made by `{command}` -->\n\n{}\n\n{END}", made.trim());
        rest = &after[end + END.len()..];
    }
    Ok(text + rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prose::facts::Fact;

    fn facts() -> Facts {
        let mut facts = Facts::default();
        facts
            .add("run", vec![Fact::number(["none", "nodes"], 1500.0), Fact::number(["mpc", "nodes"], 500.0)]);
        facts
    }

    const LIST: &str = r#"
        n.is = "run: none nodes as count"
        ratio.is = "run: none nodes / run: mpc nodes"
        ratio.tests = ["run: none nodes > run: mpc nodes"]
        gone.is = "run: none depth"
        false.is = "run: none nodes"
        false.tests = ["run: none nodes > 1", "run: none nodes < run: mpc nodes"]
        test.tests = ["run: none nodes > run: mpc nodes"]
        number.tests = ["run: none nodes"]
    "#;

    #[test]
    fn filling_twice_is_filling_once_and_prose_stays() {
        let marks = Marks::read(LIST).unwrap();
        let document = "It needs <!--=n-->?<!--/--> nodes,\n<!-- a comment --> \
                        <!--=ratio-->\n1<!--/--> times as many. More is true.<!--?test-->";
        let (once, faults) = fill(document, &marks, &facts());
        assert_eq!(faults, []);
        assert_eq!(names(document), ["n", "ratio", "test"]);
        assert!(once.contains("-->1,500<!--/--> nodes,\n<!-- a comment --> "), "{once}");
        assert!(once.contains("-->3.00<!--/--> times"), "{once}");
        assert_eq!(fill(&once, &marks, &facts()), (once.clone(), Vec::new()));
    }

    #[test]
    fn what_the_record_does_not_bear_out_is_a_fault_with_its_line() {
        let lines = [
            "a <!--=gone-->7<!--/-->",
            "b <!--=false-->1,500<!--/-->",
            "c <!--=n--> without an end",
            "<!--=n-->at the start<!--/-->",
            "e <!--?test-->",
            "f <!--?number-->",
            "g <!--= run: none nodes -->7<!--/-->",
            "h <!--=test-->7<!--/-->",
            "i <!--?n-->",
        ];
        let (text, faults) = fill(&lines.join("\n"), &Marks::read(LIST).unwrap(), &facts());
        assert_eq!(faults.iter().map(|fault| fault.line).collect::<Vec<_>>(), [1, 2, 3, 4, 6, 7, 8, 9]);
        assert!(text.starts_with(lines[0]), "a faulty mark keeps its text");
        let parts = [
            "`gone`: `run: none depth`",
            "`false`: no longer true: `run: none nodes < run: mpc nodes`",
            "expected a text",
            "opens",
            "comparison",
            "expected a name of the page's list",
            "no number (`test.is",
            "no test (`n.tests",
        ];
        for (fault, part) in faults.iter().zip(parts) {
            assert!(fault.message.contains(part), "{fault:?}");
        }
    }

    const DOCUMENT: &str = "a\n<!-- BEGIN: t -->\nold\n<!-- END -->\nb\n<!-- BEGIN: u --><!-- END -->\n";

    #[test]
    fn splicing_twice_is_splicing_once() {
        let part = |mark: &str| Ok(format!("| {mark} |"));
        let once = splice(DOCUMENT, "cmd", part).unwrap();
        assert!(once.contains("| t |") && once.contains("| u |") && !once.contains("old"));
        assert!(once.starts_with("a\n") && once.contains("<!-- END -->\nb\n"));
        assert_eq!(splice(&once, "cmd", part).unwrap(), once);
    }

    #[test]
    fn a_part_that_nothing_makes_and_a_mark_without_an_end_are_named_with_their_line() {
        let unknown = |mark: &str| match mark {
            "u" => Err("found `u`".to_owned()),
            _ => Ok(String::new()),
        };
        let fault = |document: &str| splice(document, "cmd", unknown).unwrap_err();
        assert_eq!(fault(DOCUMENT), Fault { line: 6, message: "found `u`".to_owned() });
        let open = fault("a\n<!-- BEGIN: t -->\n<!-- BEGIN: v -->\n<!-- END -->\n");
        assert_eq!(open.line, 2);
        assert!(open.message.contains("BEGIN: t") && open.message.contains("expected `<!-- END -->`"));
    }
}
