//! What the rules read: every Rust, TOML and Markdown file of the workspace, and the tokens of the code that ships.
//!
//! Files are found by walking, not by asking git, so that a file that is not yet added is held to the rules as well.

use super::code::{shipped, test_modules};
use super::recorded::RUNS;
use proc_macro2::TokenStream;
use secateur::cli::failure::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Which part a source file has in its package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Part of a library or program.
    Shipped,
    Test,
    Bench,
    Example,
}

/// One Rust file.
pub(super) struct Source {
    /// Path in the workspace, with `/`.
    pub(super) path: String,
    pub(super) kind: Kind,
    /// Without comments, documentation and tests; empty in a file of tests.
    pub(super) code: TokenStream,
}

/// All files that some rule reads.
pub(super) struct Tree {
    texts: BTreeMap<String, String>,
    /// Every file and folder that was walked, read or not.
    places: BTreeSet<String>,
    pub(super) sources: Vec<Source>,
    /// Bytes of the runs that are committed.
    pub(super) recorded: [u64; 2],
}

impl Tree {
    /// Reads the checkout at `root`.
    ///
    /// # Errors
    /// A file that cannot be read, or is no Rust although its name says so.
    pub(super) fn read(root: &Path) -> Result<Tree, Failure> {
        let (mut texts, mut places) = (BTreeMap::new(), BTreeSet::new());
        walk(root, "", &mut texts, &mut places)?;
        let tree = Tree::of(texts).map_err(Failure::input)?;
        Ok(Tree { places, recorded: size(&root.join(RUNS))?, ..tree })
    }

    /// The tree of these texts by path.
    ///
    /// # Errors
    /// The place at which a Rust file is none.
    pub(super) fn of(texts: BTreeMap<String, String>) -> Result<Tree, String> {
        let mut parsed = Vec::new();
        for (path, text) in texts.iter().filter(|(path, _)| path.ends_with(".rs")) {
            let tokens: TokenStream = text.parse().map_err(|error: proc_macro2::LexError| {
                let at = error.span().start();
                format!("{path}:{}:{}: {error}, expected Rust", at.line, at.column + 1)
            })?;
            parsed.push((path, tokens));
        }
        let tests: Vec<String> =
            parsed.iter().flat_map(|(path, tokens)| test_modules(path, tokens)).collect();
        let source = |(path, tokens): (&String, TokenStream)| {
            let kind = kind(path, &tests);
            let code = if kind == Kind::Test { TokenStream::new() } else { shipped(tokens) };
            Source { path: path.clone(), kind, code }
        };
        let sources = parsed.into_iter().map(source).collect();
        Ok(Tree { texts, places: BTreeSet::new(), sources, recorded: [0; 2] })
    }

    /// The text of the file at `path`.
    pub(super) fn text(&self, path: &str) -> Option<&str> {
        self.texts.get(path).map(String::as_str)
    }

    /// Whether there is a file or folder at `path`, whatever its kind.
    pub(super) fn has(&self, path: &str) -> bool {
        self.places.contains(path.trim_end_matches('/')) || self.texts.contains_key(path)
    }

    /// Path and text of all files, in the order of their paths.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// The source file at `path`.
    pub(super) fn source(&self, path: &str) -> Option<&Source> {
        self.sources.iter().find(|source| source.path == path)
    }
}

fn kind(path: &str, tests: &[String]) -> Kind {
    let folder = |name: &str| path.split('/').rev().skip(1).any(|part| part == name);
    let is_test = |module: &String| {
        path.strip_prefix(module).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
    };
    match () {
        // A crate that is an example is one to its last file.
        () if path.starts_with("examples/") => Kind::Example,
        () if folder("tests") || tests.iter().any(is_test) => Kind::Test,
        () if folder("benches") => Kind::Bench,
        () if folder("examples") => Kind::Example,
        () => Kind::Shipped,
    }
}

/// Reads what is under `folder`, but for what is hidden, built or recorded.
fn walk(
    root: &Path,
    folder: &str,
    texts: &mut BTreeMap<String, String>,
    places: &mut BTreeSet<String>,
) -> Result<(), Failure> {
    let here = root.join(folder);
    for entry in here.read_dir().map_err(Failure::io(&here))? {
        let entry = entry.map_err(Failure::io(&here))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        let kind = entry.file_type().map_err(Failure::io(&entry.path()))?;
        if kind.is_dir() && !name.starts_with('.') && !["target", "runs"].contains(&name.as_str()) {
            walk(root, &path, texts, places)?;
        }
        places.insert(path.clone());
        if kind.is_file() && [".rs", ".toml", ".md"].iter().any(|end| name.ends_with(end)) {
            let text = std::fs::read_to_string(entry.path()).map_err(Failure::io(&entry.path()))?;
            texts.insert(path, text);
        }
    }
    Ok(())
}

/// Bytes of all files in a folder, and their number.
fn size(folder: &Path) -> Result<[u64; 2], Failure> {
    let mut all = [0, 0];
    for entry in folder.read_dir().map_err(Failure::io(folder))? {
        let path = entry.map_err(Failure::io(folder))?.path();
        let metadata = path.metadata().map_err(Failure::io(&path))?;
        let [bytes, files] = if metadata.is_dir() { size(&path)? } else { [metadata.len(), 1] };
        all = [all[0] + bytes, all[1] + files];
    }
    Ok(all)
}

/// A tree in memory, for the tests of the rules.
#[cfg(test)]
pub(super) fn tree(texts: &[(&str, &str)]) -> Tree {
    let texts = texts.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect();
    Tree::of(texts).unwrap_or_else(|error| panic!("{error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_tests_are_known_by_folder_and_by_their_parent() {
        let tree = tree(&[
            ("a/src/lib.rs", "mod b;\n#[cfg(test)]\nmod proof;"),
            ("a/src/proof.rs", "fn f() {}"),
            ("a/src/proof/deep.rs", ""),
            ("a/src/proofs.rs", ""),
            ("a/src/b.rs", "#[cfg(test)]\n#[path = \"c.rs\"]\nmod c;"),
            ("a/src/b/c.rs", ""),
            ("a/tests/t.rs", ""),
            ("a/benches/t.rs", ""),
            ("a/examples/t.rs", ""),
        ]);
        let kinds: Vec<(&str, Kind)> = tree.sources.iter().map(|s| (s.path.as_str(), s.kind)).collect();
        assert_eq!(
            kinds,
            [
                ("a/benches/t.rs", Kind::Bench),
                ("a/examples/t.rs", Kind::Example),
                ("a/src/b.rs", Kind::Shipped),
                ("a/src/b/c.rs", Kind::Test),
                ("a/src/lib.rs", Kind::Shipped),
                ("a/src/proof.rs", Kind::Test),
                ("a/src/proof/deep.rs", Kind::Test),
                ("a/src/proofs.rs", Kind::Shipped),
                ("a/tests/t.rs", Kind::Test),
            ]
        );
        assert!(tree.source("a/src/proof.rs").unwrap().code.is_empty());
    }

    #[test]
    fn what_is_no_rust_is_refused_with_its_place() {
        let texts = [("a.rs".to_owned(), "fn f() {\n    (\n}".to_owned())];
        let error = Tree::of(texts.into()).err().expect("no Rust");
        assert!(error.starts_with("a.rs:"), "{error}");
    }
}
