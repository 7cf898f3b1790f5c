//! The page on the methods of today: each alone, in pairs, crossed, and the set without each of its members, by nodes, moves and
//! games.

use super::folder::entries;
use super::{RUNS, at_budget, at_depth, document, of_sections, run, spliced, together};
use crate::failure::Failure;
use secateur_arena::play::Ended;
use secateur_reports::play::within;
use secateur_reports::provenance;
use secateur_reports::render::markdown_table;
use secateur_reports::table::Table;
use secateur_stats::group::groups_of;
use secateur_stats::play::{game_counts, pair_counts};
use std::path::Path;

/// The document.
pub(super) const MODERN: &str = "docs/MODERN.md";
/// The run with each alone and the set without each, and the one with every combination of eight.
const RUN: &str = "modern";
const CROSSED: &str = "factorial-modern";
/// The matches of the set against itself without a member, a folder each, named by the member.
const LEFT_OUT: &str = "play-modern";
/// Matches of the set against something else.
const AGAINST: &str = "play-modern-against";

/// The page with its generated parts.
pub(super) fn page() -> Result<String, Failure> {
    let runs = run(RUN)?;
    let mut text = at_depth(&runs);
    text += &at_budget(&runs);
    text += &of_sections(&[provenance::section(&runs)]);
    let mut page = spliced(&document(MODERN)?, MODERN, RUN, &text)?;
    let crossed = run(CROSSED)?;
    let crossed_groups = groups_of(&crossed);
    let text = together(&crossed_groups) + &of_sections(&[provenance::section(&crossed)]);
    page = spliced(&page, MODERN, CROSSED, &text)?;
    for (folder, subject) in [(LEFT_OUT, "<without"), (AGAINST, "<against")] {
        page = spliced(&page, MODERN, folder, &markdown_table(&matches(folder, subject)?))?;
    }
    Ok(page)
}

/// A row a match: its first player is the whole set.
fn matches(folder: &str, subject: &str) -> Result<Table, Failure> {
    let mut table = Table::new(&[subject, "limit", "won-drawn-lost", "Elo of `modern`"]);
    for (name, path) in entries(&Path::new(RUNS).join(folder))? {
        let Ended { file, rows, .. } = Ended::read(&path)?;
        let [lost, drawn, won] = game_counts(&rows);
        let elo = pair_counts(&rows).score().map_or_else(String::new, |score| within(&score.elo()));
        let limit = file.settings.limit.to_string();
        table.push(vec![name, limit, format!("{won}-{drawn}-{lost}"), elo]);
    }
    Ok(table)
}
