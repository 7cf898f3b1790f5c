//! Marks in prose: numbers that come from the record, and statements that the record must bear out.
//!
//! Three marks, invisible when a document is rendered:
//!
//! - `<!--= quick: chess depth=8 null-move speedup_geometric -->5.70<!--/-->`: the text between is filled in from the record
//!   ([`expression`] is what may stand in it, [`secateur_stats::facts`] where numbers come from);
//! - `<!--? table2: mpc speedup_means > table2: probcut speedup_means -->`: a statement that must be true;
//! - `<!--fact: Buro 1995, table 2 -->6.0<!--/-->`: a number that is no result of ours, with its source.
//!
//! Digits outside of marks are found by [`typed`], links that lead nowhere by [`links`]. Left out: marks in generated parts, which are written anew each time.

pub mod cells;
pub mod expression;
pub mod links;
pub mod paper;
pub mod typed;

use expression::{Found, evaluate};
use regex_lite::{Captures, Regex};
use secateur_stats::facts::Facts;
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

static MARK: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s)<!--([=?])(.*?)-->"));
/// The end of a filled mark, right after the text, which holds no other mark.
static FILLED: LazyLock<Regex> = LazyLock::new(|| pattern(r"<!--=([^<]*?)-->([^<]*)<!--/-->"));
/// A comment that opens a line, which Markdown takes for HTML up to the end of the line.
static OPENS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?m)^[ \t]*(?:[-*+>] +|\d+\. +)?<!--(?:[=/]|fact)"));

/// The sources that the marks of `document` name.
#[must_use]
pub fn sources(document: &str) -> BTreeSet<String> {
    let words = MARK.captures_iter(document).flat_map(|mark| {
        let words: Vec<String> = mark[2].split_whitespace().map(str::to_owned).collect();
        words
    });
    words.filter_map(|word| word.strip_suffix(':').map(str::to_owned)).collect()
}

/// `document` with every mark filled, and everything that is wrong with its marks: an unknown number, a statement that is
/// not true, a mark without an end. A faulty mark keeps its text.
#[must_use]
pub fn fill(document: &str, facts: &Facts) -> (String, Vec<Fault>) {
    let mut faults = Vec::new();
    let mut fault = |at: usize, message: String| {
        faults.push(Fault { line: 1 + document[..at].matches('\n').count(), message });
    };
    let ends: Vec<usize> = FILLED.find_iter(document).map(|found| found.start()).collect();
    for mark in MARK.captures_iter(document) {
        let (at, asked) = (mark.get(0).map_or(0, |whole| whole.start()), mark[2].trim());
        match (&mark[1], evaluate(asked, facts)) {
            (_, Err(message)) => fault(at, message),
            ("=", Ok(_)) if !ends.contains(&at) => {
                fault(at, format!("`{asked}`: expected a text and `<!--/-->` after the mark"));
            }
            ("?", Ok(Found::Truth(false, why))) => fault(at, format!("no longer true: `{asked}` ({why})")),
            ("?", Ok(Found::Text(_))) => fault(at, format!("`{asked}`: expected a comparison")),
            ("=", Ok(Found::Truth(..))) => fault(at, format!("`{asked}`: expected a number")),
            _ => {}
        }
    }
    for found in OPENS.find_iter(document) {
        let message = "a mark opens a line, which Markdown takes for HTML: put a word before it";
        fault(found.start(), message.to_owned());
    }
    let filled = FILLED.replace_all(document, |mark: &Captures<'_>| match evaluate(mark[1].trim(), facts) {
        Ok(Found::Text(text)) => format!("<!--={}-->{text}<!--/-->", &mark[1]),
        _ => mark[0].to_owned(),
    });
    faults.sort_by_key(|fault| fault.line);
    (filled.into_owned(), faults)
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_stats::facts::Fact;

    fn facts() -> Facts {
        let mut facts = Facts::default();
        facts
            .add("run", vec![Fact::number(["none", "nodes"], 1500.0), Fact::number(["mpc", "nodes"], 500.0)]);
        facts
    }

    #[test]
    fn filling_twice_is_filling_once_and_prose_stays() {
        let document = "It needs <!--= run: none nodes as count -->?<!--/--> nodes,\n<!-- a comment --> \
                        <!--= run: none nodes / run: mpc nodes -->\n1<!--/--> times as many.";
        let (once, faults) = fill(document, &facts());
        assert_eq!(faults, []);
        assert_eq!(sources(document), BTreeSet::from(["run".to_owned()]));
        assert!(once.contains("-->1,500<!--/--> nodes,\n<!-- a comment --> "), "{once}");
        assert!(once.contains("-->3.00<!--/--> times"), "{once}");
        assert_eq!(fill(&once, &facts()), (once.clone(), Vec::new()));
    }

    #[test]
    fn what_the_record_does_not_bear_out_is_a_fault_with_its_line() {
        let lines = [
            "a <!--= run: none depth -->7<!--/-->",
            "b <!--? run: none nodes < run: mpc nodes -->",
            "c <!--= run: none nodes --> without an end",
            "<!--= run: none nodes -->at the start<!--/-->",
            "e <!--? run: none nodes > run: mpc nodes -->",
            "f <!--? run: none nodes -->",
        ];
        let (text, faults) = fill(&lines.join("\n"), &facts());
        assert_eq!(faults.iter().map(|fault| fault.line).collect::<Vec<_>>(), [1, 2, 3, 4, 6]);
        assert!(text.starts_with(lines[0]), "a faulty mark keeps its text");
        for (fault, words) in
            faults.iter().zip(["depth", "no longer true", "expected a text", "opens", "compar"])
        {
            assert!(fault.message.contains(words), "{fault:?}");
        }
    }
}
