//! What part of a larger run a run is: a shard, or what was merged of some.
//!
//! The atom is the unit, all arms of one position under one budget. Units are numbered in the order of the whole matrix, so
//! that parts can be put together without making the plan again, and without knowing a game. Left out: which units a
//! shard takes, which `secateur-suites` decides.

use secateur_base::number::either;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};
use std::str::FromStr;

/// The section `[part]` of `run.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Part {
    /// Which shard it is, `3/20`; empty of what was merged.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub shard: String,
    /// Hash of the cells of the whole run: [`crate::record::cells_hash`].
    pub whole: String,
    /// Units of the whole run.
    pub units: u32,
    /// Cells of the whole run.
    pub cells: u64,
    /// The units that are here.
    #[serde(with = "as_text")]
    pub take: Take,
    /// The shards that were merged, each once, by their numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shards: Vec<String>,
    /// Units of which several copies were merged, which agreed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub double: Vec<Double>,
}

/// A unit that was searched more than once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Double {
    /// Its number.
    pub unit: u32,
    /// Its copies, each once and in their order, as `BUILD:HASH` of the rows; the first by hash was kept.
    pub copies: Vec<String>,
}

impl Part {
    /// The shards that are in it, each as how many there are and its number.
    pub fn held(&self) -> impl Iterator<Item = (u32, u32)> {
        let all = self.shards.iter().chain([&self.shard]).filter_map(|text| numbers(text));
        all.map(|(number, count)| (count, number))
    }

    /// Units that are not here.
    pub fn missing(&self) -> u32 {
        self.units - (self.take.numbers().len() as u32).min(self.units)
    }

    /// The shards that were not merged, where those that were are all of one division.
    pub fn absent(&self) -> Vec<String> {
        let merged: Vec<(u32, u32)> = self.shards.iter().filter_map(|text| numbers(text)).collect();
        let Some(&(_, count)) = merged.first() else { return Vec::new() };
        if merged.iter().any(|(_, other)| *other != count) {
            return Vec::new();
        }
        let absent = (1..=count).filter(|number| !merged.contains(&(*number, count)));
        absent.map(|number| format!("{number}/{count}")).collect()
    }

    /// What is not here, in words for a report; `None` where everything is.
    pub fn lacks(&self) -> Option<String> {
        const NAMED: usize = 12;
        let missing = self.missing();
        if missing == 0 {
            return None;
        }
        let there = self.units - missing;
        let verb = either(there as usize, "is", "are");
        let units = either(self.units as usize, "unit", "units");
        let mut sentence =
            format!("{there} of {} {units} {verb} there, each with all of its cells", self.units);
        let absent = self.absent();
        if !absent.is_empty() {
            let more = if absent.len() > NAMED { ", ..." } else { "" };
            let named = absent[..absent.len().min(NAMED)].join(", ");
            let are = either(absent.len(), "shard is", "shards are");
            let _ = write!(sentence, "; {} {are} missing: {named}{more}", absent.len());
        }
        Some(sentence)
    }
}

/// The two numbers of `3/20`: the first at least 1 and at most the second.
pub fn numbers(text: &str) -> Option<(u32, u32)> {
    let (number, count) = text.split_once('/')?;
    let (number, count) = (number.parse().ok()?, count.parse().ok()?);
    (1 <= number && number <= count).then_some((number, count))
}

/// Numbers of units, each once and in their order; as text `0-5,9`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Take(Vec<u32>);

impl Take {
    /// These numbers, in any order.
    pub fn of(mut numbers: Vec<u32>) -> Take {
        numbers.sort_unstable();
        numbers.dedup();
        Take(numbers)
    }

    /// The numbers in their order.
    pub fn numbers(&self) -> &[u32] {
        &self.0
    }
}

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranges = self.0.chunk_by(|one, two| one + 1 == *two);
        for (at, range) in ranges.enumerate() {
            let comma = if at == 0 { "" } else { "," };
            match range {
                [one] => write!(f, "{comma}{one}")?,
                _ => write!(f, "{comma}{}-{}", range[0], range[range.len() - 1])?,
            }
        }
        Ok(())
    }
}

/// More units than any run has: a damaged text must not fill the memory.
const MOST: u32 = 1 << 28;

impl FromStr for Take {
    type Err = String;

    fn from_str(text: &str) -> Result<Take, String> {
        let mut all: Vec<u32> = Vec::new();
        for range in text.split(',').filter(|range| !range.is_empty()) {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let number = |text: &str| text.parse().ok().filter(|number| *number < MOST);
            match (number(first), number(last)) {
                (Some(first), Some(last))
                    if first <= last && all.last().is_none_or(|before| *before < first) =>
                {
                    all.extend(first..=last);
                }
                _ => {
                    return Err(format!(
                        "found `{range}`, expected rising numbers of units and ranges of them: 0-5,9"
                    ));
                }
            }
        }
        Ok(Take(all))
    }
}

/// Fields that are written as they print.
pub(crate) mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use std::{fmt::Display, str::FromStr};

    pub(crate) fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(crate) fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
    where
        T: FromStr<Err = String>,
        D: Deserializer<'de>,
    {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_were_written() {
        for (numbers, text) in [
            (vec![], ""),
            (vec![7], "7"),
            (vec![5, 0, 1, 2, 9, 1], "0-2,5,9"),
            ((0..1000).collect(), "0-999"),
        ] {
            let take = Take::of(numbers);
            assert_eq!(take.to_string(), text);
            assert_eq!(text.parse::<Take>().unwrap(), take);
        }
        for text in ["1-", "x", "3-2", "1,1", "2,1", "1-3,2", "-1", "4294967295"] {
            assert!(text.parse::<Take>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_part_says_what_it_lacks() {
        let shards = ["1/4", "3/4"].map(str::to_owned).to_vec();
        let part = Part { units: 10, take: "0-5".parse().unwrap(), shards, ..Part::default() };
        assert_eq!((part.missing(), part.absent()), (4, vec!["2/4".to_owned(), "4/4".to_owned()]));
        let sentence = part.lacks().unwrap();
        assert!(sentence.contains("6 of 10 units") && sentence.contains("2/4, 4/4"), "{sentence}");
        let whole = Part { take: "0-9".parse().unwrap(), ..part };
        assert_eq!(whole.lacks(), None);
        assert_eq!(["0/4", "5/4", "1", "a/b", "2/2"].map(numbers), [None, None, None, None, Some((2, 2))]);
    }
}
