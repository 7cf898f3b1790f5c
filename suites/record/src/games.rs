//! What a reader of records must know of a game. New runs have it in their manifests; those written before are read with
//! the table of this package.
//!
//! The numbers are the games' own; a test in the suites holds the one against the other.

use crate::error::listed;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// The games in `data/games.toml`.
const TEXT: &str = include_str!("../data/games.toml");

/// What there is to know of one game; of an unknown game, the default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Traits {
    /// Scores of at least this size are proven; `None` if that is not known.
    pub decisive: Option<i32>,
    /// Names of the stages that records have, in the order of a game; stages that are numbers need not be here.
    pub stages: Vec<String>,
    /// What people read a value in.
    pub unit: String,
    /// Score units in one of those, at least 1.
    pub per_unit: u32,
    /// The score unit in words.
    pub score: String,
}

impl Default for Traits {
    fn default() -> Traits {
        let (unit, score) = ("point".to_owned(), "points".to_owned());
        Traits { decisive: None, stages: Vec::new(), unit, per_unit: 1, score }
    }
}

impl Traits {
    /// Whether a score is proven.
    pub fn is_proven(&self, score: i32) -> bool {
        self.decisive.is_some_and(|least| score.unsigned_abs() >= least.unsigned_abs())
    }

    /// Plies to the end of a game from a stage, passes aside, where that is known: a stage that is a number is one of discs on 64
    /// squares, each of which takes one ply.
    pub fn plies_left(stage: &str) -> Option<u32> {
        stage.parse::<u32>().ok().map(|discs| 64_u32.saturating_sub(discs))
    }

    /// What people read several of a value in: `discs`, `pawns`, `men`.
    pub fn units(&self) -> String {
        match self.unit.strip_suffix("man") {
            Some(before) => format!("{before}men"),
            None => format!("{}s", self.unit),
        }
    }

    /// A score in whole units of what people read values in.
    pub fn whole(&self, score: i32) -> i64 {
        (f64::from(score) / f64::from(self.per_unit.max(1))).round() as i64
    }

    /// By which stages are put into the order of a game: numbers first, by size, then those with a place, then others.
    pub fn rank(&self, stage: &str) -> (u32, u32) {
        match (stage.parse(), self.stages.iter().position(|name| name == stage)) {
            (Ok(number), _) => (0, number),
            (_, Some(place)) => (1, place as u32),
            _ => (2, 0),
        }
    }
}

/// One game of the table.
#[derive(Deserialize)]
struct Entry {
    name: String,
    #[serde(flatten)]
    traits: Traits,
}

static GAMES: LazyLock<Vec<Entry>> = LazyLock::new(|| listed(TEXT, "game"));

/// What the table says of the game of this name; `None` of a game that this build does not have.
pub fn traits(game: &str) -> Option<&'static Traits> {
    GAMES.iter().find(|entry| entry.name == game).map(|entry| &entry.traits)
}

/// A word of every game in the table, for what is said of all of them.
pub fn of_each_game(word: impl Fn(&'static Traits) -> &'static str) -> Vec<&'static str> {
    GAMES.iter().map(|entry| word(&entry.traits)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_have_the_order_of_a_game() {
        let chess = traits("chess").unwrap();
        let mut stages = ["x", "endgame", "28", "opening", "8", "middlegame"];
        stages.sort_by_key(|stage| chess.rank(stage));
        assert_eq!(stages, ["8", "28", "opening", "middlegame", "endgame", "x"]);
        assert!(Traits::default().rank("opening") > Traits::default().rank("9"));
    }

    #[test]
    fn scores_are_read_in_units_and_no_size_overflows() {
        let chess = traits("chess").unwrap();
        assert_eq!([149, 150, -150, 0].map(|score| chess.whole(score)), [1, 2, -2, 0]);
        assert!(chess.is_proven(29_000) && chess.is_proven(i32::MIN) && !chess.is_proven(-28_999));
        assert!(!Traits::default().is_proven(i32::MAX));
        assert_eq!(traits("checkers"), None);
    }
}
