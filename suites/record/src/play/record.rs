//! `games.csv`: one row for each game, and what a match's points are counted from.

use super::reason::Reason;
use crate::arm::{left_out_of, without};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// One game. Columns of the clock (`*_time_ns`) aside, a match by depth or nodes writes the same rows every time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameRow {
    /// Number of the game, from 1. Games 2n - 1 and 2n are pair n.
    pub game: usize,
    /// Number of the pair, from 1.
    pub pair: usize,
    /// Opening, by its name in `openings.csv`.
    pub opening: String,
    /// Side of the first player: `white` or `black`; `x` or `o`.
    pub first_side: String,
    /// Points of the first player: 1, 0.5 or 0.
    pub points: f64,
    /// Result as it is written: `1-0`; discs of X and O with the empty squares given to the winner.
    pub result: String,
    /// Why the game ended.
    pub reason: String,
    /// Moves of both sides after the opening, passes included.
    pub plies: usize,
    /// Discs of the first player minus the second's, where the game was played out and counts them.
    pub margin: Option<i32>,
    /// Moves that the first player chose.
    pub first_moves: u64,
    /// Sum of the depths of its searches, plies.
    pub first_depths: u64,
    /// Nodes of its searches.
    pub first_nodes: u64,
    /// Wall time of its turns, ns.
    pub first_time_ns: u64,
    /// The same for the second player.
    pub second_moves: u64,
    /// Depths of the second player.
    pub second_depths: u64,
    /// Nodes of the second player.
    pub second_nodes: u64,
    /// Wall time of the second player.
    pub second_time_ns: u64,
    /// What a player said or did, where that ended the game; or behind `numbers left out: ` why a player has neither depths nor
    /// nodes.
    pub detail: String,
    /// Seal of the transcript in `games.pgn`, 16 hex digits; empty in older matches.
    #[serde(default)]
    pub transcript: String,
    /// Seal of the columns before, as they stand in the line; empty in older matches.
    #[serde(default)]
    pub seal: String,
    /// Methods that the first and the second player lacked in this pair of shared games, as `openings.csv` says; empty in all others.
    #[serde(skip)]
    pub lacking: [Vec<String>; 2],
}

/// What the detail of a game begins with in which the numbers of a player are not kept.
const LEFT_OUT: &str = "numbers left out: ";

/// Sums over the turns of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Moves that it chose.
    pub moves: u64,
    /// Sum of the depths of its searches, plies.
    pub depths: u64,
    /// Nodes of its searches.
    pub nodes: u64,
    /// Wall time of its turns.
    pub time: Duration,
}

impl GameRow {
    /// Half points of the first player: 0, 1 or 2.
    #[must_use]
    pub fn half_points(&self) -> usize {
        match self.points {
            p if p > 0.75 => 2,
            p if p > 0.25 => 1,
            _ => 0,
        }
    }

    /// The player whose fault ended the game, 0 for the first: it broke the rules, crashed, hung, lied or overstepped its
    /// time. `None` for a game that was played.
    #[must_use]
    pub fn at_fault(&self) -> Option<usize> {
        let reason: Reason = self.reason.parse().ok()?;
        reason.is_fault().then_some(usize::from(self.half_points() == 2))
    }

    /// Writes down that a player said numbers that are not kept, and why, unless there is more to say of the game.
    pub fn leave_out(&mut self, why: &str) {
        if self.detail.is_empty() {
            self.detail = format!("{LEFT_OUT}{why}");
        }
    }

    /// Why the numbers of a player were not kept, if they were not.
    #[must_use]
    pub fn left_out(&self) -> Option<&str> {
        self.detail.strip_prefix(LEFT_OUT)
    }

    /// What the first (0) or the second player spent.
    #[must_use]
    pub fn effort(&self, player: usize) -> Effort {
        let (moves, depths, nodes, ns) = match player {
            0 => (self.first_moves, self.first_depths, self.first_nodes, self.first_time_ns),
            _ => (self.second_moves, self.second_depths, self.second_nodes, self.second_time_ns),
        };
        Effort { moves, depths, nodes, time: Duration::from_nanos(ns) }
    }

    /// Writes down what both players spent.
    pub fn set_effort(&mut self, first: Effort, second: Effort) {
        let ns = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        (self.first_moves, self.first_depths) = (first.moves, first.depths);
        (self.first_nodes, self.first_time_ns) = (first.nodes, ns(first.time));
        (self.second_moves, self.second_depths) = (second.moves, second.depths);
        (self.second_nodes, self.second_time_ns) = (second.nodes, ns(second.time));
    }
}

/// A row of `openings.csv`: opening n is that of pair n.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningRow {
    /// Name: its line and what was varied, or its id in the position set.
    pub opening: String,
    /// The position (FEN; 64 squares and a side).
    pub position: String,
    /// Arm of the first player in this pair, in shared games: `full[-null-move,-lmr]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// Arm of the second player in this pair, in shared games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<String>,
}

impl OpeningRow {
    /// An opening from which both players of the match play as they are.
    #[must_use]
    pub fn new(opening: String, position: String) -> OpeningRow {
        OpeningRow { opening, position, first: None, second: None }
    }

    /// The same of shared games in which the players lack these methods.
    #[must_use]
    pub fn with_lacking(self, [first, second]: &[Vec<String>; 2]) -> OpeningRow {
        OpeningRow { first: Some(without(first)), second: Some(without(second)), ..self }
    }

    /// What the first and the second player lack in this pair.
    #[must_use]
    pub fn lacking(&self) -> [Vec<String>; 2] {
        [&self.first, &self.second].map(|arm| arm.as_deref().map_or_else(Vec::new, left_out_of))
    }
}
