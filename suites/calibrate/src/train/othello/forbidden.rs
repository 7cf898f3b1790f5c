//! Positions that games of others may not teach: those of every built-in Othello set, up to symmetry.
//!
//! A position on which methods are judged or fitted must be new to the evaluation. Sets of our own keep to the
//! reserved positions ([`super::reserved`]); but others published theirs without knowing of that rule, from
//! just such games as an archive holds. Self-play does without this list, lest weights depend on sets that
//! were sampled with them.

use secateur_core::Notation;
use secateur_games::othello::{Board, Othello};
use secateur_positions::{Fnv, Result, builtins};
use secateur_suites::sample::othello::canonical;
use std::collections::BTreeSet;

/// A set of boards up to symmetry, the side to move told apart and colours not.
pub(super) struct Forbidden(BTreeSet<(u64, u64)>);

impl Forbidden {
    /// All positions of the built-in test and fitting sets.
    ///
    /// # Errors
    /// Those of the built-in sets, which their own tests rule out.
    pub(super) fn built_in() -> Result<Forbidden> {
        let game = Othello::default();
        let mut boards = Vec::new();
        for entry in builtins(&game)?.into_iter().flat_map(|set| set.entries) {
            // An entry of a loaded set is a position of the game.
            boards.extend(game.parse(&entry.position).ok().map(|position| position.board()));
        }
        Ok(Forbidden::of(boards))
    }

    /// These boards.
    pub(super) fn of(boards: impl IntoIterator<Item = Board>) -> Forbidden {
        Forbidden(boards.into_iter().map(canonical).collect())
    }

    /// Whether a board is one of them.
    pub(super) fn contains(&self, board: Board) -> bool {
        self.0.contains(&canonical(board))
    }

    /// Number of boards.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Hash of the boards, for the provenance: with other sets the same games give other weights.
    pub(super) fn hash(&self) -> String {
        let mut hash = Fnv::default();
        for (player, opponent) in &self.0 {
            hash.bytes(&player.to_le_bytes()).bytes(&opponent.to_le_bytes());
        }
        hash.hex()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_games::othello::squares;
    use secateur_positions::builtin;
    use secateur_positions::duplicates::canonicals;

    #[test]
    fn built_in_positions_are_forbidden_in_every_guise_and_their_children_are_not() {
        let game = Othello::default();
        let forbidden = Forbidden::built_in().unwrap();
        let (mut texts, mut kept) = (BTreeSet::new(), 0);
        for name in ["ffo", "othello-28", "othello-44", "othello-fit"] {
            let set = builtin(&game, name).unwrap();
            texts.extend(canonicals(&game, &set).unwrap());
            for entry in set.entries {
                let position = game.parse(&entry.position).unwrap();
                for symmetry in 0..8 {
                    assert!(forbidden.contains(position.board().transformed(symmetry)));
                }
                assert!(forbidden.contains(position.mirrored().board()), "colours are no difference");
                let child = squares(position.board().moves()).map(|square| position.board().play(square));
                kept += child.filter(|child| !forbidden.contains(*child)).count();
            }
        }
        assert!(texts.len() <= forbidden.len() && kept > 0);
        assert!(!forbidden.contains(Board::START));
        assert_eq!(forbidden.hash(), Forbidden::built_in().unwrap().hash());
    }
}
