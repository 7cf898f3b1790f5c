//! The first step: each file a [`Tree`] whose nodes have one vocabulary for C, C++ and Rust.

mod attributes;
mod tree;

use std::collections::BTreeMap;

use regex_lite::Regex;

pub(crate) use tree::{Id, Syntax, Tree};

use crate::rules::Rules;
use crate::source::{Language, SourceFile};

/// All files that could be parsed, and what was left out.
pub(crate) struct Parsed {
    pub(crate) trees: Vec<Tree>,
    pub(crate) crates: Vec<Crate>,
    pub(crate) warnings: Vec<String>,
}

/// A crate of Rust, from its manifest.
pub(crate) struct Crate {
    /// The folder of its manifest with a `/` behind it, or nothing for the root.
    pub(crate) folder: String,
    /// The year.
    pub(crate) edition: u32,
}

/// Of an unparsed stretch, more than this many lines are tried again without conditions of the preprocessor.
const UNPARSED_LINES: usize = 40;

pub(crate) fn files(files: &[SourceFile], rules: &Rules) -> Parsed {
    let mut parsed = Parsed { trees: Vec::new(), crates: crates(files), warnings: Vec::new() };
    let has_cpp = files.iter().any(|file| file.language == Language::Cpp);
    let (long, files): (Vec<_>, Vec<_>) = files
        .iter()
        .filter(|file| file.language != Language::Cargo)
        .partition(|file| file.text.len() > rules.longest_file);
    for file in long {
        parsed.warnings.push(format!(
            "{}: left out: {} bytes, and files of source have up to {}",
            file.path,
            file.text.len(),
            rules.longest_file
        ));
    }
    let attributes = attributes::names(
        files.iter().filter(|file| file.language != Language::Rust).map(|file| file.text.as_slice()),
    );
    for file in files {
        let language = if has_cpp && file.language == Language::C && file.path.ends_with(".h") {
            Language::Cpp
        } else {
            file.language
        };
        let text = if language == Language::Rust {
            file.text.clone()
        } else {
            attributes::blanked(&file.text, &attributes)
        };
        let Some(mut tree) = tree::parse(&file.path, &text, &file.text, language) else {
            parsed.warnings.push(format!("{}: left out: it could not be parsed", file.path));
            continue;
        };
        // Conditions of the preprocessor across statements: the first branch of each alone; and macros outside of functions: without them,
        // where that parses better.
        let mut text = text;
        for other in [attributes::first_branches, attributes::without_macros] {
            if language == Language::Rust || tree.longest_error() <= UNPARSED_LINES {
                break;
            }
            let changed = other(&text);
            if let Some(better) = tree::parse(&file.path, &changed, &file.text, language)
                && better.longest_error() < tree.longest_error()
            {
                (tree, text) = (better, changed);
            }
        }
        if tree.longest_error() > UNPARSED_LINES {
            parsed.warnings.push(format!(
                "{}: {} lines could not be parsed: sites there are not seen",
                file.path,
                tree.longest_error()
            ));
        }
        parsed.trees.push(tree);
    }
    parsed
}

/// The crates that manifests tell of, the deepest first.
fn crates(files: &[SourceFile]) -> Vec<Crate> {
    let manifests: BTreeMap<&str, toml::Table> = files
        .iter()
        .filter(|file| file.language == Language::Cargo)
        .filter_map(|file| {
            Some((file.path.strip_suffix("Cargo.toml")?, std::str::from_utf8(&file.text).ok()?.parse().ok()?))
        })
        .collect();
    let year = |edition: Option<&toml::Value>| {
        edition.and_then(toml::Value::as_str).and_then(|year| year.parse().ok())
    };
    let shared =
        manifests.values().find_map(|table| year(table.get("workspace")?.get("package")?.get("edition")));
    let mut crates: Vec<Crate> = manifests
        .iter()
        .filter_map(|(folder, table)| {
            let edition = table.get("package")?.get("edition");
            let inherited = edition.is_some_and(toml::Value::is_table);
            let edition = year(edition).or(shared.filter(|_| inherited)).unwrap_or(2015);
            Some(Crate { folder: (*folder).to_owned(), edition })
        })
        .collect();
    crates.sort_by_key(|package| std::cmp::Reverse(package.folder.len()));
    crates
}

/// The roots of the crates that a file of Rust is part of: the path of each `lib.rs` or `main.rs` next to which its module is declared.
pub(crate) fn crate_roots(path: &str, crates: &[Crate], trees: &[Tree]) -> (Vec<String>, u32) {
    let Some(home) = crates.iter().find(|home| path.starts_with(&home.folder)) else {
        return (Vec::new(), 2021);
    };
    let source = format!("{}src/", home.folder);
    let module = path
        .strip_prefix(&source)
        .unwrap_or(path)
        .split('/')
        .next()
        .unwrap_or_default()
        .trim_end_matches(".rs");
    let declares = |tree: &&Tree| {
        let folder = tree.path.strip_prefix(&source).unwrap_or_default();
        matches!(folder, "lib.rs" | "main.rs")
            && (tree.path == path
                || Regex::new(&format!(r"\bmod\s+{module}\b"))
                    .is_ok_and(|module| module.is_match(&tree.text(0))))
    };
    let roots: Vec<String> = trees.iter().filter(declares).map(|tree| tree.path.clone()).collect();
    let main = format!("{source}main.rs");
    let fallback = || trees.iter().filter(|tree| tree.path == main).map(|tree| tree.path.clone()).collect();
    (if roots.is_empty() { fallback() } else { roots }, home.edition)
}
