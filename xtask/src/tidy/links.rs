//! Links of the documents, and the pages of the book: what a link names must be there.

use super::Breach;
use super::rules::Rules;
use super::tree::Tree;
use secateur_lab::prose::links::{Documents, book, faults};

/// The folder of the book.
const BOOK: &str = "docs";

pub(super) fn check(tree: &Tree, _: &Rules) -> Vec<Breach> {
    let documents: Documents<'_> = tree.texts().filter(|(path, _)| path.ends_with(".md")).collect();
    let mut all = Vec::new();
    for path in documents.keys() {
        let faults = faults(path, &documents, |file| tree.has(file));
        all.extend(faults.into_iter().map(|fault| ((*path).to_owned(), fault)));
    }
    if documents.contains_key("docs/SUMMARY.md") {
        all.extend(book(BOOK, &documents));
    }
    let breach = |(path, fault): (String, secateur_lab::prose::Fault)| {
        let (actual, expected) =
            fault.message.split_once(", expected ").unwrap_or((&fault.message, "a link that works"));
        Breach::new(path, fault.line, actual, expected)
    };
    all.into_iter().map(breach).collect()
}

#[cfg(test)]
mod tests {
    use super::super::rules::rules;
    use super::super::tree::tree;
    use super::*;

    #[test]
    fn a_broken_link_is_one_breach_with_its_place() {
        let tree = tree(&[("README.md", "# R\n\n[x](docs/a.md#b)\n"), ("docs/a.md", "# A\n")]);
        let breaches: Vec<String> = check(&tree, &rules("")).iter().map(ToString::to_string).collect();
        assert_eq!(
            breaches,
            [
                "README.md:3: found link to `docs/a.md#b`, expected a heading of docs/a.md that makes the anchor `b`"
            ]
        );
    }
}
