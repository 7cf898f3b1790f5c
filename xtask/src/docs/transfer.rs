//! The page on which pruning transfers from game to game, and its picture: the same methods in all games, from one run.

use super::{of_sections, run};
use secateur::cli::evidence::left_out;
use secateur::cli::failure::Failure;
use secateur_reports::{provenance, transfer};
use secateur_stats::group::{Group, groups_of};
use std::path::PathBuf;

/// The run, and the part of the page.
pub(super) const RUN: &str = "transfer";

/// The generated part, and the picture as a file.
pub(super) fn part() -> Result<(String, (PathBuf, String)), Failure> {
    let runs = run(RUN)?;
    let groups: Vec<Group<'_>> = groups_of(&runs).into_iter().filter(Group::is_fixed_depth).collect();
    let section = transfer::section(&groups).ok_or_else(|| {
        Failure::input(format!("{RUN}: expected two games at least, each to a fixed depth"))
    })?;
    let text = left_out(&runs) + &of_sections(&[section, provenance::section(&runs)]);
    Ok((text, ("docs/transfer.svg".into(), secateur_reports::page::transfer::picture(&groups))))
}
