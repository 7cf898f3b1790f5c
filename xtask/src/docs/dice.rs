//! The page on the game with dice: methods by nodes, moves and regret, the promise of checks before a throw, and the models that they
//! rest on next to those of nodes after it, errors by throws and by exact tables, and matches.

use super::folder::entries;
use super::pages::Pages;
use super::throws::{exact, growth};
use super::{RUNS, at_depth, made, of_sections, run};
use secateur::cli::failure::{Failure, Outcome};
use secateur_arena::play::Ended;
use secateur_core::prune::Fit;
use secateur_core::{Evaluation, Rules};
use secateur_reports::format::share_within;
use secateur_reports::play::{elo, won_drawn_lost};
use secateur_reports::promises;
use secateur_reports::render::markdown_table;
use secateur_reports::table::Table;
use secateur_stats::interval::Interval;
use secateur_stats::play::{mean_depth, pair_counts};
use secateur_stats::runs::Runs;
use secateur_suites::setups::games;
use secateur_suites::setups::setup::Setup;
use std::path::{Path, PathBuf};

/// Its run.
const RUN: &str = "dice";
/// The part with the models.
const MODELS: &str = "models";
/// The run with thresholds down to nought, and the one with single pairs.
const EXACT: &str = "dice-exact";
const THROWS: &str = "dice-throws";
/// Matches, a folder each.
const GAMES: &str = "play-dice";

/// Puts in all parts of the page.
pub(super) fn put(pages: &mut Pages) -> Outcome {
    let promised = |runs: &Runs| of_sections(promises::section(runs).as_slice()) + &made(runs);
    let runs = run(RUN)?;
    pages.put(RUN, &(at_depth(&runs) + &promised(&runs)))?;
    pages.put(MODELS, &markdown_table(&models()?))?;
    let tables: String = exact(EXACT)?.iter().map(|table| markdown_table(table) + "\n").collect();
    pages.put(EXACT, &(tables + &made(&run(EXACT)?)))?;
    pages.put(THROWS, &(markdown_table(&growth()?) + "\n" + &promised(&run(THROWS)?)))?;
    pages.put(GAMES, &markdown_table(&matches()?))
}

/// A row a match: points and Elo of its first player.
fn matches() -> Result<Table, Failure> {
    let row = |path: PathBuf| -> Result<_, Failure> {
        let ended = Ended::read(&path)?;
        let (rows, settings) = (&ended.rows, &ended.file.settings);
        let [first, second] = settings.names();
        let counts = pair_counts(rows);
        let cells = counts.cells();
        let share = counts.score().map(|score| score.mean()).filter(|mean| mean.ends.is_some());
        let share = share.map(|mean| Interval::of(mean.estimate, mean.ends));
        let depth = |player| format!("{:.2}", mean_depth(rows.iter().map(|row| row.effort(player))));
        Ok([
            ("<first", first),
            ("<second", second),
            ("<limit", settings.budget()),
            ("won-drawn-lost", won_drawn_lost(rows)),
            ("pairs with 0, 1, 2 points", format!("{}, {}, {}", cells[0], cells[2], cells[4])),
            ("score", share_within(share)),
            ("Elo", elo(rows)),
            ("mean depth", [0, 1].map(depth).join(" to ")),
        ])
    };
    let folders = entries(&Path::new(RUNS).join(GAMES))?;
    let table: Table = folders.into_values().map(row).collect::<Result<_, Failure>>()?;
    Ok(table.noted(
        "Pairs share layout and throws, with sides exchanged; intervals are over pairs. The score is that of the first player.",
    ))
}

/// Whether a game of this name has dice.
pub(super) fn with_dice(name: &&str) -> bool {
    games::find(name).is_ok_and(|game| game.chances())
}

/// Every model that was fitted before a throw, next to that of the same depths after it.
fn models() -> Result<Table, Failure> {
    let mut table = Table::default();
    for name in games::names().into_iter().filter(with_dice) {
        let game = games::find(name).map_err(|error| Failure::input(error.to_string()))?;
        let setup = Setup::embedded(name).map_err(|error| Failure::input(error.to_string()))?;
        let fitted = &setup.baselines.none;
        for before in fitted.chance.iter().filter(|fit| fit.deep - fit.shallow == 2 && fit.shallow > 0) {
            let Fit { stage, shallow, deep, .. } = *before;
            let Some(after) = fitted.fit(stage, shallow, deep) else { continue };
            table.row([
                ("<stage", game.stages()[stage].to_owned()),
                ("<depths", format!("{shallow}, {deep}")),
                ("r before", format!("{:.3}", before.r)),
                ("sigma before", format!("{:.0}", before.sigma)),
                ("r after", format!("{:.3}", after.r)),
                ("sigma after", format!("{:.0}", after.sigma)),
                ("ratio of sigmas", format!("{:.2}", before.sigma / after.sigma)),
            ]);
        }
    }
    Ok(table)
}
