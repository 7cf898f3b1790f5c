//! What the mark of a generated part names: runs, matches and tables under `docs/runs`, files of the checkout, and which part of them.

use super::RUNS;
use super::columns::Row;
use super::pages::entries;
use secateur::cli::evidence::{committed_match, searches_in};
use secateur::cli::failure::Failure;
use secateur::cli::worth::{SEARCHES, is_worth, matches};
use secateur_arena::play::Ended;
use secateur_base::unknown::Unknown;
use secateur_record::archive::is_file;
use secateur_record::table;
use secateur_reports::worth::Played;
use secateur_stats::group::{Group, groups_of};
use secateur_stats::runs::Runs;
use secateur_suites::setups::games;
use serde::de::DeserializeOwned;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file by which a folder is known to be a match.
pub(super) const MATCH: &str = "play.toml";

/// A run, a match, a folder of matches, a table or a file, by the name in a mark.
pub(super) struct Source {
    pub(super) name: String,
    runs: OnceCell<Runs>,
}

impl Source {
    /// The source of this name: a folder of `docs/runs`, a table of `docs/runs/printed` by its stem, `fit-othello` and `fit-chess`, or
    /// a path in the checkout.
    pub(super) fn named(name: &str) -> Result<Source, Failure> {
        let source = Source { name: name.to_owned(), runs: OnceCell::new() };
        let is_there = source.folder().is_dir() || source.printed().is_file() || Path::new(name).exists();
        if is_there || name.starts_with("fit-") {
            return Ok(source);
        }
        let mut names: Vec<String> = entries(Path::new(RUNS))?.into_keys().collect();
        let tables = entries(&Path::new(RUNS).join("printed"))?.into_keys();
        names.extend(tables.filter_map(|name| Some(name.strip_suffix(".csv")?.to_owned())));
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Err(Failure::input(Unknown::new("run", name, &names)))
    }

    pub(super) fn folder(&self) -> PathBuf {
        Path::new(RUNS).join(&self.name)
    }

    fn printed(&self) -> PathBuf {
        Path::new(RUNS).join("printed").join(format!("{}.csv", self.name))
    }

    /// The searches; of a folder of `worth` those in it.
    pub(super) fn searches(&self) -> Result<&Runs, Failure> {
        if let Some(runs) = self.runs.get() {
            return Ok(runs);
        }
        let folder = self.folder();
        let runs = searches_in(&if is_worth(&folder) { folder.join(SEARCHES) } else { folder })?;
        Ok(self.runs.get_or_init(|| runs))
    }

    /// The matches that `worth` had played, in the order of their names.
    pub(super) fn played(&self) -> Result<Vec<Played>, Failure> {
        matches(&self.folder(), committed_match)
    }

    /// The matches of a folder by their names, or the one match.
    pub(super) fn matches(&self) -> Result<BTreeMap<String, Ended>, Failure> {
        let folder = self.folder();
        let folders = match is_file(&folder.join(MATCH)) {
            true => BTreeMap::from([(self.name.clone(), folder)]),
            false => entries(&folder)?,
        };
        folders.into_iter().map(|(name, path)| Ok((name, committed_match(&path)?))).collect()
    }

    /// The rows of a table of `docs/runs/printed`.
    pub(super) fn rows<R: DeserializeOwned>(&self) -> Result<Vec<R>, Failure> {
        Ok(table::rows(&self.printed())?)
    }

    /// The same by the names of its columns.
    pub(super) fn cells(&self) -> Result<Vec<Row>, Failure> {
        self.rows()
    }
}

/// Which part of a source a view shows: of which game and budget, and what the view takes besides.
#[derive(Debug, Default)]
pub(super) struct Filter {
    game: Option<String>,
    is_depth: Option<bool>,
    budget: Option<u64>,
    values: BTreeMap<String, String>,
}

impl Filter {
    /// Of the words behind the name of a view, which knows `keys`; with `groups` among them also a game, `depth`, `budget`, `depth=8`.
    pub(super) fn parse<'w>(words: impl Iterator<Item = &'w str>, keys: &[&str]) -> Result<Filter, Unknown> {
        let mut filter = Filter::default();
        for word in words {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            if keys.contains(&key) {
                filter.values.insert(key.to_owned(), value.to_owned());
            } else if !keys.contains(&GROUPS) {
                return Err(Unknown::new("word", word, keys));
            } else if games::names().contains(&word) {
                filter.game = Some(word.to_owned());
            } else if let "depth" | "budget" = key {
                filter.is_depth = Some(key == "depth");
                let wrong = |_| Unknown::new("word", word, &["depth", "budget", "depth=8"]);
                filter.budget = if word == key { None } else { Some(value.parse().map_err(wrong)?) };
            } else {
                let grouping = keys.iter().filter(|key| **key != GROUPS).chain(&["depth", "budget"]).copied();
                return Err(Unknown::new("word", word, &grouping.chain(games::names()).collect::<Vec<_>>()));
            }
        }
        Ok(filter)
    }

    /// The game, where one is named.
    pub(super) fn game(&self) -> Option<&str> {
        self.game.as_deref()
    }

    /// Whether the word is there.
    pub(super) fn has(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    /// What stands behind `key=`.
    pub(super) fn value(&self, key: &str) -> Result<&str, Failure> {
        let missing = || Failure::input(format!("found no `{key}=`, expected one behind the view"));
        self.values.get(key).map(String::as_str).ok_or_else(missing)
    }

    /// The groups of a run that are wanted.
    pub(super) fn groups<'r>(&self, runs: &'r Runs) -> Result<Vec<Group<'r>>, Failure> {
        let mut groups = groups_of(runs);
        let headings: Vec<String> = groups.iter().map(Group::heading).collect();
        groups.retain(|group| self.picks(group));
        let missing = || {
            Failure::input(format!("found no group that is wanted, expected one of {}", headings.join("; ")))
        };
        if groups.is_empty() { Err(missing()) } else { Ok(groups) }
    }

    /// Whether a group is wanted.
    pub(super) fn picks(&self, group: &Group<'_>) -> bool {
        self.game.as_ref().is_none_or(|game| group.game == game)
            && self.is_depth.is_none_or(|is_depth| group.is_fixed_depth() == is_depth)
            && self.budget.is_none_or(|budget| group.budget == budget)
    }
}

/// Among the keys of a view: it shows groups of searches, and a mark may say which.
pub(super) const GROUPS: &str = "groups";
