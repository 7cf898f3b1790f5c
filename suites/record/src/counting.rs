//! How the instructions of a program that is not ours were counted: by what, from where to where, and how far two counts of
//! the same differ.
//!
//! Such a count is of a process with everything in it that its author's machine, library and clock do next to the search, so it
//! wobbles. The first arm is counted twice, and what comes out is part of the record like the counts.

use crate::record::{BudgetKind, Record};
use serde::{Deserialize, Serialize};

/// How the arms of a game were counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Counting {
    /// Who counted: `valgrind --version`.
    pub tool: String,
    /// What the program was compiled with, in its own words or in those of its subject file; empty if neither says.
    pub compiler: String,
    /// The C library that the program runs with, whose code is counted too; empty if it is not known.
    pub library: String,
    /// The function that was counted; empty: from the line that begins a search to its answer.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub symbol: String,
    /// Searches of the first arm that were counted once more, by another process.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub again: Vec<Again>,
    /// Searches that could not be counted as they were recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub odd: Vec<Odd>,
}

/// A second count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Again {
    /// Id of the position.
    pub position: String,
    /// The arm.
    pub methods: String,
    /// What the budget is in.
    pub budget_kind: BudgetKind,
    /// Plies or nodes.
    pub budget: u64,
    /// Instructions.
    pub instructions: u64,
}

/// A search that could not be counted as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Odd {
    /// Id of the position.
    pub position: String,
    /// The arm.
    pub methods: String,
    /// What the budget is in.
    pub budget_kind: BudgetKind,
    /// Plies or nodes.
    pub budget: u64,
    /// As in the record; the second count has the number behind the last.
    pub repeat: u32,
    /// What was wrong, in words.
    pub why: String,
    /// Whether its count was entered nevertheless, because the subject file allows it.
    pub entered: bool,
}

/// How far two counts of one search differ, as a share of their mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Searches that were counted twice.
    pub pairs: usize,
    /// The median.
    pub median: f64,
    /// The largest.
    pub largest: f64,
}

impl Counting {
    /// Whether this is another way of counting than that one: their counts do not compare.
    #[must_use]
    pub fn differs(&self, other: &Counting) -> bool {
        let way = |of: &Counting| [&of.tool, &of.compiler, &of.library, &of.symbol].map(String::clone);
        way(self) != way(other)
    }

    /// How far the counts of searches differ that were counted twice; `records` are those of the game.
    #[must_use]
    pub fn spread<'r>(&self, records: impl IntoIterator<Item = &'r Record>) -> Option<Spread> {
        let mut shares = Vec::new();
        for row in records.into_iter().filter(|row| row.repeat == 0) {
            let is_it = |again: &&Again| {
                (&*again.position, &*again.methods) == (&*row.position, &*row.methods)
                    && (again.budget_kind, again.budget) == (row.budget_kind, row.budget)
            };
            if let Some((first, again)) = row.instructions.zip(self.again.iter().find(is_it)) {
                let (one, two) = (first as f64, again.instructions as f64);
                shares.push((one - two).abs() / ((one + two) / 2.0).max(1.0));
            }
        }
        shares.sort_by(f64::total_cmp);
        let (middle, largest) = (shares.len() / 2, *shares.last()?);
        let median =
            if shares.len() % 2 == 1 { shares[middle] } else { (shares[middle - 1] + shares[middle]) / 2.0 };
        Some(Spread { pairs: shares.len(), median, largest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_is_that_of_pairs() {
        let row = |position: &str, count: Option<u64>, repeat| Record {
            position: position.into(),
            methods: "full".into(),
            budget_kind: BudgetKind::Depth,
            budget: 4,
            instructions: count,
            repeat,
            ..Record::default()
        };
        let again = |position: &str, instructions| Again {
            position: position.to_owned(),
            methods: "full".to_owned(),
            budget_kind: BudgetKind::Depth,
            budget: 4,
            instructions,
        };
        let counting =
            Counting { again: vec![again("a", 99), again("b", 200), again("d", 5)], ..Counting::default() };
        let rows = [
            row("a", Some(101), 0),
            row("a", Some(500), 1),
            row("b", Some(200), 0),
            row("c", Some(7), 0),
            row("d", None, 0),
        ];
        let spread = counting.spread(&rows).unwrap();
        assert_eq!((spread.pairs, spread.median, spread.largest), (2, 0.01, 0.02));
        assert_eq!(counting.spread(&rows[1..2]), None);
        let other = Counting { symbol: "search".to_owned(), ..counting.clone() };
        assert!(
            counting.differs(&other)
                && !counting.differs(&Counting { again: Vec::new(), ..counting.clone() })
        );
    }
}
