//! No table of the documents rests on a position that anything was fitted or tuned on, by canonical position: nothing that a suite
//! plans, nothing that a committed run or match has and the documents keep, nothing that a study or a confirmation searches. And what
//! documents print and what costs little is really run: lists, reports of committed runs, and the plan of every suite.
//!
//! Left out: what evaluations were trained on, where no position is kept from the training. Of that no list is kept (docs/BIAS.md).

use crate::common::printed::{Printed, commands, root};
use crate::common::xtask;
use secateur::cli::evidence::committed_match;
use secateur_core::{AnyGame, Evaluation, Notation};
use secateur_lab::studies::forecast;
use secateur_lab::studies::foretell::{judged, together};
use secateur_positions::builtin::is_reserved;
use secateur_positions::duplicates::{canonical, tuned_on};
use secateur_positions::{builtins, file, list};
use secateur_record::archive::{self, is_file};
use secateur_record::table;
use secateur_stats::elo::Pentanomial;
use secateur_stats::forecast::{FIXED, Forecast};
use secateur_stats::foretell::{Alike, Foretells};
use secateur_stats::models::{Foretold, MODEL, Model};
use secateur_stats::play::pair_counts;
use secateur_suites::matrix::Plan;
use secateur_suites::setups::games::{self, names};
use secateur_suites::suite::Suite;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::tempdir;

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

/// Every file under a folder of the tree that is wanted, in order, those in archives too.
fn files(folder: &str, wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![root().join(folder)], Vec::new());
    while let Some(folder) = folders.pop() {
        for path in archive::names(&folder).unwrap().iter().map(|name| folder.join(name)) {
            if is_file(&path) { files.push(path) } else { folders.push(path) }
        }
    }
    files.retain(|path| wanted(path));
    files.sort();
    assert!(!files.is_empty(), "{folder}");
    files
}

/// The folders under docs/runs that have this file.
fn folders(file: &str) -> Vec<PathBuf> {
    let files = files("docs/runs", |path| path.ends_with(file));
    files.iter().map(|path| path.parent().unwrap().to_owned()).collect()
}

