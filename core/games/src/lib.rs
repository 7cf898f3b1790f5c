//! The games that come with secateur, each a crate with its rules, its notation and the evaluation that is compiled in.
//!
//! Their searches are compiled there, once, for any methods ([`secateur_core::Game::searcher`]): whoever
//! uses a game compiles none. Left out: positions, parameters and fits, which are data of other packages.

use secateur_core::AnyGame;

macro_rules! games {
    ($($package:ident as $module:ident: $game:ident),+ $(,)?) => {
        $(#[doc(inline)] pub use $package as $module;)+

        /// Names of the games that come along.
        pub const NAMES: &[&str] = &[$(stringify!($module)),+];

        /// The game of this name with the evaluation that is compiled in; of no other is anything made.
        pub fn named(name: &str) -> Option<AnyGame> {
            match name {
                $(stringify!($module) => Some(AnyGame::from($module::$game::default())),)+
                _ => None,
            }
        }

        /// The games that come along.
        pub fn all() -> Vec<AnyGame> {
            NAMES.iter().filter_map(|name| named(name)).collect()
        }
    };
}

// The crate, the name and the type of each. What else there is to say of a game is data: its parameters, its positions.
games!(
    secateur_othello as othello: Othello,
    secateur_chess as chess: Chess,
    secateur_draughts as draughts: Draughts,
    secateur_einstein as einstein: Einstein,
    secateur_shogi as shogi: Shogi,
);

#[cfg(test)]
mod tests {
    use secateur_core::Game;

    #[test]
    fn games_are_called_as_they_call_themselves() {
        let names: Vec<&str> = super::all().iter().map(Game::name).collect();
        assert_eq!(names, super::NAMES);
    }
}
