//! What a position's author says of its moves: the best ones (EPD `bm`), those to avoid (`am`), in how many moves there is a
//! mate (`dm`), and what each of several good moves is worth (`c0 "f4=10, Ne5=7"`, as the Strategic Test Suite has it).
//!
//! A run keeps them in its manifest, written as its records write moves, so that a report can count solved
//! positions without the position file and without the rules. They are no part of the search or of the rows.

use secateur_base::MATE;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The right and the wrong moves of one position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Solution {
    /// The best moves; none if only moves to avoid are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<String>,
    /// The moves to avoid.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub avoid: Vec<String>,
    /// There is a mate in so many moves: solved is the position when that is announced, whatever the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate_in: Option<u32>,
    /// What moves are worth in points; all others are worth nothing. Empty where moves are not graded.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub points: BTreeMap<String, u32>,
}

impl Solution {
    /// Whether a move, as the game writes it, solves the position: one of the best, if any are named, and none
    /// to avoid.
    #[must_use]
    pub fn accepts(&self, mv: &str) -> bool {
        let among = |moves: &[String]| moves.iter().any(|known| known == mv);
        (self.best.is_empty() || among(&self.best)) && !among(&self.avoid)
    }

    /// Whether a move and its value for the side to move, in the game's score unit, solve the position. A program that names
    /// no value announces no mate.
    #[must_use]
    pub fn solves(&self, mv: &str, score: Option<i32>) -> bool {
        match self.mate_in {
            // The side to move mates with the last of 2n - 1 plies.
            Some(moves) => {
                score.is_some_and(|score| score <= MATE && i64::from(MATE - score) < 2 * i64::from(moves))
            }
            None => self.accepts(mv),
        }
    }

    /// The points of a move and the most that any move gets; none where moves are not graded.
    #[must_use]
    pub fn points(&self, mv: &str) -> Option<(u32, u32)> {
        let most = self.points.values().copied().max()?;
        Some((self.points.get(mv).copied().unwrap_or(0), most))
    }

    /// Mate and points in words, for a hash; empty where there are none.
    #[must_use]
    pub fn graded(&self) -> String {
        let mate = self.mate_in.map(|moves| format!("mate in {moves};"));
        let points = self.points.iter().map(|(mv, points)| format!("{mv}={points};"));
        mate.into_iter().chain(points).collect()
    }
}
