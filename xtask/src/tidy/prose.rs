//! Words and turns that readers stumble over, in documents, help and messages.
//!
//! What they are, what to write instead and how many of them a file still has is data (`xtask/data/prose.toml`). A file may have
//! exactly as many as are allowed there, so that the number can only fall. Left out: comments other than those of commands, which
//! are their help; code, headings and generated parts of documents; the changelog, which quotes what was.

use super::tree::{Kind, Tree, each_word, line};
use super::{Breach, Rules};
use regex_lite::Regex;
use secateur_lab::prose::links::{Documents, book, faults};
use secateur_lab::prose::typed::prose;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// Where turns and allowances are.
const TURNS: &str = "xtask/data/prose.toml";
/// Folders whose documentation is printed as help.
const HELP: [&str; 2] = ["suites/secateur/src/cli/", "xtask/src/"];
const CHANGELOG: &str = "CHANGELOG.md";

/// What `prose.toml` says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    turn: Vec<Turn>,
    /// How many a file may have, by its path.
    #[serde(default)]
    allowed: BTreeMap<String, usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Turn {
    pattern: String,
    instead: String,
}

pub(super) fn check(tree: &Tree, _: &Rules) -> Vec<Breach> {
    let Some(text) = tree.text(TURNS) else { return Vec::new() };
    let wrong = |error: String| vec![Breach::new(TURNS, 1, error, "turns with a pattern, and allowances")];
    let data: Data = match toml::from_str(text) {
        Ok(data) => data,
        Err(error) => return wrong(error.to_string()),
    };
    let pattern = |turn: &Turn| Ok((Regex::new(&format!("(?i){}", turn.pattern))?, turn.instead.clone()));
    let turns: Vec<(Regex, String)> =
        match data.turn.iter().map(pattern).collect::<Result<_, regex_lite::Error>>() {
            Ok(turns) => turns,
            Err(error) => return wrong(error.to_string()),
        };
    let mut by_file: BTreeMap<&str, Vec<Breach>> = BTreeMap::new();
    for (path, line, text) in spoken(tree) {
        for (pattern, instead) in &turns {
            let places = pattern.find_iter(&text).map(|place| format!("`{}`", place.as_str()));
            let breaches = places.map(|actual| Breach::new(path, line, actual, instead));
            by_file.entry(path).or_default().extend(breaches);
        }
    }
    let files: BTreeSet<&str> =
        by_file.keys().copied().chain(data.allowed.keys().map(String::as_str)).collect();
    let mut all = Vec::new();
    for file in files {
        let breaches = by_file.remove(file).unwrap_or_default();
        let allowed = data.allowed.get(file).copied().unwrap_or(0);
        let entry = 1 + text.lines().position(|line| line.starts_with(&format!("\"{file}\""))).unwrap_or(0);
        let count = breaches.len();
        if count < allowed {
            all.push(Breach::new(
                TURNS,
                entry,
                format!("{allowed} for {file}"),
                format!("{count}, all it has"),
            ));
        }
        if count > allowed {
            all.extend(breaches);
        }
    }
    all
}

/// Every line of prose, help and messages with its file and line.
fn spoken(tree: &Tree) -> Vec<(&str, usize, String)> {
    let mut lines = Vec::new();
    for (path, text) in tree.texts() {
        if path.ends_with(".md") && path != CHANGELOG {
            lines.extend(prose(text).lines().enumerate().map(|(at, line)| (path, at + 1, line.to_owned())));
        }
        if path.ends_with(".rs") && HELP.iter().any(|folder| path.starts_with(folder)) {
            lines.extend(help(text).into_iter().map(|(at, line)| (path, at, line)));
        }
    }
    for source in tree.sources.iter().filter(|source| source.kind == Kind::Shipped) {
        // Texts of more than a word.
        each_word(&source.code, &mut |tree| {
            let text = tree.to_string();
            if text.starts_with(['"', 'r']) && text.contains(' ') {
                lines.push((source.path.as_str(), line(tree), text.replace("\\n", " \n")));
            }
        });
    }
    lines
}

/// The lines of comments that become help: those of arguments and of commands.
fn help(text: &str) -> Vec<(usize, String)> {
    let (mut lines, mut block) = (Vec::new(), Vec::new());
    for (at, line) in text.lines().enumerate() {
        if let Some(line) = line.strip_prefix("    /// ") {
            block.push((at + 1, line.to_owned()));
            continue;
        }
        let is_verb = line.strip_prefix("    ").is_some_and(|line| line.starts_with(char::is_uppercase));
        if is_verb || ["    #[arg", "    #[command"].iter().any(|attribute| line.starts_with(attribute)) {
            lines.append(&mut block);
        }
        block.clear();
    }
    lines
}

/// The folder of the book, whose pages and links must be there.
const BOOK: &str = "docs";

