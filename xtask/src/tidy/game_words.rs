//! Generic code names no game: what belongs to one game stands in its folders.
//!
//! Names and strings count, comments and documentation do not; tests and examples may name what they like.

use super::Breach;
use super::rules::Rules;
use super::tree::{Kind, Source, Tree};
use proc_macro2::{TokenStream, TokenTree};

pub(super) fn check(tree: &Tree, rules: &Rules) -> Vec<Breach> {
    let own_places: Vec<String> = rules.games.own.iter().flat_map(|path| rules.each(path)).collect();
    let is_own = |path: &str| {
        own_places
            .iter()
            .any(|place| if place.ends_with('/') { path.starts_with(place.as_str()) } else { path == place })
    };
    let generic = |source: &&Source| source.kind != Kind::Example && !is_own(&source.path);
    let mut breaches = Vec::new();
    for source in tree.sources.iter().filter(generic) {
        walk(&source.code, &mut |tree: &TokenTree| {
            let text = tree.to_string();
            let lower = text.to_lowercase();
            if let Some(game) = rules.games.names.iter().find(|game| lower.contains(game.as_str())) {
                let actual = format!("`{}`", shortened(&text));
                let expected = format!("code that does not name {game}");
                breaches.push(Breach::new(&source.path, tree.span().start().line, actual, expected));
            }
        });
    }
    breaches.sort();
    breaches.dedup();
    rules.except(breaches, &rules.game_word)
}

/// Hands every name and literal to `see`.
fn walk(code: &TokenStream, see: &mut impl FnMut(&TokenTree)) {
    for tree in code.clone() {
        match &tree {
            TokenTree::Group(group) => walk(&group.stream(), see),
            TokenTree::Ident(_) | TokenTree::Literal(_) => see(&tree),
            TokenTree::Punct(_) => {}
        }
    }
}

/// The first line of a name or literal, as much of it as fits.
fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let short: String = line.chars().take(60).collect();
    if short.len() < text.len() { short + ".." } else { short }
}

#[cfg(test)]
mod tests {
    use super::super::rules::rules;
    use super::super::tree::tree;
    use super::*;

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
        let breaches: Vec<String> = check(&tree, &rules("")).iter().map(ToString::to_string).collect();
        assert_eq!(
            breaches,
            [
                "a/src/goes.rs:2: found `go_rules`, expected code that does not name go",
                "a/src/goes.rs:5: found `\"play Go\"`, expected code that does not name go"
            ]
        );
        let excepted = rules("[[game-word]]\nfile = 'a/src/goes.rs'\nreason = 'r'\n");
        assert!(check(&tree, &excepted).is_empty());
        assert!(shortened(&"x".repeat(99)).len() < 70);
    }
}
