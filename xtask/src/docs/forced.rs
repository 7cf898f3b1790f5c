//! The page on the game of forced captures: every method by stage, and what its moves lose.

use super::{document, of_sections, pooled, run, spliced};
use crate::failure::Failure;
use secateur_reports::{provenance, regret};
use secateur_stats::group::groups_of;

/// The document.
pub(super) const PAGE: &str = "docs/DRAUGHTS.md";
/// The run.
const RUN: &str = "forced";

/// The page with its generated parts.
pub(super) fn page() -> Result<String, Failure> {
    let runs = run(RUN)?;
    let groups = groups_of(&runs);
    let mut text = pooled(&runs, |group| group.is_fixed_depth());
    text += "\n";
    text += &of_sections(regret::section(&groups).as_slice());
    text += &of_sections(&[provenance::section(&runs)]);
    spliced(&document(PAGE)?, PAGE, RUN, &text)
}
