//! Packages depend one way, from the top to the bottom.
//!
//! As no package may need one next to or above it, there is no circle among packages either. Dependencies of tests alone may
//! point anywhere.

use super::Breach;
use super::rules::{RULES, Rules};
use super::tree::Tree;
use std::collections::BTreeSet;
use toml::{Spanned, Table};

pub(super) fn check(tree: &Tree, rules: &Rules) -> Vec<Breach> {
    let lists =
        |listed: &Spanned<String>, name: &str| rules.each(listed.get_ref()).iter().any(|one| one == name);
    let layer =
        |name: &str| rules.layers.iter().position(|layer| layer.iter().any(|member| lists(member, name)));
    let manifests = manifests(tree);
    let members: BTreeSet<&str> = manifests.iter().map(|manifest| manifest.name.as_str()).collect();
    let mut breaches = Vec::new();
    for Manifest { path, text, name, needs } in &manifests {
        let Some(own_layer) = layer(name) else {
            let expected = format!("its place in `layers` of {RULES}");
            breaches.push(Breach::new(
                *path,
                line(text, "name"),
                format!("the package `{name}` in no layer"),
                expected,
            ));
            continue;
        };
        // One in no layer is reported where it is written.
        let in_layers = needs.iter().filter_map(|other| Some((other, layer(other)?)));
        for (other, _) in in_layers.filter(|(_, layer)| *layer >= own_layer) {
            let (actual, expected) =
                (format!("`{name}` needs `{other}`"), "dependencies on lower layers only");
            breaches.push(Breach::new(*path, line(text, other), actual, expected));
        }
    }
    let is_there = |listed: &Spanned<String>| {
        let all = rules.each(listed.get_ref());
        all.iter().all(|name| members.contains(name.as_str()))
    };
    let gone = rules.layers.iter().flatten().filter(|listed| !is_there(listed));
    breaches.extend(gone.map(|listed| {
        let what = format!("the package `{}`, which is not there", listed.get_ref());
        rules.breach(listed, &what, "a package of this workspace")
    }));
    breaches
}

struct Manifest<'a> {
    path: &'a str,
    text: &'a str,
    name: String,
    /// The packages it needs when it is built.
    needs: BTreeSet<String>,
}

/// The manifests that are of a package. What cargo cannot read never gets here.
fn manifests(tree: &Tree) -> Vec<Manifest<'_>> {
    let manifest = |(path, text): (&'_ str, &'_ str)| {
        let table: Table = text.parse().ok()?;
        let name = table.get("package")?.get("name")?.as_str()?.to_owned();
        Some((path.len(), name, needs(&table)))
    };
    let files = tree.texts().filter(|(path, _)| *path == "Cargo.toml" || path.ends_with("/Cargo.toml"));
    files
        .filter_map(|(path, text)| {
            manifest((path, text)).map(|(_, name, needs)| Manifest { path, text, name, needs })
        })
        .collect()
}

fn needs(manifest: &Table) -> BTreeSet<String> {
    let targets = manifest.get("target").and_then(|targets| targets.as_table());
    let targets = targets.into_iter().flat_map(Table::values).filter_map(|target| target.as_table());
    let tables = std::iter::once(manifest).chain(targets);
    let lists = tables.flat_map(|table| ["dependencies", "build-dependencies"].map(|key| table.get(key)));
    let all = lists.flatten().filter_map(|list| list.as_table()).flatten();
    all.map(|(name, how)| how.get("package").and_then(|name| name.as_str()).unwrap_or(name).to_owned())
        .collect()
}

/// The line that begins with `word`, or else the first that has it in quotes.
fn line(text: &str, word: &str) -> usize {
    let find = |wanted: &dyn Fn(&str) -> bool| text.lines().position(wanted);
    let begins = find(&|line| line.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', '.', '='])));
    begins.or_else(|| find(&|line| line.contains(&format!("\"{word}\"")))).map_or(1, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::super::rules::rules;
    use super::super::tree::tree;
    use super::*;

    fn broken(manifests: [(&str, &str); 4]) -> Vec<String> {
        let texts = manifests.map(|(name, needs)| {
            let path = if name == "a" { "Cargo.toml".to_owned() } else { format!("{name}/Cargo.toml") };
            (path, format!("[package]\nname = \"{name}\"\n{needs}"))
        });
        let texts: Vec<(&str, &str)> =
            texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let mut breaches = check(&tree(&texts), &rules(""));
        breaches.sort();
        breaches.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn arrows_point_down() {
        let down =
            "[dependencies]\na.workspace = true\nserde = \"1\"\n[dev-dependencies]\nd.path = \"../d\"\n";
        assert_eq!(broken([("a", ""), ("b", down), ("c", down), ("d", "")]), [""; 0]);
    }

    #[test]
    fn arrows_up_aside_and_under_another_name_are_found() {
        let up = "[build-dependencies]\nx = { path = \"d\", package = \"d\" }\n";
        let aside = "[target.'cfg(unix)'.dependencies]\nserde = \"1\"\nc = { path = \"../c\" }\n";
        assert_eq!(
            broken([("a", up), ("b", aside), ("c", ""), ("d", "")]),
            [
                "Cargo.toml:4: found `a` needs `d`, expected dependencies on lower layers only",
                "b/Cargo.toml:5: found `b` needs `c`, expected dependencies on lower layers only"
            ]
        );
    }

    #[test]
    fn packages_and_layers_name_each_other() {
        let new = broken([("a", ""), ("b", ""), ("c", ""), ("e", "[dependencies]\na.workspace = true\n")]);
        assert_eq!(
            new,
            [
                "e/Cargo.toml:2: found the package `e` in no layer, expected its place in `layers` of xtask/data/tidy.toml",
                "xtask/data/tidy.toml:1: found the package `d`, which is not there, expected a package of this workspace"
            ]
        );
    }
}
