//! Positions by themselves: what is in one (`analyse`), and how they end (`solve`).
//!
//! Nothing here is measured: a run of the bench is what measures. Left out: how a value is written for people.

mod analyse;
mod place;
mod solve;
#[cfg(test)]
mod tests;

pub use analyse::{Analysis, Analyst, Did, Effort, Line, each_alone};
pub use place::{Place, places};
pub use solve::{Row, Solving, Verdict, solve};

use secateur_base::MATE;
use secateur_core::{AnyGame, Evaluation, Window};

/// The longest mate of which a value tells, plies.
const LONGEST: i32 = 1000;

/// In how many plies a value is a forced win (above 0) or loss (below 0) that ends the game early, in a game that has such
/// ends; `None` of all other values.
#[must_use]
pub fn forced(game: &AnyGame, value: i32) -> Option<i32> {
    let has_mates = game.attainable(0) != Window::FULL;
    let plies = MATE - value.abs();
    (has_mates && (0..LONGEST).contains(&plies)).then(|| plies * value.signum())
}
