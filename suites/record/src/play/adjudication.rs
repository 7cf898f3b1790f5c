//! What ends games before their end: the rules of a match, which its settings keep. The referee applies them.

use serde::{Deserialize, Serialize};

/// Both players see a decisive score for the same side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resign {
    /// Moves of each side in a row.
    pub moves: u32,
    /// Least score, centipawns or 1/100 disc.
    pub score: i32,
}

/// Both players see an even score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// Moves of each side that must have been played.
    pub after: u32,
    /// Moves of each side in a row.
    pub moves: u32,
    /// Largest score for either side, centipawns or 1/100 disc.
    pub score: i32,
}

/// What ends games early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Adjudication {
    /// Decisive scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<Resign>,
    /// Even scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// Moves of each side after which the game is a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<u32>,
}

impl Adjudication {
    /// What testing frameworks of chess use (OpenBench: win 3 moves 400, draw from move 40, 8 moves 10), and an end to
    /// games that go on and on.
    #[must_use]
    pub fn openbench() -> Adjudication {
        Adjudication {
            resign: Some(Resign { moves: 3, score: 400 }),
            draw: Some(DrawRule { after: 40, moves: 8, score: 10 }),
            max_moves: Some(300),
        }
    }
}
