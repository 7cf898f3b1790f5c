//! Every test source belongs to a test program: cargo compiles `tests/NAME.rs` and `tests/NAME/main.rs`, and passes over other
//! folders without a word, in a package that names its programs itself (`autotests = false`) over other files too, so that tests in
//! them run nowhere.

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
        let files: Vec<String> = check(&tree, &rules("")).into_iter().map(|breach| breach.file).collect();
        assert_eq!(files, ["a/tests/two.rs"]);
    }
}
