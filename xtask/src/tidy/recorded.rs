//! How large the runs are that the documents are made from: whoever checks the workspace out gets all of them.

use super::Breach;
use super::rules::Rules;
use super::tree::Tree;

/// The folder of these runs.
pub(super) const RUNS: &str = "docs/runs";
/// Most bytes of all its files: 60 MiB.
const MOST: u64 = 60 << 20;

pub(super) fn check(tree: &Tree, _: &Rules) -> Vec<Breach> {
    let expected = "what no page reads to be left out (`cargo xtask merge NEW OLD --without FILES`)";
    let is_over = tree.recorded > MOST;
    let found = format!("{} bytes, of which {MOST} are allowed", tree.recorded);
    is_over.then(|| Breach::new(RUNS, 1, found, expected)).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::super::rules::rules;
    use super::super::tree::tree;
    use super::*;

    #[test]
    fn a_byte_too_many_is_a_breach() {
        let (mut tree, rules) = (tree(&[]), rules(""));
        tree.recorded = MOST;
        assert!(check(&tree, &rules).is_empty());
        tree.recorded += 1;
        assert!(check(&tree, &rules)[0].to_string().starts_with("docs/runs:1: found 62914561 bytes"));
    }
}
