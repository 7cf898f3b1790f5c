//! What every method of the method table has besides its line: a file, a section in the documents, and its place in the tests
//! that every method must pass. Parameters it need not have: a file without its section has the usual ones.

use super::tree::{Tree, each_word, group, is, line, shipped};
use super::{Breach, Rules};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// One line of `methods!`.
struct Method {
    field: String,
    name: String,
    line: usize,
}

pub(super) fn check(tree: &Tree, rules: &Rules) -> Vec<Breach> {
    let places = &rules.methods;
    let methods = tree.source(&places.table).map(|source| methods(&source.code)).unwrap_or_default();
    let document = tree.text(&places.document).unwrap_or_default();
    let neutral = literals(tree, &places.neutral, "neutral");
    let mut breaches = Vec::new();
    if methods.is_empty() {
        breaches.push(Breach::new(&places.table, 1, "no line of `methods!`", "one for every method"));
    }
    for Method { field, name, line } in &methods {
        let mut need = |there: bool, expected: String| {
            if !there {
                let actual = format!("the method `{name}` without its part");
                breaches.push(Breach::new(&places.table, *line, actual, expected));
            }
        };
        let file = places.file.replace("{field}", field).replace("{method}", name);
        need(tree.text(&file).is_some(), format!("a file of its own, {file}"));
        need(has_section(document, name), format!("a section `## {name}` in {}", places.document));
        need(
            neutral.iter().any(|text| *text == format!("\"{name}\"")),
            format!("an entry \"{name}\" in `neutral` of {}", places.neutral),
        );
    }
    breaches
}

/// The lines `field: Type, "name";` of the call of `methods!`.
fn methods(code: &TokenStream) -> Vec<Method> {
    let trees: Vec<TokenTree> = code.clone().into_iter().collect();
    let call = trees.windows(3).find(|part| is(&part[0], "methods") && is(&part[1], "!"));
    let Some(call) = call.and_then(|part| group(part.get(2), Delimiter::Brace)) else { return Vec::new() };
    let lines: Vec<TokenTree> = call.stream().into_iter().collect();
    let method = |part: &[TokenTree]| match part {
        [field, .., name @ TokenTree::Literal(_)] => {
            let name = name.to_string().trim_matches('"').to_owned();
            Some(Method { field: field.to_string(), name, line: line(field) })
        }
        _ => None,
    };
    lines.split(|tree| is(tree, ";")).filter_map(method).collect()
}

/// Whether a heading below the title names the method.
fn has_section(document: &str, name: &str) -> bool {
    let headings = document.lines().filter_map(|line| line.strip_prefix("## ").or(line.strip_prefix("### ")));
    let names =
        |heading: &str| heading.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| word == name);
    headings.into_iter().any(names)
}

/// The literals in the function `name` of a file.
fn literals(tree: &Tree, path: &str, name: &str) -> Vec<String> {
    let tokens = tree.text(path).and_then(|text| text.parse().ok()).map(shipped).unwrap_or_default();
    let mut trees = tokens.into_iter().skip_while(|tree| !is(tree, "fn"));
    let mut literals = Vec::new();
    while let Some(first) = trees.next() {
        let named = is(&first, "fn") && trees.next().is_some_and(|tree| is(&tree, name));
        if named
            && let Some(TokenTree::Group(body)) =
                trees.find(|tree| group(Some(tree), Delimiter::Brace).is_some())
        {
            each_word(&body.stream(), &mut |tree| {
                if matches!(tree, TokenTree::Literal(_)) {
                    literals.push(tree.to_string());
                }
            });
        }
    }
    literals
}

#[cfg(test)]
mod tests {
    use super::super::tree::tree;
    use super::*;
    use crate::tidy::rules;

    const FILES: [(&str, &str); 4] = [
        (
            "methods.rs",
            "macro_rules! methods { () => {} }\nmethods! {\n    null_move: Null, \"null-move\";\n}",
        ),
        ("prune/null_move.rs", ""),
        ("METHODS.md", "# All\n## Verified null-move\n"),
        ("neutral.rs", "fn other() {}\nfn neutral() { vec![(\"null-move\", 1)] }"),
    ];

    fn broken(files: &[(&str, &str)]) -> Vec<String> {
        check(&tree(files), &rules("")).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_part_that_is_missing_is_named() {
        assert_eq!(broken(&FILES), [""; 0]);
        let parts = ["a file of its own", "a section `## null-move`", "in `neutral`"];
        for (at, part) in parts.iter().enumerate() {
            let mut files = FILES;
            files[at + 1].1 = "fn other() {}";
            if at == 0 {
                files[1].0 = "prune/other.rs";
            }
            let breaches = broken(&files);
            assert!(breaches.len() == 1 && breaches[0].contains(part), "{part}: {breaches:?}");
            assert!(breaches[0].starts_with("methods.rs:3: found the method `null-move`"));
        }
    }

    #[test]
    fn a_table_that_is_not_found_is_a_breach() {
        assert!(broken(&FILES[1..])[0].contains("no line of `methods!`"));
    }
}
