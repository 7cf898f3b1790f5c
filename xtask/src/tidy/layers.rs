//! Packages depend one way, from the top to the bottom, and so do the modules of a package: no two top-level modules need each other, not
//! even by way of others.
//!
//! As no package may need one next to or above it, there is no circle among packages either. Dependencies of tests alone may
//! point anywhere. Of modules `crate::` and `super::` are seen, with `pub use` at the root of the package followed to its module; tests are
//! left out.

use super::tree::{Kind, Source, Tree, paths};
use super::{Breach, Circle, RULES, Rules};
use std::collections::{BTreeMap, BTreeSet};
use toml::{Spanned, Table};

pub(super) fn check_layers(tree: &Tree, rules: &Rules) -> Vec<Breach> {
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
    let files = tree.texts().filter(|(path, _)| *path == "Cargo.toml" || path.ends_with("/Cargo.toml"));
    files.filter_map(|(path, text)| manifest(path, text)).collect()
}

fn manifest<'a>(path: &'a str, text: &'a str) -> Option<Manifest<'a>> {
    let table: Table = text.parse().ok()?;
    let name = table.get("package")?.get("name")?.as_str()?.to_owned();
    Some(Manifest { path, text, name, needs: needs(&table) })
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

/// Modules that import each other in a circle.
pub(super) fn check_circles(tree: &Tree, rules: &Rules) -> Vec<Breach> {
    let mut breaches = Vec::new();
    let mut used = BTreeSet::new();
    for Manifest { path, name: package, .. } in manifests(tree) {
        let graph = Graph::of(tree, &path.replace("Cargo.toml", "src/"));
        for circle in graph.circles() {
            match rules.circle.iter().position(|excepted| is_same(excepted, &package, &circle)) {
                Some(at) => {
                    used.insert(at);
                }
                None => breaches.push(graph.breach(&package, &circle)),
            }
        }
    }
    let stale = rules.circle.iter().enumerate().filter(|(at, _)| !used.contains(at));
    breaches.extend(stale.map(|(_, excepted)| {
        let (package, modules) = (excepted.package.get_ref(), excepted.modules.join(", "));
        let what = format!("an exception for a circle of `{package}` ({modules}) that is not there");
        rules.breach(&excepted.package, &what, "it to be taken out, or the circle as it is now")
    }));
    breaches
}

/// Neither more modules nor fewer: a circle that grows or shrinks is looked at again.
fn is_same(excepted: &Circle, package: &str, circle: &BTreeSet<String>) -> bool {
    *excepted.package.get_ref() == package
        && excepted.modules.iter().cloned().collect::<BTreeSet<_>>() == *circle
}

/// Which top-level module names which, with the first place where it does.
struct Graph {
    arrows: BTreeMap<(String, String), (String, usize)>,
}

impl Graph {
    fn of(tree: &Tree, root: &str) -> Graph {
        // Programs in src/bin are packages of their own in this respect.
        let in_package = |source: &&Source| {
            let within = source.path.strip_prefix(root);
            source.kind == Kind::Shipped && within.is_some_and(|rest| !rest.starts_with("bin/"))
        };
        let files = tree.sources.iter().filter(in_package);
        let files: Vec<(Vec<&str>, &Source)> =
            files.map(|source| (module(&source.path[root.len()..]), source)).collect();
        let modules: BTreeSet<&str> =
            files.iter().filter_map(|(module, _)| module.first().copied()).collect();
        let exported = exported(&files, &modules);
        let mut arrows = BTreeMap::new();
        for (at, source) in files.iter().filter(|(at, _)| !at.is_empty()) {
            for named in paths(&source.code) {
                let target = target(&named.segments, at.len() + named.depth);
                let target = target
                    .and_then(|name| modules.get(name).copied().or(exported.get(name).map(String::as_str)));
                if let Some(target) = target.filter(|target| *target != at[0]) {
                    let place = (source.path.clone(), named.line);
                    arrows.entry((at[0].to_owned(), target.to_owned())).or_insert(place);
                }
            }
        }
        Graph { arrows }
    }

    /// The sets of modules that all reach each other.
    fn circles(&self) -> BTreeSet<BTreeSet<String>> {
        let modules: BTreeSet<&String> = self.arrows.keys().map(|(from, _)| from).collect();
        let reached: BTreeMap<&String, BTreeSet<&String>> =
            modules.iter().map(|module| (*module, self.reached(module))).collect();
        let circle = |module: &&String| {
            let back = |other: &&&String| reached.get(**other).is_some_and(|there| there.contains(*module));
            reached[*module].iter().filter(back).map(|other| (*other).clone()).collect::<BTreeSet<_>>()
        };
        modules.iter().map(circle).filter(|circle| circle.len() > 1).collect()
    }

    /// All that `from` needs, directly or not.
    fn reached<'a>(&'a self, from: &'a String) -> BTreeSet<&'a String> {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(module) = open.pop() {
            let next = self.arrows.keys().filter(|(from, _)| from == module).map(|(_, to)| to);
            open.extend(next.filter(|to| reached.insert(*to)));
        }
        reached
    }

    fn breach(&self, package: &str, circle: &BTreeSet<String>) -> Breach {
        let names: Vec<&str> = circle.iter().map(String::as_str).collect();
        let inside =
            self.arrows.iter().filter(|((from, to), _)| circle.contains(from) && circle.contains(to));
        let arrows: String = inside
            .clone()
            .map(|((from, to), (file, line))| format!("\n    {from} -> {to} ({file}:{line})"))
            .collect();
        let (file, line) = inside.map(|(_, place)| place).min().expect("a circle has arrows");
        let actual = format!("a circle of modules of `{package}` ({})", names.join(", "));
        Breach::new(file, *line, actual, format!("imports one way; the circle is{arrows}"))
    }
}

/// The path of the module that a file is, from the root of its package.
fn module(file: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = file.strip_suffix(".rs").unwrap_or(file).split('/').collect();
    let is_root = parts.len() == 1 && ["lib", "main"].contains(&parts[0]);
    if is_root || parts.last() == Some(&"mod") {
        parts.pop();
    }
    parts
}

/// The name at the root of the package that a path begins with, in a module so deep below the root.
fn target(path: &[String], depth: usize) -> Option<&str> {
    let path = path.strip_prefix(&["self".to_owned()]).unwrap_or(path);
    let up = path.iter().take_while(|part| *part == "super").count();
    match path.first()?.as_str() {
        "crate" => path.get(1),
        "super" if up == depth => path.get(up),
        _ => None,
    }
    .map(String::as_str)
}

/// What the root hands on, with the module that has it.
fn exported(files: &[(Vec<&str>, &Source)], modules: &BTreeSet<&str>) -> BTreeMap<String, String> {
    let roots = files.iter().filter(|(module, _)| module.is_empty());
    let mut exported = BTreeMap::new();
    for named in roots.flat_map(|(_, source)| paths(&source.code)) {
        let mut path = named.segments.iter().skip_while(|part| ["crate", "self"].contains(&part.as_str()));
        let first = path.next().filter(|first| modules.contains(first.as_str()));
        if let (Some(first), Some(last)) = (first, path.last()) {
            exported.insert(last.clone(), first.clone());
        }
    }
    exported
}

#[cfg(test)]
mod tests {
    use super::super::tree::tree;
    use super::*;
    use crate::tidy::rules;

    fn broken(manifests: [(&str, &str); 4]) -> Vec<String> {
        let texts = manifests.map(|(name, needs)| {
            let path = if name == "a" { "Cargo.toml".to_owned() } else { format!("{name}/Cargo.toml") };
            (path, format!("[package]\nname = \"{name}\"\n{needs}"))
        });
        let texts: Vec<(&str, &str)> =
            texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let mut breaches = check_layers(&tree(&texts), &rules(""));
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

    const FILES: [(&str, &str); 8] = [
        ("p/Cargo.toml", "[package]\nname = 'pack'"),
        ("p/src/lib.rs", "mod a;\nmod b;\nmod c;\nmod d;\npub use c::{Deep, deeper::Deepest};"),
        ("p/src/a/mod.rs", "use crate::b;\n#[cfg(test)]\nuse crate::d;"),
        ("p/src/a/x.rs", "use crate::tidy::b::y;\nuse super::z;\nmod inner { use crate::d; }"),
        ("p/src/b.rs", "fn f() {\n    crate::Deepest::new()\n}"),
        ("p/src/c.rs", "use super::{a, std};\nuse other::crate_d;"),
        ("p/src/d.rs", "use crate::d::own;"),
        ("p/src/bin/a.rs", "use crate::c;"),
    ];

    fn circles_in(more: &str) -> Vec<String> {
        check_circles(&tree(&FILES), &rules(more)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_circle_is_shown_with_an_import_for_every_arrow() {
        assert_eq!(
            circles_in(""),
            [
                "p/src/a/mod.rs:1: found a circle of modules of `pack` (a, b, c), expected imports one way; the circle is\n    \
              a -> b (p/src/a/mod.rs:1)\n    b -> c (p/src/b.rs:2)\n    c -> a (p/src/c.rs:1)"
            ]
        );
        let arrows = Graph::of(&tree(&FILES), "p/src/").arrows;
        assert!(
            arrows.contains_key(&("a".to_owned(), "d".to_owned())),
            "super is counted through inner modules"
        );
        assert_eq!(arrows.len(), 4);
    }

    #[test]
    fn an_exception_names_exactly_the_modules_of_its_circle() {
        let with = |modules: &str| {
            circles_in(&format!("[[circle]]\npackage = 'pack'\nmodules = [{modules}]\nreason = 'r'\n"))
        };
        assert_eq!(with("'a', 'b', 'c'"), [""; 0]);
        for other in ["'a', 'b', 'c', 'd'", "'a', 'b'"] {
            let faults = with(other);
            assert!(faults.len() == 2 && faults[0].contains("(a, b, c)"), "{faults:?}");
            assert!(faults[1].contains("that is not there"), "{faults:?}");
        }
    }
}
