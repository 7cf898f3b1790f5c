//! Names that code must not use: those of what the table in ARCHITECTURE.md says that a package must not do, and in generic code those of
//! games.
//!
//! Tests are free to do all of it; examples may name what games they like.

use super::tree::{Kind, Source, Tree, each_word, line, paths};
use super::{Breach, MustNot, Rules};

pub(super) fn check_must_not(tree: &Tree, rules: &Rules) -> Vec<Breach> {
    rules.must_not.iter().flat_map(|rule| one(tree, rules, rule)).collect()
}

fn one(tree: &Tree, rules: &Rules, rule: &MustNot) -> Vec<Breach> {
    let mut breaches = Vec::new();
    for folder in &rule.folders {
        let named = rules.each(folder.get_ref());
        let is_inside =
            |source: &&Source| named.iter().any(|folder| source.path.starts_with(folder.as_str()));
        let inside = tree.sources.iter().filter(is_inside);
        let inside: Vec<&Source> = inside.collect();
        if inside.is_empty() {
            let what = format!("the folder `{}` without a source file", folder.get_ref());
            breaches.push(rules.breach(folder, &what, "a folder of this workspace"));
        }
        breaches.extend(inside.into_iter().flat_map(|source| uses(source, rule)));
    }
    breaches.sort();
    breaches.dedup();
    rules.except(breaches, &rule.except)
}

/// The uses in one file of what the rule forbids.
fn uses<'a>(source: &'a Source, rule: &'a MustNot) -> impl Iterator<Item = Breach> + 'a {
    paths(&source.code).into_iter().filter_map(move |named| {
        let hit = rule.paths.iter().find(|forbidden| {
            let forbidden: Vec<&str> = forbidden.split("::").collect();
            named.segments.windows(forbidden.len()).any(|part| part == forbidden)
        })?;
        let expected = format!("no `{hit}`: this package must not {}", rule.rule);
        Some(Breach::new(&source.path, named.line, format!("`{}`", named.segments.join("::")), expected))
    })
}

/// What belongs to one game stands in its folders. Names and strings count, comments and documentation do not.
pub(super) fn check_game_words(tree: &Tree, rules: &Rules) -> Vec<Breach> {
    let own_places: Vec<String> = rules.games.own.iter().flat_map(|path| rules.each(path)).collect();
    let is_own = |path: &str| {
        own_places
            .iter()
            .any(|place| if place.ends_with('/') { path.starts_with(place.as_str()) } else { path == place })
    };
    let generic = |source: &&Source| source.kind != Kind::Example && !is_own(&source.path);
    let mut breaches = Vec::new();
    for source in tree.sources.iter().filter(generic) {
        each_word(&source.code, &mut |tree| {
            let text = tree.to_string();
            let lower = text.to_lowercase();
            if let Some(game) = rules.games.names.iter().find(|game| lower.contains(game.as_str())) {
                let actual = format!("`{}`", shortened(&text));
                let expected = format!("code that does not name {game}");
                breaches.push(Breach::new(&source.path, line(tree), actual, expected));
            }
        });
    }
    breaches.sort();
    breaches.dedup();
    rules.except(breaches, &rules.game_word)
}

/// The first line of a name or literal, as much of it as fits.
fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let short: String = line.chars().take(60).collect();
    if short.len() < text.len() { short + ".." } else { short }
}

#[cfg(test)]
mod tests {
    use super::super::tree::tree;
    use super::*;
    use crate::tidy::rules;

    const RULE: &str =
        "[[must-not]]\nfolders = ['a/src/']\nrule = 'do IO'\npaths = ['std::fs', 'Instant', 'println!']\n";

    fn broken(text: &str, more: &str) -> Vec<String> {
        let tree = tree(&[("a/src/lib.rs", text), ("b/src/lib.rs", text)]);
        check_must_not(&tree, &rules(&format!("{RULE}{more}"))).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn forbidden_names_are_found_in_their_package() {
        let text = "use std::{fmt, fs::File};\nfn f(at: Instant) {\n    println!(\"std::fs\");\n}\n// std::fs\n\
                    #[cfg(test)] mod t { use std::fs; }\n#[doc = \"std::fs\"] struct fs;";
        assert_eq!(
            broken(text, ""),
            [
                "a/src/lib.rs:1: found `std::fs::File`, expected no `std::fs`: this package must not do IO",
                "a/src/lib.rs:2: found `Instant`, expected no `Instant`: this package must not do IO",
                "a/src/lib.rs:3: found `println!`, expected no `println!`: this package must not do IO",
            ]
        );
        assert!(broken(text, "except = [{ file = 'a/src/lib.rs', reason = 'r' }]\n").is_empty());
    }

    #[test]
    fn a_rule_about_nothing_is_a_breach() {
        let tree = tree(&[("b/src/lib.rs", "")]);
        assert!(check_must_not(&tree, &rules(RULE))[0].actual.contains("without a source file"));
    }

    #[test]
    fn a_game_is_named_in_its_own_folder_only() {
        let text = "//! go\nuse go_rules::Board;\n/// Go\nfn f() -> &'static str {\n    \"play Go\"\n}\n// go\n\
                    #[cfg(test)] mod t { use go; }";
        let own_files = [
            ("a/src/go/mod.rs", text),
            ("a/src/go.rs", text),
            ("a/examples/e.rs", text),
            ("a/tests/t.rs", text),
        ];
        let tree = tree(&[&own_files[..], &[("a/src/goes.rs", text)]].concat());
        let breaches: Vec<String> =
            check_game_words(&tree, &rules("")).iter().map(ToString::to_string).collect();
        assert_eq!(
            breaches,
            [
                "a/src/goes.rs:2: found `go_rules`, expected code that does not name go",
                "a/src/goes.rs:5: found `\"play Go\"`, expected code that does not name go"
            ]
        );
        let excepted = rules("[[game-word]]\nfile = 'a/src/goes.rs'\nreason = 'r'\n");
        assert!(check_game_words(&tree, &excepted).is_empty());
        assert!(shortened(&"x".repeat(99)).len() < 70);
    }
}
