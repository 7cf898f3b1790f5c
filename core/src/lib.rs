//! The search host and the forward-pruning methods of secateur, and what a game must tell them.
//!
//! This crate does no input or output, starts no thread and knows no suite: it is given positions and
//! budgets and gives back values and counts. A fixed-depth search reads no clock and is a pure function of
//! its arguments, so its node counts are the same on every machine.

pub mod game;
pub mod prune;
pub mod score;
pub mod search;

pub use game::{
    AnyGame, AnyMove, AnyPosition, Evaluation, Game, Hints, Meter, Moves, Notation, ParseError, Rules, Scored,
};
pub use score::{Depth, Score, Window};

/// The level at which the search was optimised, as cargo was told: `3`, `s`.
pub const OPT_LEVEL: &str = env!("SECATEUR_OPT_LEVEL");
