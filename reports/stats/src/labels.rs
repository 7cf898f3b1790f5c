//! How arms and budgets are called: the text of a column `methods`, names joined by `+`, each perhaps with changes in brackets; and budgets
//! in errors, notes and headings alike, `depth 8`, `2,000,000 nodes`, `50 ms a position`.
//!
//! Reports take the text of methods as it stands. Only what counts methods one by one looks inside. A label of a budget stands for a group
//! of records and no digit of it is dropped; results are put in words by those who print them.

use secateur_record::arm::split;
use secateur_record::record::BudgetKind;

pub use secateur_base::number::grouped as count;
pub use secateur_record::arm::name;

/// The members of a method set as they are written; none of `none`. A `+` inside brackets does not divide.
pub fn members(methods: &str) -> Vec<&str> {
    if methods == secateur_record::manifest::BASELINE {
        return Vec::new();
    }
    split(methods, '+')
}

/// The one method that `arm` lacks of all that `set` has: `full[-lmr]` of `full`, or the set less one member.
pub fn left_out<'a>(set: &'a str, arm: &'a str) -> Option<&'a str> {
    if let Some(left) = arm.strip_prefix(set).and_then(|rest| rest.strip_prefix("[-")) {
        return left.strip_suffix(']').filter(|left| !left.contains([',', '=']));
    }
    let (set, remaining) = (members(set), members(arm));
    let missing: Vec<&str> = set.iter().filter(|member| !remaining.contains(member)).copied().collect();
    (set.len() > 1 && missing.len() == 1 && remaining.len() + 1 == set.len()).then(|| missing[0])
}

/// Nanoseconds of a time budget: `50 ms`, `1.5 s`.
pub fn duration(ns: u64) -> String {
    if ns < 1_000_000_000 { format!("{} ms", ns as f64 / 1e6) } else { format!("{} s", ns as f64 / 1e9) }
}

/// A budget of the record: `depth 8`, `2,000,000 nodes`, `50 ms a position`.
pub fn budget(kind: BudgetKind, amount: u64) -> String {
    match kind {
        BudgetKind::Depth => format!("depth {amount}"),
        BudgetKind::Nodes => format!("{} nodes", count(amount)),
        BudgetKind::Time => format!("{} a position", duration(amount)),
        BudgetKind::Level => format!("level {amount}"),
    }
}

/// A budget as one word, as measures and marks name it: `depth=8`, `nodes=2000000`, `time=50000000` (ns).
pub fn budget_word(kind: BudgetKind, amount: u64) -> String {
    format!("{kind}={amount}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_method_is_left_out_of_a_set_or_of_a_program() {
        assert_eq!(left_out("a+b+c", "a+c"), Some("b"));
        assert_eq!(left_out("full", "full[-lmr]"), Some("lmr"));
        assert_eq!(left_out("modern", "modern[-lmp]"), Some("lmp"));
        for other in ["full[-lmr,-see]", "full[Margin=2]", "full", "none"] {
            assert_eq!(left_out("full", other), None, "{other}");
        }
        assert_eq!([left_out("a+b", "a+c"), left_out("a", "a+b"), left_out("a+b+c", "a")], [None; 3]);
    }

    #[test]
    fn brackets_hold_together() {
        assert_eq!(members("null-move[r=3+1]+mpc"), ["null-move[r=3+1]", "mpc"]);
        assert_eq!(members("a+b+c"), ["a", "b", "c"]);
        assert!(members("none").is_empty());
        assert_eq!(members("a]+b"), ["a]", "b"], "what is no arm at least does not panic");
        assert_eq!([name("null-move[verified]"), name("mpc")], ["null-move", "mpc"]);
    }
}
