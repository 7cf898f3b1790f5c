//! How large the runs are that the documents are made from, and how many files: whoever checks the workspace out gets all of them.

use super::Breach;
use super::rules::Rules;
use super::tree::Tree;

/// The folder of these runs.
pub(super) const RUNS: &str = "docs/runs";
/// Most bytes of all its files, 16 MiB, and most files.
const MOST: [u64; 2] = [16 << 20, 200];

pub(super) fn check(tree: &Tree, _: &Rules) -> Vec<Breach> {
    let expected =
        "archives without what no page reads (`cargo xtask merge NEW OLD --archive --without FILES`)";
    let is_over = tree.recorded.iter().zip(MOST).any(|(recorded, most)| *recorded > most);
    let [[bytes, files], [most, most_files]] = [tree.recorded, MOST];
    let actual = format!("{bytes} bytes of {most}, {files} files of {most_files}");
    is_over.then(|| Breach::new(RUNS, 1, actual, expected)).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::super::rules::rules;
    use super::super::tree::tree;
    use super::*;

    #[test]
    fn a_byte_or_a_file_too_many_is_a_breach() {
        let (mut tree, rules) = (tree(&[]), rules(""));
        tree.recorded = MOST;
        assert!(check(&tree, &rules).is_empty());
        for at in 0..2 {
            tree.recorded = MOST;
            tree.recorded[at] += 1;
            let expected = [
                "docs/runs:1: found 16777217 bytes of 16777216, 200",
                "docs/runs:1: found 16777216 bytes of 16777216, 201",
            ];
            assert!(check(&tree, &rules)[0].to_string().starts_with(expected[at]));
        }
    }
}