/// The columns of these names, row by row.
fn columns<const N: usize>(path: &Path, names: [&str; N]) -> BTreeSet<[String; N]> {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(archive::open(path).unwrap());
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
    let mut by_game: BTreeMap<String, Known> = BTreeMap::new();
    for name in Suite::names() {
        for game in Plan::new(Suite::load(name).unwrap()).unwrap().games {
            let of_game = by_game.entry(game.name.clone()).or_insert_with(|| Known::of(&game.name));
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
    let by_game: BTreeMap<&str, Known> = names().into_iter().map(|name| (name, Known::of(name))).collect();
    let (mut checked, mut left_out) = (0, BTreeSet::new());
    for folder in folders("records.csv") {
        for [game, position] in columns(&folder.join("records.csv"), ["game", "position"]) {
            let of_game = &by_game[game.as_str()];
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

/// What studies, confirmations and comparisons search beside the built-in sets: position files of docs/, each held against what was
/// fitted and what evaluations may have learnt from where that is known. Forms are the same for all symmetries of a board and whatever
/// moves led to it. What the tuner played from is compared with the matches that judge it, where these are read.
#[test]
fn no_study_or_confirmation_has_a_position_that_something_was_tuned_on() {
    let is_of_positions =
        |path: &Path| path.extension().is_some_and(|end| end == "epd" || end == "obf" || end == "pos");
    let mut by_game: BTreeMap<String, Known> = BTreeMap::new();
    let mut checked = 0;
    let of_studies =
        ["docs/studies", "docs/confirm"].iter().flat_map(|folder| files(folder, is_of_positions));
    for path in of_studies {
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let of_format = match path.extension().unwrap().to_str() {
            Some("epd") => Some("chess"),
            Some("obf") => Some("othello"),
            _ => names().into_iter().find(|name| stem.contains(name)),
        };
        let name = of_format.unwrap_or_else(|| panic!("{}: its name says no game", path.display()));
        let of_game = by_game.entry(name.to_owned()).or_insert_with(|| Known::of(name));
        for entry in file(&of_game.game, &path).unwrap().entries {
            let position = of_game.game.parse(&entry.position).unwrap();
            let place = format!("{}:{}: {}", path.display(), entry.line, entry.position);
            assert!(
                !of_game.tuned.contains(&of_game.game.canonical(&position)),
                "{place}: something was fitted to it"
            );
            assert!(of_game.game.is_reserved(&position), "{place}: the evaluation may have learnt from it");
            checked += 1;
        }
    }
    assert!(checked > 1500, "{checked}");
}

/// A match has one value, wherever it stands: without the openings that something was fitted on. What is not in the tree any more has no
/// pentanomial counts, and none are made up.
#[test]
fn a_match_of_two_documents_has_one_value() {
    let printed = root().join("docs/runs/printed");
    let methods: Vec<Foretold> = table::rows(&printed.join("elo.csv")).unwrap();
    let mut kept = 0;
    for row in &methods {
        let folder = root().join("docs/runs/play-modern-clock").join(&row.method);
        if row.program != "ours" || !is_file(&folder.join("play.toml")) {
            assert_eq!(row.pentanomial, None, "{} {}", row.program, row.method);
            continue;
        }
        let counts = pair_counts(&committed_match(&folder).unwrap().rows);
        let elo = counts.score().unwrap().elo().estimate;
        assert!((row.elo.unwrap() - elo).abs() < 1e-4, "{}: {:?} and {elo}", row.method, row.elo);
        assert_eq!(row.pentanomial, Some(counts), "{}", row.method);
        kept += 1;
    }
    assert_eq!(kept, 5);
    // The table of all matches says the same of them.
    let matches = columns(&printed.join("matches.csv"), ["folder", "pairs", "pentanomial"]);
    let all = folders("play.toml");
    let alike = all.iter().filter(|folder| !committed_match(folder).unwrap().file.settings.is_shared());
    assert_eq!(matches.len(), alike.count());
    for [folder, pairs, pentanomial] in &matches {
        let Pentanomial(cells) = Pentanomial::try_from(pentanomial.clone()).unwrap();
        assert_eq!(cells.iter().sum::<u64>().to_string(), *pairs, "{folder}");
    }
    let lmr = methods.iter().find(|row| row.program == "ours" && row.method == "lmr").unwrap();
    let [_, _, pentanomial] = matches.iter().find(|[folder, ..]| folder == "play-modern-clock/lmr").unwrap();
    assert_eq!(*pentanomial, String::from(lmr.pentanomial.unwrap()));
}

/// The table of predictors follows from the table of methods, to the digit.
#[test]
fn the_predictors_of_elo_are_those_of_its_methods() {
    let printed = root().join("docs/runs/printed");
    let methods: Vec<Foretold> = table::rows(&printed.join("elo.csv")).unwrap();
    let predictors: Vec<Foretells> = table::rows(&printed.join("elo-predictors.csv")).unwrap();
    let pairs: Vec<Alike> = table::rows(&printed.join("elo-together.csv")).unwrap();
    assert_eq!(judged(&methods), predictors);
    assert_eq!(together(&methods), pairs);
}

/// The table of forecasts follows from both tables of methods, and the model in the program is the one that was fixed.
#[test]
fn the_forecasts_are_those_of_the_model_that_was_fixed() {
    let printed = root().join("docs/runs/printed");
    let fitted: Vec<Foretold> = table::rows(&printed.join("elo.csv")).unwrap();
    let asked: Vec<Foretold> = table::rows(&printed.join("forecast.csv")).unwrap();
    let models: Vec<Forecast> = table::rows(&printed.join("forecast-models.csv")).unwrap();
    assert_eq!(forecast::judged(&fitted, &asked), models);
    let model = Model::fixed(MODEL, &fitted.iter().collect::<Vec<_>>()).unwrap();
    let slopes: Vec<f64> = model.slopes.iter().map(|slope| (1e4 * slope).round() / 1e4).collect();
    assert_eq!(slopes, FIXED);
    let programs = |rows: &[Foretold]| rows.iter().map(|row| row.program.clone()).collect::<BTreeSet<_>>();
    assert!(
        programs(&fitted).is_disjoint(&programs(&asked)),
        "a model is asked of programs that it had not seen"
    );
}

/// What readers have and this repository has not, by what it stands for here.
const STAND_INS: [(&str, &str); 7] = [
    ("runs/quick-20261121T120000Z", "docs/runs/quick"),
    ("runs/quick", "docs/runs/quick"),
    ("runs/before", "docs/runs/quick"),
    ("runs/after", "docs/runs/quick"),
    ("runs/factorial", "docs/runs/factorial"),
    ("my.epd", "docs/studies/elo-chess.epd"),
    ("my.toml", "suites/data/quick.toml"),
];

/// What is run of a command: itself, the plan of a bench, or nothing where it takes long, needs another program or changes the tree.
fn run(printed: &Printed) -> Option<Vec<String>> {
    let mut args = printed.args.clone();
    let words_of = |args: &[String]| args.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
    let all = words_of(&args);
    let is_placeholder = |word: &String| word.chars().all(|letter| letter.is_ascii_uppercase());
    if args.iter().any(is_placeholder) && !all.starts_with("man ") {
        return None;
    }
    match args.first()?.as_str() {
        "list" | "completions" | "man" => Some(args),
        "report"
            if all.contains("docs/runs") || all.contains("runs/quick") || all == "report --json-schema" =>
        {
            Some(args)
        }
        "compare" if args.len() > 1 => Some(args),
        "positions" if all == "positions list" => Some(args),
        "subjects" if all == "subjects list" || all.starts_with("subjects show") => Some(args),
        "paper" if all == "paper" => Some(args),
        "bench"
            if !["--subject", "--resume", "--shard", "--list"].iter().any(|option| all.contains(option)) =>
        {
            args.push("--list".to_owned());
            Some(args)
        }
        _ => None,
    }
}

/// A folder in which the paths of documents lead somewhere, and which may be written to.
fn stage(dir: &Path) {
    let root = root();
    std::fs::create_dir(dir.join("runs")).unwrap();
    for name in ["docs", "suites", "positions", "examples"] {
        std::os::unix::fs::symlink(root.join(name), dir.join(name)).unwrap();
    }
    for (name, source) in STAND_INS {
        std::os::unix::fs::symlink(root.join(source), dir.join(name)).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn cheap_commands_of_documents_do_what_they_say() {
    let dir = tempdir().unwrap();
    stage(dir.path());
    let (mut done, mut verbs) = (BTreeSet::new(), BTreeSet::new());
    for printed in commands() {
        let Some(args) = run(&printed) else { continue };
        if !done.insert(args.clone()) {
            continue;
        }
        let output = xtask(dir.path()).args(&args).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {args:?}: {stderr}", printed.place);
        verbs.insert(args[0].clone());
    }
    let expected =
        ["bench", "compare", "completions", "list", "man", "paper", "positions", "report", "subjects"];
    assert_eq!(verbs.iter().map(String::as_str).collect::<Vec<_>>(), expected, "{} commands", done.len());
}
