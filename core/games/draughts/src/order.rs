//! Which moves to try first, and which beyond the horizon.
//!
//! Table move; captures, the larger first, kings counted more; moves that crown; killers; the others by history and, while
//! that is empty, by how far they go forward. Squares are the mover's, so mirrored positions are ordered alike.
//!
//! Beyond the horizon whoever must take takes, until there is nothing to take. Captures are forced, so there is no standing
//! pat and nothing is left out: the value is the minimax value of a small tree that depends on the position alone, fail-soft.
//! Left out: what the other side threatens to take next, which a quiet position is evaluated with.

use crate::board::{Board, CROWNING, Move, SQUARES, square};
use crate::text::direction;
use crate::{Draughts, KING, MAN, Position};
use secateur_base::MATE;
use secateur_core::game::{Evaluation, Hints, MAX_MOVES, Meter, Rules, Scored};
use secateur_core::{Score, Window};

const TABLE: i32 = 1 << 28;
const TACTICAL: i32 = 1 << 26;
const KILLER: i32 = 1 << 24;

/// Length of a history table for one side: man or king, square, direction or capture.
pub(crate) const HISTORY: usize = 2 * SQUARES * 8;

/// Index of a move in its side's history table.
#[inline]
pub(crate) fn history_index(board: &Board, mv: Move) -> usize {
    let king = usize::from(mv.from & board.kings != 0);
    let way = if mv.is_capture() { 4 } else { usize::from(direction(mv)) };
    (king * SQUARES + square(mv.from)) * 8 + way
}

/// What a move wins at once, in the scale of the balance.
#[inline]
pub(crate) fn gain(board: &Board, mv: Move) -> i32 {
    let kings = (mv.taken & board.kings).count_ones() as i32;
    let crowned = mv.from & board.kings == 0 && mv.to & CROWNING != 0;
    let men = mv.size() as i32 - kings;
    men * MAN + kings * KING + if crowned { KING - MAN } else { 0 }
}

/// Gives every move its value.
#[inline]
pub(crate) fn order(board: &Board, hints: &Hints<'_, Move>, moves: &mut [Scored<Move>]) {
    if moves.len() < 2 {
        return;
    }
    for scored in moves {
        let mv = scored.mv;
        scored.value = if hints.table == Some(mv) {
            TABLE
        } else if Draughts::is_tactical(board, mv) {
            TACTICAL + gain(board, mv)
        } else if hints.killers[0] == Some(mv) {
            KILLER + 1
        } else if hints.killers[1] == Some(mv) {
            KILLER
        } else {
            // A step forward is worth something, a man's before it is next to the last row more than a king's.
            let forward = i32::from(mv.to > mv.from && mv.to & CROWNING == 0);
            16 * i32::from(hints.history[history_index(board, mv)]) + forward
        };
    }
}

/// Value of a position at the horizon.
pub(crate) fn value(game: &Draughts, pos: &Position, window: Window, ply: u32, meter: &mut Meter) -> Score {
    meter.qnodes += 1;
    meter.seldepth = meter.seldepth.max(ply);
    let takers = pos.board.takers();
    if takers == 0 {
        return if pos.board.is_mobile() { game.evaluate(pos) } else { Score(ply as i32 - MATE) };
    }
    let mut moves = arrayvec::ArrayVec::<(i32, Move), MAX_MOVES>::new();
    pos.board.each_move(|mv| moves.push((gain(&pos.board, mv), mv)));
    let (mut best, mut alpha) = (-Score::INFINITE, window.alpha);
    while let Some(at) = first(&moves) {
        let (_, mv) = moves.remove(at);
        let child = game.play(pos, mv);
        let score = -value(game, &child, -Window { alpha, beta: window.beta }, ply + 1, meter);
        if score > best {
            best = score;
            if score >= window.beta {
                break;
            }
            alpha = alpha.max(score);
        }
    }
    best
}

/// The first of the best captures.
fn first(moves: &[(i32, Move)]) -> Option<usize> {
    let mut largest: Option<usize> = None;
    for (at, (value, _)) in moves.iter().enumerate() {
        if largest.is_none_or(|best| moves[best].0 < *value) {
            largest = Some(at);
        }
    }
    largest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use std::collections::BTreeSet;

    #[test]
    fn quiet_moves_of_a_position_have_counters_of_their_own() {
        for board in testing::boards(2_000) {
            let moves = testing::moves(&board);
            let places: BTreeSet<usize> = moves.iter().map(|&mv| history_index(&board, mv)).collect();
            assert!(places.iter().all(|&place| place < HISTORY));
            assert!(moves[0].is_capture() || places.len() == moves.len());
        }
    }

    #[test]
    fn the_classes_come_in_their_order() {
        let game = Draughts::default();
        use secateur_core::game::{Notation, Rules};
        let pos = game.parse("B:W32,24:B25,1,9,10").expect("a position");
        let mv = |text| game.parse_move(&pos, text).expect("a legal move");
        let mut history = vec![0; HISTORY];
        history[history_index(pos.board(), mv("10-15"))] = 700;
        let hints = Hints {
            depth: 3,
            table: Some(mv("9-13")),
            killers: [Some(mv("10-14")), None],
            counter: None,
            history: &history,
        };
        let mut moves = secateur_core::game::Moves::<Draughts>::new();
        game.moves(&pos, &mut moves);
        order(pos.board(), &hints, &mut moves);
        let mut moves = moves.to_vec();
        moves.sort_by_key(|scored| -scored.value);
        let first: Vec<String> = moves.iter().map(|scored| game.format_move(&pos, scored.mv)).collect();
        assert_eq!(first[0], "9-13");
        assert!(first[1..3].iter().all(|text| text.starts_with("25-")), "{first:?}");
        assert_eq!(first[3..5], ["10-14", "10-15"]);
    }
}