pub(super) fn check_links(tree: &Tree, _: &Rules) -> Vec<Breach> {
    let documents: Documents<'_> = tree.texts().filter(|(path, _)| path.ends_with(".md")).collect();
    let mut all = Vec::new();
    for path in documents.keys() {
        let faults = faults(path, &documents, |file| tree.has(file));
        all.extend(faults.into_iter().map(|fault| ((*path).to_owned(), fault)));
    }
    if documents.contains_key("docs/SUMMARY.md") {
        all.extend(book(BOOK, &documents));
    }
    let breach = |(path, fault): (String, secateur_lab::prose::Fault)| {
        let (actual, expected) =
            fault.message.split_once(", expected ").unwrap_or((&fault.message, "a link that works"));
        Breach::new(path, fault.line, actual, expected)
    };
    all.into_iter().map(breach).collect()
}

/// Paths of sources and documents that a document names in code, where nothing is meant by `<name>` or `NAME`, must be there.
pub(super) fn check_named_paths(tree: &Tree, _: &Rules) -> Vec<Breach> {
    let named =
        Regex::new(r"`((?:core|suites|positions|reports|xtask|docs|examples)/[\w./-]+\.(?:rs|toml|md))`");
    let named = named.expect("an expression of this program");
    let mut breaches = Vec::new();
    for (path, text) in tree.texts().filter(|(path, _)| path.ends_with(".md") && *path != CHANGELOG) {
        for (at, line) in text.lines().enumerate() {
            let gone = named.captures_iter(line).map(|captures| captures[1].to_owned());
            let gone =
                gone.filter(|file| !tree.has(file) && !["GAME", "NAME"].iter().any(|any| file.contains(any)));
            breaches.extend(
                gone.map(|file| Breach::new(path, at + 1, format!("`{file}`"), "a file that is there")),
            );
        }
    }
    breaches
}

#[cfg(test)]
mod tests {
    use super::super::tree::tree;
    use super::*;
    use crate::tidy::rules;

    const DATA: &str = "[[turn]]\npattern = '\\btimes fewer\\b'\ninstead = \"a factor\"\n";

    fn broken(files: &[(&str, &str)], allowed: &str) -> Vec<String> {
        let data = format!("{DATA}{allowed}");
        let mut all = files.to_vec();
        all.push((TURNS, &data));
        check(&tree(&all), &rules("")).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_turn_is_found_in_prose_help_and_messages_and_nowhere_else() {
        let document =
            "# times fewer\n\nIt needs 2 Times fewer nodes, `times fewer`.\n\n```\ntimes fewer\n```\n";
        let code = "//! A file.\n\nstruct A {\n    /// Asks for times fewer\n    #[arg(long)]\n    a: bool,\n    /// times fewer\n    b: bool,\n}\n\n\
                    fn a() -> &'static str {\n    // times fewer\n    \"so many times fewer\"\n}\n";
        let files =
            [("docs/a.md", document), ("suites/secateur/src/cli/a.rs", code), ("core/src/b.rs", code)];
        assert_eq!(
            broken(&files, ""),
            [
                "core/src/b.rs:13: found `times fewer`, expected a factor",
                "docs/a.md:3: found `Times fewer`, expected a factor",
                "suites/secateur/src/cli/a.rs:4: found `times fewer`, expected a factor",
                "suites/secateur/src/cli/a.rs:13: found `times fewer`, expected a factor",
            ]
        );
        assert!(broken(&[("CHANGELOG.md", document)], "").is_empty());
    }

    #[test]
    fn what_a_file_is_allowed_can_only_fall() {
        let files = [("docs/a.md", "two times fewer, three times fewer\n")];
        assert!(broken(&files, "[allowed]\n\"docs/a.md\" = 2\n").is_empty());
        assert_eq!(broken(&files, "[allowed]\n\"docs/a.md\" = 1\n").len(), 2, "all of them, to choose from");
        let fewer = broken(&files, "[allowed]\n\"docs/a.md\" = 3\n");
        assert_eq!(fewer, ["xtask/data/prose.toml:5: found 3 for docs/a.md, expected 2, all it has"]);
        assert_eq!(broken(&[], "[allowed]\n\"docs/gone.md\" = 1\n").len(), 1);
    }

    #[test]
    fn a_document_names_no_file_that_is_gone() {
        let text = "`core/a.rs`, `core/b.rs`, `core/<name>.rs` and\n`suites/params/GAME.toml`, `docs/c.md`\n";
        let tree = tree(&[("README.md", text), ("core/a.rs", "")]);
        let breaches =
            check_named_paths(&tree, &rules("")).iter().map(ToString::to_string).collect::<Vec<_>>();
        let expected = ["README.md:1: found `core/b.rs`, ", "README.md:2: found `docs/c.md`, "];
        assert_eq!(breaches, expected.map(|place| place.to_owned() + "expected a file that is there"));
    }

    #[test]
    fn a_broken_link_is_one_breach_with_its_place() {
        let tree = tree(&[("README.md", "# R\n\n[x](docs/a.md#b)\n"), ("docs/a.md", "# A\n")]);
        let breaches: Vec<String> = check_links(&tree, &rules("")).iter().map(ToString::to_string).collect();
        assert_eq!(
            breaches,
            [
                "README.md:3: found link to `docs/a.md#b`, expected a heading of docs/a.md that makes the anchor `b`"
            ]
        );
    }
}
