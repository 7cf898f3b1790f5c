//! What a budget is called, in errors, notes and headings alike: `depth 8`, `2,000,000 nodes`, `50 ms a position`.
//!
//! A label stands for a group of records and no digit of it is dropped; results are put in words by those who print them.

pub use secateur_base::number::grouped as count;
use secateur_record::record::BudgetKind;

/// Nanoseconds of a time budget: `50 ms`, `1.5 s`.
#[must_use]
pub fn duration(ns: u64) -> String {
    if ns < 1_000_000_000 { format!("{} ms", ns as f64 / 1e6) } else { format!("{} s", ns as f64 / 1e9) }
}

/// A budget of the record: `depth 8`, `2,000,000 nodes`, `50 ms a position`.
#[must_use]
pub fn budget(kind: BudgetKind, amount: u64) -> String {
    match kind {
        BudgetKind::Depth => format!("depth {amount}"),
        BudgetKind::Nodes => format!("{} nodes", count(amount)),
        BudgetKind::Time => format!("{} a position", duration(amount)),
        BudgetKind::Level => format!("level {amount}"),
    }
}

/// A budget as one word, as measures and marks name it: `depth=8`, `nodes=2000000`, `time=50000000` (ns).
#[must_use]
pub fn budget_word(kind: BudgetKind, amount: u64) -> String {
    format!("{kind}={amount}")
}
