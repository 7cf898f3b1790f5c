//! What files must be: a file opens with `//!` lines that say what it is, every test source belongs to a test program, and the
//! runs that the documents are made from are neither too large nor too many.

use super::tree::Tree;
use super::{Breach, Rules};
use std::collections::BTreeMap;

/// A header is a sentence at least.
pub(super) fn check_headers(tree: &Tree, _: &Rules) -> Vec<Breach> {
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

/// Cargo compiles `tests/NAME.rs` and `tests/NAME/main.rs`, and passes over other folders without a word, in a package that names its
/// programs itself (`autotests = false`) over other files too, so that tests in them run nowhere.
pub(super) fn check_targets(tree: &Tree, _: &Rules) -> Vec<Breach> {
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
    let lost = lost.map(|(folder, file)| {
        let actual = format!("a folder of tests that cargo does not build, `{folder}`");
        Breach::new(
            file,
            1,
            actual,
            "a `main.rs` or a `mod.rs` in it, or the files next to the other test programs",
        )
    });
    let alone = tree.sources.iter().filter(|source| !is_named(tree, &source.path));
    let expected = "a `[[test]]` of its name, or a `mod` in the file of one";
    lost.chain(alone.map(|source| Breach::new(&source.path, 1, "tests that cargo does not build", expected)))
        .collect()
}

/// Whether cargo knows a file right below `tests`, in a package that names its test programs itself: one of their names, or a module of
/// one. Other files are no matter of this.
fn is_named(tree: &Tree, path: &str) -> bool {
    let Some((package, file)) = path.split_once("/tests/").filter(|(_, file)| !file.contains('/')) else {
        return true;
    };
    let manifest =
        tree.text(&format!("{package}/Cargo.toml")).and_then(|text| text.parse::<toml::Table>().ok());
    let Some(manifest) = manifest else { return true };
    let flag = |table: &str, key: &str| {
        manifest.get(table).and_then(|table| table.get(key)).and_then(toml::Value::as_bool)
    };
    if flag("package", "autotests") != Some(false) {
        return true;
    }
    let programs = manifest.get("test").and_then(toml::Value::as_array).into_iter().flatten();
    let module = format!("mod {};", file.trim_end_matches(".rs"));
    programs.filter_map(|program| Some(format!("{}.rs", program.get("name")?.as_str()?))).any(|program| {
        let text = tree.text(&format!("{package}/tests/{program}")).unwrap_or_default();
        program == file || text.lines().any(|line| line.trim() == module)
    })
}

/// The folder right below a package's `tests` that a file is in; of modules in `src` there is none.
fn folder(path: &str) -> Option<&str> {
    let at = path.find("/tests/").filter(|&at| !path[..at].split('/').any(|part| part == "src"))?
        + "/tests/".len();
    Some(&path[..at + path[at..].find('/')?])
}

/// The folder of these runs.
pub(super) const RUNS: &str = "docs/runs";
/// Most bytes of all its files, 16 MiB, and most files.
const MOST: [u64; 2] = [16 << 20, 200];

/// Whoever checks the workspace out gets all of the recorded runs.
pub(super) fn check_recorded(tree: &Tree, _: &Rules) -> Vec<Breach> {
    let expected =
        "archives without what no page reads (`cargo xtask merge NEW OLD --archive --without FILES`)";
    let is_over = tree.recorded.iter().zip(MOST).any(|(recorded, most)| *recorded > most);
    let [[bytes, files], [most, most_files]] = [tree.recorded, MOST];
    let actual = format!("{bytes} bytes of {most}, {files} files of {most_files}");
    is_over.then(|| Breach::new(RUNS, 1, actual, expected)).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::super::tree::tree;
    use super::*;
    use crate::tidy::rules;

    #[test]
    fn a_header_is_a_sentence_at_the_top() {
        let tree = tree(&[
            ("bare.rs", "use a;\n//! Too late for it.\n"),
            ("good.rs", "//! Words about `this`\n//! (two lines.)\n"),
            ("none.rs", "// A comment is no header.\n"),
            ("word.rs", "//! Helpers.\n"),
            ("endless.rs", "//! Some helpers for tests\n"),
        ]);
        let wrong = check_headers(&tree, &rules(""));
        let files: Vec<&str> = wrong.iter().map(|breach| breach.file.as_str()).collect();
        assert_eq!(files, ["bare.rs", "endless.rs", "none.rs", "word.rs"]);
        assert!(wrong[0].actual.contains("no header") && wrong[3].actual.contains("without a sentence"));
    }

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
        let files: Vec<String> =
            check_targets(&tree, &rules("")).into_iter().map(|breach| breach.file).collect();
        assert_eq!(files, ["a/tests/lost/three.rs"]);
    }

    #[test]
    fn a_file_that_no_named_program_has_is_named() {
        let tree = tree(&[
            ("a/Cargo.toml", "[package]\nautotests = false\n[[test]]\nname = \"all\"\n"),
            ("a/tests/all.rs", "//! A program.\n\nmod one;\n"),
            ("a/tests/one.rs", "//! A part of it.\n"),
            ("a/tests/two.rs", "//! Nobody builds this.\n"),
            ("b/Cargo.toml", "[package]\n"),
            ("b/tests/two.rs", "//! A program.\n"),
        ]);
        let files: Vec<String> =
            check_targets(&tree, &rules("")).into_iter().map(|breach| breach.file).collect();
        assert_eq!(files, ["a/tests/two.rs"]);
    }

    #[test]
    fn a_byte_or_a_file_too_many_is_a_breach() {
        let (mut tree, rules) = (tree(&[]), rules(""));
        tree.recorded = MOST;
        assert!(check_recorded(&tree, &rules).is_empty());
        for at in 0..2 {
            tree.recorded = MOST;
            tree.recorded[at] += 1;
            let expected = [
                "docs/runs:1: found 16777217 bytes of 16777216, 200",
                "docs/runs:1: found 16777216 bytes of 16777216, 201",
            ];
            assert!(check_recorded(&tree, &rules)[0].to_string().starts_with(expected[at]));
        }
    }
}
