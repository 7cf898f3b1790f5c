//! Builds: which program on which computer made the rows of a run, and how the instructions of a program that is not ours were counted.
//!
//! A run may be resumed elsewhere and by another build, so every row names its build, and the manifest describes them. What may be
//! compared follows: exact columns always, times within one class of machines, instructions within one binary.
//!
//! A count of another program is of a process with everything in it that its author's machine, library and clock do next to the search,
//! so it varies. The first arm is counted twice, and what comes out is part of the record like the counts. Whoever runs asks for all
//! this; here is only its form.

use crate::record::{BudgetKind, Record};
use serde::{Deserialize, Serialize};

/// One program on one computer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Build {
    /// Hash of all the rest, 8 hex digits: the column `build`. Empty in runs of older versions, which name one.
    pub id: String,
    /// Hash of the program's file, 16 hex digits; empty if it is not known.
    pub binary: String,
    /// How the program was built.
    #[serde(alias = "build")]
    pub compiled: Compilation,
    /// From which sources.
    pub git: Git,
    /// The computer.
    pub machine: Machine,
}

impl Build {
    /// What times may be compared within: the processor, how many of its cores, and the system.
    pub fn machine_class(&self) -> String {
        format!("{}, {} cores, {}", self.machine.cpu, self.machine.cores, self.machine.system)
    }

    /// The program in words, for messages.
    pub fn program(&self) -> String {
        let sha = self.git.sha.get(..12).unwrap_or("no commit");
        let dirty = if self.git.dirty { " (modified)" } else { "" };
        let short = |text: &String| text.get(..8).unwrap_or("unknown").to_owned();
        format!("binary {} of {sha}{dirty}, sources {}", short(&self.binary), short(&self.compiled.source))
    }
}

/// How the tool was built, known since then.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Compilation {
    /// Version of the tool.
    pub version: String,
    /// `rustc -vV`, lines joined by `; `.
    pub rustc: String,
    /// Compiler flags from configuration and environment, as the build got them.
    pub rustflags: String,
    /// The last `target-cpu` among the flags; empty for the target's baseline.
    pub target_cpu: String,
    /// `release` or `debug`: only the first is worth measuring.
    pub profile: String,
    /// Level at which the search is optimised. Runs of November 2026 in schema 3 say that of another package, 0.
    pub opt_level: String,
    /// Hash of the sources that decide a search, 16 hex digits; empty in runs of older versions.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub source: String,
}

/// The sources that the binary was built from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Git {
    /// Commit; empty outside a repository.
    pub sha: String,
    /// Whether what decides a search was changed after it.
    pub dirty: bool,
}

/// The computer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Machine {
    /// Name of the processor; empty if it does not say.
    pub cpu: String,
    /// Logical cores that the process may use.
    pub cores: usize,
    /// Operating system and architecture.
    pub system: String,
    /// `valgrind --version`; empty if there is none.
    pub valgrind: String,
}

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
    pub fn differs(&self, other: &Counting) -> bool {
        let way = |counting: &Counting| {
            [&counting.tool, &counting.compiler, &counting.library, &counting.symbol].map(String::clone)
        };
        way(self) != way(other)
    }

    /// How far the counts of searches differ that were counted twice; `records` are those of the game.
    pub fn spread<'r>(&self, records: impl IntoIterator<Item = &'r Record>) -> Option<Spread> {
        let mut shares = Vec::new();
        for row in records.into_iter().filter(|row| row.repeat == 0) {
            let is_it = |count: &&Again| {
                (&*count.position, &*count.methods) == (&*row.position, &*row.methods)
                    && (count.budget_kind, count.budget) == (row.budget_kind, row.budget)
            };
            if let Some((first, second)) = row.instructions.zip(self.again.iter().find(is_it)) {
                let (one, two) = (first as f64, second.instructions as f64);
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
        let second_count = |position: &str, instructions| Again {
            position: position.to_owned(),
            methods: "full".to_owned(),
            budget_kind: BudgetKind::Depth,
            budget: 4,
            instructions,
        };
        let counting = Counting {
            again: vec![second_count("a", 99), second_count("b", 200), second_count("d", 5)],
            ..Counting::default()
        };
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
