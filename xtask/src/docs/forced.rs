//! The page on the game of forced captures: every method by stage, and what its moves lose.

use super::{at_depth, document, of_sections, run, spliced};
use crate::failure::Failure;
use secateur_reports::provenance;

/// The document.
pub(super) const PAGE: &str = "docs/DRAUGHTS.md";
/// The run.
const RUN: &str = "forced";

/// The page with its generated parts.
pub(super) fn page() -> Result<String, Failure> {
    let runs = run(RUN)?;
    let text = at_depth(&runs) + &of_sections(&[provenance::section(&runs)]);
    spliced(&document(PAGE)?, PAGE, RUN, &text)
}
