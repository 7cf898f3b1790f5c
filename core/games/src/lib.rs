//! The games that come with secateur, each a crate with its rules, its notation and the evaluation that is compiled in.
//!
//! Their searches are compiled there, once, with the methods of the house ([`secateur_core::Game::searcher`]): whoever
//! uses a game compiles none. Left out: positions, parameters and fits, which are data of other packages.

use secateur_core::AnyGame;

macro_rules! games {
    ($($package:ident as $module:ident: $game:ident),+ $(,)?) => {
        $(#[doc(inline)] pub use $package as $module;)+

        /// The games that come along, each with the evaluation that is compiled in.
        #[must_use]
        pub fn all() -> Vec<AnyGame> {
            vec![$(AnyGame::of($module::$game::default())),+]
        }
    };
}

// The crate and the type of each. What else there is to say of a game is data: its parameters, its positions.
games!(
    secateur_othello as othello: Othello,
    secateur_chess as chess: Chess,
    secateur_draughts as draughts: Draughts,
    secateur_einstein as einstein: Einstein,
);
