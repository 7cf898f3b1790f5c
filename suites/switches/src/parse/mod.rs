//! The first step: each file a [`Tree`] whose nodes have one vocabulary for C, C++ and Rust. What a parser that expands no macros stumbles
//! over is made into blanks of the same length, so that every place stays what it is.

mod tree;

use crate::rules::Rules;
use crate::{Language, SourceFile};
use regex_lite::Regex;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) use tree::{Id, Syntax, Tree};

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
    let attributes =
        names(files.iter().filter(|file| file.language != Language::Rust).map(|file| file.text.as_slice()));
    for file in files {
        let language = if has_cpp && file.language == Language::C && file.path.ends_with(".h") {
            Language::Cpp
        } else {
            file.language
        };
        let text =
            if language == Language::Rust { file.text.clone() } else { blanked(&file.text, &attributes) };
        let Some(mut tree) = tree::parse(&file.path, &text, &file.text, language) else {
            parsed.warnings.push(format!("{}: left out: it could not be parsed", file.path));
            continue;
        };
        // Conditions of the preprocessor across statements: the first branch of each alone; and macros outside of functions: without them,
        // where that parses better.
        let mut text = text;
        for other in [first_branches, without_macros] {
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

/// Words by which a macro that stands for attributes begins: `#define INLINE inline __attribute__((always_inline))`.
const BEGINNINGS: [&str; 9] =
    ["inline", "static", "extern", "const", "register", "restrict", "__", "[[", "alignas"];

/// The names of macros that stand for nothing or for attributes.
fn names<'a>(texts: impl Iterator<Item = &'a [u8]>) -> BTreeSet<Vec<u8>> {
    let mut names = BTreeSet::new();
    for line in texts.flat_map(|text| text.split(|&byte| byte == b'\n')) {
        let Some(definition) = directive(line).and_then(|directive| directive.strip_prefix(b"define")) else {
            continue;
        };
        let definition = definition.trim_ascii();
        let end = definition.iter().position(|byte| !is_word(*byte)).unwrap_or(definition.len());
        let (name, value) = definition.split_at(end);
        let is_attribute =
            BEGINNINGS.iter().any(|beginning| value.trim_ascii().starts_with(beginning.as_bytes()));
        if !name.is_empty() && value.first() != Some(&b'(') && (value.trim_ascii().is_empty() || is_attribute)
        {
            names.insert(name.to_vec());
        }
    }
    names
}

/// A text with these names as blanks, but in directives.
fn blanked(text: &[u8], names: &BTreeSet<Vec<u8>>) -> Vec<u8> {
    let mut blanked = text.to_vec();
    for line in lines_of(&mut blanked).filter(|line| directive(line).is_none()) {
        let mut at = 0;
        while at < line.len() {
            let length = line[at..].iter().take_while(|byte| is_word(**byte)).count();
            if length > 0 && names.contains(&line[at..at + length]) {
                line[at..at + length].fill(b' ');
            }
            at += length.max(1);
        }
    }
    blanked
}

/// The lines of a text with their ends.
fn lines_of(text: &mut [u8]) -> impl Iterator<Item = &mut [u8]> {
    text.split_inclusive_mut(|&byte| byte == b'\n')
}

/// A text with conditions of the preprocessor, and all but the first branch of each, as blanks. `#if 0` has no first branch.
fn first_branches(text: &[u8]) -> Vec<u8> {
    let (mut new, mut open) = (text.to_vec(), Vec::<bool>::new());
    for line in lines_of(&mut new) {
        let (word, rest) = directive(line).map_or((&b""[..], &b""[..]), |rest| {
            rest.split_at(rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len()))
        });
        match word {
            b"if" | b"ifdef" | b"ifndef" => open.push(rest.trim_ascii() != b"0"),
            b"else" | b"elif" => {
                if let Some(last) = open.last_mut() {
                    *last = !*last && word == b"else";
                }
            }
            b"endif" => drop(open.pop()),
            _ if open.iter().all(|branch| *branch) => continue,
            _ => {}
        }
        line.iter_mut().filter(|byte| !matches!(**byte, b'\r' | b'\n')).for_each(|byte| *byte = b' ');
    }
    new
}

/// A text with calls that begin a line, end it and are called like a macro as blanks: outside of functions no language has a call.
fn without_macros(text: &[u8]) -> Vec<u8> {
    let mut new = text.to_vec();
    for line in lines_of(&mut new) {
        let name = line.iter().take_while(|byte| is_word(**byte)).count();
        let is_macro = line[..name].iter().any(u8::is_ascii_uppercase)
            && !line[..name].iter().any(u8::is_ascii_lowercase)
            && line.get(name) == Some(&b'(');
        let end = line.trim_ascii_end();
        if is_macro && (end.ends_with(b")") || end.ends_with(b");")) {
            let end = end.len();
            line[..end].fill(b' ');
        }
    }
    new
}

/// What is behind the `#` of a directive.
fn directive(line: &[u8]) -> Option<&[u8]> {
    Some(line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start())
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_outside_of_functions_become_blanks() {
        let text = b"TUNE(depth, int, 3);\r\n    CALL(b);\nNAMES(c) {\nint Bar(int);\nT_2(d)\n";
        let new = without_macros(text);
        assert_eq!(new, b"                    \r\n    CALL(b);\nNAMES(c) {\nint Bar(int);\n      \n");
    }
}
