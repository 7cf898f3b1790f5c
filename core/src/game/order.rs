//! An order of moves that needs nothing from the game: what the search itself has learnt.

use super::{Game, Hints, Moves};

/// Ordering values of the classes of moves, so far apart that history never mixes them.
#[derive(Clone, Copy, Debug)]
pub struct Order;

impl Order {
    /// The move of the transposition table.
    pub const TABLE: i32 = 1 << 28;
    /// A move that wins something at once ([`Game::gain`] is added).
    pub const GAIN: i32 = 1 << 26;
    /// A killer; the older one a step below.
    pub const KILLER: i32 = 1 << 25;
    /// The counter-move.
    pub const COUNTER: i32 = 1 << 24;
}

/// Table move, winning moves by gain, killers, counter-move, history: what [`Game::order`] does unless the game knows better.
pub(super) fn by_hints<G: Game>(
    game: &G,
    pos: &G::Position,
    hints: &Hints<'_, G::Move>,
    moves: &mut Moves<G>,
) {
    for scored in moves {
        let mv = scored.mv;
        let gain = game.gain(pos, mv).0;
        scored.value = if hints.table == Some(mv) {
            Order::TABLE
        } else if gain > 0 {
            Order::GAIN + gain
        } else if hints.killers[0] == Some(mv) {
            Order::KILLER
        } else if hints.killers[1] == Some(mv) {
            Order::KILLER - 1
        } else if hints.counter == Some(mv) {
            Order::COUNTER
        } else {
            hints.history.get(game.history_index(pos, mv)).copied().map_or(0, i32::from)
        };
    }
}
