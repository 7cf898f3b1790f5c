//! The numbers that prose may name: from the committed runs, matches, fits, pairs and small CSV files.

use crate::comparison::{folders, is_comparison};
use crate::failure::Failure;
use crate::figures::{fit_facts, roots, scatter_facts};
use secateur_arena::play::Ended;
use secateur_core::AnyGame;
use secateur_games::chess::Chess;
use secateur_positions::{Reading, loaded};
use secateur_prose::cells::{of_sections, of_table};
use secateur_reports::{check_gains, full_of, peer_answers, play, speed};
use secateur_stats::facts::{Fact, Facts, of_csv, of_rows};
use secateur_stats::group::groups_of;
use secateur_stats::measures::measure_rows;
use secateur_stats::play::match_rows;
use secateur_stats::read::read;
use secateur_suites::solution::{self, Solution};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const RUNS: &str = "docs/runs";
/// What examples and other commands printed, each file with the command that made it in its first line.
const PRINTED: &str = "docs/runs/printed";

/// The facts of the sources that are wanted: a folder under docs/runs by its name, a file of docs/runs/printed by its stem,
/// `fit-othello`, `fit-chess`, `scatter`, `pairs`.
pub(crate) fn facts(wanted: &BTreeSet<String>) -> Result<Facts, Failure> {
    let mut facts = Facts::default();
    for name in wanted {
        if let Some(found) = source(name)? {
            facts.add(name, found);
        }
    }
    Ok(facts)
}

/// The numbers of the runs and matches with these names in a folder; of those that are there.
pub(crate) fn facts_of(folder: &Path, wanted: &BTreeSet<String>) -> Result<Facts, Failure> {
    let mut facts = Facts::default();
    for name in wanted {
        if let Some(found) = recorded(&folder.join(name))? {
            facts.add(name, found);
        }
    }
    Ok(facts)
}

/// `None` for a name that is no source, which whoever asks for it reports with its line.
fn source(name: &str) -> Result<Option<Vec<Fact>>, Failure> {
    let folder = Path::new(RUNS).join(name);
    let printed = Path::new(PRINTED).join(name).with_extension("csv");
    Ok(match name {
        "fit-othello" | "fit-chess" => Some(fit_facts(name)?),
        "scatter" => Some(scatter_facts()?),
        "pairs" => Some(of_table(&roots()?)),
        _ if printed.is_file() => {
            let text = std::fs::read_to_string(&printed).map_err(Failure::io(&printed))?;
            let facts = of_csv(&text);
            Some(facts.map_err(|error| Failure::input(format!("{}: {error}", printed.display())))?)
        }
        _ => recorded(&folder)?,
    })
}

/// The numbers of a run, a match or a comparison of speed; of a match its measures, too, as `score` or `elo`.
fn recorded(folder: &Path) -> Result<Option<Vec<Fact>>, Failure> {
    if folder.join("play.toml").is_file() {
        let ended = Ended::read(folder)?;
        let mut facts = of_sections(&play::report(&ended).sections);
        facts.extend(of_rows(&match_rows(&ended)));
        return Ok(Some(facts));
    }
    if is_comparison(folder) {
        return Ok(Some(of_sections(&speed::ratios(&folders(folder)?))));
    }
    if !folder.join("run.toml").is_file() {
        return Ok(None);
    }
    let runs = read(&[folder.to_owned()])?;
    let groups = groups_of(&runs);
    let mut facts = of_rows(&measure_rows(&groups));
    facts.extend(of_sections(&full_of(&groups, &runs).sections));
    facts.extend(check_gains::table(&runs).iter().flat_map(of_table));
    facts.extend(peer_answers::table(&runs, &solutions()?).iter().flat_map(of_table));
    Ok(Some(facts))
}

/// The solutions of the set that programs search when they are timed to a depth.
pub(crate) fn solutions() -> Result<BTreeMap<String, Solution>, Failure> {
    let game = AnyGame::of(Chess::default());
    let set = loaded(&game, "bratko-kopec", Reading::default())?;
    Ok(solution::solutions(&game, &set.set.entries, &set.positions))
}
