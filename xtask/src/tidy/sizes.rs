//! No file is longer than somebody reads at once. Tests are files like others.

use super::Breach;
use super::rules::Rules;
use super::tree::{Kind, Tree};

pub(super) fn check(tree: &Tree, rules: &Rules) -> Vec<Breach> {
    let limit = rules.limits.file;
    let breach = |(path, lines): (&str, usize)| {
        let (found, expected) = (format!("a file of {lines} lines"), format!("at most {limit}: split it"));
        Breach::new(path, limit + 1, found, expected)
    };
    let long = tree.sources.iter().map(|source| (source.path.as_str(), lines(tree, &source.path)));
    rules.except(long.filter(|(_, lines)| *lines > limit).map(breach).collect(), &rules.size)
}

/// The median length of files that are no tests; 0 if there are none.
pub(super) fn median(tree: &Tree) -> usize {
    let shipped = tree.sources.iter().filter(|source| source.kind != Kind::Test);
    let mut lengths: Vec<usize> = shipped.map(|source| lines(tree, &source.path)).collect();
    lengths.sort_unstable();
    lengths.get(lengths.len() / 2).copied().unwrap_or(0)
}

fn lines(tree: &Tree, path: &str) -> usize {
    tree.text(path).unwrap_or_default().lines().count()
}

#[cfg(test)]
mod tests {
    use super::super::rules::rules;
    use super::super::tree::tree;
    use super::*;

    #[test]
    fn a_long_file_is_found_and_can_be_excepted() {
        let tree =
            tree(&[("a.rs", "//\n//\n//"), ("b/tests/b.rs", "//\n\n\n//\n"), ("c.rs", "//\n"), ("d.rs", "")]);
        let found = check(&tree, &rules(""));
        assert_eq!(
            found.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["b/tests/b.rs:4: found a file of 4 lines, expected at most 3: split it"]
        );
        assert!(check(&tree, &rules("[[size]]\nfile = 'b/tests/b.rs'\nreason = 'r'\n")).is_empty());
        assert_eq!(median(&tree), 1);
    }
}
