//! What the table in ARCHITECTURE.md says that a package must not do, as names that its code must not use.
//!
//! Tests are free to do all of it.

use super::Breach;
use super::code::paths;
use super::rules::{MustNot, Rules};
use super::tree::{Source, Tree};

pub(super) fn check(tree: &Tree, rules: &Rules) -> Vec<Breach> {
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

#[cfg(test)]
mod tests {
    use super::super::rules::rules;
    use super::super::tree::tree;
    use super::*;

    const RULE: &str =
        "[[must-not]]\nfolders = ['a/src/']\nrule = 'do IO'\npaths = ['std::fs', 'Instant', 'println!']\n";

    fn broken(text: &str, more: &str) -> Vec<String> {
        let tree = tree(&[("a/src/lib.rs", text), ("b/src/lib.rs", text)]);
        check(&tree, &rules(&format!("{RULE}{more}"))).iter().map(ToString::to_string).collect()
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
        assert!(check(&tree, &rules(RULE))[0].actual.contains("without a source file"));
    }
}
