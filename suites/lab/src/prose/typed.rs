//! Digits that somebody typed: a result in prose takes its number from the record by a mark, and what is no result of ours
//! stands in a `fact` mark with its source.
//!
//! Read is the prose: no generated part, table, picture, heading, code, link target or mark. Allowed without a mark is what
//! defines an experiment and cannot go stale with a run: parameters (`t = 1.5`), depths, plies and disc counts, pairs of
//! depths, round sizes of samples (`200 positions`, `2,000,000 nodes`), names (`Table 2`, `Edax 4.6`), years, levels of
//! confidence. Left out: numbers in words, and a round count that is a result; both are for the reader of a change.

use super::{Fault, pattern};
use regex_lite::Regex;
use std::sync::LazyLock;

/// What is no prose, and what has a source.
static ELSEWHERE: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        r"(?s)<!-- BEGIN: .*?<!-- END -->",
        r"(?sm)^[ \t]*```.*?^[ \t]*```",
        r"(?s)<!--=[^<]*?-->[^<]*<!--/-->",
        r"(?s)<!--fact:\s*\S[^<]*?-->[^<]*(?:<[^!][^<]*)*<!--/-->",
        r"(?s)<!--.*?-->",
        r"(?m)^#+ .*$",
        r"`[^`]*`",
        r"(?s)\]\([^)]*\)",
        r"https?://\S+",
    ]
    .map(pattern)
    .to_vec()
});

/// What defines an experiment or is a name.
static DEFINED: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let list = r"\d[\d,]*(?:(?:, | and | or | to | by |-)\d[\d,]*)*";
    [
        // Parameters, with words before: `t = 1.5`, `R = 3 + depth / 6`, `|v'| up to 10`.
        r"[A-Za-z|'][A-Za-z|']* (?:=|<=|>=|at|up to|at most) [-+]?\d+(?:\.\d+)?(?:(?:,? and |, | or )\d+(?:\.\d+)?)*".to_owned(),
        // Pairs of depths.
        r"\(\d+, ?\d+\)".to_owned(),
        // Volume and issue of a journal.
        r"\b\d+\(\d+\)".to_owned(),
        // Depths, plies, disc counts; `of depth 3`, `height 8`, `at 12 plies`, `28 and 44 discs`.
        format!(r"\b(?:[Dd]epths?|[Hh]eights?|iterations?|span|levels?|seed|from) {list}"),
        format!(r"\b{list}[ -](?:plies|ply|discs?|empt(?:y|ies)|MiB|cores?|threads?|runs|disc counts)\b"),
        // Round sizes.
        r"\b\d[\d,]*0 (?:\w+ )?(?:positions|nodes|games|pairs|million nodes|ms)\b".to_owned(),
        r"\b\d+ (?:s|ms|seconds?|minutes?) (?:each|a position|a move|\+)".to_owned(),
        // Names.
        format!(r"\b(?:[Tt]ables?|[Ff]igures?|[Ss]ections?|[Pp]ositions?|note|FFO|Elo) {list}(?:\.\d+)*"),
        r"\b(?:Edax|Crafty|Glaurung|Toga II|Stockfish|Ethereal|Rust|rustc|Kaufman|MPC|ProbCut) \d+(?:\.\d+)*\b".to_owned(),
        r"\bx86-64(?:-v\d)?|\bAVX2\b|\bBMI2\b|\b[a-h][1-8]\b|\b\w+-\d+(?:\.\d+)*\b|\b2\^(?:\d|k)\b|r\^2|1 - Phi".to_owned(),
        r"\b(?:1[89]|20)\d\d(?:-\d\d-\d\d)?s?\b".to_owned(),
        r"\b95 % (?:interval|confidence)|\bin 95 of 100\b".to_owned(),
        // One and nought as ideas: `at 0 they multiply`, `an interval that holds 1`.
        r"\b(?:at|above|below|holds|as) [01]\b".to_owned(),
    ]
    .iter()
    .map(|text| pattern(text))
    .collect()
});

static DIGITS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\S*\d\S*"));

/// `text` with blanks for what `patterns` find, line by line as long as before.
fn without(text: &str, patterns: &[Regex]) -> String {
    patterns.iter().fold(text.to_owned(), |text, pattern| {
        let blank = |captures: &regex_lite::Captures<'_>| -> String {
            captures[0].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect()
        };
        pattern.replace_all(&text, blank).into_owned()
    })
}

/// The prose of a document: blanks stand for generated parts, tables of code, headings, marks and targets of links, so that lines
/// and columns stay.
pub fn prose(document: &str) -> String {
    without(document, &ELSEWHERE)
}

/// Every word of prose with a digit that is neither from the record nor a definition, with its line.
pub fn typed(document: &str) -> Vec<Fault> {
    let prose = without(&prose(document), &DEFINED);
    let mut faults = Vec::new();
    for (index, line) in prose.lines().enumerate() {
        for number in DIGITS.find_iter(line) {
            let message = format!(
                "`{}` is typed: take it from the record (`<!--=NAME-->`, docs/ADDING.md) or name its source (`<!--fact: SOURCE -->`)",
                number.as_str()
            );
            faults.push(Fault { line: index + 1, message });
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed_in(text: &str) -> Vec<String> {
        let messages = typed(text).into_iter().map(|fault| fault.message);
        messages.map(|message| message[1..].split('`').next().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn results_are_found() {
        assert_eq!(typed_in("MPC saves 68 % of it,\n2.43 times"), ["68", "2.43"]);
        assert_eq!(typed_in("keeps 258 of 300 moves; 4 cp."), ["258", "300", "4"]);
        assert_eq!(typed_in("| a | 1.36 |"), ["1.36"]);
        assert_eq!(typed_in("<!--fact: -->7<!--/-->"), ["7"], "a source is wanted");
        assert_eq!(typed("a\nb 7\n")[0].line, 2);
    }

    #[test]
    fn marks_code_generated_parts_and_definitions_are_not() {
        for text in [
            "saves <!--=a7-->2.43 [2.1, 2.6]<!--/--> times",
            "his <!--fact: Buro 1995, table 2 -->6.66<!--/--> times",
            "<!-- BEGIN: t -->\n| 7 |\n<!-- END -->",
            "`--depth 15` and [x](x/7.md#8)\n## Buro's Table 2\n```\n12\n```",
            "at depth 8, 12 plies, t = 1.5, (4, 8), 28 and 44 discs, R = 2, 200 positions, 2,000,000 nodes",
            "ICCA Journal 18(2), Buro 1995, Table 2, Edax 4.6, x86-64-v3, a 95 % interval, depths 8 to 10, 2^5",
        ] {
            assert_eq!(typed_in(text), Vec::<String>::new(), "{text}");
        }
    }

    /// The documents that state results, as committed.
    #[test]
    fn no_result_is_typed_by_hand() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let pages = std::fs::read_dir(format!("{root}/docs/results")).expect("the pages of results");
        let pages = pages.map(|page| format!("docs/results/{}", page.expect("a page").file_name().display()));
        let names = ["README.md", "docs/RESULTS.md", "docs/BIAS.md", "docs/HOW-MANY.md"].map(str::to_owned);
        for name in names.into_iter().chain(pages) {
            let text = std::fs::read_to_string(format!("{root}/{name}")).expect(&name);
            let faults: Vec<String> = typed(&text)
                .iter()
                .map(|fault| format!("{name}:{}: {}", fault.line, fault.message))
                .collect();
            assert!(faults.is_empty(), "{}", faults.join("\n"));
        }
    }
}
