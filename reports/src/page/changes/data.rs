//! Changed positions as a table for other programs: every one of them, the worst first, values in the unit of the record.

use super::Change;
use crate::figure::csv;
use secateur_record::record::Record;

const HEADER: [&str; 21] = [
    "game",
    "suite",
    "position",
    "stage",
    "budget_kind",
    "budget",
    "base_methods",
    "methods",
    "moved",
    "lost",
    "lost_sd",
    "base_move",
    "move",
    "base_score",
    "score",
    "base_regret",
    "regret",
    "base_nodes",
    "nodes",
    "base_pv",
    "pv",
];

/// Changes as CSV. `lost` is in what people read values in (discs, pawns), `lost_sd` in standard deviations of the baseline's values in
/// that game; scores and regrets are in the unit of the record.
#[must_use]
pub fn data(all: &[Change<'_>]) -> String {
    let text = |value: Option<i32>| value.map_or_else(String::new, |value| value.to_string());
    let nodes = |row: &Record| row.nodes.map_or_else(String::new, |nodes| nodes.to_string());
    let rows = all.iter().map(|change @ Change { base, row, moved, severity, .. }| {
        [
            row.game.to_string(),
            row.suite.to_string(),
            row.position.to_string(),
            row.stage.to_string(),
            row.budget_kind.to_string(),
            row.budget.to_string(),
            base.methods.to_string(),
            row.methods.to_string(),
            u8::from(*moved).to_string(),
            format!("{:.2}", change.lost()),
            format!("{severity:.3}"),
            base.best_move.to_string(),
            row.best_move.to_string(),
            text(base.score),
            text(row.score),
            text(base.regret),
            text(row.regret),
            nodes(base),
            nodes(row),
            base.pv.to_string(),
            row.pv.to_string(),
        ]
    });
    csv(HEADER, rows)
}

#[cfg(test)]
mod tests {
    #[test]
    fn its_columns_are_documented() {
        let table = secateur_stats::columns::of("report --changed").unwrap();
        assert_eq!(table.columns.iter().map(|column| &*column.name).collect::<Vec<_>>(), super::HEADER);
    }
}
