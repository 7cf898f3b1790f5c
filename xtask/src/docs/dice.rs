//! The page on the game with dice: methods by nodes, moves and regret, the promise of checks before a throw, and the models that they
//! rest on next to those of nodes after it, errors by throws and by exact tables, and matches.

use super::folder::entries;
use super::throws::{exact, growth};
use super::{RUNS, at_depth, document, of_sections, run, spliced};
use secateur::cli::failure::Failure;
use secateur_arena::play::Ended;
use secateur_core::prune::Fit;
use secateur_core::{Evaluation, Rules};
use secateur_reports::format::share_within;
use secateur_reports::play::within;
use secateur_reports::render::markdown_table;
use secateur_reports::table::Table;
use secateur_reports::{promises, provenance};
use secateur_stats::play::{game_counts, pair_counts};
use secateur_suites::setups::games;
use secateur_suites::setups::setup::Setup;
use std::path::Path;

/// The document.
pub(super) const DICE: &str = "docs/DICE.md";
/// Its run.
const RUN: &str = "dice";
/// The part with the models.
const MODELS: &str = "models";
/// The run with thresholds down to nought, and the one with single pairs.
const EXACT: &str = "dice-exact";
const THROWS: &str = "dice-throws";
/// Matches, a folder each.
const GAMES: &str = "play-dice";

/// The page with its generated parts.
pub(super) fn page() -> Result<String, Failure> {
    let runs = run(RUN)?;
    let mut text = at_depth(&runs);
    text += &of_sections(promises::section(&runs).as_slice());
    text += &of_sections(&[provenance::section(&runs)]);
    let page = spliced(&document(DICE)?, DICE, RUN, &text)?;
    let page = spliced(&page, DICE, MODELS, &markdown_table(&models()?))?;
    let tables: String = exact(EXACT)?.iter().map(|table| markdown_table(table) + "\n").collect();
    let page = spliced(&page, DICE, EXACT, &(tables + &of_sections(&[provenance::section(&run(EXACT)?)])))?;
    let audited = run(THROWS)?;
    let mut text = markdown_table(&growth()?) + "\n";
    text += &of_sections(promises::section(&audited).as_slice());
    text += &of_sections(&[provenance::section(&audited)]);
    let page = spliced(&page, DICE, THROWS, &text)?;
    spliced(&page, DICE, GAMES, &markdown_table(&matches()?))
}

/// A row a match: points and Elo of its first player.
fn matches() -> Result<Table, Failure> {
    let mut table = Table::default();
    for path in entries(&Path::new(RUNS).join(GAMES))?.into_values() {
        let ended = Ended::read(&path)?;
        let (rows, settings) = (&ended.rows, &ended.file.settings);
        let [first, second] = settings.names();
        let [lost, drawn, won] = game_counts(rows);
        let counts = pair_counts(rows);
        let cells = counts.cells();
        let score = counts.score();
        let share = score.as_ref().map(|score| score.mean()).and_then(|mean| {
            let (low, high) = mean.ends?;
            Some(secateur_stats::interval::Interval { estimate: mean.estimate, low, high })
        });
        let depth = |depths: fn(&secateur_arena::play::GameRow) -> [u64; 2]| {
            let [sum, moves] = rows.iter().map(depths).fold([0, 0], |[a, b], [c, d]| [a + c, b + d]);
            format!("{:.2}", sum as f64 / moves as f64)
        };
        table.row([
            ("<first", first),
            ("<second", second),
            ("<limit", settings.budget()),
            ("won-drawn-lost", format!("{won}-{drawn}-{lost}")),
            ("pairs with 0, 1, 2 points", format!("{}, {}, {}", cells[0], cells[2], cells[4])),
            ("score", share_within(share)),
            ("Elo", score.map_or_else(String::new, |score| within(&score.elo()))),
            (
                "mean depth",
                format!(
                    "{} to {}",
                    depth(|row| [row.first_depths, row.first_moves]),
                    depth(|row| [row.second_depths, row.second_moves])
                ),
            ),
        ]);
    }
    table.notes.push(
        "Pairs share layout and throws, with sides exchanged; intervals are over pairs. The score is that of the first player.".to_owned(),
    );
    Ok(table)
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
