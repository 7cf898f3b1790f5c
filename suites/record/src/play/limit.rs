//! What the players may spend on a move, as text and as numbers.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// What both players may spend. Only the first two repeat exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Limit {
    /// Plies of every search.
    Depth(u32),
    /// Nodes of every search.
    Nodes(u64),
    /// Wall time of every search.
    MoveTime(Duration),
    /// A clock for the whole game.
    Clock {
        /// Wall time at the start.
        base: Duration,
        /// Added after every move.
        increment: Duration,
    },
}

impl Limit {
    /// Reads a clock: seconds, and seconds a move, as in `2+0.02` or `60`.
    ///
    /// # Errors
    /// What was found and what was expected.
    pub fn clock(text: &str) -> Result<Limit, String> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let seconds = |part: &str| {
            let number = part.trim().parse::<f64>().ok().filter(|s| (0.0..=1e6).contains(s));
            number.map(Duration::from_secs_f64)
        };
        match (seconds(base), seconds(increment)) {
            (Some(base), Some(increment)) if !base.is_zero() => Ok(Limit::Clock { base, increment }),
            _ => Err(format!("`{text}`: expected seconds and an increment, as in 2+0.02")),
        }
    }

    /// So many times as much of it, nodes or time; a depth has no multiple and stays.
    #[must_use]
    pub fn times(self, odds: f64) -> Limit {
        match self {
            Limit::Depth(plies) => Limit::Depth(plies),
            Limit::Nodes(nodes) => Limit::Nodes((nodes as f64 * odds).round().max(1.0) as u64),
            Limit::MoveTime(time) => Limit::MoveTime(time.mul_f64(odds)),
            Limit::Clock { base, increment } => {
                Limit::Clock { base: base.mul_f64(odds), increment: increment.mul_f64(odds) }
            }
        }
    }

    /// Whether a match with this limit repeats exactly.
    #[must_use]
    pub fn repeats(&self) -> bool {
        matches!(self, Limit::Depth(_) | Limit::Nodes(_))
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Depth(plies) => write!(f, "depth {plies}"),
            Limit::Nodes(nodes) => write!(f, "nodes {nodes}"),
            Limit::MoveTime(time) => write!(f, "movetime {}", time.as_secs_f64()),
            Limit::Clock { base, increment } => {
                write!(f, "tc {}+{}", base.as_secs_f64(), increment.as_secs_f64())
            }
        }
    }
}

impl FromStr for Limit {
    type Err = String;

    /// Reads what [`Limit`] prints: `depth 8`, `nodes 20000`, `movetime 0.1`, `tc 2+0.02`.
    fn from_str(text: &str) -> Result<Limit, String> {
        let wrong =
            || format!("`{text}`: expected depth N, nodes N, movetime SECONDS or tc SECONDS+INCREMENT");
        let (kind, amount) = text.split_once(' ').ok_or_else(wrong)?;
        match kind {
            "depth" => amount.parse().ok().filter(|&plies| plies > 0).map(Limit::Depth).ok_or_else(wrong),
            "nodes" => amount.parse().ok().filter(|&nodes| nodes > 0).map(Limit::Nodes).ok_or_else(wrong),
            "movetime" => match Limit::clock(amount) {
                Ok(Limit::Clock { base, increment: Duration::ZERO }) => Ok(Limit::MoveTime(base)),
                _ => Err(wrong()),
            },
            "tc" => Limit::clock(amount),
            _ => Err(wrong()),
        }
    }
}

impl TryFrom<String> for Limit {
    type Error = String;

    fn try_from(text: String) -> Result<Limit, String> {
        text.parse()
    }
}

impl From<Limit> for String {
    fn from(limit: Limit) -> String {
        limit.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_read_what_they_print() {
        for text in ["depth 8", "nodes 20000", "movetime 0.1", "tc 2+0.02", "tc 60+0"] {
            assert_eq!(text.parse::<Limit>().unwrap().to_string(), text);
        }
        for text in
            ["", "depth", "depth 0", "nodes -1", "tc 0+1", "tc x", "tc 1+-1", "movetime 1+1", "tc NaN"]
        {
            assert!(text.parse::<Limit>().is_err(), "{text}");
        }
    }
}
