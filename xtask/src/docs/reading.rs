//! What commands print of committed runs, for the page that explains how to read it.

use super::pages::Pages;
use super::{front, of_report, run};
use secateur::cli::failure::{Failure, Outcome};
use secateur_reports::compare::conclude;
use secateur_reports::page::brief::{self, Found};
use secateur_stats::compare::{Side, side_by_side};
use secateur_stats::group::groups_of;
use secateur_stats::runs::Runs;

/// The run whose page of worth is explained.
const WORTH: &str = "worth-toga2/searches";
/// Columns of the terminal.
const WIDTH: u16 = 130;
/// The method sets of the quick run that are compared.
const COMPARED: [&str; 2] = ["null-move", "null-move+mpc"];

/// Puts in what `worth`, `bench` and `compare` print.
pub(super) fn put(pages: &mut Pages, quick: &Runs) -> Outcome {
    let searches = run(WORTH)?;
    let groups = groups_of(quick);
    let findings = Found::of(quick);
    let block = groups.iter().find(|group| front(group)).map(|group| brief::block(group, &findings, WIDTH));
    let missing = || Failure::input("quick: found no block of the README");
    let sides = COMPARED.map(|methods| Side { name: "quick", runs: quick, methods: Some(methods) });
    let [first, second] = sides;
    let compared = conclude(&side_by_side(first, second, false)?).report;
    pages.put("worth", &fenced(&brief::of_worth(&searches, &[], WIDTH).unwrap_or_default()))?;
    pages.put("bench", &fenced(&block.ok_or_else(missing)?))?;
    pages.put("compare", &of_report(&compared))
}

/// A text as a terminal shows it.
fn fenced(text: &str) -> String {
    format!("```text\n{}\n```", text.trim_matches('\n'))
}
