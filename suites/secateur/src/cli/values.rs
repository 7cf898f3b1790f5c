//! Values of positions as people read them: in the unit of the game, or as the moves to a forced end.

use secateur_arena::analysis::forced;
use secateur_core::{AnyGame, Notation};

/// Columns of a terminal that everybody has.
pub const WIDE: u16 = 100;

/// `+1.25`, `-12`, `#3` (a forced win in three moves), `#-2`.
pub fn value(game: &AnyGame, score: i32) -> String {
    if let Some(plies) = forced(game, score) {
        let moves = (plies.abs() + 1) / 2;
        return format!("#{}", moves * plies.signum());
    }
    let unit = game.unit();
    match score % unit.scale {
        0 => format!("{:+}", score / unit.scale),
        _ => format!("{:+.2}", f64::from(score) / f64::from(unit.scale)),
    }
}
