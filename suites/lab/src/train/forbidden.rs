//! Positions that training may not teach: those of every built-in set of the game.
//!
//! A position on which methods are judged or fitted must be new to the evaluation. In Othello, sets of our own keep to the
//! reserved positions ([`super::reserved`]), so that its self-play does without this list, lest weights depend on sets that were
//! sampled with them; but others published theirs without knowing of that rule, from just such games as an archive holds.

use secateur_core::Game;
use secateur_positions::{Fnv, Result, builtins};
use std::collections::BTreeSet;

/// What of a position is compared: the same for all positions that teach the same.
pub(super) trait Form: Ord {
    /// Adds it to a hash.
    fn add_to(&self, hash: &mut Fnv);
}

impl Form for String {
    fn add_to(&self, hash: &mut Fnv) {
        hash.bytes(self.as_bytes()).bytes(b"\n");
    }
}

/// The stones of both sides.
impl Form for (u64, u64) {
    fn add_to(&self, hash: &mut Fnv) {
        hash.bytes(&self.0.to_le_bytes()).bytes(&self.1.to_le_bytes());
    }
}

/// A set of positions in such a form.
pub(super) struct Forbidden<F>(BTreeSet<F>);

impl<F: Form> Forbidden<F> {
    /// All positions of the built-in test and fitting sets.
    ///
    /// # Errors
    /// Those of the built-in sets, which their own tests rule out.
    pub(super) fn built_in<G: Game>(game: &G, form: impl Fn(&G::Position) -> F) -> Result<Forbidden<F>> {
        let entries = builtins(game)?.into_iter().flat_map(|set| set.entries);
        // An entry of a loaded set is a position of the game.
        Ok(Forbidden::of(entries.filter_map(|entry| Some(form(&game.parse(&entry.position).ok()?)))))
    }

    /// These.
    pub(super) fn of(forms: impl IntoIterator<Item = F>) -> Forbidden<F> {
        Forbidden(forms.into_iter().collect())
    }

    /// Whether a position in this form is one of them.
    pub(super) fn contains(&self, form: &F) -> bool {
        self.0.contains(form)
    }

    /// Number of positions, and a hash of them, for the provenance: with other sets the same games teach something else.
    pub(super) fn identity(&self) -> (usize, String) {
        let mut hash = Fnv::default();
        self.0.iter().for_each(|form| form.add_to(&mut hash));
        (self.0.len(), hash.hex())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::Notation;
    use secateur_games::othello::{Board, Othello, squares};
    use secateur_positions::builtin;
    use secateur_positions::duplicates::canonicals;
    use secateur_suites::sample::othello::canonical;

    #[test]
    fn built_in_positions_are_forbidden_in_every_guise_and_their_children_are_not() {
        let game = Othello::default();
        let forbidden = Forbidden::built_in(&game, |position| canonical(position.board())).unwrap();
        let forbids = |board: Board| forbidden.contains(&canonical(board));
        let (mut texts, mut kept) = (BTreeSet::new(), 0);
        for name in ["ffo", "othello-28", "othello-44", "othello-fit"] {
            let set = builtin(&game, name).unwrap();
            texts.extend(canonicals(&game, &set).unwrap());
            for entry in set.entries {
                let position = game.parse(&entry.position).unwrap();
                for symmetry in 0..8 {
                    assert!(forbids(position.board().transformed(symmetry)));
                }
                assert!(forbids(position.mirrored().board()), "colours are no difference");
                let child = squares(position.board().moves()).map(|square| position.board().play(square));
                kept += child.filter(|child| !forbids(*child)).count();
            }
        }
        assert!(texts.len() <= forbidden.identity().0 && kept > 0);
        assert!(!forbids(Board::START));
    }
}
