//! Frozen lists of real programs: where their sites are, and of which method. Their sources are not here: SECATEUR_ENGINES names a folder
//! with a folder for each, at the commit that the list names. Without it, nothing is checked, which is told.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use secateur_switches::{Language, Rules, SourceFile, survey};

#[test]
#[expect(clippy::print_stderr, reason = "what is skipped is told")]
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
