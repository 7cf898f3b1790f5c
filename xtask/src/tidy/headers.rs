//! A file opens with `//!` lines that say what it is: a sentence at least.

use super::Breach;
use super::rules::Rules;
use super::tree::Tree;

pub(super) fn check(tree: &Tree, _: &Rules) -> Vec<Breach> {
    let mut breaches = Vec::new();
    for source in &tree.sources {
        let lines = tree.text(&source.path).unwrap_or_default().lines();
        let header: Vec<&str> = lines.map_while(|line| line.strip_prefix("//!")).collect();
        let actual = match header.len() {
            0 => "no header",
            _ if !has_sentence(&header.join(" ")) => "a header without a sentence",
            _ => continue,
        };
        breaches.push(Breach::new(
            &source.path,
            1,
            actual,
            "`//!` with a sentence that says what the file is",
        ));
    }
    breaches
}

/// Whether at least three words end with a stop.
fn has_sentence(header: &str) -> bool {
    let stop = |word: &str| word.trim_end_matches(['`', ')', '*', '"']).ends_with(['.', '!', '?']);
    header.split_whitespace().position(stop).is_some_and(|before| before >= 2)
}

#[cfg(test)]
mod tests {
    use super::super::rules::rules;
    use super::super::tree::tree;
    use super::*;

    #[test]
    fn a_header_is_a_sentence_at_the_top() {
        let tree = tree(&[
            ("bare.rs", "use a;\n//! Too late for it.\n"),
            ("good.rs", "//! Words about `this`\n//! (two lines.)\n"),
            ("none.rs", "// A comment is no header.\n"),
            ("word.rs", "//! Helpers.\n"),
            ("endless.rs", "//! Some helpers for tests\n"),
        ]);
        let wrong = check(&tree, &rules(""));
        let files: Vec<&str> = wrong.iter().map(|breach| breach.file.as_str()).collect();
        assert_eq!(files, ["bare.rs", "endless.rs", "none.rs", "word.rs"]);
        assert!(wrong[0].actual.contains("no header") && wrong[3].actual.contains("without a sentence"));
    }
}
