//! An order of moves that needs nothing from the game: what the search itself has learnt.

use super::evaluation::{Evaluation, Hints};
use super::rules::Moves;

// Ordering values of the classes of moves, so far apart that history never mixes them.

/// The move of the transposition table.
const TABLE: i32 = 1 << 28;
/// A move that wins something at once ([`Evaluation::gain`] is added).
const GAIN: i32 = 1 << 26;
/// A killer; the older one a step below.
const KILLER: i32 = 1 << 25;
/// The counter-move.
const COUNTER: i32 = 1 << 24;

/// Table move, winning moves by gain, killers, counter-move, history: what [`Evaluation::order`] does unless the game knows
/// better.
pub(super) fn by_hints<G: Evaluation>(
    game: &G,
    pos: &G::Position,
    hints: &Hints<'_, G::Move>,
    moves: &mut Moves<G>,
) {
    for scored in moves {
        let mv = scored.mv;
        let gain = game.gain(pos, mv).0;
        scored.value = if hints.table == Some(mv) {
            TABLE
        } else if gain > 0 {
            GAIN + gain
        } else if hints.killers[0] == Some(mv) {
            KILLER
        } else if hints.killers[1] == Some(mv) {
            KILLER - 1
        } else if hints.counter == Some(mv) {
            COUNTER
        } else {
            hints.history.get(game.history_index(pos, mv)).copied().map_or(0, i32::from)
        };
    }
}
