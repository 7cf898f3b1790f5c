//! What the rules read: every Rust, TOML and Markdown file of the workspace, and the tokens of the code that ships, with the
//! paths that they name.
//!
//! Files are found by walking, not by asking git, so that a file that is not yet added is held to the rules as well. Tokens and not text,
//! so that comments, strings and `{a, b}` of imports are what they are; tokens and not a syntax tree, so that code inside macros is seen as
//! well. Names are not resolved: `use` under another name is followed no further.

use super::files::RUNS;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use secateur::cli::failure::Failure;
use secateur::cli::reading::text_of;
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
    let place = root.join(folder);
    for entry in place.read_dir().map_err(Failure::io(&place))? {
        let entry = entry.map_err(Failure::io(&place))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        let kind = entry.file_type().map_err(Failure::io(&entry.path()))?;
        if kind.is_dir() && !name.starts_with('.') && !["target", "runs"].contains(&name.as_str()) {
            walk(root, &path, texts, places)?;
        }
        places.insert(path.clone());
        if kind.is_file() && [".rs", ".toml", ".md"].iter().any(|end| name.ends_with(end)) {
            texts.insert(path, text_of(entry.path())?);
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

/// A path in code, such as `crate::search::Search`, or a name alone.
pub(super) struct Named {
    /// Its segments; that of a macro ends with `!`, that of everything with `*`.
    pub(super) segments: Vec<String>,
    /// From 1.
    pub(super) line: usize,
    /// In how many modules `mod a { .. }` of its file it stands.
    pub(super) depth: usize,
}

/// Code without documentation and without items that only tests have.
pub(super) fn shipped(tokens: TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut kept = TokenStream::new();
    let mut at = 0;
    while at < trees.len() {
        let length = attribute(&trees[at..]);
        if length > 0 {
            let text = trees[at + length - 1].to_string();
            if is_test(&text) {
                at += length + item(&trees[at + length..]);
            } else {
                kept.extend(trees[at..at + length].iter().filter(|_| !is_doc(&text)).cloned());
                at += length;
            }
            continue;
        }
        kept.extend([match &trees[at] {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), shipped(group.stream()));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            other => other.clone(),
        }]);
        at += 1;
    }
    kept
}

/// The modules that only tests have and that are files of their own, as paths without `.rs`.
pub(super) fn test_modules(path: &str, tokens: &TokenStream) -> Vec<String> {
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    let (folder, name) = stem.rsplit_once('/').unwrap_or(("", stem));
    let within = if ["mod", "lib", "main"].contains(&name) { folder } else { stem };
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut modules = Vec::new();
    for at in 0..trees.len() {
        let length = attribute(&trees[at..]);
        if length == 0 || !is_test(&trees[at + length - 1].to_string()) {
            continue;
        }
        let item = &trees[at + length..at + length + item(&trees[at + length..])];
        let mut parts = item.iter().skip_while(|tree| !is(tree, "mod"));
        if let (Some(_), Some(TokenTree::Ident(name))) = (parts.next(), parts.next()) {
            modules.push(format!("{within}/{name}"));
        }
    }
    modules
}

/// Every path in `code`, those in braces of imports with what stands before the brace.
pub(super) fn paths(code: &TokenStream) -> Vec<Named> {
    let mut paths = Vec::new();
    walk_paths(code, 0, &mut paths);
    paths
}

/// Whether a token is this word or sign.
pub(super) fn is(tree: &TokenTree, word: &str) -> bool {
    match tree {
        TokenTree::Ident(ident) => ident == word,
        TokenTree::Punct(punct) => word.len() == 1 && word.starts_with(punct.as_char()),
        TokenTree::Group(_) | TokenTree::Literal(_) => false,
    }
}

/// The group, if a token is one with this delimiter.
pub(super) fn group(tree: Option<&TokenTree>, delimiter: Delimiter) -> Option<&Group> {
    match tree {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group),
        _ => None,
    }
}

/// Hands every name and literal of the code to `see`.
pub(super) fn each_word(code: &TokenStream, see: &mut impl FnMut(&TokenTree)) {
    for tree in code.clone() {
        match &tree {
            TokenTree::Group(group) => each_word(&group.stream(), see),
            TokenTree::Ident(_) | TokenTree::Literal(_) => see(&tree),
            TokenTree::Punct(_) => {}
        }
    }
}

/// Where a token begins, from 1.
pub(super) fn line(tree: &TokenTree) -> usize {
    tree.span().start().line
}

/// How many tokens the attribute has that `trees` begin with, the last of them in brackets; 0 if there is none.
fn attribute(trees: &[TokenTree]) -> usize {
    let bracket = |at: usize| group(trees.get(at), Delimiter::Bracket).is_some();
    match trees.first() {
        Some(tree) if is(tree, "#") && bracket(1) => 2,
        Some(tree) if is(tree, "#") && bracket(2) && is(&trees[1], "!") => 3,
        _ => 0,
    }
}

