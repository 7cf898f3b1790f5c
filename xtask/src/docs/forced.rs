//! The page on the game of forced captures: every method by stage, and what its moves lose; the rules of its programs next to each
//! other; and how many endgame positions there are.

use super::{RUNS, at_depth, document, of_sections, run, spliced};
use secateur::cli::failure::Failure;
use secateur_record::store::read;
use secateur_reports::format::count;
use secateur_reports::provenance;
use secateur_reports::render::markdown_table;
use secateur_reports::table::Table;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The document.
pub(super) const PAGE: &str = "docs/DRAUGHTS.md";
/// The run.
const RUN: &str = "forced";
/// What draughts programs prune by, side by side, which an example prints.
const RULES: &str = "rules";
/// The part with the counts of the endgame database, which an example prints.
const ENDGAMES: &str = "endgames";

/// The page with its generated parts.
pub(super) fn page() -> Result<String, Failure> {
    let runs = run(RUN)?;
    let text = at_depth(&runs) + &of_sections(&[provenance::section(&runs)]);
    let page = spliced(&document(PAGE)?, PAGE, RUN, &text)?;
    let page = spliced(&page, PAGE, RULES, &markdown_table(&rules()?))?;
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

/// An arm on a set of positions, as the example printed it.
#[derive(Deserialize)]
struct Rule {
    positions: String,
    depth: u64,
    count: u64,
    methods: String,
    nodes: u64,
    saved: f64,
    same_moves: u64,
    regret: f64,
    thrown: u64,
}

/// What the rules of draughts programs save, change and throw away.
fn rules() -> Result<Table, Failure> {
    let mut table = Table::new(&[
        "<positions",
        "depth",
        "positions searched",
        "<methods",
        "nodes",
        secateur_stats::numbers::NODES_SAVED.name,
        "same move",
        "mean regret",
        "results thrown away",
    ]);
    for row in read::<Rule>(&printed(RULES))? {
        let [depth, searched, nodes] = [row.depth, row.count, row.nodes].map(count);
        let share = 100.0 * row.thrown as f64 / row.count.max(1) as f64;
        table.push(vec![
            row.positions,
            depth,
            searched,
            row.methods,
            nodes,
            format!("{:.2}", row.saved),
            format!("{} %", row.same_moves),
            format!("{:.2}", row.regret),
            format!("{} ({share:.0} %)", row.thrown),
        ]);
    }
    Ok(table)
}

/// What an example printed.
fn printed(name: &str) -> PathBuf {
    Path::new(RUNS).join("printed").join(name).with_extension("csv")
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
    for row in read::<Counted>(&printed(ENDGAMES))? {
        let Counted { pieces, positions, one_sided, won, drawn, lost, wrong } = row;
        table.push([pieces, positions, one_sided, won, drawn, lost, wrong].map(count).to_vec());
    }
    Ok(table)
}
