//! The page on which pruning transfers from game to game, and its picture: the same methods in all games, from one run.

use super::pages::Pages;
use super::{File, made, of_sections, run};
use secateur::cli::evidence::left_out;
use secateur::cli::failure::Failure;
use secateur_lab::studies::transfer;
use secateur_stats::group::{Group, groups_of};

/// The run, and the part of the page.
const RUN: &str = "transfer";

/// Puts in the part, and gives the picture as a file.
pub(super) fn put(pages: &mut Pages) -> Result<File, Failure> {
    let runs = run(RUN)?;
    let groups: Vec<Group<'_>> = groups_of(&runs).into_iter().filter(Group::is_fixed_depth).collect();
    let section = transfer::section(&groups).ok_or_else(|| {
        Failure::input(format!("{RUN}: expected two games at least, each to a fixed depth"))
    })?;
    pages.put(RUN, &(left_out(&runs) + &of_sections(&[section]) + &made(&runs)))?;
    Ok(("docs/transfer.svg".into(), transfer::picture(&groups)))
}