fn is_doc(attribute: &str) -> bool {
    attribute.trim_start_matches(['[', ' ']).starts_with("doc")
}

/// `[test]`, or a `cfg` that holds in tests alone: what is also built otherwise has a `not` or an `any`.
fn is_test(attribute: &str) -> bool {
    let names: Vec<&str> = attribute.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let has = |word: &str| names.contains(&word);
    let count = names.iter().filter(|word| !word.is_empty()).count();
    has("test") && (count == 1 || has("cfg") && !has("not") && !has("any"))
}

/// How many tokens the item, field or statement has that `trees` begin with.
fn item(trees: &[TokenTree]) -> usize {
    // The braces of `use a::{b, c};` do not end it. Before `use` there may be `pub(crate)`.
    let import = trees.iter().take(3).any(|tree| is(tree, "use"));
    let (mut angles, mut bounds) = (0, false);
    for (at, tree) in trees.iter().enumerate() {
        let arrow = at > 0 && (is(&trees[at - 1], "-") || is(&trees[at - 1], "="));
        bounds |= is(tree, "where");
        angles += i32::from(is(tree, "<")) - i32::from(is(tree, ">") && !arrow);
        let ends = is(tree, ";") || is(tree, ",") && angles == 0 && !bounds;
        if ends || group(Some(tree), Delimiter::Brace).is_some() && !import {
            return at + 1;
        }
    }
    trees.len()
}

fn walk_paths(code: &TokenStream, depth: usize, paths: &mut Vec<Named>) {
    let trees: Vec<TokenTree> = code.clone().into_iter().collect();
    let mut at = 0;
    while at < trees.len() {
        match &trees[at] {
            TokenTree::Ident(_) => at += path(&trees[at..], &[], depth, paths),
            TokenTree::Group(group) => {
                let module = at >= 2 && is(&trees[at - 2], "mod") && group.delimiter() == Delimiter::Brace;
                walk_paths(&group.stream(), depth + usize::from(module), paths);
                at += 1;
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => at += 1,
        }
    }
}

/// Reads the path that `trees` begin with, after what stands before its brace; how many tokens it has.
fn path(trees: &[TokenTree], before: &[String], depth: usize, paths: &mut Vec<Named>) -> usize {
    let Some(first) = trees.first() else { return 0 };
    let mut segments = before.to_vec();
    segments.push(first.to_string());
    let mut at = 1;
    while trees.len() > at + 2 && is(&trees[at], ":") && is(&trees[at + 1], ":") {
        match &trees[at + 2] {
            TokenTree::Ident(ident) => segments.push(ident.to_string()),
            TokenTree::Punct(punct) if punct.as_char() == '*' => segments.push("*".to_owned()),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                for part in inner.split(|tree| is(tree, ",")) {
                    path(part, &segments, depth, paths);
                }
                return at + 3;
            }
            _ => break,
        }
        at += 3;
    }
    if trees.get(at).is_some_and(|tree| is(tree, "!"))
        && matches!(trees.get(at + 1), Some(TokenTree::Group(_)))
    {
        *segments.last_mut().expect("a path has a segment") += "!";
    }
    paths.push(Named { segments, line: line(first), depth });
    at
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

    fn code(text: &str) -> TokenStream {
        shipped(text.parse().unwrap())
    }

    fn names(text: &str) -> Vec<String> {
        paths(&code(text)).iter().map(|named| named.segments.join("::")).collect()
    }

    #[test]
    fn what_only_tests_have_does_not_ship() {
        let kept = code(
            "//! a doc\n/// doc\n#[inline] fn a() {}\n#[cfg(test)] use x::{y, z};\n#[cfg(test)] mod t { fn u() {} }\n\
             fn b() { #[cfg(test)] c(); d() }\n#[cfg(test)] impl<T> E<T> where T: F, T: G { fn h() {} }\n\
             #[cfg(all(test, unix))] mod i;\n#[cfg(any(test, unix))] mod j;\n#[cfg(not(test))] mod k;\n\
             struct L { #[cfg(test)] m: Vec<N, O>, p: Q }",
        );
        let text: String = kept.to_string().chars().filter(|c| !c.is_whitespace()).collect();
        let expected =
            "#[inline]fna(){}fnb(){d()}#[cfg(any(test,unix))]modj;#[cfg(not(test))]modk;structL{p:Q}";
        assert_eq!(text, expected);
    }

    #[test]
    fn paths_are_read_through_braces_and_macros() {
        assert_eq!(
            names("use std::{fs::{self, File}, io::*};\nm! { a::b::<C>(d) }\nprintln!(\"e::f\"); g != h"),
            "use std::fs::self std::fs::File std::io::* m! a::b C d println! g h"
                .split(' ')
                .collect::<Vec<_>>()
        );
        let imports = paths(&code("use a;\nmod b {\n    use super::c;\n}"));
        let last = imports.last().unwrap();
        assert_eq!((last.segments.join("::").as_str(), last.line, last.depth), ("super::c", 3, 1));
    }
}
