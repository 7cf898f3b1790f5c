//! From the name of a game to its type: the one place that lists the games.

use crate::error::Unknown;
use secateur_core::Game;
use secateur_core::game::{chess::Chess, othello::Othello};
use secateur_record::games::Traits;

macro_rules! games {
    ($($game:ty),+) => {
        /// Names of all games.
        pub const GAMES: &[&str] = &[$(<$game>::NAME),+];

        /// Calls `visitor` with the game of this name.
        ///
        /// # Errors
        /// [`Unknown`] with the names that exist.
        pub fn with_game<V: Visitor>(name: &str, visitor: V) -> Result<V::Output, Unknown> {
            match name {
                $(<$game>::NAME => Ok(visitor.visit(<$game>::default())),)+
                _ => Err(Unknown::new("game", name, GAMES)),
            }
        }
    };
}

games!(Othello, Chess);

/// What a reader of records must know of the game of this name; `None` of a game that this build does not have.
#[must_use]
pub fn traits(name: &str) -> Option<Traits> {
    with_game(name, Told).ok()
}

struct Told;

impl Visitor for Told {
    type Output = Traits;
    fn visit<G: Game>(self, _: G) -> Traits {
        let known = secateur_record::games::traits(G::NAME).cloned().unwrap_or_default();
        let stages = G::STAGES.iter().map(|&stage| stage.to_owned()).collect();
        Traits { decisive: Some(G::DECISIVE.0), stages, ..known }
    }
}

/// Something to be done with a game whose type is known only by name.
pub trait Visitor {
    /// What comes out.
    type Output;
    /// Does it; `game` has the evaluation that is compiled in.
    fn visit<G: Game>(self, game: G) -> Self::Output;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_to_its_own_game() {
        struct Name;
        impl Visitor for Name {
            type Output = &'static str;
            fn visit<G: Game>(self, _: G) -> &'static str {
                G::NAME
            }
        }
        for name in GAMES {
            assert_eq!(with_game(name, Name), Ok(*name));
        }
        assert_eq!(with_game("ches", Name).unwrap_err().hint.as_deref(), Some("chess"));
    }

    /// Runs without manifests that say it are read with a table, which must not say anything else.
    #[test]
    fn the_table_of_the_record_says_of_every_game_what_the_game_says() {
        for name in GAMES {
            let (told, known) = (traits(name).unwrap(), secateur_record::games::traits(name).unwrap());
            assert_eq!(told.decisive, known.decisive, "{name}");
            // Labels of positions are stages in chess, and numbers in Othello, which need no order.
            assert!(known.stages.is_empty() || known.stages == told.stages, "{name}");
            assert!(known.per_unit > 0 && !known.unit.is_empty(), "{name}");
        }
        assert_eq!(traits("checkers"), None);
    }
}
