//! The columns that hold one of a few words: as types, written and read as the very words of the record.
//!
//! A word that none of them has is an error of its row, whose reader names the column.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Deref;

/// A type with a word for each value.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $value:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$doc])* $value,)+
        }

        impl $name {
            /// All values.
            pub const ALL: &[$name] = &[$($name::$value),+];

            /// The word in the record.
            pub fn name(self) -> &'static str {
                match self {
                    $($name::$value => $word,)+
                }
            }
        }

        impl TryFrom<&str> for $name {
            type Error = String;

            fn try_from(text: &str) -> Result<$name, String> {
                match text {
                    $($word => Ok($name::$value),)+
                    _ => Err($crate::columns::unknown(text, &[$($word),+])),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

pub(crate) use words;

pub(crate) fn unknown(found: &str, words: &[&str]) -> String {
    let expected: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    format!("found `{found}`, expected {}", expected.join(", "))
}

words! {
    /// What a search may spend, and what the column `budget` counts.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    BudgetKind {
        /// Plies.
        #[default]
        Depth = "depth",
        /// Nodes.
        Nodes = "nodes",
        /// Nanoseconds of thread CPU time (of wall time in a run of programs side by side).
        Time = "time",
        /// A level that a program was started at, as it numbers them.
        Level = "level",
    }
}

/// Nodes between two looks of a program at its counter: most look every 1,024 to 4,096.
const NODES_STEP: u64 = 4_096;
/// Time between two looks at a clock and the end of a search, nanoseconds, on a busy computer too.
const TIME_STEP: u64 = 200_000_000;

impl BudgetKind {
    /// Whether a search that spent so much keeps to its budget. A program looks at its counter or clock only now and then, and then
    /// ends what it is at, so twice the budget and what may pass between two looks is allowed. What a depth or a level costs is
    /// for the program to say.
    pub fn allows(self, budget: u64, spent: u64) -> bool {
        let step = match self {
            BudgetKind::Nodes => NODES_STEP,
            BudgetKind::Time => TIME_STEP,
            BudgetKind::Depth | BudgetKind::Level => return true,
        };
        spent <= budget.saturating_mul(2).saturating_add(step)
    }
}

words! {
    /// What a value says about the true one.
    Bound {
        /// It is it.
        #[default]
        Exact = "exact",
        /// It is not above it.
        Lower = "lower",
        /// It is not below it.
        Upper = "upper",
    }
}

words! {
    /// What a replay of a principal variation found.
    Sanity {
        /// Not asked: the row has no result.
        #[default]
        Unasked = "",
        /// As long as the search was deep.
        Ok = "ok",
        /// Shorter, because the game ends.
        Terminal = "ok:terminal",
        /// Shorter, because a rule of the game ends it.
        Repetition = "ok:repetition",
        /// Shorter, because chance decides what comes next.
        Chance = "ok:chance",
        /// Shorter by no more than the host may shorten.
        Shortened = "ok:shortened",
        /// It ends where a method may cut an open window.
        Pruned = "ok:pruned",
        /// A move that does not exist.
        Illegal = "illegal",
        /// Shorter for no reason.
        Short = "short",
        /// Beyond the horizon or the end of the game.
        Long = "long",
        /// Another value at its end than the root is said to be worth.
        Leaf = "leaf",
    }
}

impl Sanity {
    /// Whether the line can be true.
    pub fn is_sane(self) -> bool {
        use Sanity::{Chance, Ok, Pruned, Repetition, Shortened, Terminal};
        matches!(self, Ok | Terminal | Repetition | Chance | Shortened | Pruned)
    }
}

/// A text of a row in one word of memory, none of it where the text is empty: of most rows in memory it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(Option<Box<Box<str>>>);

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        self.0.as_deref().map_or("", |text| text)
    }
}

impl<T: AsRef<str>> From<T> for Text {
    fn from(text: T) -> Text {
        let text = text.as_ref();
        Text((!text.is_empty()).then(|| Box::new(text.into())))
    }
}

/// Why a row has no result, in one line and never without a word.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Failure(Box<Box<str>>);

impl Failure {
    /// A failure for this reason, brought to one line: rows are lines.
    pub fn new(reason: &str) -> Failure {
        let line = reason.split_whitespace().collect::<Vec<_>>().join(" ");
        Failure::from(if line.is_empty() { "unknown" } else { &line })
    }

