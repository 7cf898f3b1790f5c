//! The order in which moves are tried: what most of the node count hangs on.
//!
//! A move is judged by what it leaves the opponent: few moves, few empty neighbours, no corner, and from a
//! few plies on a bad evaluation. One ply from the horizon the looks of the square and what cut before must
//! do, since a child there costs as little as a look. Weights were chosen by counting the nodes of
//! full-width searches of 9 and 11 plies on positions of 12 to 44 discs: counting replies at two plies
//! already saves a third at 9, the evaluation another 3 %.

use super::Othello;
use super::board::Board;
use super::mobility::neighbours;
use super::position::Position;
use super::square::{Square, quartered};
use secateur_core::game::{Evaluation, Hints, Scored};

/// From this many plies to the horizon on the opponent's replies are counted.
const REPLIES_FROM: i32 = 2;
/// From this many on the children are evaluated too.
const EVALUATED_FROM: i32 = 4;
/// The table's move comes first whatever else is known.
const TABLE_MOVE: i32 = 1 << 28;
/// One reply that the opponent keeps; a corner counts twice.
const REPLY: i32 = -256;
/// One empty square next to the mover's discs, a reply to come.
const PROSPECT: i32 = -80;
/// Hundredths of [`REPLY`]'s unit for 1/100 disc of the child's evaluation.
const EVALUATION: i32 = 60;

/// How much each thing known beforehand counts.
struct Prior {
    /// What each square is worth by itself: a share of [`SQUARE`].
    squares: [i16; 64],
    /// A move that cut in a sister node.
    killer: i32,
    /// History counters (within 16,384) are divided by this.
    history: i32,
}

/// Beside a count of replies little is left for the square to say.
static BESIDE_REPLIES: Prior = Prior { squares: hundredths(10), killer: 120, history: 64 };
static ALONE: Prior = Prior { squares: hundredths(100), killer: 500, history: 32 };

/// What a square is worth by itself, in the unit of [`REPLY`].
#[rustfmt::skip]
const SQUARE: [i16; 64] = quartered([
    1000, -220,  160,   60,
    -220, -420,  -60,  -40,
     160,  -60,   40,   20,
      60,  -40,   20,    0,
]);

/// Hundredths of [`SQUARE`].
const fn hundredths(share: i32) -> [i16; 64] {
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        all[square] = (SQUARE[square] as i32 * share / 100) as i16;
        square += 1;
    }
    all
}

/// What is known of squares before a node is looked at.
struct Known<'a> {
    prior: &'static Prior,
    killers: u64,
    history: &'a [i16; 64],
}

/// Gives every move its value.
#[inline]
pub(super) fn order(
    game: &Othello,
    position: &Position,
    hints: &Hints<'_, Square>,
    moves: &mut [Scored<Square>],
) {
    if moves.len() < 2 {
        return;
    }
    let killers = hints.killers.iter().flatten().fold(0, |set, killer| set | killer.bit());
    let history = hints.history.first_chunk().expect("a counter for every square");
    if hints.depth < REPLIES_FROM {
        let known = Known { prior: &ALONE, killers, history };
        moves.iter_mut().for_each(|scored| scored.value = known.of(scored.mv));
    } else {
        let known = Known { prior: &BESIDE_REPLIES, killers, history };
        if hints.depth < EVALUATED_FROM {
            let board = position.board();
            for scored in &mut *moves {
                let child = board.after(scored.mv, board.flips(scored.mv));
                scored.value = known.of(scored.mv) + left_to(child);
            }
        } else {
            for scored in &mut *moves {
                let child = position.play(scored.mv);
                let evaluation = -game.evaluate(&child).0 * EVALUATION / 100;
                scored.value = known.of(scored.mv) + left_to(child.board()) + evaluation;
            }
        }
    }
    if let Some(table) = hints.table
        && let Some(scored) = moves.iter_mut().find(|scored| scored.mv == table)
    {
        scored.value = TABLE_MOVE;
    }
}

impl Known<'_> {
    #[inline]
    fn of(&self, square: Square) -> i32 {
        let index = square.index() & 63;
        let killer = (self.killers >> index & 1) as i32 * self.prior.killer;
        i32::from(self.prior.squares[index]) + killer + i32::from(self.history[index]) / self.prior.history
    }
}

/// Value of what a move leaves to the opponent, who is to move on `board`.
#[inline(always)]
fn left_to(board: Board) -> i32 {
    let prospects = neighbours(board.opponent) & board.empty();
    REPLY * board.freedom() + PROSPECT * prospects.count_ones() as i32
}
