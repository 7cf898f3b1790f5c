//! Which layer of tests catches the mutants of each file of the methods: the table of `docs/runs/printed/mutants.csv`.

use super::printed::rows;
use secateur::cli::failure::Failure;
use secateur_reports::format::count;
use secateur_reports::render::markdown_table;
use secateur_reports::table::Table;
use serde::Deserialize;
use std::path::Path;

/// One file of `core/src/prune`.
#[derive(Default, Deserialize)]
struct Row {
    file: String,
    /// Mutants that compile and were tried.
    tried: u64,
    /// Caught by each layer in turn; a mutant counts where it is caught first.
    unit: u64,
    checks: u64,
    trees: u64,
    identities: u64,
    /// Caught by none, and no search can tell it from the original.
    equivalent: u64,
    /// Caught by none otherwise.
    missed: u64,
}

/// The table, a file of the methods a row, and all together in the last.
pub(super) fn table(folder: &Path) -> Result<String, Failure> {
    let rows: Vec<Row> = rows(folder, "mutants")?;
    let mut table = Table::new(&[
        "<file",
        "mutants",
        "unit tests",
        "checks",
        "trees",
        "identities",
        "equivalent",
        "missed",
    ]);
    let mut all = Row { file: "all".to_owned(), ..Row::default() };
    for row in &rows {
        let caught = row.unit + row.checks + row.trees + row.identities;
        if caught + row.equivalent + row.missed != row.tried {
            return Err(Failure::input(format!("mutants.csv: the counts of {} do not add up", row.file)));
        }
        table.push(cells(row));
        all.tried += row.tried;
        all.unit += row.unit;
        all.checks += row.checks;
        all.trees += row.trees;
        all.identities += row.identities;
        all.equivalent += row.equivalent;
        all.missed += row.missed;
    }
    table.push(cells(&all));
    Ok(markdown_table(&table))
}

fn cells(row: &Row) -> Vec<String> {
    let numbers =
        [row.tried, row.unit, row.checks, row.trees, row.identities, row.equivalent, row.missed].map(count);
    std::iter::once(row.file.clone()).chain(numbers).collect()
}
