//! The page on the game with dice: methods by nodes, moves and regret, the promise of checks before a throw, and the models that they
//! rest on beside those of nodes after it.

use super::{at_depth, document, of_sections, run, spliced};
use crate::failure::Failure;
use secateur_core::prune::Fit;
use secateur_core::{Evaluation, Rules};
use secateur_reports::render::markdown_table;
use secateur_reports::table::Table;
use secateur_reports::{promises, provenance};
use secateur_suites::games;
use secateur_suites::setup::Setup;

/// The document.
pub(super) const DICE: &str = "docs/DICE.md";
/// Its run.
const RUN: &str = "dice";
/// The part with the models.
const MODELS: &str = "models";

/// The page with its generated parts.
pub(super) fn page() -> Result<String, Failure> {
    let runs = run(RUN)?;
    let mut text = at_depth(&runs);
    text += &of_sections(promises::section(&runs).as_slice());
    text += &of_sections(&[provenance::section(&runs)]);
    let page = spliced(&document(DICE)?, DICE, RUN, &text)?;
    spliced(&page, DICE, MODELS, &markdown_table(&models()?))
}

/// Every model that was fitted before a throw, beside that of the same depths after it.
fn models() -> Result<Table, Failure> {
    let mut table = Table::new(&[
        "<stage",
        "<depths",
        "r before",
        "sigma before",
        "r after",
        "sigma after",
        "ratio of sigmas",
    ]);
    let with_dice = |name: &&str| games::find(name).is_ok_and(|game| game.chances());
    for name in games::names().into_iter().filter(|name| with_dice(name)) {
        let game = games::find(name).map_err(|error| Failure::input(error.to_string()))?;
        let setup = Setup::embedded(name).map_err(|error| Failure::input(error.to_string()))?;
        let fitted = &setup.baselines.none;
        for before in fitted.chance.iter().filter(|fit| fit.deep - fit.shallow == 2 && fit.shallow > 0) {
            let Fit { stage, shallow, deep, .. } = *before;
            let Some(after) = fitted.fit(stage, shallow, deep) else { continue };
            table.push(vec![
                game.stages()[stage].to_owned(),
                format!("{shallow}, {deep}"),
                format!("{:.3}", before.r),
                format!("{:.0}", before.sigma),
                format!("{:.3}", after.r),
                format!("{:.0}", after.sigma),
                format!("{:.2}", before.sigma / after.sigma),
            ]);
        }
    }
    Ok(table)
}
