//! The page on the game of forced captures: every method by stage, and what its moves lose; the rules of its programs beside each
//! other; and how many endgame positions there are.

use super::{RUNS, at_depth, document, of_sections, run, spliced};
use crate::failure::Failure;
use secateur_record::store::read;
use secateur_reports::format::count;
use secateur_reports::provenance;
use secateur_reports::render::markdown_table;
use secateur_reports::table::Table;
use serde::Deserialize;
use std::path::Path;

/// The document.
pub(super) const PAGE: &str = "docs/DRAUGHTS.md";
/// The run.
const RUN: &str = "forced";
/// The run of what draughts programs prune by.
const RULES: &str = "rules";
/// The part with the counts of the endgame database, which an example prints.
const ENDGAMES: &str = "endgames";

/// The page with its generated parts.
pub(super) fn page() -> Result<String, Failure> {
    let runs = run(RUN)?;
    let text = at_depth(&runs) + &of_sections(&[provenance::section(&runs)]);
    let page = spliced(&document(PAGE)?, PAGE, RUN, &text)?;
    let rules = run(RULES)?;
    let text = at_depth(&rules) + &of_sections(&[provenance::section(&rules)]);
    let page = spliced(&page, PAGE, RULES, &text)?;
    spliced(&page, PAGE, ENDGAMES, &markdown_table(&counted()?))
}

/// Endgame positions of one number of pieces, as the example printed them.
#[derive(Deserialize)]
struct Counted {
    pieces: u64,
    positions: u64,
    one_sided: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    wrong: u64,
}

/// How many positions there are, and what they are worth to the side to move.
fn counted() -> Result<Table, Failure> {
    let mut table = Table::new(&[
        "pieces",
        "positions (Chinook's count)",
        "of one side alone",
        "won",
        "drawn",
        "lost",
        "not the best over their moves",
    ]);
    for row in read::<Counted>(&Path::new(RUNS).join("printed").join("endgames.csv"))? {
        let Counted { pieces, positions, one_sided, won, drawn, lost, wrong } = row;
        table.push([pieces, positions, one_sided, won, drawn, lost, wrong].map(count).to_vec());
    }
    Ok(table)
}
