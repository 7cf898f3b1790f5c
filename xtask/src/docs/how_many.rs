//! What runs and matches of each size would show, from the spread of the programs with switches and of the matches in the tree.

use super::folder::matches;
use super::pages::Pages;
use super::{RUNS, WORTHS, run};
use secateur::cli::failure::Outcome;
use secateur_lab::studies::how_many;
use secateur_reports::render::markdown_table;
use secateur_stats::elo::Score;
use secateur_stats::group::groups_of;
use secateur_stats::inference::spread::Spread;
use secateur_stats::play::pair_counts;
use secateur_stats::worth::worths;
use std::path::Path;

/// Puts in the two tables.
pub(super) fn put(pages: &mut Pages) -> Outcome {
    let (mut spreads, mut scores): (Vec<Spread>, Vec<Score>) = Default::default();
    for name in WORTHS {
        let searches = run(&format!("{name}/searches"))?;
        for group in groups_of(&searches).iter().filter(|group| group.is_fixed_depth()) {
            spreads.extend(worths(group, &[]).iter().filter_map(|worth| Some(worth.nodes.as_ref()?.spread)));
        }
        let played = matches(&Path::new(RUNS).join(name))?;
        scores.extend(played.iter().filter_map(|played| pair_counts(&played.ended.rows).score()));
    }
    pages.put("positions", &markdown_table(&how_many::positions(&spreads)))?;
    pages.put("games", &markdown_table(&how_many::games(&scores)))
}
