//! What a game must tell the search host, and nothing more.
//!
//! A [`Game`] is a value, not a namespace: it owns its evaluation (weights, tables, caches), so that two
//! evaluations of one game can be searched side by side. It is cloned for every searching thread. What there is to tell
//! are three things, a trait each: [`Rules`], [`Notation`] and [`Evaluation`].

mod any;
mod evaluation;
mod notation;
mod random;
mod rules;
mod weights;

pub use self::evaluation::{Below, QuietNode};
pub use self::random::{expectation, thrown};
pub use any::{AnyGame, AnyMove, AnyPosition};
pub use evaluation::{Evaluation, Force, Has, Hints, Last, Meter};
pub use notation::{Notation, ParseError, Transcript, Unit, refuse};
pub use random::{random_games, random_positions};
pub use rules::{Chance, Ending, MAX_MOVES, MAX_OUTCOMES, Moves, Outcomes, Rules, Scored};
pub use weights::{WeightFile, WeightsError, weights_id};

use crate::prune::Methods;
use crate::search::{self, Options, Searcher};

/// A two-player zero-sum game with an evaluation, as the host and the pruning methods see it.
pub trait Game: Rules + Notation + Evaluation {
    /// Name on the command line and in records.
    const NAME: &'static str;

    /// [`Game::NAME`], also of a game whose type is not known ([`AnyGame`]).
    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// Empties its caches, which change nothing but the speed: the next search has as much to compute as a first one.
    fn forget(&mut self) {}

    /// A searcher of this game. A game that is compiled with [`search::searcher`] in a function of its own, as those that come
    /// along are, spares everybody else compiling its searches again.
    fn searcher(self, methods: &Methods, options: Options) -> Searcher<'_, Self> {
        search::searcher(self, methods, options)
    }
}
