//! The sites of small programs, each of which writes a search in its own way, as they were checked by eye. `X.sites` is the list of `X`:
//! a line a site. SECATEUR_FREEZE=1 writes the lists anew, to be read in the diff.
//!
//! And frozen lists of real programs: where their sites are, and of which method. Their sources are not here: SECATEUR_ENGINES names a
//! folder with a folder for each, at the commit that the list names. Without it, nothing is checked, and the test says so.

use crate::{frozen_file, outcome, survey_of};
use secateur_switches::{Language, Rules, SourceFile, survey};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const PROGRAMS: [&str; 17] = [
    "chess.c",
    "family.cpp",
    "values.rs",
    "odd.c",
    "odd.cpp",
    "odd.rs",
    "loops.cpp",
    "bounds.rs",
    "kinds.cpp",
    "kinds.rs",
    "scout.cpp",
    "plies.cpp",
    "moves.cpp",
    "picks.cpp",
    "picks.rs",
    "drops.cpp",
    "gates.cpp",
];

#[test]
fn the_sites_are_those_that_were_checked() {
    for name in PROGRAMS {
        let mut list = String::new();
        for site in survey_of(&[frozen_file(name)]).sites {
            let _ = writeln!(list, "{}:{} {} {}", site.line, site.column, site.kind.name(), outcome(&site));
        }
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/programs").join(format!("{name}.sites"));
        if std::env::var_os("SECATEUR_FREEZE").is_some() {
            std::fs::write(&path, &list).expect("the list is written");
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        for (line, (actual, expected)) in list.lines().zip(expected.lines()).enumerate() {
            assert_eq!(actual, expected, "{name}.sites:{}", line + 1);
        }
        assert_eq!(list.lines().count(), expected.lines().count(), "{name}");
    }
}

#[test]
fn every_rule_is_used_by_a_program_here() {
    let rules: toml::Table = include_str!("../../data/rules.toml").parse().expect("the rules are TOML");
    let texts = |table: &str, key: &str| -> BTreeSet<String> {
        let rows = rules[table].as_array().expect("rows");
        rows.iter()
            .filter(|row| row.get("holds").is_none())
            .filter_map(|row| Some(row.get(key)?.as_str()?.to_owned()))
            .collect()
    };
    let (mut used, mut methods) = (BTreeSet::new(), BTreeSet::new());
    for name in PROGRAMS {
        for site in survey_of(&[frozen_file(name)]).sites {
            used.extend(site.evidence.iter().cloned());
            used.insert(outcome(&site).trim_start_matches("never: ").to_owned());
            methods.extend(site.method().map(str::to_owned));
        }
    }
    let unused =
        |rules: BTreeSet<String>| rules.into_iter().filter(|rule| !used.contains(rule)).collect::<Vec<_>>();
    assert_eq!(
        unused(texts("shape", "because")),
        ["the value as it is"],
        "shapes: that of stand pat is given as a reason"
    );
    assert_eq!(unused(texts("never", "because")), Vec::<String>::new(), "what is never switched");
    let named =
        texts("method", "name").into_iter().filter(|method| !methods.contains(method)).collect::<Vec<_>>();
    assert_eq!(named, ["stand-pat"], "methods");
}

#[test]
#[expect(clippy::print_stderr, reason = "the test says what it skips")]
fn sites_of_real_programs_are_those_of_the_list() {
    let Some(root) = std::env::var_os("SECATEUR_ENGINES").map(PathBuf::from) else {
        eprintln!("skipped: SECATEUR_ENGINES names no folder with sources of engines");
        return;
    };
    let mut expected = BTreeMap::<String, BTreeSet<String>>::new();
    let lines = include_str!("programs/engines.txt").lines().filter(|line| !line.starts_with('#'));
    for (engine, site) in lines.filter_map(|line| line.split_once(' ')) {
        expected.entry(engine.to_owned()).or_default().insert(site.to_owned());
    }
    let mut checked = 0;
    for (engine, expected) in expected {
        let folder = root.join(&engine);
        if !folder.is_dir() {
            eprintln!("skipped: {engine} is not in {}", root.display());
            continue;
        }
        let sites = list(&folder);
        assert_eq!(
            sites.difference(&expected).collect::<Vec<_>>(),
            Vec::<&String>::new(),
            "{engine}: sites that are not in the list"
        );
        assert_eq!(
            expected.difference(&sites).collect::<Vec<_>>(),
            Vec::<&String>::new(),
            "{engine}: sites of the list that are not found"
        );
        checked += 1;
    }
    assert!(checked > 0, "none of the programs of the list is in {}", root.display());
}

/// `file:line method` of each site that has a method.
fn list(folder: &Path) -> BTreeSet<String> {
    let rules = Rules::standard();
    let mut files = Vec::new();
    read(folder, folder, &rules, &mut files);
    survey(&files, &rules)
        .sites
        .iter()
        .filter_map(|site| Some(format!("{}:{} {}", site.file, site.line, site.method()?)))
        .collect()
}

fn read(root: &Path, folder: &Path, rules: &Rules, files: &mut Vec<SourceFile>) {
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")).collect();
    entries.sort_by_key(std::fs::DirEntry::path);
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type().expect("a kind"));
        let name = entry.file_name().to_string_lossy().to_ascii_lowercase();
        if kind.is_dir() && !name.starts_with('.') && !rules.skipped_folders.contains(&name) {
            read(root, &path, rules, files);
        }
        let relative = path.strip_prefix(root).expect("within").to_string_lossy().replace('\\', "/");
        if let Some(language) = Language::of_path(&relative).filter(|_| kind.is_file()) {
            files.push(SourceFile { path: relative, text: std::fs::read(&path).expect("a file"), language });
        }
    }
}
