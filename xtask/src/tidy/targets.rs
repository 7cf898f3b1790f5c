//! Every folder of test sources belongs to a test program: cargo compiles `tests/NAME.rs` and `tests/NAME/main.rs`, and passes
//! over other folders without a word, so that tests in them run nowhere.

use super::Breach;
use super::rules::Rules;
use super::tree::Tree;
use std::collections::BTreeMap;

pub(super) fn check(tree: &Tree, _: &Rules) -> Vec<Breach> {
    let mut folders: BTreeMap<&str, &str> = BTreeMap::new();
    for source in &tree.sources {
        if let Some(folder) = folder(&source.path) {
            folders.entry(folder).or_insert(&source.path);
        }
    }
    // `mod.rs` is declared by the test programs that share it.
    let is_built = |folder: &str| {
        ["main.rs", "mod.rs"].iter().any(|name| tree.text(&format!("{folder}/{name}")).is_some())
    };
    let lost = folders.into_iter().filter(|(folder, _)| !is_built(folder));
    lost.map(|(folder, file)| {
        let found = format!("a folder of tests that cargo does not build, `{folder}`");
        Breach::new(
            file,
            1,
            found,
            "a `main.rs` or a `mod.rs` in it, or the files next to the other test programs",
        )
    })
    .collect()
}

/// The folder right below a package's `tests` that a file is in; of modules in `src` there is none.
fn folder(path: &str) -> Option<&str> {
    let at = path.find("/tests/").filter(|&at| !path[..at].split('/').any(|part| part == "src"))?
        + "/tests/".len();
    Some(&path[..at + path[at..].find('/')?])
}

#[cfg(test)]
mod tests {
    use super::super::rules::rules;
    use super::super::tree::tree;
    use super::*;

    #[test]
    fn a_folder_without_a_program_is_named() {
        let tree = tree(&[
            ("a/tests/one.rs", "//! A program.\n"),
            ("a/tests/lost/two.rs", "//! Nobody builds this.\n"),
            ("a/tests/lost/three.rs", "//! Nor this.\n"),
            ("a/tests/whole/main.rs", "//! A program.\n"),
            ("a/tests/whole/four.rs", "//! A part of it.\n"),
            ("a/tests/common/mod.rs", "//! What they share.\n"),
            ("a/src/tests/five.rs", "//! A module of the library.\n"),
        ]);
        let files: Vec<String> = check(&tree, &rules("")).into_iter().map(|breach| breach.file).collect();
        assert_eq!(files, ["a/tests/lost/three.rs"]);
    }
}
