//! What a position's author says of its moves: the best ones (EPD `bm`), and those to avoid (`am`).
//!
//! A run keeps them in its manifest, written as its records write moves, so that a report can count solved
//! positions without the position file and without the rules. They are no part of the search or of the rows.

use crate::games::{Visitor, with_game};
use secateur_core::Game;
use secateur_positions::Entry;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The right and the wrong moves of one position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Solution {
    /// The best moves; none if only moves to avoid are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<String>,
    /// The moves to avoid.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub avoid: Vec<String>,
}

impl Solution {
    /// Whether a move, as the game writes it, solves the position: one of the best, if any are named, and none
    /// to avoid.
    #[must_use]
    pub fn accepts(&self, mv: &str) -> bool {
        let among = |moves: &[String]| moves.iter().any(|known| known == mv);
        (self.best.is_empty() || among(&self.best)) && !among(&self.avoid)
    }
}

/// The solutions of the positions of a game that have one, by the position's id. Reading a position file has
/// already refused moves that are not legal.
#[must_use]
pub fn solutions(game: &str, entries: &[Entry]) -> BTreeMap<String, Solution> {
    with_game(game, Solve(entries)).unwrap_or_default()
}

struct Solve<'a>(&'a [Entry]);

impl Visitor for Solve<'_> {
    type Output = BTreeMap<String, Solution>;
    fn visit<G: Game>(self, game: G) -> Self::Output {
        let mut found = BTreeMap::new();
        for entry in self.0 {
            let Ok(pos) = game.parse(&entry.position) else { continue };
            let written = |text: &str| Some(game.format_move(&pos, game.parse_move(&pos, text).ok()?));
            let solution = Solution {
                best: entry.best_moves().filter_map(written).collect(),
                avoid: entry.avoid_moves().filter_map(written).collect(),
            };
            if solution != Solution::default() {
                found.insert(entry.id.clone(), solution);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::game::chess::Chess;
    use secateur_positions::{Kind, Provenance, builtin, parse};

    #[test]
    fn moves_are_written_as_records_write_them() {
        let text = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm O-O Rxa8+; am Kd1; id \"a\";\n\
                    4k3/8/8/8/8/8/8/4K2R w K - am O-O; id \"b\";\n\
                    4k3/8/8/8/8/8/8/R3K3 w Q - id \"c\";\n";
        let game = Chess::default();
        let set = parse(&game, Kind::Epd, "s", "s.epd".as_ref(), text, Provenance::default()).unwrap();
        let found = solutions("chess", &set.entries);
        assert_eq!(found.keys().collect::<Vec<_>>(), ["a", "b"]);
        let verdicts = |id: &str| ["e1g1", "a1a8", "e1d1", "h1h2"].map(|mv| found[id].accepts(mv));
        assert_eq!(verdicts("a"), [true, true, false, false]);
        assert_eq!(verdicts("b"), [false, true, true, true]);
    }

    #[test]
    fn every_bratko_kopec_position_has_a_solution() {
        let set = builtin(&Chess::default(), "bratko-kopec").unwrap();
        let found = solutions("chess", &set.entries);
        assert_eq!(found.len(), 24);
        assert!(found.values().all(|solution| !solution.best.is_empty()));
        let moves = |entry: &Entry| entry.best_moves().count();
        assert!(set.entries.iter().all(|entry| found[&entry.id].best.len() == moves(entry)));
    }
}