    /// The reason.
    pub fn reason(&self) -> &str {
        &self.0
    }
}

/// As it stands in a column.
impl From<&str> for Failure {
    fn from(text: &str) -> Failure {
        Failure(Box::new(text.into()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Record;
    use crate::rows::{header_of, row_of, text_of};

    /// The row of a line.
    fn read(line: &str) -> Result<Record, String> {
        let mut fields = csv::ByteRecord::new();
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
        assert!(reader.read_byte_record(&mut fields).unwrap());
        row_of(&fields)
    }

    fn line(row: &Record) -> String {
        String::from_utf8(text_of([row])).unwrap()
    }

    /// The line of a line, after and before it is read.
    fn read_back(text: &str) -> Result<String, String> {
        read(text).map(|row| line(&row))
    }

    #[test]
    fn every_word_is_written_as_it_was_read_and_no_other_is_read() {
        let (head, row) = (header_of::<Record>(), line(&Record::default()));
        let columns: Vec<&str> = head.trim_end().split(',').collect();
        let with = |column: &str, word: &str| {
            let mut fields: Vec<&str> = row.trim_end().split(',').collect();
            fields[columns.iter().position(|name| *name == column).unwrap()] = word;
            format!("{}\n", fields.join(","))
        };
        for (column, words) in [
            ("budget_kind", &["depth", "nodes", "time", "level"][..]),
            ("bound", &["", "exact", "lower", "upper"]),
            ("move_tied", &["", "0", "1"]),
            ("error", &["", "panic: no message", "ok"]),
            (
                "pv_ok",
                &[
                    "",
                    "ok",
                    "ok:terminal",
                    "ok:repetition",
                    "ok:chance",
                    "ok:shortened",
                    "ok:pruned",
                    "illegal",
                    "short",
                    "long",
                    "leaf",
                ],
            ),
        ] {
            for word in words {
                let text = with(column, word);
                assert_eq!(read_back(&text), Ok(text.clone()), "{column} {word}");
            }
            if column != "error" {
                for word in ["Depth", "okay", "2", "true", "01", " "] {
                    let error = read_back(&with(column, word)).unwrap_err();
                    assert!(
                        error.contains(&format!("column `{column}`: found `{word}`, expected")),
                        "{error}"
                    );
                }
            }
        }
    }

    /// Empty is not 0: a row of before, whose 0 was written, has another seal than one that says nothing.
    #[test]
    fn what_is_not_told_is_an_empty_column_and_stays_one() {
        let some = Record { depth: Some(0), nodes: Some(0), score: Some(0), ..Record::default() };
        for row in [Record::default(), some] {
            let text = line(&row);
            assert_eq!((read_back(&text), read(&text)), (Ok(text.clone()), Ok(row)));
        }
        let none = Record::default();
        assert!(none.nodes().is_nan() && none.some_nodes().is_nan() && none.depth().is_nan());
        assert!(none.value_distance(&none).is_nan());
    }

    #[test]
    fn a_budget_allows_what_passes_between_two_looks_and_no_more() {
        for (kind, budget, most) in [
            (BudgetKind::Nodes, 500, 5_096),
            (BudgetKind::Nodes, 1_000_000, 2_004_096),
            (BudgetKind::Time, 50_000_000, 300_000_000),
        ] {
            assert!(kind.allows(budget, most) && !kind.allows(budget, most + 1), "{kind} {budget}");
        }
        assert!(BudgetKind::Depth.allows(3, u64::MAX) && BudgetKind::Level.allows(3, u64::MAX));
        assert!(BudgetKind::Nodes.allows(u64::MAX, u64::MAX));
    }

    #[test]
    fn a_failure_is_one_line_and_has_a_word() {
        assert_eq!(Failure::new("it said\n  so ").reason(), "it said so");
        assert_eq!(Failure::new(" \n").reason(), "unknown");
    }

    /// Words beginning with `ok` are those of sane lines, as the page of the record says.
    #[test]
    fn sane_lines_say_ok() {
        assert!(Sanity::ALL.iter().all(|one| one.is_sane() == one.name().starts_with("ok")));
    }
}
