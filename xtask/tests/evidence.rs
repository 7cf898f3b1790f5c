//! No table of the documents rests on a position that anything was fitted or tuned on, by canonical position: nothing that a suite
//! plans, nothing that a committed run or match has and the documents keep.
//!
//! Left out: what evaluations were trained on. Of that no list is kept (docs/BIAS.md).

use secateur_core::{AnyGame, Notation};
use secateur_positions::builtin::is_reserved;
use secateur_positions::duplicates::{canonical, tuned_on};
use secateur_positions::{builtins, list};
use secateur_record::archive::{self, is_file};
use secateur_suites::matrix::Plan;
use secateur_suites::setups::games::{self, names};
use secateur_suites::suite::Suite;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The one suite that makes no table: it holds a search to what itself did before.
const GATE: &str = "gate";
/// What is known of the positions of a game.
struct Known {
    game: AnyGame,
    /// Canonical forms of what something was fitted or tuned on.
    tuned: BTreeSet<String>,
    /// Canonical forms by the ids of built-in sets.
    forms: BTreeMap<String, String>,
}

impl Known {
    fn of(name: &str) -> Known {
        let game = games::find(name).unwrap();
        let sets = builtins(&game).unwrap();
        let entries = sets.iter().flat_map(|set| &set.entries);
        let forms = entries.map(|entry| (entry.id.clone(), canonical(&game, entry).unwrap())).collect();
        Known { tuned: tuned_on(&game).unwrap(), forms, game }
    }

    fn is_tuned(&self, position: &str) -> bool {
        self.tuned.contains(&self.game.canonical(&self.game.parse(position).unwrap()))
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The folders under docs/runs that have this file.
fn folders(file: &str) -> Vec<PathBuf> {
    fn walk(folder: &Path, file: &str, found: &mut Vec<PathBuf>) {
        if is_file(&folder.join(file)) {
            found.push(folder.to_owned());
        }
        for path in archive::names(folder).unwrap().iter().map(|name| folder.join(name)) {
            if !is_file(&path) {
                walk(&path, file, found);
            }
        }
    }
    let mut found = Vec::new();
    walk(&root().join("docs/runs"), file, &mut found);
    assert!(!found.is_empty(), "{file}");
    found
}

/// The columns of these names, row by row.
fn columns<const N: usize>(path: &Path, names: [&str; N]) -> BTreeSet<[String; N]> {
    let mut reader = csv::Reader::from_reader(archive::open(path).unwrap());
    let header = reader.headers().unwrap().clone();
    let at = names.map(|name| header.iter().position(|column| column == name).unwrap());
    reader.records().map(|row| at.map(|at| row.as_ref().unwrap()[at].to_owned())).collect()
}

/// Whatever parameters were fitted to is among what is known: the sets that the files of fits name.
#[test]
fn every_fit_names_a_set_for_fitting() {
    let fits = fs::read_dir(root().join("suites/params")).unwrap().map(|entry| entry.unwrap().path());
    let fits: Vec<PathBuf> = fits.filter(|path| path.to_string_lossy().ends_with(".fit.toml")).collect();
    assert!(fits.len() >= names().len(), "{fits:?}");
    for path in fits {
        let table: toml::Table = fs::read_to_string(&path).unwrap().parse().unwrap();
        let origin = table.get("provenance").unwrap_or_else(|| panic!("{}", path.display()));
        let set = origin["positions"].as_str().unwrap();
        assert!(set.ends_with("-fit") && list().unwrap().iter().any(|listing| listing.name == set), "{set}");
    }
}

#[test]
fn no_suite_plans_a_position_that_something_was_tuned_on() {
    let mut known: BTreeMap<String, Known> = BTreeMap::new();
    for name in Suite::names() {
        for game in Plan::new(Suite::load(name).unwrap()).unwrap().games {
            let of_game = known.entry(game.name.clone()).or_insert_with(|| Known::of(&game.name));
            let tuned = game.entries.iter().filter(|entry| of_game.is_tuned(&entry.position));
            let tuned: Vec<&str> = tuned.map(|entry| entry.id.as_str()).collect();
            match name {
                // That it has some shows that the check can find them.
                GATE => assert!(game.name != "othello" || tuned.len() == 5, "{tuned:?}"),
                _ => assert!(tuned.is_empty(), "{name}: {tuned:?}"),
            }
        }
    }
}

#[test]
fn no_document_keeps_a_position_that_something_was_tuned_on() {
    let known: BTreeMap<&str, Known> = names().into_iter().map(|name| (name, Known::of(name))).collect();
    let (mut checked, mut left_out) = (0, BTreeSet::new());
    for folder in folders("records.csv") {
        for [game, position] in columns(&folder.join("records.csv"), ["game", "position"]) {
            let of_game = &known[game.as_str()];
            // Positions of a file of somebody else have no form here.
            let Some(form) = of_game.forms.get(&position) else { continue };
            checked += 1;
            if is_reserved(&position) {
                left_out.insert(folder.clone());
            } else {
                assert!(!of_game.tuned.contains(form), "{}: {position}", folder.display());
            }
        }
    }
    assert!(checked > 5000, "{checked}");
    let of_table2 = root().join("docs/runs/table2");
    assert!(left_out.contains(&of_table2), "it was made before positions were reserved: {left_out:?}");
}
