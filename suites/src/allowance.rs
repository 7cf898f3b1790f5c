//! What one search may spend, as suites and records write it.

use secateur_core::search::{Budget, MAX_DEPTH};
use secateur_engines::Go;
use secateur_record::record::BudgetKind;
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Highest level of any known program, and some more.
const HIGHEST: u32 = 1000;

/// A budget in base units, in the kinds of the record. Suite files write it `{ depth = 8 }`, `{ nodes = 100000 }`, `{ time = "100ms" }`,
/// `{ level = 3 }`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Allowance {
    /// Plies, 1 to [`MAX_DEPTH`].
    Depth(u32),
    /// Nodes, at least 1.
    Nodes(u64),
    /// Nanoseconds of thread CPU time, at least 1.
    Time(#[serde(serialize_with = "with_unit")] u64),
    /// A level of another program, as it numbers them: for programs that know levels and neither plies nor nodes.
    Level(u32),
}

impl Allowance {
    /// What another program is asked for it.
    pub fn go(self) -> Go {
        match self {
            Allowance::Depth(plies) => Go::Depth(plies),
            Allowance::Nodes(nodes) => Go::Nodes(nodes),
            Allowance::Time(nanos) => Go::MoveTime(Duration::from_nanos(nanos)),
            Allowance::Level(_) => Go::Own,
        }
    }

    /// A depth in its range.
    ///
    /// # Errors
    /// What was found and expected.
    pub fn depth(plies: i64) -> Result<Allowance, String> {
        match u32::try_from(plies) {
            Ok(depth) if (1..=MAX_DEPTH as u32).contains(&depth) => Ok(Allowance::Depth(depth)),
            _ => Err(format!("found depth {plies}, expected 1 to {MAX_DEPTH} plies")),
        }
    }

    /// A node budget in its range.
    ///
    /// # Errors
    /// What was found and expected.
    pub fn nodes(nodes: i64) -> Result<Allowance, String> {
        match u64::try_from(nodes) {
            Ok(nodes) if nodes > 0 => Ok(Allowance::Nodes(nodes)),
            _ => Err(format!("found {nodes} nodes, expected at least 1")),
        }
    }

    /// A level in its range.
    ///
    /// # Errors
    /// What was found and expected.
    pub fn level(level: i64) -> Result<Allowance, String> {
        match u32::try_from(level) {
            Ok(level) if level <= HIGHEST => Ok(Allowance::Level(level)),
            _ => Err(format!("found level {level}, expected 0 to {HIGHEST}")),
        }
    }

    /// A time with its unit: `500ms`, `2s`, `1.5s`, `250us`.
    ///
    /// # Errors
    /// What was found and expected.
    pub fn time(text: &str) -> Result<Allowance, String> {
        let fail = || {
            format!(
                "found time `{text}`, expected a number with us, ms, s or min, above 0 and at most 11 days: `500ms`, `1.5s`"
            )
        };
        let split = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(fail)?;
        let (number, unit) = text.split_at(split);
        let scale = match unit {
            "us" => 1e3,
            "ms" => 1e6,
            "s" => 1e9,
            "min" => 60e9,
            _ => return Err(fail()),
        };
        let number = f64::from_str(number.trim()).map_err(|_| fail())?;
        let nanos = (number * scale).round();
        if (1.0..=1e15).contains(&nanos) { Ok(Allowance::Time(nanos as u64)) } else { Err(fail()) }
    }

    /// What it counts.
    pub fn kind(self) -> BudgetKind {
        match self {
            Allowance::Depth(_) => BudgetKind::Depth,
            Allowance::Nodes(_) => BudgetKind::Nodes,
            Allowance::Time(_) => BudgetKind::Time,
            Allowance::Level(_) => BudgetKind::Level,
        }
    }

    /// The number of the record: plies, nodes, nanoseconds or the level.
    pub fn amount(self) -> u64 {
        match self {
            Allowance::Depth(number) | Allowance::Level(number) => u64::from(number),
            Allowance::Nodes(amount) | Allowance::Time(amount) => amount,
        }
    }

    /// What the search host takes; time is counted on `clock`. `None` of a level, which it has not: a plan refuses one for it.
    pub fn budget(self, clock: fn() -> Duration) -> Option<Budget> {
        Some(match self {
            Allowance::Depth(plies) => Budget::Depth(plies as i32),
            Allowance::Nodes(nodes) => Budget::Nodes(nodes),
            Allowance::Time(nanos) => Budget::Time { limit: Duration::from_nanos(nanos), clock },
            Allowance::Level(_) => return None,
        })
    }
}

impl fmt::Display for Allowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Allowance::Depth(plies) => write!(f, "depth {plies}"),
            Allowance::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Allowance::Time(nanos) => f.write_str(&duration(nanos)),
            Allowance::Level(level) => write!(f, "level {level}"),
        }
    }
}

fn with_unit<S: Serializer>(nanos: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&duration(*nanos))
}

/// Nanoseconds in the largest unit that keeps them whole.
fn duration(nanos: u64) -> String {
    match nanos {
        n if n % 1_000_000_000 == 0 => format!("{}s", n / 1_000_000_000),
        n if n % 1_000_000 == 0 => format!("{}ms", n / 1_000_000),
        n => format!("{}us", n as f64 / 1e3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, nanos) in
            [("100ms", 100_000_000), ("1.5s", 1_500_000_000), ("250us", 250_000), ("1min", 60_000_000_000)]
        {
            assert_eq!(Allowance::time(text), Ok(Allowance::Time(nanos)), "{text}");
            assert_eq!(Allowance::time(&duration(nanos)), Ok(Allowance::Time(nanos)), "{text}");
        }
        for text in ["", "5", "ms", "-1s", "0ms", "nans", "infs", "1 h", "5msec"] {
            assert!(Allowance::time(text).is_err_and(|error| error.contains("expected")), "{text}");
        }
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        assert!(
            Allowance::depth(0).is_err() && Allowance::depth(65).is_err() && Allowance::nodes(-1).is_err()
        );
        assert_eq!(Allowance::depth(64), Ok(Allowance::Depth(64)));
        assert!(Allowance::level(-1).is_err() && Allowance::level(1001).is_err());
        assert_eq!(Allowance::level(3).map(|level| level.to_string()), Ok("level 3".to_owned()));
    }
}
