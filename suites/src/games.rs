//! From the name of a game to its type: the one place that lists the games.

use crate::error::Unknown;
use secateur_core::game::{chess::Chess, othello::Othello};
use secateur_core::{Game, Score};

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

        /// From which size on the scores of a game are proven ([`Game::DECISIVE`]); `None` of a game that this build does not
        /// have.
        #[must_use]
        pub fn decisive(name: &str) -> Option<Score> {
            match name {
                $(<$game>::NAME => Some(<$game>::DECISIVE),)+
                _ => None,
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
            assert!(decisive(name).is_some_and(|least| least > Score::ZERO));
        }
        assert_eq!(with_game("ches", Name).unwrap_err().hint.as_deref(), Some("chess"));
    }
}
