//! From the name of a game to its type: the one place that lists the games.

use crate::error::Unknown;
use secateur_core::Game;
use secateur_core::game::{chess::Chess, othello::Othello};

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

    /// Reports know of a game what a table says, not its type.
    #[test]
    fn the_table_of_the_record_says_of_every_game_what_the_game_says() {
        struct Told;
        impl Visitor for Told {
            type Output = ();
            fn visit<G: Game>(self, _: G) {
                let traits = secateur_record::games::traits(G::NAME).expect("every game stands in the table");
                assert_eq!(traits.decisive, G::DECISIVE.0, "{}", G::NAME);
                // Labels of positions are stages in chess and numbers in Othello, which need no order.
                assert!(traits.stages.is_empty() || traits.stages == G::STAGES, "{}", G::NAME);
                assert!(traits.per_unit > 0);
            }
        }
        GAMES.iter().for_each(|name| with_game(name, Told).expect("a game"));
    }
}
