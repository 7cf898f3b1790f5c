//! Whether a search settled its position, so that its depth says nothing of its budget.

use secateur_base::MAX_DEPTH;
use secateur_record::games::Traits;
use secateur_record::record::{BudgetKind, Record};

/// Whether a search of this game settled its position: its value is proven, it ended although budget was left, or it came to
/// the deepest iteration there is.
#[must_use]
pub fn is_settled(game: &Traits, row: &Record) -> bool {
    let spent = match row.budget_kind {
        BudgetKind::Depth => u64::from(row.depth),
        BudgetKind::Nodes => row.nodes,
        BudgetKind::Time => row.time_ns,
    };
    game.is_proven(row.score) || spent < row.budget || row.depth >= MAX_DEPTH as u32
}
