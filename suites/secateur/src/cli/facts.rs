//! The numbers that prose may name: from the committed runs, matches, fits, pairs and small CSV files.

use crate::cli::comparison::{folders, is_comparison};
use crate::cli::evidence::{committed_match, without_reserved};
use crate::cli::failure::Failure;
use crate::cli::families::{RUNS, family, run_folder};
use crate::cli::figures::{fit_facts, roots, scatter_facts};
use secateur_arena::play::Ended;
use secateur_core::AnyGame;
use secateur_games::chess::Chess;
use secateur_lab::prose::facts::{Fact, Facts, of_csv, of_rows, of_sections, of_table};
use secateur_lab::studies::check_gains;
use secateur_lab::studies::peer_answers;
use secateur_positions::{Reading, loaded};
use secateur_record::archive::is_file;
use secateur_reports::{full_of, play, speed};
use secateur_stats::group::groups_of;
use secateur_stats::measures::measure_rows;
use secateur_stats::metrics::iterations;
use secateur_stats::play::match_rows;
use secateur_stats::read::read;
use secateur_stats::runs::Runs;
use secateur_suites::solution::{self, Solution};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What examples and other commands printed, each file with the command that made it in its first line.
const PRINTED: &str = "docs/runs/printed";

/// The facts of the sources that were wanted so far, and what their searches took: nothing is read twice.
#[derive(Default)]
pub struct Sources {
    facts: Facts,
    asked: BTreeSet<String>,
    seconds: BTreeMap<String, f64>,
}

impl Sources {
    /// The facts of the sources that are wanted, among others: a folder under docs/runs by its name, a file of
    /// docs/runs/printed by its stem, `fit-othello`, `fit-chess`, `scatter`, `pairs`, a family of docs/tests.toml.
    pub fn facts(&mut self, wanted: &BTreeSet<String>) -> Result<&Facts, Failure> {
        for name in wanted {
            if !self.asked.insert(name.clone()) {
                continue;
            }
            if let Some((source_facts, seconds)) = source(name)? {
                add(&mut self.facts, name, &run_folder(name), source_facts);
                self.seconds.extend(seconds.map(|seconds| (name.clone(), seconds)));
            }
        }
        Ok(&self.facts)
    }

    /// The CPU seconds of the searches of a run, or of the players of a match. Nothing for a folder that is neither.
    pub fn seconds(&self, name: &str) -> Result<Option<f64>, Failure> {
        if self.asked.contains(name) {
            return Ok(self.seconds.get(name).copied());
        }
        let folder = Path::new(RUNS).join(name);
        if is_file(&folder.join("play.toml")) {
            return Ok(Some(of_players(&Ended::read(&folder)?)));
        }
        let is_run = is_file(&folder.join("run.toml"));
        is_run.then(|| Ok(of_searches(&read(&[folder])?))).transpose()
    }
}

/// CPU seconds of both players of a match.
fn of_players(ended: &Ended) -> f64 {
    ended.rows.iter().map(|row| row.first_time_ns + row.second_time_ns).sum::<u64>() as f64 / 1e9
}

/// CPU seconds of all searches of a run.
fn of_searches(runs: &Runs) -> f64 {
    runs.records.iter().map(|record| record.time_ns).sum::<u64>() as f64 / 1e9
}

/// The numbers of the runs and matches with these names in a folder; of those that are there.
pub fn facts_of(folder: &Path, wanted: &BTreeSet<String>) -> Result<Facts, Failure> {
    let mut facts = Facts::default();
    for name in wanted {
        let folder = folder.join(name);
        if let Some((source_facts, _)) = recorded(&folder)? {
            add(&mut facts, name, &folder, source_facts);
        }
    }
    Ok(facts)
}

/// Adds the facts of a source, which is a run where its folder has one.
fn add(facts: &mut Facts, name: &str, folder: &Path, source_facts: Vec<Fact>) {
    match is_file(&folder.join("run.toml")) {
        true => facts.add_run(name, source_facts),
        false => facts.add(name, source_facts),
    }
}

/// Facts, and the CPU seconds of what was searched for them.
type Found = (Vec<Fact>, Option<f64>);

/// `None` for a name that is no source, which whoever asks for it reports with its line.
fn source(name: &str) -> Result<Option<Found>, Failure> {
    let folder = Path::new(RUNS).join(name);
    let printed = Path::new(PRINTED).join(name).with_extension("csv");
    let facts = match name {
        "fit-othello" | "fit-chess" => fit_facts(name)?,
        "scatter" => scatter_facts()?,
        "pairs" => of_table(&roots()?),
        _ if printed.is_file() => {
            let text = std::fs::read_to_string(&printed).map_err(Failure::io(&printed))?;
            let facts = of_csv(&text);
            facts.map_err(|error| Failure::input(format!("{}: {error}", printed.display())))?
        }
        _ => match family(name)? {
            Some(facts) => facts,
            None => return recorded(&folder),
        },
    };
    Ok(Some((facts, None)))
}

/// The numbers of a run, a match or a comparison of speed; of a match its measures, too, as `score` or `elo`.
fn recorded(folder: &Path) -> Result<Option<Found>, Failure> {
    if is_file(&folder.join("play.toml")) {
        let seconds = of_players(&Ended::read(folder)?);
        let ended = committed_match(folder)?;
        let mut facts = of_sections(&play::report(&ended).sections);
        facts.extend(of_rows(&match_rows(&ended)));
        return Ok(Some((facts, Some(seconds))));
    }
    if is_comparison(folder) {
        return Ok(Some((of_sections(&speed::ratios(&folders(folder)?)), None)));
    }
    if !is_file(&folder.join("run.toml")) {
        return Ok(None);
    }
    let mut runs = read(&[folder.to_owned()])?;
    let seconds = of_searches(&runs);
    without_reserved(&mut runs);
    let groups = groups_of(&runs);
    let mut facts = of_rows(&measure_rows(&groups, &iterations(&runs.iterations)));
    facts.extend(of_sections(&full_of(&groups, &runs).sections));
    facts.extend(check_gains::table(&runs).iter().flat_map(of_table));
    facts.extend(peer_answers::table(&runs, &solutions()?).iter().flat_map(of_table));
    Ok(Some((facts, Some(seconds))))
}

/// The solutions of the set that programs search when they are timed to a depth.
pub fn solutions() -> Result<BTreeMap<String, Solution>, Failure> {
    let game = AnyGame::of(Chess::default());
    let set = loaded(&game, "bratko-kopec", Reading::default())?;
    Ok(solution::solutions(&game, &set.set.entries, &set.positions))
}
