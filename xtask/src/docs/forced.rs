//! The page on the game of forced captures: every method by stage, and what its moves lose; the rules of its programs next to each
//! other; and how many endgame positions there are.

use super::printed::{self, ENDGAMES, RULES};
use super::{at_depth, document, of_sections, run, spliced};
use secateur::cli::failure::Failure;
use secateur_reports::provenance;

/// The document.
pub(super) const PAGE: &str = "docs/DRAUGHTS.md";
/// The run.
const RUN: &str = "forced";

/// The page with its generated parts.
pub(super) fn page() -> Result<String, Failure> {
    let runs = run(RUN)?;
    let text = at_depth(&runs) + &of_sections(&[provenance::section(&runs)]);
    let page = spliced(&document(PAGE)?, PAGE, RUN, &text)?;
    let page = spliced(&page, PAGE, "rules", &printed::table("rules", &RULES)?)?;
    spliced(&page, PAGE, "endgames", &printed::table("endgames", &ENDGAMES)?)
}
